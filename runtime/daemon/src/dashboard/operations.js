// The buttons of the body: those that its state allows, and a sentence that says what to press next. The law: a button
// that has just come in another's place is not pressed by the mouse that meant the other.

import { ask as send, reporting } from './request.js';
import { askFirst, at, setText } from './dom.js';
import { may } from './control.js';

// How long a new button does not listen to the mouse.
const NEW_MS = 400;

// The states in which each operation changes something (`cycle/src/safety.rs`).
const STATES = {
  arm: ['disarmed'],
  hold: ['armed', 'running', 'safe'],
  resume: ['holding'],
  retreat: ['armed', 'running', 'holding'],
  disarm: ['armed', 'running', 'holding', 'safe', 'estop'],
  release: ['estop'],
  clear: ['fault'],
};

// What to do in each state: the role that it takes, and the sentence.
const NEXT = {
  boot: ['watch', 'Wait: the body reads its joints.'],
  disarmed: ['operate', 'The body is limp. Next: Arm, which gives it force where it is.'],
  armed: ['watch', 'Wait: the force comes.'],
  running: ['perform', 'The body can move. Next: Go plays a cue; Play, a choreography; the rest is moved by hand.'],
  holding: ['perform', 'The body stands still. Next: Resume, or go to the safe pose.'],
  safe: ['watch', 'Wait: the body goes to its safe pose and becomes limp. Hold stops it on the way.'],
  fault: ['operate', 'The events say what failed. Next: mend it, then Clear fault.'],
  estop: ['operate', 'The body is stopped. Next: see that nobody is in its way, then Release stop.'],
};

const buttons = [...document.querySelectorAll('[data-operation]')];
let shown;

for (const button of buttons) {
  const { operation, ask } = button.dataset;
  const act = reporting(() => send(operation));
  button.addEventListener('click', (event) => {
    if (event.detail && performance.now() - Number(button.dataset.since) < NEW_MS) event.stopImmediatePropagation();
  });
  if (ask) askFirst(button, ask, '', act);
  else button.addEventListener('click', act);
}

export const stateShown = () => shown;

// Shows the buttons of this state. Called with every frame.
export function showOperations(state) {
  if (state === shown) return;
  shown = state;
  // The focus is not passed on: whoever presses a key next has read nothing yet.
  const focused = document.activeElement;
  for (const button of buttons) {
    const isHidden = !STATES[button.dataset.operation].includes(state);
    if (button.hidden && !isHidden) button.dataset.since = performance.now();
    button.hidden = isHidden;
  }
  const [role, sentence] = NEXT[state] ?? ['watch', ''];
  setText(at('next'), may(role) ? sentence : `${sentence} You may not: it takes the role ${role}.`);
  if (buttons.includes(focused) && focused.hidden) at('next').focus({ preventScroll: true });
  document.dispatchEvent(new Event('state'));
}
