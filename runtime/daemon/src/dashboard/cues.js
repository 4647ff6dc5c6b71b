// The list of cues: stored choreographies in the order in which they shall play. `performance.js` plays them. The law:
// the list is this browser's, for this robot; what plays, and what is planned, is the robot's.

import { reporting } from './request.js';
import { at, clockTime, make, setText } from './dom.js';
import { checked, lengthOf } from './check.js';
import { stored } from './choreographies.js';

const TIMES_MAX = 99;
const CUES_MAX = 200;

// The cues: name, whether the next one follows by itself, and how often it plays. `mark` is the one that Go starts.
let cues = [], mark = 0, place = 'cues';
const rows = new Map();

export const list = () => cues;
export const marked = () => cues[mark];
export const after = (cue) => cues[cues.indexOf(cue) + 1] ?? (at('cue-round').checked ? cues[0] : undefined);

// Reads the list of this robot.
export function readCues(robot) {
  place = `cues ${robot}`;
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(place)) ?? {}; } catch { /* Nothing is kept, or may be. */ }
  cues = (kept.cues ?? []).slice(0, CUES_MAX);
  mark = Math.min(kept.mark ?? 0, Math.max(0, cues.length - 1));
  at('cue-round').checked = Boolean(kept.round);
  rows.clear();
  write();
}

function keep() {
  for (const cue of cues) if (stored(cue.name)) lengthOfCue(cue, stored(cue.name).digest);
  const text = JSON.stringify({ cues, mark, round: at('cue-round').checked });
  try { localStorage.setItem(place, text); } catch { /* It lasts as long as this page. */ }
  write();
}

// What follows may be another now.
function change() {
  keep();
  document.dispatchEvent(new Event('cues'));
}

// Puts the mark on a cue; on none that is not there.
export function markCue(cue) {
  if (!cues.includes(cue)) return;
  mark = cues.indexOf(cue);
  keep();
}

function add({ name, digest }) {
  if (cues.length >= CUES_MAX) throw new Error(`the list has ${CUES_MAX} cues, and no room for more`);
  cues.push({ name, follows: false, times: 1 });
  change();
  return checked(digest, name).then(keep);
}

function move(cue, by) {
  const held = marked(), from = cues.indexOf(cue), to = from + by;
  if (to < 0 || to >= cues.length) return;
  cues.splice(to, 0, ...cues.splice(from, 1));
  mark = cues.indexOf(held);
  change();
}

function remove(cue) {
  const held = marked(), which = cues.indexOf(cue);
  cues.splice(which, 1);
  mark = Math.max(0, held === cue ? Math.min(which, cues.length - 1) : cues.indexOf(held));
  rows.delete(cue);
  change();
  at('go').focus();
}

// Writes the list anew. A cue's row stays while the cue does, so that the focus stays where it is.
function write() {
  const all = cues.map((cue, which) => {
    const row = rows.get(cue) ?? made(cue);
    row.update(which);
    return row.root;
  });
  const shown = [...at('cues').children];
  if (all.length !== shown.length || all.some((card, which) => card !== shown[which])) {
    const focused = document.activeElement;
    at('cues').replaceChildren(...all);
    if (all.some((card) => card.contains(focused))) focused.focus();
  }
  at('no-cues').hidden = cues.length > 0;
  document.dispatchEvent(new Event('listed'));
}

// How long a cue lasts, s. It is kept with the cue, for its version: the next time nobody has to check it for that.
export function lengthOfCue(cue, digest) {
  const length = lengthOf(digest);
  if (length !== undefined) cue.checked = { digest, length };
  return cue.checked?.digest === digest ? cue.checked.length : undefined;
}

// How long a cue lasts, in words.
export function lengthText(cue) {
  const version = stored(cue.name);
  if (!version) return 'not stored on the robot';
  const length = lengthOfCue(cue, version.digest);
  return length === undefined ? 'not checked yet' : length === null ? 'without an end' : clockTime(length);
}

function made(cue) {
  const { name } = cue;
  const number = make('span', { className: 'dim' }), length = make('span', { className: 'dim' });
  const progress = make('progress', { max: 1, value: 0, 'aria-label': `Progress of ${name}`, hidden: true });
  const next = make('input', { type: 'radio', name: 'mark', 'aria-label': `Start at ${name}`,
    onchange: () => markCue(cue) });
  const times = make('input', { type: 'number', min: 1, max: TIMES_MAX, value: cue.times,
    onchange: () => {
      cue.times = Math.min(TIMES_MAX, Math.max(1, Math.round(Number(times.value)) || 1));
      times.value = cue.times;
      change();
    } });
  const follows = make('input', { type: 'checkbox', checked: cue.follows,
    onchange: () => { cue.follows = follows.checked; change(); } });
  const button = (text, words, onclick) => make('button', { textContent: text, 'aria-label': `${words} ${name}`,
    title: words, onclick });
  const root = make('li', { className: 'card cue' },
    make('label', { className: 'mark' }, next, number, make('strong', { textContent: name })), length, progress,
    make('label', {}, times, ' times'), make('label', {}, follows, ' then the next'),
    make('span', { className: 'row' }, button('↑', 'Move up', () => move(cue, -1)),
      button('↓', 'Move down', () => move(cue, 1)), button('✕', 'Take out', () => remove(cue))));
  const row = { root, progress, update(which) {
    setText(number, `${which + 1}`);
    setText(length, lengthText(cue));
    next.checked = which === mark;
  } };
  rows.set(cue, row);
  return row;
}

// Shows how far a cue is: its part, from 0 to 1; undefined if it does not play.
export function showProgress(cue, part) {
  for (const [listed, { root, progress }] of rows) {
    const isPlaying = listed === cue;
    root.classList.toggle('playing', isPlaying);
    progress.hidden = !isPlaying || part === null;
    if (isPlaying && part !== null) progress.value = part;
  }
}

document.addEventListener('cue', reporting(({ detail }) => add(detail)));
document.addEventListener('stored', write);
at('cue-round').addEventListener('change', change);
