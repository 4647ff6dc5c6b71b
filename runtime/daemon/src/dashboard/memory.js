// The table of all values by name. Watched ones are on top.

import { at, make, number, setText } from './dom.js';
import { observeVisibility } from './visibility.js';

const ROWS_MAX = 200;

let all = [], rows = [];
const watched = new Set();
const isVisible = observeVisibility(at('memory'), () => {});

export function listMemory(labels) {
  all = [...labels.sensors.map((it, place) => ({ ...it, place, row: 'sensors' })),
    ...labels.actuators.map((it, place) => ({ ...it, place, row: 'sent', name: `${it.name} (sent)` }))];
  filter();
}

function filter() {
  const wanted = at('find').value.toLowerCase();
  const shown = all.filter((it) => watched.has(it.name) || it.name.toLowerCase().includes(wanted));
  shown.sort((a, b) => watched.has(b.name) - watched.has(a.name));
  rows = shown.slice(0, ROWS_MAX).map((it) => ({ ...it, cell: make('td') }));
  document.querySelector('#memory tbody').replaceChildren(...rows.map((it) => make('tr', {},
    make('td', {}, watch(it.name)), make('th', { scope: 'row', textContent: it.name }), it.cell,
    make('td', { textContent: it.unit }))));
}

function watch(name) {
  const box = make('input', { type: 'checkbox', checked: watched.has(name), 'aria-label': `watch ${name}`,
    onchange: () => { watched[box.checked ? 'add' : 'delete'](name); } });
  return box;
}

export function updateMemory(frame) {
  if (!isVisible()) return;
  for (const it of rows) setText(it.cell, number(frame[it.row][it.place], 4));
}

at('find').addEventListener('input', filter);
