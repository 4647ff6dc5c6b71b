// Choreographies: the list of stored ones, uploads, and the check that each must pass before it can play.

import { reporting, request, upload } from './request.js';
import { at, confirmButton, make, size } from './dom.js';

const FINDINGS_MAX = 20;
const WASM = 'application/wasm';

// What has passed since the page was opened, and the checks in progress, by digest.
const passed = new Set(), checks = new Map();

// Counts presses of STOP: a press cancels the start of what is being checked.
let stops = 0;
export const countStop = () => { stops += 1; };

// Plays a choreography, and checks it first unless it has passed already. Further presses meanwhile have no effect.
function play(digest, name) {
  let isBusy = false;
  return reporting(async () => {
    if (isBusy) return;
    const before = stops;
    isBusy = true;
    try {
      if (!passed.has(digest) && !await checked(digest, name)) return;
      if (before !== stops) return;
      await request('POST', 'guests', { choreography: digest, wish: { file: name } });
    } finally { isBusy = false; }
  });
}

export async function choreographies() {
  const kept = await request('GET', 'choreographies');
  at('kept').replaceChildren(...kept.filter((it) => it.current).map(card));
}

function card({ name, digest, bytes, boot }) {
  const button = (word, act) => make('button', { textContent: word, 'aria-label': `${word} ${name}`, onclick: act });
  const change = (method, path) => reporting(async () => { await request(method, path); await choreographies(); });
  return make('div', { className: 'card row' }, make('strong', { textContent: name }),
    `${size(bytes)}, ${digest.slice(0, 12)}${boot ? ', plays at boot' : ''}`,
    button('Check', reporting(() => checked(digest, name))),
    button('Play', play(digest, name)),
    button('Roll back', change('POST', `names/${name}/rollback`)),
    confirmButton('Remove', 'Really remove?', name, change('DELETE', `choreographies/${name}`)));
}

async function sha256(bytes) {
  if (!crypto.subtle) {
    throw new Error('this browser computes digests only over https or on the robot itself; use `dcm-run push`');
  }
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...sum].map((it) => it.toString(16).padStart(2, '0')).join('');
}

// Letters that are not a plain one with a mark.
const LETTERS = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };
const NAME_MAX = 64;

// A valid name for a file's choreography: letters lose their marks, since names are plain ASCII (`is_name` of the API).
function validName(file) {
  const letters = file.replace(/\.wasm$/i, '').normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const plain = letters.replace(/[^\x00-\x7f]/g, (it) => LETTERS[it] ?? it).replace(/[^a-z0-9._-]+/g, '-');
  return plain.replace(/\.{2,}/g, '.').replace(/^[-_.]+/, '').slice(0, NAME_MAX) || 'choreography';
}

async function add(file) {
  at('verdict').replaceChildren();
  at('sent').value = 0;
  at('sent').hidden = false;
  try {
    const bytes = await file.arrayBuffer(), digest = await sha256(bytes), name = validName(file.name);
    const path = `choreographies/${digest}?name=${encodeURIComponent(name)}`;
    await upload(path, WASM, bytes, (part) => { at('sent').value = part; });
    at('sent').hidden = true;
    choreographies().catch(() => {});
    await checked(digest, name);
  } finally { at('sent').hidden = true; }
}

// Whether it passes the check. Calls during one check share its verdict.
function checked(digest, name) {
  const pending = checks.get(digest) ?? check(digest, name).finally(() => checks.delete(digest));
  checks.set(digest, pending);
  return pending;
}

async function check(digest, name) {
  at('verdict').replaceChildren(make('p', { textContent: `Checking ${name} …` }));
  const checking = request('POST', `choreographies/${digest}/check`);
  const { passes, report } = await checking.catch((error) => { at('verdict').replaceChildren(); throw error; });
  passed[passes ? 'add' : 'delete'](digest);
  const findings = (report.findings ?? []).slice(0, FINDINGS_MAX);
  const sentence = `${name} ${passes ? 'passes' : 'does not pass'} the check`;
  at('verdict').replaceChildren(
    make('p', { className: passes ? 'good' : 'bad', textContent: sentence }),
    make('ul', {}, ...findings.map((it) => make('li', { textContent: `${it.rule ?? ''} ${it.sentence ?? ''}` }))),
    make('button', { textContent: `Play ${name}`, id: 'play', disabled: !passes, onclick: play(digest, name) }));
  return passes;
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
