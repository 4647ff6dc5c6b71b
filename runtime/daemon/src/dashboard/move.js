// Poses, and joints moved by hand: a slider for each. The law: only whoever holds control moves them, never faster than
// the chosen speed, and nothing that was asked for before STOP is sent after it.

import { ask, reporting, showError } from './request.js';
import { at, make, number, setText } from './dom.js';
import { isMine, keepControl, may } from './control.js';
import { stateShown } from './operations.js';
import { observeVisibility } from './visibility.js';

// Units that are positions. That of a hand is a share of its range, and has no name.
const UNITS = ['rad', 'm', ''];
// The shortest move, and the pause between two requests. A joint is there when it is this near.
const SHORTEST_S = 0.1;
const PAUSE_MS = 100;
const THERE = 0.01;

let sliders = [], poses = [], frame;
let isSending = false, ticket;
const isVisible = observeVisibility(at('sliders'), () => {});

export function describeMoves(figure) {
  const isMovable = (joint) => UNITS.includes(joint.unit) && joint.lowest < joint.highest;
  sliders = (figure?.joints ?? []).filter(isMovable).map(slider);
  poses = figure?.poses ?? [];
  at('sliders').replaceChildren(...sliders.map((slider) => slider.root));
  at('poses').replaceChildren(...poses.map((pose) => make('button', { type: 'button', textContent: pose.name,
    onclick: reporting(() => assume(pose)) })));
  at('move').hidden = !sliders.length;
}

// At most so far in a second: rad, m, or a share of the range.
const speed = (unit) => Number(at('speed').value) * (unit === 'm' ? 0.1 : 1);
const sentTo = ({ actuator }) => frame?.sent[actuator];

function slider(joint) {
  const shown = make('output');
  const input = make('input', { type: 'range', min: joint.lowest, max: joint.highest, step: 'any',
    oninput: () => { made.wanted = Number(input.value); made.goal = made.wanted; update(made); send(); } });
  const made = { ...joint, input, shown, goal: undefined, wanted: undefined,
    root: make('label', {}, joint.name, input, shown) };
  return made;
}

// Shows where a joint is told to be; where it was dragged to, until it is there.
function update(slider) {
  const sent = sentTo(slider);
  const isThere = slider.goal !== undefined && Math.abs(slider.goal - sent) < THERE;
  if (isThere && slider.wanted === undefined) slider.goal = undefined;
  const value = slider.goal ?? sent;
  if (typeof value !== 'number') return;
  if (!slider.input.matches(':active')) slider.input.value = value;
  setText(slider.shown, `${number(value, 2)} ${slider.unit}`);
}

export function updateMoves(newest) {
  frame = newest;
  if (isVisible()) for (const slider of sliders) update(slider);
}

// How long these changes take at the chosen speed, s: [how far, unit] of each joint.
const time = (ways) => Math.max(SHORTEST_S, ...ways.map(([far, unit]) => far / speed(unit)));
const way = (slider, value) => [Math.abs(value - (sentTo(slider) ?? value)), slider.unit];

const nanos = (seconds) => Math.round(seconds * 1e9);

// Sends what was dragged, one request after another: while one is on its way the newest values wait.
async function send() {
  if (isSending) return;
  isSending = true;
  try {
    for (;;) {
      const dragged = sliders.filter((slider) => slider.wanted !== undefined);
      if (!dragged.length || !isAllowed()) break;
      const to = dragged.map((slider) => slider.name), values = dragged.map((slider) => slider.wanted);
      const after_ns = nanos(time(dragged.map((slider) => way(slider, slider.wanted))));
      for (const slider of dragged) slider.wanted = undefined;
      await keepControl();
      if (!isAllowed()) break;
      ({ ticket } = await ask('move', { to, values, after_ns }));
      at('let-be').hidden = false;
      await new Promise((done) => { setTimeout(done, PAUSE_MS); });
    }
  } catch (error) { forget(); showError(error); } finally { isSending = false; }
}

async function assume({ name, values }) {
  await keepControl();
  const known = sliders.filter((slider) => slider.name in values);
  const in_ns = nanos(time(known.map((slider) => way(slider, values[slider.name]))));
  ({ ticket } = await ask('pose', { name, in_ns }));
  at('let-be').hidden = false;
}

// Stops what was asked for last: its joints stay where they are.
at('let-be').addEventListener('click', reporting(async () => {
  forget();
  await ask('cancel', { ticket }).catch((error) => { if (error.code !== 'not-found') throw error; });
  at('let-be').hidden = true;
}));

function forget() { for (const slider of sliders) slider.goal = slider.wanted = undefined; }

const isAllowed = () => isMine() && may('perform') && stateShown() === 'running';

function allow() {
  at('moves').disabled = !isAllowed();
  if (!isAllowed()) { forget(); at('let-be').hidden = true; }
  const why = !isMine() ? 'Take control to move the body.' : 'The body must be running to be moved.';
  setText(at('move-told'), isAllowed() ? 'Each joint goes to where its slider is, no faster than the speed.' : why);
  at('move-control').hidden = isMine();
}

for (const kind of ['control', 'state']) document.addEventListener(kind, allow);
