// Draws a body on a canvas: the measured pose solid, the sent pose as a ghost. A body with physics is drawn where its
// simulation has it, with what it stands on; any other is upright, and the ground touches its lowest point. The live body
// and a recording are drawn by the same.

import { area, dot, ghost, ground, plate, solid } from './paint.js';
import { face, paintFace } from './face.js';
import { HOME, hull, lowest, placed, poses, prepared, reach, touching, turn } from './kinematics.js';
import { observeVisibility } from './visibility.js';

// The interval between pictures with reduced motion.
const REDUCED_MS = 500;
// The error that is highlighted, and the thickness of a bone in sizes of the body.
const ERROR_MAX = 0.1;
const BONE = 0.011;
// How far below a level floor a body may be drawn, m: the floor gives way a little.
const BELOW = 0.01;

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

// What a body is made of, as the description has it.
export class Body {
  constructor(figure, { actuators }) {
    this.links = prepared(figure?.links ?? []);
    this.sensors = new Map((figure?.joints ?? []).map((joint) => [joint.actuator, joint.sensor]));
    this.names = actuators.map((actuator) => actuator.name);
    this.units = actuators.map((actuator) => actuator.unit);
    this.base = figure?.base;
    this.forces = figure?.forces ?? [];
    this.face = face(this.links);
    if (!this.links.length) return;
    // The size of the picture: the body stays in it in every pose.
    const far = reach(this.links);
    this.tall = far - Math.min(0, lowest(this.links, poses(this.links, () => 0)));
    this.size = Math.max(this.tall, 1.6 * far, 1e-3);
  }
}

export class BodyView {
  // `onPainted` is told the width of a square of the ground, m.
  constructor(canvas, camera, onPainted = () => {}) {
    Object.assign(this, { canvas, camera, onPainted, pen: canvas.getContext('2d'), isAsked: false, drawn: -Infinity });
    this.isVisible = observeVisibility(canvas, () => this.schedule());
    new ResizeObserver(() => this.schedule()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.schedule());
  }

  // Shows this body. `sent` and `measured` return the values of an actuator; `base` is the pose of its first
  // link in the simulation: x, y, z, roll, pitch, yaw; `force` returns the value of a sensor.
  show(body, sent, measured, base, force = () => 0) {
    // The value of a wheel is a speed, not a position.
    const position = (read) => (joint) => {
      const value = body.units[joint] === 'rad/s' ? undefined : read(joint);
      return typeof value === 'number' ? value : undefined;
    };
    const pose = base?.some(Boolean) ? { at: base.slice(0, 3), turn: turn(base.slice(3)) } : undefined;
    Object.assign(this, { body, base: pose, force, sent: position(sent), measured: position(measured) });
    this.schedule();
  }

  // How the simulation has the body, in a word.
  get posture() { return !this.base ? 'unknown' : this.base.turn[8] > 0.5 ? 'upright' : 'lying'; }

  error(joint) { return (this.sent(joint) ?? NaN) - (this.measured(joint) ?? NaN); }

  // Schedules a picture: at most one for each refresh of the screen, and none while the canvas is invisible.
  schedule() {
    if (this.isAsked || !this.body?.links.length || !this.isVisible()) return;
    this.isAsked = true;
    const wait = reducedMotion.matches ? Math.max(0, this.drawn + REDUCED_MS - performance.now()) : 0;
    this.timer = setTimeout(() => requestAnimationFrame(() => this.paint()), wait);
  }

  // Draws at once, because somebody has turned the body.
  hurry() {
    this.drawn = -Infinity;
    if (this.isAsked && reducedMotion.matches) { clearTimeout(this.timer); this.isAsked = false; }
    this.schedule();
  }

  paint() {
    this.isAsked = false;
    this.drawn = performance.now();
    const { canvas, pen, body, base, sent, measured } = this;
    const { clientWidth: width, clientHeight: height } = canvas, dots = devicePixelRatio || 1;
    this.fit(Math.round(width * dots), Math.round(height * dots));
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    pen.clearRect(0, 0, width, height);
    const actual = poses(body.links, (joint) => measured(joint) ?? sent(joint) ?? 0, base);
    const target = poses(body.links, (joint) => sent(joint) ?? measured(joint) ?? 0, base);
    const style = getComputedStyle(canvas), colour = (name) => style.getPropertyValue(name);
    // A body that is below the ground stands on a floor that was tilted.
    const bottom = lowest(body.links, actual), isTilted = bottom < -BELOW;
    const low = base && !isTilted ? 0 : bottom, [x, y] = (base ?? HOME).at;
    const middle = base ? Math.max(base.at[2], body.tall / 4) : low + body.tall / 2;
    const project = this.camera.projection([x, y, middle], body.size, width, height);
    pen.lineWidth = 1;
    const square = ground(pen, project, [x, y, low], body.size, colour('--line'));
    if (base && !isTilted) this.support(actual, project, colour('--accent'));
    for (const part of this.parts(actual, project)) {
      const shell = part.isOdd ? colour('--odd') : colour(part.isBone ? '--bone' : '--shell');
      if (part.isFace) paintFace(pen, body.face, actual, project, colour('--face'));
      else if (part.corners) plate(pen, part.corners, shell, colour('--edge'));
      else solid(pen, part, shell, colour('--edge'));
    }
    pen.lineWidth = 1.4;
    for (const part of this.parts(target, project)) {
      if (!part.isBone && !part.corners && !part.isFace) ghost(pen, part, colour('--accent'));
    }
    this.onPainted(square);
  }

  // Paints the support polygon, and the centre of pressure of the force sensors in it.
  support(all, project, colour) {
    const { links, forces } = this.body;
    area(this.pen, hull(touching(links, all, 0)).map(project), colour);
    const sum = [0, 0, 0];
    for (const { sensor, link, at } of forces) {
      const force = Math.max(0, this.force(sensor) || 0);
      placed(all[link], at).forEach((part, axis) => { sum[axis] += axis < 2 ? part * force : force; });
    }
    if (sum[2] > 0.1) dot(this.pen, project([sum[0] / sum[2], sum[1] / sum[2], 0]), colour);
  }

  // Sets the canvas to the screen's resolution. Setting a size clears the canvas, so only a changed one is set.
  fit(width, height) {
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
  }

  // The parts to paint, the farthest first.
  parts(all, project) {
    const list = [], { links, size } = this.body;
    const middle = (points) => points.reduce((sum, point) => sum + point.near, 0) / points.length;
    // Bones are inside, so shells hide them.
    const add = (part) => list.push([(part.isBone ? -size : 0) + middle(part.corners ?? [part.a, part.b]), part]);
    links.forEach((link, which) => {
      const isOdd = link.joint !== null && Math.abs(this.error(link.joint)) > ERROR_MAX;
      const point = (corner) => project(placed(all[which], corner));
      for (const { from, to, radius } of link.capsules) add({ a: point(from), b: point(to), radius, isOdd });
      // The face is painted after all of its head.
      if (this.body.face?.which === which) {
        const nearest = Math.max(...list.slice(-link.capsules.length).map(([near]) => near));
        list.push([nearest, { isFace: true }]);
      }
      if (link.sole.length > 2) add({ corners: link.sole.map(point), isOdd });
      const root = all[link.parent];
      if (root) add({ a: project(root.at), b: point([0, 0, 0]), radius: BONE * size, isBone: true });
    });
    return list.sort((one, other) => one[0] - other[0]).map(([, part]) => part);
  }
}
