// Choreographies: what is kept, what comes in, and the check that it passes before it can be played.

import { ask, attempt, send } from './ask.js';
import { at, make, size } from './parts.js';

const FINDINGS_MAX = 20;
const WASM = 'application/wasm';

// What has passed since the page was opened, and the checks that are under way, all by their digests.
const passed = new Set(), checks = new Map();

// Presses of stop: whatever was to be played after its check is not played any more.
let stops = 0;
export const stopped = () => { stops += 1; };

// Only what has passed is played: what was not checked yet is checked first. Further presses meanwhile are no further
// plays.
function play(digest, name) {
  let waits = false;
  return attempt(async () => {
    if (waits) return;
    const before = stops;
    waits = true;
    try {
      if (!passed.has(digest) && !await judge(digest, name)) return;
      if (before !== stops) return;
      await ask('POST', 'guests', { choreography: digest, wish: { file: name } });
    } finally { waits = false; }
  });
}

export async function shelf() {
  const kept = await ask('GET', 'choreographies');
  at('kept').replaceChildren(...kept.filter((it) => it.current).map(card));
}

function card({ name, digest, bytes, boot }) {
  const button = (word, act) => make('button', { textContent: word, 'aria-label': `${word} ${name}`, onclick: act });
  const change = (method, path) => attempt(async () => { await ask(method, path); await shelf(); });
  return make('div', { className: 'card row' }, make('strong', { textContent: name }),
    `${size(bytes)}, ${digest.slice(0, 12)}${boot ? ', plays from the beginning' : ''}`,
    button('Check', attempt(() => judge(digest, name))),
    button('Play', play(digest, name)),
    button('Roll back', change('POST', `names/${name}/rollback`)),
    button('Remove', change('DELETE', `choreographies/${name}`)));
}

async function summed(bytes) {
  if (!crypto.subtle) {
    throw new Error('this browser computes digests only over https or on the robot itself; use `dcm-run push`');
  }
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...sum].map((it) => it.toString(16).padStart(2, '0')).join('');
}

// A file's name as the shelf can keep it.
function kept(file) {
  const plain = file.replace(/\.wasm$/, '').toLowerCase().replace(/[^a-z0-9._-]/g, '-');
  return plain.replace(/^[-_.]+/, '') || 'choreography';
}

async function take(file) {
  at('verdict').replaceChildren();
  at('sent').value = 0;
  at('sent').hidden = false;
  try {
    const bytes = await file.arrayBuffer(), digest = await summed(bytes), name = kept(file.name);
    const path = `choreographies/${digest}?name=${encodeURIComponent(name)}`;
    await send(path, WASM, bytes, (part) => { at('sent').value = part; });
    at('sent').hidden = true;
    shelf().catch(() => {});
    await judge(digest, name);
  } finally { at('sent').hidden = true; }
}

// Answers whether it passes. Whoever asks while it is checked waits for the same verdict.
function judge(digest, name) {
  const under = checks.get(digest) ?? check(digest, name).finally(() => checks.delete(digest));
  checks.set(digest, under);
  return under;
}

async function check(digest, name) {
  at('verdict').replaceChildren(make('p', { textContent: `${name} is checked …` }));
  const asked = ask('POST', `choreographies/${digest}/check`);
  const { passes, report } = await asked.catch((error) => { at('verdict').replaceChildren(); throw error; });
  passed[passes ? 'add' : 'delete'](digest);
  const findings = (report.findings ?? []).slice(0, FINDINGS_MAX);
  const sentence = `${name} ${passes ? 'passes' : 'does not pass'} the check`;
  at('verdict').replaceChildren(
    make('p', { className: passes ? 'good' : 'bad', textContent: sentence }),
    make('ul', {}, ...findings.map((it) => make('li', { textContent: `${it.rule ?? ''} ${it.sentence ?? ''}` }))),
    make('button', { textContent: `Play ${name}`, id: 'play', disabled: !passes, onclick: play(digest, name) }));
  return passes;
}

at('file').addEventListener('change', attempt(async () => {
  if (at('file').files[0]) await take(at('file').files[0]);
}));
// A file that falls beside the zone shall not take the page away.
for (const kind of ['dragover', 'drop']) document.addEventListener(kind, (event) => event.preventDefault());
at('drop').addEventListener('dragover', () => at('drop').classList.add('over'));
at('drop').addEventListener('dragleave', () => at('drop').classList.remove('over'));
at('drop').addEventListener('drop', attempt(async (event) => {
  at('drop').classList.remove('over');
  if (event.dataTransfer.files[0]) await take(event.dataTransfer.files[0]);
}));
