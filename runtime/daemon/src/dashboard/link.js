// Whether the page shows the robot as it is now: it says STALE when no frame has come for a second. The entry point
// tells it about frames and hears the event `stale`; polls ask it. The law: what is old looks old, and only STOP can be
// pressed meanwhile; but time in which this page did not run itself (a tab put to sleep, a closed lid) does not count
// as the robot's silence.

import { at, setText } from './dom.js';

// Frames come 20 times a second, also while the body stands still. A body with long turns has fewer, on purpose.
const SILENT_MS = 1000;
const PERIODS = 3;
// How often it looks, and the most that one look adds: timers of a hidden tab are seldom, though its frames come.
const LOOK_MS = 100;
const LOOK_MAX_MS = 250;

let limit = SILENT_MS, silent = 0, looked = performance.now();
let came, focused;
let stale = false;

export const isStale = () => stale;

export function setPeriod(ns) { limit = Math.max(SILENT_MS, PERIODS * ns / 1e6); }

// A frame has come: what is shown is fresh.
export function frameCame() {
  silent = 0;
  came = new Date();
  if (stale) show(false);
}

function look() {
  const now = performance.now();
  silent += Math.min(now - looked, LOOK_MAX_MS);
  looked = now;
  // Before the first frame nothing is shown that could be old.
  if (came && !stale && silent >= limit) show(true);
}

function show(isStaleNow) {
  stale = isStaleNow;
  if (stale) focused = at('main').contains(document.activeElement) ? document.activeElement : undefined;
  document.body.classList.toggle('stale', stale);
  // A press now would be executed whenever the robot can be reached again, when nobody expects it.
  at('main').inert = stale;
  const since = came.toLocaleTimeString();
  setText(at('stale'), stale ? `STALE: nothing has come from the robot since ${since}. What you see is old, and all `
    + 'buttons but STOP are off.' : '');
  if (stale) document.dispatchEvent(new Event('stale'));
  if (!stale && document.activeElement === document.body) focused?.focus({ preventScroll: true });
}

setInterval(look, LOOK_MS);
