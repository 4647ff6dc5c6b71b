// The live body, and the camera that it shares with a recording which is shown beside it.

import { at, number, setText } from './dom.js';
import { Body, BodyView } from './body-view.js';
import { Camera } from './camera.js';

// The interval between updates of the label.
const LABEL_MS = 4000;

const camera = new Camera();
const live = new BodyView(at('figure'), camera, updateLabel);
export const replayed = new BodyView(at('replayed'), camera);
const views = [live, replayed];
const PLACING = {
  unknown: 'Drawn upright.',
  upright: 'Light: the area on which it stands',
  lying: 'It lies: on its machine, `dcm-run sim lift` and then `dcm-run sim drop` set it on its feet.',
};
const KEYS = {
  ArrowLeft: () => camera.orbit(-0.12, 0), ArrowRight: () => camera.orbit(0.12, 0),
  ArrowUp: () => camera.orbit(0, 0.08), ArrowDown: () => camera.orbit(0, -0.08),
  '+': () => camera.zoomBy(1.2), '=': () => camera.zoomBy(1.2), '-': () => camera.zoomBy(1 / 1.2),
  0: () => camera.reset(),
};

let body, labelled = -Infinity;
export const liveBody = () => body;

export function describeFigure(figure, labels) {
  body = new Body(figure, labels);
  at('drawing').hidden = !body.links.length;
  at('no-figure').hidden = body.links.length > 0;
  setText(at('no-figure'), figure ? 'This robot\'s description has no links, so there is nothing to draw.'
    : 'This robot does not list its links, so there is nothing to draw.');
}

export function updateFigure(frame) {
  const sensor = (which) => frame.sensors[which];
  const base = body.base && [...body.base.position, ...body.base.angles].map(sensor);
  live.show(body, (joint) => frame.sent[joint], (joint) => sensor(body.sensors.get(joint) ?? -1), base, sensor);
}

// The label for screen readers. It changes seldom, so that it can be heard.
function updateLabel(square) {
  setText(at('square'), `${number(square * 100, 0)} cm`);
  const pressure = body.forces.length ? '; dot: the centre of pressure' : '';
  setText(at('placing'), PLACING[live.posture] + (live.posture === 'upright' ? `${pressure}.` : ''));
  if (performance.now() - labelled < LABEL_MS) return;
  labelled = performance.now();
  const [worst] = [...body.sensors.keys()].filter((joint) => !Number.isNaN(live.error(joint)))
    .sort((one, other) => Math.abs(live.error(other)) - Math.abs(live.error(one)));
  const largest = worst === undefined ? 'nothing measures it'
    : `largest error: ${body.names[worst]} ${number(Math.abs(live.error(worst)), 2)} ${body.units[worst]}`;
  at('figure').setAttribute('aria-label', `The body, ${live.base ? `${live.posture}, ` : ''}${camera.description}; ${largest}`);
}

// Moves the camera, and draws at once.
function moveCamera(act) {
  act();
  labelled = -Infinity;
  for (const view of views) view.hurry();
}

for (const { canvas } of views) {
  canvas.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key];
    if (act) { event.preventDefault(); moveCamera(act); }
  });
  canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener('pointermove', (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    moveCamera(() => camera.orbit(-event.movementX / 120, event.movementY / 150));
  });
}
for (const button of document.querySelectorAll('[data-view]')) {
  button.addEventListener('click', () => moveCamera(KEYS[button.dataset.view]));
}
