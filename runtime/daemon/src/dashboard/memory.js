// The table of all values by name. Watched ones are on top.

import { at, make, number, setText } from './dom.js';
import { observeVisibility } from './visibility.js';

const ROWS_MAX = 200;

let all = [], rows = [];
const watched = new Set();
const isVisible = observeVisibility(at('memory'), () => {});

export function listMemory(labels) {
  all = [...labels.sensors.map((sensor, place) => ({ ...sensor, place, row: 'sensors' })),
    ...labels.actuators.map((actuator, place) => (
      { ...actuator, place, row: 'sent', name: `${actuator.name} (sent)` }))];
  filter();
}

function filter() {
  const wanted = at('find').value.toLowerCase();
  const shown = all.filter((row) => watched.has(row.name) || row.name.toLowerCase().includes(wanted));
  shown.sort((a, b) => watched.has(b.name) - watched.has(a.name));
  rows = shown.slice(0, ROWS_MAX).map((row) => ({ ...row, cell: make('td') }));
  document.querySelector('#memory tbody').replaceChildren(...rows.map((row) => make('tr', {},
    make('td', {}, watch(row.name)), make('th', { scope: 'row', textContent: row.name }), row.cell,
    make('td', { textContent: row.unit }))));
}

function watch(name) {
  const box = make('input', { type: 'checkbox', checked: watched.has(name), 'aria-label': `watch ${name}`,
    onchange: () => { watched[box.checked ? 'add' : 'delete'](name); } });
  return box;
}

export function updateMemory(frame) {
  if (!isVisible()) return;
  for (const shown of rows) setText(shown.cell, number(frame[shown.row][shown.place], 4));
}

at('find').addEventListener('input', filter);
