// The guests that play: a card for each, with its fuel, its buttons and its parameters.

import { ask, reporting } from './request.js';
import { at, clockTime, make, number, setText } from './dom.js';
import { may } from './control.js';

const cards = new Map();

export function showGuests(guests) {
  const playing = guests.filter((guest) => guest.life !== 'gone');
  const here = new Set(playing.map((guest) => guest.id));
  for (const [id, card] of cards) if (!here.has(id)) { card.root.remove(); cards.delete(id); }
  for (const guest of playing) (cards.get(guest.id) ?? addCard(guest)).update(guest);
  const nobody = at('guests').querySelector('p.dim');
  if (playing.length) nobody?.remove();
  else if (!nobody) at('guests').append(make('p', { className: 'dim', textContent: 'Nobody plays.' }));
}

// The parameters of a player: a show, of which some are switches.
const PLAYER = ['speed', 'at', 'pause', 'loop', 'mirror'];
const SWITCHES = ['pause', 'loop', 'mirror'];
const isPlayer = ({ params }) => PLAYER.every((name) => name in params);

// A step of 1, 2 or 5 of some decimal place, about a hundredth of a range: so that whole numbers can be chosen, and no
// step at all where the range begins between two of them.
function stepOf(low, high) {
  const most = (high - low) / 100;
  if (!(most > 0)) return 'any';
  const unit = 10 ** Math.floor(Math.log10(most));
  const step = unit * ([5, 2, 1].find((digit) => digit * unit <= most * (1 + 1e-9)) ?? 1);
  const places = low / step;
  return Math.abs(places - Math.round(places)) < 1e-6 ? Number(step.toPrecision(1)) : 'any';
}

// A switch: 1 or 0. `of` returns [lowest, value, highest] of a guest.
function toggle(label, of, change) {
  const input = make('input', { type: 'checkbox', disabled: !may('perform'),
    onchange: reporting(() => change(input.checked ? 1 : 0)) });
  return { root: make('label', {}, label, input), update: (guest) => { input.checked = of(guest)[1] >= 0.5; } };
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

function sliders(guest) {
  const { id, params } = guest;
  const tuned = (change) => ask('tune', { guest: String(id), ...change });
  const tune = (name) => (value) => tuned({ params: { [name]: value } });
  return [
    slider('priority', 1, priorities, (priority) => tuned({ priority })),
    slider('weight', 0.05, (guest) => [0, guest.weight, 1], (weight) => tuned({ weight })),
    ...Object.entries(params).map(([name, [low, , high]]) => {
      const of = (guest) => guest.params[name];
      return isPlayer(guest) && SWITCHES.includes(name)
        ? toggle(name, of, tune(name)) : slider(name, stepOf(low, high), of, tune(name));
    }),
  ];
}

// How far it is: of a player that loops the time of its round; of one that was steered nobody knows but itself.
function progress(guest) {
  const played = guest.played_ns / 1e9;
  const lasts = guest.lasts_ns / 1e9;
  const value = (name) => guest.params[name][1];
  const player = isPlayer(guest);
  const isSteered = player && (value('speed') !== 1 || value('at') !== 0 || value('pause') !== 0);
  if (!lasts || isSteered) return clockTime(played);
  const loops = player ? value('loop') >= 0.5 : guest.loops;
  const round = loops ? Math.floor(played / lasts) : 0;
  const within = Math.min(played - round * lasts, lasts);
  return `${clockTime(within)} of ${clockTime(lasts)}${loops ? `, round ${round + 1}` : ''}`;
}

function addCard(guest) {
  const named = { guest: String(guest.id) };
  const about = make('p');
  const fuel = make('meter', { min: 0, max: guest.fuel, high: guest.fuel * 0.8,
    'aria-label': 'fuel of the costliest call' });
  const pause = make('button', { 'data-needs': 'perform',
    onclick: reporting(() => ask(pause.textContent === 'Pause' ? 'pause' : 'resume-guest', named)) });
  const end = make('button', { textContent: 'End', 'data-needs': 'perform', onclick: reporting(() => {
    document.dispatchEvent(new CustomEvent('ending', { detail: guest }));
    return ask('end', named);
  }) });
  const all = sliders(guest);
  const root = make('div', { className: 'card' }, make('strong', { textContent: guest.name }), about,
    make('div', { className: 'row' }, 'Fuel ', fuel, pause, end), ...all.map((one) => one.root));
  const update = (guest) => {
    const most = Math.max(0, ...Object.values(guest.hooks).map((hook) => hook.most));
    fuel.value = most;
    setText(pause, guest.life === 'paused' ? 'Resume' : 'Pause');
    setText(about, `${guest.life}, ${progress(guest)}, ${guest.commands} commands, ${guest.late} late, `
      + `${guest.clipped} clipped, ${guest.refused} refused, ${guest.deferred} deferred; `
      + `fuel ${most} of ${guest.fuel}`);
    for (const one of all) one.update(guest);
  };
  const card = { root, update };
  cards.set(guest.id, card);
  at('guests').append(root);
  return card;
}
