// Who this page's person is, what role they have, and whether they hold control of the robot. The law: what a role may
// not do is not shown (`data-needs` in the page and its style), and what needs control says so before it is pressed.

import { reporting, request } from './request.js';
import { at, setText } from './dom.js';

const ROLES = ['watch', 'perform', 'author', 'operate'];
const POLL_MS = 5000;
// Control lasts a minute after the last act. While a joint is moved by hand it is kept from this many seconds on.
const RENEW_S = 30;

let me, held = { by: null, for_s: 0 };

export const may = (role) => ROLES.indexOf(me?.role) >= ROLES.indexOf(role);
export const isMine = () => Boolean(me) && held.by === me.name;

export async function identify() {
  me = await request('GET', 'me');
  document.body.dataset.role = me.role;
  at('me').textContent = `You are ${me.name}, and may ${me.role}.`;
  await control();
}

// Asks who holds control.
export async function control() { show(await request('GET', 'lease')); }

// Keeps the control that this person holds. It never takes another's.
export async function keepControl() {
  if (!isMine()) return;
  held.for_s -= (performance.now() - held.read) / 1000;
  held.read = performance.now();
  if (held.for_s < RENEW_S) show(await request('PUT', 'lease'));
}

function show(lease) {
  held = { ...lease, read: performance.now() };
  setText(at('control'), held.by ? `${held.by} holds control` : 'nobody holds control');
  at('take-over').hidden = isMine();
  document.dispatchEvent(new Event('control'));
}

for (const button of document.querySelectorAll('.take-over')) {
  button.addEventListener('click', reporting(async () => show(await request('PUT', 'lease'))));
}

// Polls while `isFresh`: the page shows the robot as it is now.
export function pollControl(isFresh) {
  setInterval(() => { if (me && isFresh()) control().catch(() => {}); }, POLL_MS);
}
