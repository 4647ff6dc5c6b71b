// Instants and spans are nanoseconds of the robot's clock, `u64`: `now() + ms(300)`.

import * as contract from "./contract";

export type Instant = contract.Instant;
export type Span = contract.Span;

/** To the nearest nanosecond; a negative number and NaN become 0. */
export function nanos(count: f64): Span {
  if (!(count > 0)) return 0;
  return count < 18446744073709549568.0 ? <u64>(count + 0.5) : u64.MAX_VALUE;
}

/** Microseconds. */
export function us(count: f64): Span {
  return nanos(count * 1e3);
}

/** Milliseconds. */
export function ms(count: f64): Span {
  return nanos(count * 1e6);
}

/** Seconds. */
export function s(count: f64): Span {
  return nanos(count * 1e9);
}

/** A span in seconds. */
export function seconds(span: Span): f64 {
  return <f64>span / 1e9;
}

/** From one instant to another; 0 if the other is earlier, where `-` would wrap around. */
export function between(from: Instant, to: Instant): Span {
  return to > from ? to - from : 0;
}

/** An angle in degrees, as radians. */
export function deg(degrees: f64): f64 {
  return degrees * (Math.PI / 180);
}

/** The instant of this turn; outside a turn, of the last one. */
export function now(): Instant {
  return contract.clockNow();
}

/** The number of this turn, counted from 1. */
export function turn(): u64 {
  return contract.clockTurn();
}

/** The time from one turn to the next. */
export function period(): Span {
  return contract.bodyPeriod();
}

/** Sleeps until this instant, and returns that of waking. In a score only; in a motion it returns at once. */
export function sleepUntil(at: Instant): Instant {
  return contract.clockSleepUntil(at);
}

/** Sleeps for this span. In a score only. */
export function sleep(span: Span): Instant {
  return sleepUntil(now() + span);
}
