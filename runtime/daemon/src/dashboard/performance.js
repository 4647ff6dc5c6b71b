// Plays the cues: Go starts the marked one, and what shall follow by itself is planned on the robot, to start when the
// guest before it has ended. The law: nobody presses Go for more than one cue at a time; STOP, a fault, and the end of
// a cue by hand cancel what would follow.

import { ask, reporting, request, showError } from './request.js';
import { at, clockTime, setText } from './dom.js';
import { start } from './check.js';
import { stored } from './choreographies.js';
import { after, lengthOfCue, lengthText, list, markCue, marked, showProgress } from './cues.js';
import { stateShown } from './operations.js';
import { may } from './control.js';
import { plans } from './plans.js';

// What plays: its cue, its guest's number, and how often it plays again. What follows it: the same, and its plan; and
// those that start at an instant. `newest` is the number of the newest guest.
let playing, following, planned = [], told = '', newest = 0;
// By how much the clocks of the robot and of this browser may differ, s.
const NEAR_S = 10;
// How long what follows may take to start when the guest before it has ended.
const START_MS = 8000;
// Acts of one person come one after another.
let acts = Promise.resolve();
const inTurn = (act) => {
  const done = acts.then(act);
  acts = done.catch(() => {});
  return done;
};

// What plays outlives a reload of the page, in this tab: another tab must not plan the same again.
const PLACE = 'performance';
let run, isRecalled = false;
function remember() {
  const of = (start) => start && { ...start, cue: list().indexOf(start.cue), since: undefined };
  const starts = planned.map((start) => ({ ...of(start), since: start.since }));
  const all = { run, playing: of(playing), following: of(following), planned: starts };
  try { sessionStorage.setItem(PLACE, JSON.stringify(all)); } catch { /* It is forgotten by a reload. */ }
}

// Recalls it, if the loop is still in the same run.
export function recallPerformance(of) {
  if (of === run) return;
  run = of;
  playing = following = undefined;
  planned = [];
  newest = 0;
  let kept = {};
  try { kept = JSON.parse(sessionStorage.getItem(PLACE)) ?? {}; } catch { /* Nothing was kept. */ }
  const cue = (start) => start && list()[start.cue] && { ...start, cue: list()[start.cue] };
  if (kept.run !== run) return;
  [playing, following] = [cue(kept.playing), cue(kept.following)];
  planned = (kept.planned ?? []).map(cue).filter(Boolean);
  isRecalled = !playing || !stored(playing.cue.name);
  if (!isRecalled) inTurn(follow).catch(showError);
}

function version(cue) {
  const choreography = stored(cue.name);
  if (!choreography) throw new Error(`${cue.name} is not stored on the robot; fix: upload it, or take the cue out`);
  return choreography;
}

async function go() {
  const cue = marked();
  if (!cue) return;
  await cancel();
  const { digest } = version(cue), before = playing;
  const started = await start(digest, cue.name);
  if (!started?.loaded) return;
  playing = { cue, digest, guest: started.loaded.id, left: cue.times - 1 };
  told = '';
  // Only now, so that the body is not left alone if the next one is refused.
  if (before) await ask('end', { guest: String(before.guest), soft: true }).catch(() => {});
  await begun();
}

async function begun() {
  const next = after(playing.cue);
  // After the last one the list is at its beginning.
  markCue(next ?? list()[0]);
  for (const start of planned) start.since = Math.max(start.since, playing.guest);
  remember();
  await follow();
}

// Plans what follows by itself, if anything does.
async function follow() {
  if (!playing || following) return;
  const { cue, left, guest } = playing;
  const next = left > 0 ? cue : cue.follows ? after(cue) : undefined;
  if (!next) return;
  following = { cue: next, digest: version(next).digest, left: left > 0 ? left - 1 : next.times - 1 };
  try {
    const started = await planAfter(guest, following.digest, next.name);
    if (following) following.plan = started?.planned;
    if (!started) following = undefined;
  } catch (error) {
    following = undefined;
    throw error;
  } finally { remember(); }
}

// Plans it for the end of the guest, unless that was planned before a reload of the page.
async function planAfter(guest, digest, name) {
  const there = (await request('GET', 'plans')).find((plan) => plan.after && plan.choreography === digest);
  if (there) return { planned: there.number };
  return start(digest, name, { after: String(guest) }).catch((error) => {
    // The guest has ended while the robot checked what follows.
    if (error.code !== 'not-found') throw error;
    return start(digest, name);
  });
}

async function cancel() {
  const { plan } = following ?? {};
  following = undefined;
  remember();
  if (plan !== undefined) await request('DELETE', `plans/${plan}`).catch(ignoreGone);
}

// It has started already, or the robot has cancelled it itself.
const ignoreGone = (error) => { if (error.code !== 'not-found') throw error; };

async function end() {
  await cancel();
  if (playing) await ask('end', { guest: String(playing.guest), soft: true }).catch(ignoreGone);
}

// The guests have changed: what plays may have ended, and what follows begun.
export function performed(guests) {
  const of = (id) => guests.find((guest) => guest.id === id);
  newest = Math.max(newest, ...guests.map((guest) => guest.id));
  const guest = playing && of(playing.guest);
  if (playing && (!guest || guest.life === 'gone')) ended(guest, guests);
  adopt(guests);
  show(playing && of(playing.guest));
}

// A cue that was planned for about now has begun: the list goes on from there.
function adopt(guests) {
  const now = Date.now() / 1000;
  planned = planned.filter((start) => now < start.at + NEAR_S);
  for (const start of planned.filter((one) => now > one.at - NEAR_S)) {
    const own = guests.find((one) => one.id > start.since && one.digest === start.digest && one.life !== 'gone');
    if (!own) continue;
    planned = planned.filter((one) => one !== start);
    playing = { ...start, guest: own.id };
    inTurn(async () => { await cancel(); await begun(); }).catch(showError);
    return;
  }
}

function ended(guest, guests) {
  const next = following && guests.find((one) => one.id > playing.guest && one.digest === following.digest);
  if (next) {
    playing = { ...following, guest: next.id };
    following = undefined;
    inTurn(begun).catch(showError);
    return;
  }
  // It takes a moment to start; or somebody has cancelled it.
  if (following && !guest?.fault) {
    following.since ??= performance.now();
    if (performance.now() - following.since < START_MS) return;
  }
  told = guest?.fault ? `${playing.cue.name} failed, so nothing follows: ${guest.details || guest.end}` : '';
  playing = following = undefined;
  remember();
}

function show(guest) {
  const length = guest?.lasts_ns ? guest.lasts_ns / 1e9 : playing && lengthOfCue(playing.cue, playing.digest);
  const played = guest ? guest.played_ns / 1e9 : 0;
  showProgress(playing?.cue, length ? Math.min(1, played / length) : null);
  const now = playing ? `${playing.cue.name} plays: ${clockTime(played)}${length ? ` of ${clockTime(length)}` : ''}`
    + `${playing.left ? `, ${playing.left === 1 ? 'once' : `${playing.left} times`} more` : ''}. ` : '';
  const then = following ? `Then ${following.cue.name} by itself.` : next();
  setText(at('cue-told'), told || now + then);
  at('cue-end').hidden = !playing;
}

function next() {
  const cue = marked();
  return cue ? `Next: ${list().indexOf(cue) + 1} ${cue.name}, ${lengthText(cue)}.` : '';
}

// Go is there when it would play something now.
function allow() {
  const isReady = Boolean(marked()) && may('perform');
  at('go').disabled = !isReady || stateShown() !== 'running';
  at('cue-plan').disabled = !isReady;
  show();
}

async function plan() {
  const cue = marked(), [hours, minutes, past = 0] = at('cue-at').value.split(':').map(Number);
  if (!Number.isFinite(minutes)) throw new Error('when? fix: set the time beside the button');
  const when = new Date();
  when.setHours(hours, minutes, past, 0);
  // A time that has passed today is tomorrow's.
  if (when <= new Date()) when.setDate(when.getDate() + 1);
  const { digest } = version(cue), since = newest, seconds = when.getTime() / 1000;
  const plan = (await start(digest, cue.name, { at: seconds }))?.planned;
  if (plan === undefined) return;
  planned.push({ cue, digest, plan, since, at: seconds, left: cue.times - 1 });
  remember();
  markCue(after(cue) ?? list()[0]);
  await plans.renew();
}

at('go').addEventListener('click', reporting(() => inTurn(go)));
at('cue-end').addEventListener('click', reporting(() => inTurn(end)));
at('cue-plan').addEventListener('click', reporting(() => inTurn(plan)));
document.addEventListener('listed', allow);
document.addEventListener('stored', () => {
  if (isRecalled) inTurn(follow).catch(showError);
  isRecalled = false;
});
document.addEventListener('control', allow);
document.addEventListener('cues', reporting(() => inTurn(async () => { await cancel(); await follow(); })));
// Whoever ends a guest wants it to be over.
document.addEventListener('ending', reporting(({ detail }) => {
  if (detail.id === playing?.guest) return inTurn(cancel);
  return undefined;
}));
document.addEventListener('cancelled', ({ detail: plan }) => {
  planned = planned.filter((start) => start.plan !== plan);
  if (following?.plan === plan) following = undefined;
  remember();
});
document.addEventListener('state', () => {
  if (['estop', 'fault'].includes(stateShown())) inTurn(cancel).catch(showError);
  allow();
});
