// STOP: its buttons, Escape, and the space bar. It needs no pairing. The law: whoever presses it knows 1.5 s later
// whether the robot has confirmed it, and if not, what else stops the robot.

import { countStop } from './check.js';
import { at, setText } from './dom.js';
import { request } from './request.js';

const CONFIRM_MS = 1500;
// How long it is shown that a press was confirmed after all.
const SHOWN_MS = 8000;
const WHAT_TO_DO = 'Press the robot\'s stop button or cut its power, or run `dcm-run estop` on the robot.';

// Controls that use the space bar: it is theirs while they have the focus.
const USES_SPACE = 'button:not(.stop), input:not([type=range]), textarea, select, summary';

// Presses are numbered: the newest, the newest that is confirmed, and the newest that was said not to be.
let newest = 0, confirmed = 0, doubted = 0;
let hideTimer;

async function stop() {
  countStop();
  newest += 1;
  const own = newest;
  const timer = setTimeout(() => doubt(own, 'the robot has not answered'), CONFIRM_MS);
  try {
    await request('POST', 'body/stop');
    confirm(own);
  } catch (error) { doubt(own, error.message); } finally { clearTimeout(timer); }
}

function doubt(own, why) {
  // A later press that is confirmed stops the body for this one, too.
  if (own <= confirmed) return;
  doubted = Math.max(doubted, own);
  tell(`STOP is NOT CONFIRMED: ${why}. ${WHAT_TO_DO}`, 'alarm');
}

function confirm(own) {
  const wasDoubted = doubted > confirmed;
  confirmed = Math.max(confirmed, own);
  if (!wasDoubted || doubted > confirmed) return;
  tell('STOP is confirmed: the robot has stopped.', 'alarm good');
  hideTimer = setTimeout(() => tell(''), SHOWN_MS);
}

// The dialog has a place of its own, since it covers the page.
function tell(text, className = 'alarm') {
  clearTimeout(hideTimer);
  for (const id of ['stop-told', 'pair-stop-told']) setText(at(id), text, className);
}

// A frame says what state the body is in: a doubted press may have arrived although its answer was lost.
export function stateCame(state) {
  if (state === 'estop' && doubted > confirmed) confirm(newest);
}

at('stop').addEventListener('click', stop);
at('pair-stop').addEventListener('click', stop);

// A button that was pressed by mouse or touch keeps the focus, but nobody who then hits the space bar means it.
let pressed;
document.addEventListener('pointerdown', (event) => { pressed = event.target.closest('button'); }, true);
document.addEventListener('focusin', (event) => { if (event.target !== pressed) pressed = undefined; });

const usesSpace = (element) => element.matches(USES_SPACE) && element !== pressed;

// Whether the space bar that is down now was taken for STOP: the button in focus must not see it come up.
let isTaken = false;
document.addEventListener('keydown', (event) => {
  const space = event.code === 'Space' && !usesSpace(event.target);
  if (event.code === 'Space') isTaken = space;
  if (space) event.preventDefault();
  // A key that is held down repeats.
  if ((space || event.key === 'Escape') && !event.repeat) stop();
}, true);
document.addEventListener('keyup', (event) => {
  if (event.code === 'Space' && isTaken) event.preventDefault();
}, true);
