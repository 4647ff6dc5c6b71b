// The guests that play: a card for each, with its fuel, its buttons and its parameters.

import { reporting, request } from './request.js';
import { at, clockTime, make, number, setText } from './dom.js';
import { may } from './control.js';

const cards = new Map();

export function showGuests(guests) {
  const playing = guests.filter((it) => it.life !== 'gone');
  const here = new Set(playing.map((it) => it.id));
  for (const [id, card] of cards) if (!here.has(id)) { card.root.remove(); cards.delete(id); }
  for (const it of playing) (cards.get(it.id) ?? addCard(it)).update(it);
  const nobody = at('guests').querySelector('p.dim');
  if (playing.length) nobody?.remove();
  else if (!nobody) at('guests').append(make('p', { className: 'dim', textContent: 'Nobody plays.' }));
}

// A slider. `of` returns [lowest, value, highest] of a guest.
function slider(label, step, of, change) {
  const shown = make('output');
  const input = make('input', { type: 'range', step, value: 1, disabled: !may('perform'),
    oninput: () => setText(shown, number(Number(input.value), 2)),
    onchange: reporting(() => change(Number(input.value))) });
  const update = (guest) => {
    // It does not move while somebody uses it.
    if (input.matches(':focus, :active')) return;
    // Without a value from the robot, the slider keeps its own.
    const [low, value = Number(input.value), high] = of(guest);
    Object.assign(input, { min: low, max: high, value });
    setText(shown, number(value, 2));
  };
  return { root: make('label', {}, label, input, shown), update };
}

// The usual range of priorities, extended to include the guest's own.
const priorities = ({ priority: own }) => [Math.min(0, Math.floor(own)), own, Math.max(50, Math.ceil(own))];

function sliders({ params }, path) {
  const tune = (name) => (value) => request('PATCH', path, { params: { [name]: value } });
  return [
    slider('priority', 1, priorities, (priority) => request('PATCH', path, { priority })),
    slider('weight', 0.05, (it) => [0, it.weight, 1], (weight) => request('PATCH', path, { weight })),
    ...Object.entries(params).map(([name, [low, , high]]) =>
      slider(name, (high - low) / 100 || 'any', (it) => it.params[name], tune(name))),
  ];
}

function addCard(guest) {
  const path = `guests/${guest.id}`;
  const about = make('p');
  const fuel = make('meter', { min: 0, max: guest.fuel, high: guest.fuel * 0.8,
    'aria-label': 'fuel of the costliest call' });
  const pause = make('button', { 'data-needs': 'perform',
    onclick: reporting(() => request('POST', `${path}/${pause.textContent.toLowerCase()}`)) });
  const end = make('button', { textContent: 'End', 'data-needs': 'perform', onclick: reporting(() => {
    document.dispatchEvent(new CustomEvent('ending', { detail: guest }));
    return request('DELETE', path);
  }) });
  const all = sliders(guest, path);
  const root = make('div', { className: 'card' }, make('strong', { textContent: guest.name }), about,
    make('div', { className: 'row' }, 'Fuel ', fuel, pause, end), ...all.map((one) => one.root));
  const update = (it) => {
    const most = Math.max(0, ...Object.values(it.hooks).map((hook) => hook.most));
    fuel.value = most;
    setText(pause, it.life === 'paused' ? 'Resume' : 'Pause');
    const length = it.lasts_ns ? ` of ${clockTime(it.lasts_ns / 1e9)}` : '';
    setText(about, `${it.life}, ${clockTime(it.played_ns / 1e9)}${length}, ${it.commands} commands, ${it.late} late, `
      + `${it.clipped} clipped, ${it.refused} refused, ${it.deferred} deferred; fuel ${most} of ${it.fuel}`);
    for (const one of all) one.update(it);
  };
  const card = { root, update };
  cards.set(guest.id, card);
  at('guests').append(root);
  return card;
}
