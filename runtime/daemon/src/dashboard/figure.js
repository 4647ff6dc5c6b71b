// Draws the body: the measured pose solid, the sent pose as a ghost. The root is upright; the ground touches the
// lowest point.

import { ghost, ground, plate, solid } from './paint.js';
import { at, number, setText } from './dom.js';
import { lowest, placed, poses, prepared, reach } from './kinematics.js';
import { observeVisibility } from './visibility.js';
import { Camera } from './camera.js';

// The interval between pictures with reduced motion, and between updates of the label.
const REDUCED_MS = 500;
const LABEL_MS = 4000;
// The error that is highlighted, and the thickness of a bone in sizes of the body.
const ERROR_MAX = 0.1;
const BONE = 0.011;

const canvas = at('figure'), pen = canvas.getContext('2d');
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
const camera = new Camera();
const isVisible = observeVisibility(canvas, schedule);
const KEYS = {
  ArrowLeft: () => camera.orbit(-0.12, 0), ArrowRight: () => camera.orbit(0.12, 0),
  ArrowUp: () => camera.orbit(0, 0.08), ArrowDown: () => camera.orbit(0, -0.08),
  '+': () => camera.zoomBy(1.2), '=': () => camera.zoomBy(1.2), '-': () => camera.zoomBy(1 / 1.2), 0: () => camera.reset(),
};

let links = [], sensors = new Map(), names = [], units = [], size = 1, tall = 1, frame;
let isAsked = false, timer, drawn = -Infinity, labelled = -Infinity;

export function describeFigure(figure, labels) {
  links = prepared(figure?.links ?? []);
  sensors = new Map((figure?.joints ?? []).map((it) => [it.actuator, it.sensor]));
  names = labels.actuators.map((it) => it.name);
  units = labels.actuators.map((it) => it.unit);
  frame = undefined;
  measure();
  at('drawing').hidden = !links.length;
  at('no-figure').hidden = links.length > 0;
  setText(at('no-figure'), figure ? 'This robot\'s description has no links, so there is nothing to draw.'
    : 'This robot does not list its links, so there is nothing to draw.');
}

// The size of the picture: the body stays in it in every pose.
function measure() {
  if (!links.length) return;
  const far = reach(links);
  tall = far - Math.min(0, lowest(links, poses(links, () => 0)));
  size = Math.max(tall, 1.6 * far, 1e-3);
}

export function updateFigure(newest) {
  frame = newest;
  schedule();
}

// Schedules a picture: at most one for each refresh of the screen, and none while the canvas is invisible.
function schedule() {
  if (isAsked || !frame || !links.length || !isVisible()) return;
  isAsked = true;
  const wait = reducedMotion.matches ? Math.max(0, drawn + REDUCED_MS - performance.now()) : 0;
  timer = setTimeout(() => requestAnimationFrame(paint), wait);
}

// The value of a wheel is a speed, not a position.
const position = (joint, it) => (typeof it === 'number' && units[joint] !== 'rad/s' ? it : undefined);
const sent = (joint) => position(joint, frame.sent[joint]);
const measured = (joint) => position(joint, frame.sensors[sensors.get(joint) ?? -1]);
const error = (joint) => (sent(joint) ?? NaN) - (measured(joint) ?? NaN);

function paint() {
  isAsked = false;
  drawn = performance.now();
  const { clientWidth: width, clientHeight: height } = canvas, dots = devicePixelRatio || 1;
  fit(Math.round(width * dots), Math.round(height * dots));
  pen.setTransform(dots, 0, 0, dots, 0, 0);
  pen.clearRect(0, 0, width, height);
  const actual = poses(links, (joint) => measured(joint) ?? sent(joint) ?? 0);
  const target = poses(links, (joint) => sent(joint) ?? measured(joint) ?? 0);
  const style = getComputedStyle(canvas), colour = (name) => style.getPropertyValue(name);
  const low = lowest(links, actual);
  const project = camera.projection([0, 0, low + tall / 2], size, width, height);
  pen.lineWidth = 1;
  const square = ground(pen, project, low, size, colour('--line'));
  for (const it of parts(actual, project)) {
    const shell = it.isOdd ? colour('--odd') : colour(it.isBone ? '--bone' : '--shell');
    if (it.corners) plate(pen, it.corners, shell, colour('--edge'));
    else solid(pen, it, shell, colour('--edge'));
  }
  pen.lineWidth = 1.4;
  for (const it of parts(target, project)) if (!it.isBone && !it.corners) ghost(pen, it, colour('--accent'));
  updateLabel(square);
}

// Sets the canvas to the screen's resolution. Setting a size clears the canvas, so only a changed one is set.
function fit(width, height) {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

// The parts to paint, the farthest first.
function parts(all, project) {
  const list = [];
  links.forEach((link, which) => {
    const isOdd = link.joint !== null && Math.abs(error(link.joint)) > ERROR_MAX;
    const point = (it) => project(placed(all[which], it));
    for (const { from, to, radius } of link.capsules) list.push({ a: point(from), b: point(to), radius, isOdd });
    if (link.sole.length > 2) list.push({ corners: link.sole.map(point), isOdd });
    const root = all[link.parent];
    if (root) list.push({ a: project(root.at), b: point([0, 0, 0]), radius: BONE * size, isBone: true });
  });
  const middle = (points) => points.reduce((sum, it) => sum + it.near, 0) / points.length;
  // Bones are inside, so shells hide them.
  const near = (it) => (it.isBone ? -size : 0) + middle(it.corners ?? [it.a, it.b]);
  return list.map((it) => [near(it), it]).sort((one, other) => one[0] - other[0]).map(([, it]) => it);
}

// The label for screen readers. It changes seldom, so that it can be heard.
function updateLabel(square) {
  setText(at('square'), `${number(square * 100, 0)} cm`);
  if (drawn - labelled < LABEL_MS) return;
  labelled = drawn;
  const [worst] = [...sensors.keys()].filter((it) => error(it) === error(it))
    .sort((one, other) => Math.abs(error(other)) - Math.abs(error(one)));
  const largest = worst === undefined ? 'nothing measures it'
    : `largest error: ${names[worst]} ${number(Math.abs(error(worst)), 2)} ${units[worst]}`;
  canvas.setAttribute('aria-label', `The body, ${camera.description}; ${largest}`);
}

// Moves the camera, and draws at once.
function moveCamera(act) {
  act();
  labelled = drawn = -Infinity;
  if (isAsked && reducedMotion.matches) { clearTimeout(timer); isAsked = false; }
  schedule();
}

canvas.addEventListener('keydown', (event) => {
  const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key];
  if (act) { event.preventDefault(); moveCamera(act); }
});
canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId));
canvas.addEventListener('pointermove', (event) => {
  if (!canvas.hasPointerCapture(event.pointerId)) return;
  moveCamera(() => camera.orbit(-event.movementX / 120, event.movementY / 150));
});
for (const button of document.querySelectorAll('[data-view]')) {
  button.addEventListener('click', () => moveCamera(KEYS[button.dataset.view]));
}
new ResizeObserver(schedule).observe(canvas);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', schedule);
