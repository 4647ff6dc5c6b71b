// Recordings: whether what happens is written down, what has been, and where it can be watched live.

import { ask, attempt } from './ask.js';
import { at, instant, make, say, size, twice } from './parts.js';
import { whileSeen } from './sight.js';

const EACH = 3000;

const path = (name) => `recordings/${encodeURIComponent(name)}`;
const rows = new Map();
const asking = whileSeen(at('recordings'), EACH, look, () => {
  say(at('recordings-state'), 'This robot does not record.');
  at('record').hidden = true;
});

// Begins with what the robot says of itself: the port of Foxglove's protocol, if it serves that.
export function recordings({ foxglove }) {
  at('foxglove').hidden = !foxglove;
  at('foxglove').replaceChildren('Live in Foxglove: ',
    make('code', { className: 'whole', textContent: `ws://${location.hostname}:${foxglove}` }));
  asking.begin();
}

async function look() {
  show(await ask('GET', 'recordings'));
}

function show({ on, trouble, kept }) {
  at('record').hidden = false;
  at('record').disabled = false;
  at('record').setAttribute('aria-pressed', String(on));
  say(at('recordings-state'), state(on, kept.length));
  say(at('recordings-trouble'), trouble ?? '');
  list([...kept].sort((a, b) => b.began - a.began || (a.name < b.name ? 1 : -1)));
}

function state(on, many) {
  const kept = many === 1 ? '1 recording is kept' : `${many || 'no'} recordings are kept`;
  return `${on ? 'It records' : 'It does not record'}; ${kept}.`;
}

// Rows stay as long as what they show does: a second press finds the button of the first.
function list(kept) {
  const names = new Set(kept.map((it) => it.name));
  for (const [name, row] of rows) if (!names.has(name)) { row.root.remove(); rows.delete(name); }
  kept.forEach((it, place) => {
    const row = rows.get(it.name) ?? entry(it);
    row.tell(it);
    const there = at('recordings').children[place];
    if (there !== row.root) at('recordings').insertBefore(row.root, there ?? null);
  });
}

function entry({ name }) {
  const about = make('span', { className: 'dim' });
  const remove = twice('Remove', 'Really remove?', name, attempt(async () => {
    await ask('DELETE', path(name));
    at('record').focus();
    await look();
  }));
  const link = make('a', { href: `/api/v1/${path(name)}`, download: name, textContent: name });
  const root = make('li', { className: 'card row' }, link, about, remove);
  const tell = ({ bytes, began, open }) => {
    say(about, `${size(bytes)}, ${instant(began)}${open ? ', being written' : ''}`);
    remove.disabled = open;
  };
  const row = { root, tell };
  rows.set(name, row);
  return row;
}

at('record').addEventListener('click', attempt(async () => {
  await ask('PUT', 'recordings', { on: at('record').getAttribute('aria-pressed') !== 'true' });
  await look();
}));
