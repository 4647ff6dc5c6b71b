// Every value by its name, what is watched on top.

import { at, make, number, say } from './parts.js';
import { sight } from './sight.js';

const SHOWN_MAX = 200;

let all = [], rows = [];
const watched = new Set();
const isSeen = sight(at('memory'), () => {});

export function list(labels) {
  all = [...labels.sensors.map((it, place) => ({ ...it, place, row: 'sensors' })),
    ...labels.actuators.map((it, place) => ({ ...it, place, row: 'sent', name: `${it.name} (sent)` }))];
  find();
}

function find() {
  const wanted = at('find').value.toLowerCase();
  const shown = all.filter((it) => watched.has(it.name) || it.name.toLowerCase().includes(wanted));
  shown.sort((a, b) => watched.has(b.name) - watched.has(a.name));
  rows = shown.slice(0, SHOWN_MAX).map((it) => ({ ...it, cell: make('td') }));
  document.querySelector('#memory tbody').replaceChildren(...rows.map((it) => make('tr', {},
    make('td', {}, watch(it.name)), make('th', { scope: 'row', textContent: it.name }), it.cell,
    make('td', { textContent: it.unit }))));
}

function watch(name) {
  const box = make('input', { type: 'checkbox', checked: watched.has(name), 'aria-label': `watch ${name}`,
    onchange: () => { watched[box.checked ? 'add' : 'delete'](name); },
    // The space bar stops the robot, so that a box is ticked by Enter.
    onkeydown: (event) => { if (event.key === 'Enter') box.click(); } });
  return box;
}

export function remember(frame) {
  if (!isSeen()) return;
  for (const it of rows) say(it.cell, number(frame[it.row][it.place], 4));
}

at('find').addEventListener('input', find);
