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
  sliders = (figure?.joints ?? []).filter((it) => UNITS.includes(it.unit) && it.lowest < it.highest).map(slider);
  poses = figure?.poses ?? [];
  at('sliders').replaceChildren(...sliders.map((it) => it.root));
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
    oninput: () => { it.wanted = Number(input.value); it.goal = it.wanted; update(it); send(); } });
  const it = { ...joint, input, shown, goal: undefined, wanted: undefined,
    root: make('label', {}, joint.name, input, shown) };
  return it;
}

// Shows where a joint is told to be; where it was dragged to, until it is there.
function update(it) {
  const sent = sentTo(it);
  if (it.goal !== undefined && Math.abs(it.goal - sent) < THERE && it.wanted === undefined) it.goal = undefined;
  const value = it.goal ?? sent;
  if (typeof value !== 'number') return;
  if (!it.input.matches(':active')) it.input.value = value;
  setText(it.shown, `${number(value, 2)} ${it.unit}`);
}

export function updateMoves(newest) {
  frame = newest;
  if (isVisible()) for (const it of sliders) update(it);
}

// How long these changes take at the chosen speed, s: [how far, unit] of each joint.
const time = (ways) => Math.max(SHORTEST_S, ...ways.map(([far, unit]) => far / speed(unit)));
const way = (it, value) => [Math.abs(value - (sentTo(it) ?? value)), it.unit];

const nanos = (seconds) => Math.round(seconds * 1e9);

// Sends what was dragged, one request after another: while one is on its way the newest values wait.
async function send() {
  if (isSending) return;
  isSending = true;
  try {
    for (;;) {
      const dragged = sliders.filter((it) => it.wanted !== undefined);
      if (!dragged.length || !isAllowed()) break;
      const to = dragged.map((it) => it.name), values = dragged.map((it) => it.wanted);
      const after_ns = nanos(time(dragged.map((it) => way(it, it.wanted))));
      for (const it of dragged) it.wanted = undefined;
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
  const known = sliders.filter((it) => it.name in values);
  const in_ns = nanos(time(known.map((it) => way(it, values[it.name]))));
  ({ ticket } = await ask('pose', { name, in_ns }));
  at('let-be').hidden = false;
}

// Stops what was asked for last: its joints stay where they are.
at('let-be').addEventListener('click', reporting(async () => {
  forget();
  await ask('cancel', { ticket }).catch((error) => { if (error.code !== 'not-found') throw error; });
  at('let-be').hidden = true;
}));

function forget() { for (const it of sliders) it.goal = it.wanted = undefined; }

const isAllowed = () => isMine() && may('perform') && stateShown() === 'running';

function allow() {
  at('moves').disabled = !isAllowed();
  if (!isAllowed()) { forget(); at('let-be').hidden = true; }
  const why = !isMine() ? 'Take control to move the body.' : 'The body must be running to be moved.';
  setText(at('move-told'), isAllowed() ? 'Each joint goes to where its slider is, no faster than the speed.' : why);
  at('move-control').hidden = isMine();
}

for (const kind of ['control', 'state']) document.addEventListener(kind, allow);
