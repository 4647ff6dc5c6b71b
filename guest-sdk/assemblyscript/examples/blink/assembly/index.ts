// Blinks now and then, sometimes twice.
//
// A hook that does nothing in most turns: it looks at the clock, and sends a few commands when it is time. Lights with
// one name are a group. It has a random generator of its own, because the contract has none.

import { Group, Instant, group, ms, now, param, s } from "../sdk/choreography";

const red = group("FaceLedsRed");
const green = group("FaceLedsGreen");
const blue = group("FaceLedsBlue");
const pause = param("pause", 0.5, 4, 20); // seconds, on average
const light = param("light", 0, 0.7, 1);

/** The time of the next blink. */
let next: Instant = now();

export function preProcess(): void {
  const at = now();
  if (at < next) return;
  blink(at);
  let rest = pause.get() * (0.4 + 1.2 * roll());
  if (roll() < 0.2) {
    blink(at + ms(280));
    rest += 0.28;
  }
  next = at + max(s(rest), ms(300));
}

/** Closes the eyes and opens them. */
function blink(at: Instant): void {
  const full = light.get();
  shut(red, full * 0.6, at);
  shut(green, full * 0.8, at);
  shut(blue, full, at);
}

/** They close faster than they open. */
function shut(eyes: Group, full: f64, at: Instant): void {
  eyes.to(full).at(at);
  eyes.to(0).at(at + ms(60));
  eyes.to(0).at(at + ms(110));
  eyes.to(full).at(at + ms(230));
}

/** The state of the random generator: Marsaglia's xorshift. It is never 0. */
let dice: u32 = 0x9e3779b9;

/** A random number from 0 to 1. */
function roll(): f64 {
  dice ^= dice << 13;
  dice ^= dice >> 17;
  dice ^= dice << 5;
  return <f64>dice / <f64>u32.MAX_VALUE;
}
