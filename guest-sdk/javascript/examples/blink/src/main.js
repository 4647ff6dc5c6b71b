// Blinks now and then, sometimes twice. In most turns its hook does nothing: it looks at the clock.

import { group, ms, now, param, s } from 'choreography';

const colours = [
  [group('FaceLedsRed'), 0.6],
  [group('FaceLedsGreen'), 0.8],
  [group('FaceLedsBlue'), 1.0],
];
/** Seconds, on average. */
const pause = param('pause', 0.5, 4, 20);
const light = param('light', 0, 0.7, 1);

/** When it blinks next. */
let due = now();

export function preProcess() {
  const at = now();
  if (at < due) return;
  blink(at);
  let rest = pause.get() * (0.4 + 1.2 * roll());
  if (roll() < 0.2) {
    blink(at + ms(280));
    rest += 0.28;
  }
  due = at + Math.max(s(rest), ms(300));
}

/** Closes the eyes and opens them: they close faster than they open. */
function blink(at) {
  for (const [colour, share] of colours) {
    const open = light.get() * share;
    colour.to(open).at(at);
    colour.to(0).at(at + ms(60));
    colour.to(0).at(at + ms(110));
    colour.to(open).at(at + ms(230));
  }
}

/** Marsaglia's xorshift: the same blinks in every run. */
let dice = 0x9e3779b9;

/** A random number from 0 to 1. */
function roll() {
  dice ^= dice << 13;
  dice ^= dice >>> 17;
  dice ^= dice << 5;
  return (dice >>> 0) / 0xffffffff;
}
