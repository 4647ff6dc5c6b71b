// The planned starts of the robot: those at an instant, and those that wait for the end of a guest.

import { reporting, request } from './request.js';
import { at, instant, make, setText } from './dom.js';
import { whileVisible } from './visibility.js';
import { stored } from './choreographies.js';
import { list } from './cues.js';

const POLL_MS = 1000;

// A row stays while its plan does, so that a press meets the button that was meant.
const rows = new Map();

async function update() {
  const plans = await request('GET', 'plans');
  const here = new Set(plans.map((plan) => plan.number));
  for (const [number, row] of rows) if (!here.has(number)) { row.root.remove(); rows.delete(number); }
  for (const plan of plans) (rows.get(plan.number) ?? add(plan)).update(plan);
  at('no-plans').hidden = plans.length > 0;
}

// A plan names what it starts by its digest, if this page has planned it.
const nameOf = (choreography) => list().map((cue) => cue.name).find((name) => stored(name)?.digest === choreography)
  ?? (choreography.length === 64 ? choreography.slice(0, 12) : choreography);

function add(plan) {
  const name = nameOf(plan.choreography), about = make('span', { className: 'dim' });
  const cancel = make('button', { textContent: 'Cancel', 'aria-label': `Cancel the start of ${name}`,
    'data-needs': 'perform', onclick: reporting(async () => {
      document.dispatchEvent(new CustomEvent('cancelled', { detail: plan.number }));
      await request('DELETE', `plans/${plan.number}`);
      await update();
    }) });
  const root = make('li', { className: 'card row' }, make('strong', { textContent: name }), about, cancel);
  const row = { root, update: ({ at: when, after, by }) => {
    setText(about, `${after ? `when ${after} has ended` : instant(when)}, planned by ${by || 'the robot'}`);
  } };
  rows.set(plan.number, row);
  at('plans').append(root);
  return row;
}

export const plans = { ...whileVisible(at('plans-part'), POLL_MS, update, () => { at('plans-part').hidden = true; }),
  renew: update };
