// Access: pairing with the robot, the keys whose signatures it trusts, and the time by which all of these expire.

import { reporting, request } from './request.js';
import { at, confirmButton, instant, make } from './dom.js';

document.addEventListener('unauthorized', () => { if (!at('pair').open) at('pair').showModal(); });

at('pair-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    await request('POST', 'pair', { code: at('code').value, name: at('who').value });
    at('pair').close();
    at('pair-trouble').textContent = '';
    document.dispatchEvent(new Event('paired'));
  } catch (error) { at('pair-trouble').textContent = error.message; }
});

at('show-code').addEventListener('click', reporting(async () => {
  const shown = await request('POST', 'pairing', { role: 'operate' });
  at('shown').textContent = `${shown.code} valid for ${shown.for_s} s; role: ${shown.role}`;
}));

at('leave').addEventListener('click', reporting(async () => { await request('DELETE', 'me'); location.reload(); }));

export async function keys() {
  const all = await request('GET', 'keys');
  at('keys').replaceChildren(...all.map(entry));
  if (!all.length) at('keys').append(make('li', { className: 'dim', textContent: 'No key is trusted.' }));
}

function entry({ name, key, revoked }) {
  const words = [make('strong', { textContent: name }), make('code', { textContent: key.slice(0, 16), title: key })];
  if (revoked) return make('li', {}, ...words, make('span', { className: 'bad', textContent: 'revoked' }));
  const revoke = reporting(async () => {
    await request('DELETE', `keys/${key}`);
    await keys();
    at('key-name').focus();
  });
  const button = confirmButton('Revoke', 'Really revoke?', name, revoke);
  button.dataset.needs = 'operate';
  return make('li', {}, ...words, button);
}

// How far the two times may be apart, s: what passes between a start and the next look.
const NEAR_S = 2;

export async function clock() {
  const { clock: now, time } = await request('GET', 'clock');
  const isWrong = time - now > NEAR_S;
  at('clock').textContent = `The robot's clock shows ${instant(now)}.`;
  at('clock').classList.toggle('bad', isWrong);
  at('correct-clock').replaceChildren();
  if (!isWrong) return;
  at('clock').textContent += ` It has been ${instant(time)} before, and tokens and signatures expire by that.`;
  const button = confirmButton('Correct', 'Is the clock right now?', 'the time of expiry', reporting(async () => {
    await request('PUT', 'clock');
    await clock();
  }));
  button.dataset.needs = 'operate';
  at('correct-clock').append(button);
}

at('trust').addEventListener('submit', reporting(async (event) => {
  event.preventDefault();
  await request('POST', 'keys', { name: at('key-name').value.trim(), key: at('key').value.trim() });
  at('trust').reset();
  await keys();
}));
