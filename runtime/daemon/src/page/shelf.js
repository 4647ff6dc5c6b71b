// Choreographies: what is kept, what comes in, and the check that it passes before it can be played.

import { ask, attempt, send } from './ask.js';
import { at, make, size } from './parts.js';

const FINDINGS_MAX = 20;
const WASM = 'application/wasm';

const play = (digest) => attempt(() => ask('POST', 'guests', { choreography: digest }));

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
    button('Play', play(digest)),
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

async function judge(digest, name) {
  at('verdict').replaceChildren(make('p', { textContent: `${name} is checked …` }));
  const { passes, report } = await ask('POST', `choreographies/${digest}/check`);
  const findings = (report.findings ?? []).slice(0, FINDINGS_MAX);
  const sentence = `${name} ${passes ? 'passes' : 'does not pass'} the check`;
  at('verdict').replaceChildren(
    make('p', { className: passes ? 'good' : 'bad', textContent: sentence }),
    make('ul', {}, ...findings.map((it) => make('li', { textContent: `${it.rule ?? ''} ${it.sentence ?? ''}` }))),
    make('button', { textContent: `Play ${name}`, id: 'play', disabled: !passes, onclick: play(digest) }));
}

at('file').addEventListener('change', attempt(async () => {
  if (at('file').files[0]) await take(at('file').files[0]);
}));
at('drop').addEventListener('dragover', (event) => { event.preventDefault(); at('drop').classList.add('over'); });
at('drop').addEventListener('dragleave', () => at('drop').classList.remove('over'));
at('drop').addEventListener('drop', attempt(async (event) => {
  event.preventDefault();
  at('drop').classList.remove('over');
  if (event.dataTransfer.files[0]) await take(event.dataTransfer.files[0]);
}));
