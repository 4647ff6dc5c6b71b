// Choreographies: the list of stored ones, and uploads, each checked at once. The file of a motion becomes a
// choreography on the robot, which says what is wrong in it.

import { reporting, request, upload } from './request.js';
import { at, confirmButton, make, size } from './dom.js';
import { checked, start } from './check.js';

const WASM = 'application/wasm', BYTES = 'application/octet-stream';

// The current version of each name.
let current = [];
export const stored = (name) => current.find((choreography) => choreography.name === name);

// Starts one now. Further presses meanwhile have no effect.
const starting = new Set();
const play = reporting(async ({ digest, name }) => {
  if (starting.has(digest)) return;
  starting.add(digest);
  try { await start(digest, name); } finally { starting.delete(digest); }
});
document.addEventListener('play', ({ detail }) => play(detail));

export async function choreographies() {
  current = (await request('GET', 'choreographies')).filter((choreography) => choreography.current);
  at('kept').replaceChildren(...current.map(card));
  document.dispatchEvent(new Event('stored'));
}

function card({ name, digest, bytes, boot }) {
  const button = (word, needs, onclick) => make('button', { textContent: word, 'aria-label': `${word} ${name}`,
    'data-needs': needs, onclick });
  const change = (method, path) => reporting(async () => { await request(method, path); await choreographies(); });
  const cue = () => document.dispatchEvent(new CustomEvent('cue', { detail: { name, digest } }));
  const remove = confirmButton('Remove', 'Really remove?', name, change('DELETE', `choreographies/${name}`));
  remove.dataset.needs = 'author';
  return make('div', { className: 'card row' }, make('strong', { textContent: name }),
    `${size(bytes)}, ${digest.slice(0, 12)}${boot ? ', plays at boot' : ''}`,
    button('Check', 'perform', reporting(() => checked(digest, name))),
    button('Play', 'perform', () => play({ digest, name })),
    button('Add to the cues', 'perform', cue),
    button('Roll back', 'author', change('POST', `names/${name}/rollback`)),
    remove);
}

async function sha256(bytes) {
  if (!crypto.subtle) {
    throw new Error('this browser computes digests only over https or on the robot itself; use `dcm-run push`');
  }
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...sum].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

// Letters that are not a plain one with a mark.
const LETTERS = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };
const NAME_MAX = 64;

// The endings of the files that can be dropped.
const ENDINGS = at('file').accept.split(',').map((ending) => ending.trim()).filter((ending) => ending.startsWith('.'));
const withoutEnding = (file) => {
  const ending = ENDINGS.find((known) => file.toLowerCase().endsWith(known));
  return ending ? file.slice(0, -ending.length) : file;
};

// A valid name for a file's choreography: letters lose their marks, since names are plain ASCII (`is_name` of the API).
function validName(file) {
  const letters = withoutEnding(file).normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const plain = letters.replace(/[^\x00-\x7f]/g, (letter) => LETTERS[letter] ?? letter).replace(/[^a-z0-9._-]+/g, '-');
  return plain.replace(/\.{2,}/g, '.').replace(/^[-_.]+/, '').slice(0, NAME_MAX) || 'choreography';
}

// What the robot takes at most, bytes. It answers before a longer file has been sent, which a browser calls a lost link.
const LARGEST = 64 * 2 ** 20;

// How a file is sent: its kind, and what the robot must know of it.
function told(file, name) {
  if (/\.wasm$/i.test(file)) return { kind: WASM, query: { name } };
  const motion = at('as-motion').value.trim();
  return { kind: BYTES, query: { name, file, mirror: at('as-mirror').checked, ...(motion && { motion }) } };
}

const lines = (text) => text.split('\n').map((line) => make('p', { textContent: line }));

async function add(file) {
  for (const id of ['verdict', 'upload-trouble', 'remarks']) at(id).replaceChildren();
  if (file.size > LARGEST) throw new Error(`${file.name} is too large: ${size(LARGEST)} at most; fix: divide it`);
  at('sent').value = 0;
  at('sent').hidden = false;
  try {
    const bytes = await file.arrayBuffer(), sum = await sha256(bytes), name = validName(file.name);
    const { kind, query } = told(file.name, name);
    const path = `choreographies/${sum}?${new URLSearchParams(query)}`;
    const sending = upload(path, kind, bytes, (part) => { at('sent').value = part; });
    const { digest, warnings = [] } = await sending.catch((error) => {
      // The mistakes of a motion stay to be read, a line each.
      if (error.code === 'bad-motion') at('upload-trouble').replaceChildren(...lines(error.message));
      throw error;
    });
    at('sent').hidden = true;
    at('remarks').replaceChildren(...warnings.map((warning) => make('li', { textContent: warning })));
    choreographies().catch(() => {});
    await checked(digest, name);
  } finally { at('sent').hidden = true; }
}

at('file').addEventListener('change', reporting(async () => {
  if (at('file').files[0]) await add(at('file').files[0]);
}));
// Without this, a file dropped beside the zone would replace the page.
for (const kind of ['dragover', 'drop']) document.addEventListener(kind, (event) => event.preventDefault());
at('drop').addEventListener('dragover', () => at('drop').classList.add('over'));
at('drop').addEventListener('dragleave', () => at('drop').classList.remove('over'));
at('drop').addEventListener('drop', reporting(async (event) => {
  at('drop').classList.remove('over');
  if (event.dataTransfer.files[0]) await add(event.dataTransfer.files[0]);
}));
