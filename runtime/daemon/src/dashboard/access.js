// Who may do what: pairing with the robot, and the keys that it trusts to vouch for choreographies.

import { ask, attempt } from './ask.js';
import { at, make, twice } from './parts.js';

document.addEventListener('stranger', () => { if (!at('pair').open) at('pair').showModal(); });

at('pair-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    await ask('POST', 'pair', { code: at('code').value, name: at('who').value });
    at('pair').close();
    at('pair-trouble').textContent = '';
    document.dispatchEvent(new Event('paired'));
  } catch (error) { at('pair-trouble').textContent = error.message; }
});

at('show-code').addEventListener('click', attempt(async () => {
  const shown = await ask('POST', 'pairing', { role: 'operate' });
  at('shown').textContent = `${shown.code} for ${shown.for_s} s; it allows to ${shown.role}`;
}));

at('leave').addEventListener('click', attempt(async () => { await ask('DELETE', 'me'); location.reload(); }));

export async function keys() {
  const all = await ask('GET', 'keys');
  at('keys').replaceChildren(...all.map(entry));
  if (!all.length) at('keys').append(make('li', { className: 'dim', textContent: 'No key is trusted.' }));
}

function entry({ name, key, revoked }) {
  const words = [make('strong', { textContent: name }), make('code', { textContent: key.slice(0, 16), title: key })];
  if (revoked) return make('li', {}, ...words, make('span', { className: 'bad', textContent: 'revoked' }));
  const revoke = attempt(async () => {
    await ask('DELETE', `keys/${key}`);
    await keys();
    at('key-name').focus();
  });
  return make('li', {}, ...words, twice('Revoke', 'Really revoke?', name, revoke));
}

at('trust').addEventListener('submit', attempt(async (event) => {
  event.preventDefault();
  await ask('POST', 'keys', { name: at('key-name').value.trim(), key: at('key').value.trim() });
  at('trust').reset();
  await keys();
}));
