// Recordings: whether the robot records, which recordings it keeps, and the address for Foxglove.

import { ask, reporting, request } from './request.js';
import { at, confirmButton, instant, make, setText, size } from './dom.js';
import { whileVisible } from './visibility.js';

const POLL_MS = 3000;

const path = (name) => `recordings/${encodeURIComponent(name)}`;
const rows = new Map();
// The list may be empty, and then it has no size that could be visible.
const polling = whileVisible(at('h-recordings').parentElement, POLL_MS, update, () => {
  setText(at('recordings-state'), 'This robot does not record.');
  at('record').hidden = true;
});

// Begins to show them. `foxglove` is the port of Foxglove's protocol, if the robot serves it.
export function recordings({ foxglove }) {
  at('foxglove').hidden = !foxglove;
  at('foxglove').replaceChildren('Live in Foxglove: ',
    make('code', { className: 'whole', textContent: `ws://${location.hostname}:${foxglove}` }));
  polling.begin();
}

async function update() {
  show(await request('GET', 'recordings'));
}

function show({ on, trouble, kept }) {
  at('record').hidden = false;
  at('record').disabled = false;
  at('record').setAttribute('aria-pressed', String(on));
  // Whoever may move the robot may have that recorded; only an operator may have it go unrecorded.
  at('record').dataset.needs = on ? 'operate' : 'perform';
  setText(at('recordings-state'), state(on, kept.length));
  setText(at('recordings-trouble'), trouble ?? '');
  list([...kept].sort((a, b) => b.began - a.began || (a.name < b.name ? 1 : -1)));
}

function state(on, many) {
  const kept = many === 1 ? '1 recording is kept' : `${many || 'no'} recordings are kept`;
  return `${on ? 'Recording' : 'Not recording'}; ${kept}.`;
}

// A row stays while its recording does, so that a confirming press meets the same button.
function list(kept) {
  const names = new Set(kept.map((recording) => recording.name));
  for (const [name, row] of rows) if (!names.has(name)) { row.root.remove(); rows.delete(name); }
  kept.forEach((recording, place) => {
    const row = rows.get(recording.name) ?? entry(recording);
    row.update(recording);
    const there = at('recordings').children[place];
    if (there !== row.root) at('recordings').insertBefore(row.root, there ?? null);
  });
}

function entry({ name }) {
  const about = make('span', { className: 'dim' });
  const remove = confirmButton('Remove', 'Really remove?', name, reporting(async () => {
    await request('DELETE', path(name));
    at('record').focus();
    await update();
  }));
  remove.dataset.needs = 'operate';
  const play = make('button', { textContent: 'Play', 'aria-label': `Play ${name} on the page`,
    title: 'Nothing moves on the robot',
    onclick: () => document.dispatchEvent(new CustomEvent('recording', { detail: name })) });
  const link = make('a', { href: `/api/v2/${path(name)}`, download: name, textContent: name });
  const root = make('li', { className: 'card row' }, link, about, play, remove);
  const show = ({ bytes, began, open }) => {
    setText(about, `${size(bytes)}, ${instant(began)}${open ? ', being written' : ''}`);
    remove.disabled = open;
  };
  const row = { root, update: show };
  rows.set(name, row);
  return row;
}

at('record').addEventListener('click', reporting(async () => {
  await ask(at('record').getAttribute('aria-pressed') === 'true' ? 'stop-recording' : 'record');
  await update();
}));
