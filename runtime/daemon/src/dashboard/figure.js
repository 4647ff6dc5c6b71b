// The drawing of the body: as it is measured, and as a ghost what it was sent. Its root stands upright, on the ground
// that its lowest point touches.

import { ghost, ground, plate, solid } from './brush.js';
import { at, number, say } from './parts.js';
import { lowest, placed, poses, prepared, reach } from './shape.js';
import { sight } from './sight.js';
import { View } from './view.js';

// From one picture to the next for those who want little to move; from one telling of the error to the next.
const CALM_MS = 500;
const TOLD_MS = 4000;
// An error that is worth a look, and the thickness of a bone, in sizes of the body.
const ODD = 0.1;
const BONE = 0.011;

const canvas = at('figure'), pen = canvas.getContext('2d');
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const view = new View();
const isSeen = sight(canvas, soon);
const KEYS = {
  ArrowLeft: () => view.orbit(-0.12, 0), ArrowRight: () => view.orbit(0.12, 0),
  ArrowUp: () => view.orbit(0, 0.08), ArrowDown: () => view.orbit(0, -0.08),
  '+': () => view.near(1.2), '=': () => view.near(1.2), '-': () => view.near(1 / 1.2), 0: () => view.reset(),
};

let links = [], sensors = new Map(), names = [], units = [], size = 1, tall = 1, frame;
let isAsked = false, timer, drawn = -Infinity, told = -Infinity;

export function depict(figure, labels) {
  links = prepared(figure?.links ?? []);
  sensors = new Map((figure?.joints ?? []).map((it) => [it.actuator, it.sensor]));
  names = labels.actuators.map((it) => it.name);
  units = labels.actuators.map((it) => it.unit);
  frame = undefined;
  measure();
  at('drawing').hidden = !links.length;
  at('no-figure').hidden = links.length > 0;
  say(at('no-figure'), figure ? 'This robot\'s description has no links, so there is nothing to draw.'
    : 'This robot does not tell how its body hangs together, so there is nothing to draw.');
}

// How large the picture must be for the body to stay in it however it moves: as high as it can stand.
function measure() {
  if (!links.length) return;
  const far = reach(links);
  tall = far - Math.min(0, lowest(links, poses(links, () => 0)));
  size = Math.max(tall, 1.6 * far, 1e-3);
}

export function pose(newest) {
  frame = newest;
  soon();
}

// At most one picture for each that the screen shows, and none that nobody sees.
function soon() {
  if (isAsked || !frame || !links.length || !isSeen()) return;
  isAsked = true;
  const wait = calm.matches ? Math.max(0, drawn + CALM_MS - performance.now()) : 0;
  timer = setTimeout(() => requestAnimationFrame(paint), wait);
}

// A wheel tells how fast it is, not where it stands.
const stands = (joint, it) => (typeof it === 'number' && units[joint] !== 'rad/s' ? it : undefined);
const sent = (joint) => stands(joint, frame.sent[joint]);
const measured = (joint) => stands(joint, frame.sensors[sensors.get(joint) ?? -1]);
const error = (joint) => (sent(joint) ?? NaN) - (measured(joint) ?? NaN);

function paint() {
  isAsked = false;
  drawn = performance.now();
  const { clientWidth: width, clientHeight: height } = canvas, dots = devicePixelRatio || 1;
  fit(Math.round(width * dots), Math.round(height * dots));
  pen.setTransform(dots, 0, 0, dots, 0, 0);
  pen.clearRect(0, 0, width, height);
  const is = poses(links, (joint) => measured(joint) ?? sent(joint) ?? 0);
  const shall = poses(links, (joint) => sent(joint) ?? measured(joint) ?? 0);
  const style = getComputedStyle(canvas), colour = (name) => style.getPropertyValue(name);
  const low = lowest(links, is);
  const see = view.seer([0, 0, low + tall / 2], size, width, height);
  pen.lineWidth = 1;
  const square = ground(pen, see, low, size, colour('--line'));
  for (const it of parts(is, see)) {
    const shell = it.isOdd ? colour('--odd') : colour(it.isBone ? '--bone' : '--shell');
    if (it.corners) plate(pen, it.corners, shell, colour('--edge'));
    else solid(pen, it, shell, colour('--edge'));
  }
  pen.lineWidth = 1.4;
  for (const it of parts(shall, see)) if (!it.isBone && !it.corners) ghost(pen, it, colour('--accent'));
  tell(square);
}

// As many dots as the screen has there; a canvas that changes its size is made anew.
function fit(width, height) {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

// What is to be painted, the farthest first.
function parts(all, see) {
  const list = [];
  links.forEach((link, which) => {
    const isOdd = link.joint !== null && Math.abs(error(link.joint)) > ODD;
    const point = (it) => see(placed(all[which], it));
    for (const { from, to, radius } of link.capsules) list.push({ a: point(from), b: point(to), radius, isOdd });
    if (link.sole.length > 2) list.push({ corners: link.sole.map(point), isOdd });
    const root = all[link.parent];
    if (root) list.push({ a: see(root.at), b: point([0, 0, 0]), radius: BONE * size, isBone: true });
  });
  const middle = (points) => points.reduce((sum, it) => sum + it.near, 0) / points.length;
  // Bones are inside: whatever has a shell hides them.
  const near = (it) => (it.isBone ? -size : 0) + middle(it.corners ?? [it.a, it.b]);
  return list.map((it) => [near(it), it]).sort((one, other) => one[0] - other[0]).map(([, it]) => it);
}

// For those who do not see it; seldom, so that it can be listened to.
function tell(square) {
  say(at('square'), `${number(square * 100, 0)} cm`);
  if (drawn - told < TOLD_MS) return;
  told = drawn;
  const [worst] = [...sensors.keys()].filter((it) => error(it) === error(it))
    .sort((one, other) => Math.abs(error(other)) - Math.abs(error(one)));
  const largest = worst === undefined ? 'nothing measures it'
    : `largest error: ${names[worst]} ${number(Math.abs(error(worst)), 2)} ${units[worst]}`;
  canvas.setAttribute('aria-label', `The body, ${view.words}; ${largest}`);
}

// Whoever turns it wants it to move now.
function turn(act) {
  act();
  told = drawn = -Infinity;
  if (isAsked && calm.matches) { clearTimeout(timer); isAsked = false; }
  soon();
}

canvas.addEventListener('keydown', (event) => {
  const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key];
  if (act) { event.preventDefault(); turn(act); }
});
canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId));
canvas.addEventListener('pointermove', (event) => {
  if (!canvas.hasPointerCapture(event.pointerId)) return;
  turn(() => view.orbit(-event.movementX / 120, event.movementY / 150));
});
for (const button of document.querySelectorAll('[data-view]')) {
  button.addEventListener('click', () => turn(KEYS[button.dataset.view]));
}
new ResizeObserver(soon).observe(canvas);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', soon);
