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

function slider(label, low, value, high, step, change) {
  const shown = make('output', { textContent: number(value, 2) });
  const input = make('input', { type: 'range', min: low, max: high, step, value,
    oninput: () => { shown.textContent = number(Number(input.value), 2); },
    onchange: attempt(() => change(Number(input.value))) });
  return make('label', {}, label, input, shown);
}

function sliders(guest, path) {
  const tune = (name) => (value) => ask('PATCH', path, { params: { [name]: value } });
  return [
    slider('priority', 0, guest.priority, 50, 1, (priority) => ask('PATCH', path, { priority })),
    slider('weight', 0, 1, 1, 0.05, (weight) => ask('PATCH', path, { weight })),
    ...Object.entries(guest.params).map(([name, [low, value, high]]) =>
      slider(name, low, value, high, (high - low) / 100 || 'any', tune(name))),
  ];
}

function open(guest) {
  const path = `guests/${guest.id}`;
  const about = make('p');
  const fuel = make('meter', { min: 0, max: guest.fuel, high: guest.fuel * 0.8,
    'aria-label': 'fuel of the dearest call' });
  const pause = make('button', { onclick: attempt(() => ask('POST', `${path}/${pause.textContent.toLowerCase()}`)) });
  const end = make('button', { textContent: 'End', onclick: attempt(() => ask('DELETE', path)) });
  const root = make('div', { className: 'card' }, make('strong', { textContent: guest.name }), about,
    make('div', { className: 'row' }, 'Fuel ', fuel, pause, end), ...sliders(guest, path));
  const tell = (it) => {
    const most = Math.max(0, ...Object.values(it.hooks).map((hook) => hook.most));
    fuel.value = most;
    say(pause, it.life === 'paused' ? 'Resume' : 'Pause');
    say(about, `${it.life}, ${it.commands} commands, ${it.late} late, ${it.clipped} clipped, ${it.refused} refused, `
      + `${it.deferred} deferred; fuel ${most} of ${it.fuel}`);
  };
  const card = { root, tell };
  cards.set(guest.id, card);
  at('guests').append(root);
  return card;
}
