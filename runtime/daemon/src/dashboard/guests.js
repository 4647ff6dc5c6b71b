// Who plays: one card for each guest, with its fuel, its buttons and its parameters.

import { ask, attempt } from './ask.js';
import { at, make, number, say } from './parts.js';

const cards = new Map();

export function stage(guests) {
  const playing = guests.filter((it) => it.life !== 'gone');
  const here = new Set(playing.map((it) => it.id));
  for (const [id, card] of cards) if (!here.has(id)) { card.root.remove(); cards.delete(id); }
  for (const it of playing) (cards.get(it.id) ?? open(it)).tell(it);
  const nobody = at('guests').querySelector('p.dim');
  if (playing.length) nobody?.remove();
  else if (!nobody) at('guests').append(make('p', { className: 'dim', textContent: 'Nobody plays.' }));
}

// A slider: `of` tells its range and its value, as a guest is told of.
function slider(label, step, of, change) {
  const shown = make('output');
  const input = make('input', { type: 'range', step, value: 1,
    oninput: () => say(shown, number(Number(input.value), 2)),
    onchange: attempt(() => change(Number(input.value))) });
  const tell = (guest) => {
    // Whoever has it in hand is not disturbed.
    if (input.matches(':focus, :active')) return;
    // What a robot does not tell stays as it was set here.
    const [low, value = Number(input.value), high] = of(guest);
    Object.assign(input, { min: low, max: high, value });
    say(shown, number(value, 2));
  };
  return { root: make('label', {}, label, input, shown), tell };
}

// What people usually give, and in any case the guest's own.
const priorities = ({ priority: own }) => [Math.min(0, Math.floor(own)), own, Math.max(50, Math.ceil(own))];

function sliders({ params }, path) {
  const tune = (name) => (value) => ask('PATCH', path, { params: { [name]: value } });
  return [
    slider('priority', 1, priorities, (priority) => ask('PATCH', path, { priority })),
    slider('weight', 0.05, (it) => [0, it.weight, 1], (weight) => ask('PATCH', path, { weight })),
    ...Object.entries(params).map(([name, [low, , high]]) =>
      slider(name, (high - low) / 100 || 'any', (it) => it.params[name], tune(name))),
  ];
}

function open(guest) {
  const path = `guests/${guest.id}`;
  const about = make('p');
  const fuel = make('meter', { min: 0, max: guest.fuel, high: guest.fuel * 0.8,
    'aria-label': 'fuel of the dearest call' });
  const pause = make('button', { onclick: attempt(() => ask('POST', `${path}/${pause.textContent.toLowerCase()}`)) });
  const end = make('button', { textContent: 'End', onclick: attempt(() => ask('DELETE', path)) });
  const all = sliders(guest, path);
  const root = make('div', { className: 'card' }, make('strong', { textContent: guest.name }), about,
    make('div', { className: 'row' }, 'Fuel ', fuel, pause, end), ...all.map((one) => one.root));
  const tell = (it) => {
    const most = Math.max(0, ...Object.values(it.hooks).map((hook) => hook.most));
    fuel.value = most;
    say(pause, it.life === 'paused' ? 'Resume' : 'Pause');
    say(about, `${it.life}, ${it.commands} commands, ${it.late} late, ${it.clipped} clipped, ${it.refused} refused, `
      + `${it.deferred} deferred; fuel ${most} of ${it.fuel}`);
    for (const one of all) one.tell(it);
  };
  const card = { root, tell };
  cards.set(guest.id, card);
  at('guests').append(root);
  return card;
}
