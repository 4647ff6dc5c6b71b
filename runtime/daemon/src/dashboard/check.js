// Checks of choreographies, and starts of those that have passed. The law: nothing is started from this page that has
// not passed its check, nor after STOP was pressed meanwhile.

import { ask, request } from './request.js';
import { at, make } from './dom.js';

const FINDINGS_MAX = 20;

// What has passed since the page was opened with its length, and the checks in progress, by digest.
const passed = new Map(), checks = new Map();

// Counts presses of STOP: a press cancels the start of what is being checked.
let stops = 0;
export const countStop = () => { stops += 1; };

// Whether it passes the check. Calls during one check share its verdict.
export function checked(digest, name) {
  const pending = checks.get(digest) ?? check(digest, name).finally(() => checks.delete(digest));
  checks.set(digest, pending);
  return pending;
}

// How long it lasts, s; null if it has no end, undefined if it was not checked.
export const lengthOf = (digest) => passed.get(digest);

// Starts a choreography, and checks it first unless it has passed already. Returns the guest, if it was started.
// `when` says when, as the API has it.
export async function start(digest, name, when = {}) {
  const before = stops;
  if (!passed.has(digest) && !await checked(digest, name)) return undefined;
  if (before !== stops) return undefined;
  const started = await request('POST', 'guests', { choreography: digest, wish: { file: name }, ...when });
  if (before === stops) return started;
  if (started.loaded) await ask('end', { guest: String(started.loaded.id) });
  else await request('DELETE', `plans/${started.planned}`);
  return undefined;
}

async function check(digest, name) {
  at('verdict').replaceChildren(make('p', { textContent: `Checking ${name} …` }));
  const checking = request('POST', `choreographies/${digest}/check`);
  const { passes, report } = await checking.catch((error) => { at('verdict').replaceChildren(); throw error; });
  if (passes) passed.set(digest, lasting(report));
  else passed.delete(digest);
  show(digest, name, passes, report.findings ?? []);
  return passes;
}

// The length of the longest of the runs that were checked.
function lasting({ facts }) {
  const plays = facts?.plays ?? [];
  return plays.length && plays.every((play) => play.ended) ? Math.max(...plays.map((play) => play.lasted)) : null;
}

function show(digest, name, passes, findings) {
  const sentence = `${name} ${passes ? 'passes' : 'does not pass'} the check`;
  const rest = findings.length - FINDINGS_MAX;
  at('verdict').replaceChildren(
    make('p', { className: passes ? 'good' : 'bad', textContent: sentence }),
    make('ul', { className: 'plain' }, ...findings.slice(0, FINDINGS_MAX).map(finding)),
    rest > 0 ? make('p', { className: 'dim', textContent: `and ${rest} more: \`dcm-run check\` lists them` }) : '',
    make('button', { textContent: `Play ${name}`, id: 'play', disabled: !passes,
      onclick: () => document.dispatchEvent(new CustomEvent('play', { detail: { digest, name } })) }));
}

// A word says how grave it is, beside its colour.
function finding({ severity = 'failure', rule = '', sentence = '', fix }) {
  const className = severity === 'failure' ? 'bad' : severity === 'warning' ? 'warning' : 'dim';
  const word = make('strong', { className: `severity ${className}`, textContent: severity });
  return make('li', {}, word, ` ${rule}: ${sentence}`,
    fix ? make('span', { className: 'dim', textContent: ` Fix: ${fix}` }) : '');
}
