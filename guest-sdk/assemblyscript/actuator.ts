// Actuators: `HeadYaw.to(deg(30)).over(ms(300))`.
// The law: a command is built in an object that all commands share, so that nothing is allocated in a hook. One is
// complete before the next begins.

import * as contract from "./contract";
import { Answer, Merge } from "./contract";
import { Ease, USUAL_ERROR, follower } from "./curve";
import { buffer, line, utf8 } from "./text";
import { Instant, Span, between, now, s } from "./time";

/** The number of what this body does not have. */
export const NONE: u32 = u32.MAX_VALUE;

/** Logs that something is not there. */
export function missing(kind: string, name: string): void {
  line("there is no ").text(kind).text(" `").text(name).text("` here: it goes on without").warn();
}

/** A joint, a light, a hand, a wheel; by name. Made at the top level, before the first turn. */
export class Actuator {
  readonly number: u32;

  constructor(readonly name: string) {
    this.number = contract.bodyFindActuator(buffer, utf8(name));
    if (!this.isPresent) missing("actuator", name);
  }

  /** Whether this body has it. If not, commands to it are answered `Unknown`. */
  get isPresent(): bool {
    return this.number != NONE;
  }

  /** A command to this value; `at`, `over` or `now` sends it. */
  to(value: f64): Move {
    return move.begin(this.number, value);
  }

  /** A movement through keys: `through().key(ms(400), 0.3).key(ms(900), 0).now()`. */
  through(): Phrase {
    return phrase.begin(this.number);
  }

  /** Drops all waiting commands: the actuator stops where it is. */
  clear(): Answer {
    return contract.commandsClear(this.number);
  }

  /**
   * The number of commands of this guest that waited when this call of a hook began, without those cleared since. In a
   * score it is 0.
   */
  waiting(): u32 {
    return contract.commandsWaiting(this.number);
  }

  /** The value that was last sent to it, by any guest or client. */
  sent(): f64 {
    return contract.laneSent(this.number);
  }

  /** The value that its board has acknowledged. */
  acknowledged(): f64 {
    return contract.sensorsAcknowledged(this.number);
  }

  /** Its limits, which hold until the next call of this. */
  limits(): Limits {
    limits.of = this.number;
    return limits;
  }

  /**
   * The time to this value, at a share of its maximum velocity on average. The peak velocity of an easing is up to 1.9
   * times its average. Zero if its velocity has no limit.
   */
  timeTo(value: f64, share: f64): Span {
    return s(abs(value - this.sent()) / (contract.bodyVelocity(this.number) * share));
  }

  /** Drives it to this value in this turn only, beside its timeline, with a weight of 0 to 1,000. */
  drive(value: f64, weight: f64 = 1): Answer {
    return contract.laneDrive(this.number, value, weight);
  }

  /** Requests these gains in this turn, with a weight of 0 to 1,000. Zero gains make it limp. */
  gains(p: f64, i: f64, d: f64, weight: f64 = 1): Answer {
    return contract.laneSetGains(this.number, p, i, d, weight);
  }

  /** Sets this guest's weight on this actuator alone, 0 to 1,000. */
  setWeight(weight: f64): Answer {
    return contract.laneSetWeightOn(this.number, weight);
  }
}

/** The limits of an actuator. They are NaN if this body does not have it. */
export class Limits {
  of: u32 = NONE;

  get lowest(): f64 {
    return contract.bodyLowest(this.of);
  }
  get highest(): f64 {
    return contract.bodyHighest(this.of);
  }
  /** Units per second; infinite if there is no limit. */
  get velocity(): f64 {
    return contract.bodyVelocity(this.of);
  }
  /** Infinite if there is no limit. */
  get acceleration(): f64 {
    return contract.bodyAcceleration(this.of);
  }
  get rest(): f64 {
    return contract.bodyRest(this.of);
  }
}

/** A command that is being built: at constant speed from the current value, unless it is eased. */
export class Move {
  number: u32 = NONE;
  value: f64 = 0;
  merge: Merge = Merge.Merge;

  begin(number: u32, value: f64): Move {
    this.number = number;
    this.value = value;
    this.merge = Merge.Merge;
    return this;
  }

  /** Sends it: the value is reached at this instant. A past instant counts as now. */
  at(instant: Instant): Answer {
    if (this.merge == Merge.Merge) return contract.commandsSet(this.number, this.value, instant);
    return contract.commandsPut(this.number, this.value, instant, this.merge);
  }

  /** Sends it: the value is reached after this span. */
  over(span: Span): Answer {
    return this.at(now() + span);
  }

  /** Sends it for now: in `preProcess` the value is sent in the same turn. */
  now(): Answer {
    return this.at(now());
  }

  /** Replaces all waiting commands of the actuator. */
  replacing(): Move {
    return this.merging(Merge.ClearAll);
  }

  merging(merge: Merge): Move {
    this.merge = merge;
    return this;
  }

  /** Uses an easing. Commands that wait for its start or later are dropped. */
  eased(ease: Ease): EasedMove {
    return easedMove.begin(this.number, this.value, ease);
  }
}

/** An eased movement that is being built. */
export class EasedMove {
  number: u32 = NONE;
  value: f64 = 0;
  ease: Ease = Ease.Sine;
  first: f64 = NaN;
  start: Instant = u64.MAX_VALUE;
  limit: f64 = USUAL_ERROR;

  begin(number: u32, value: f64, ease: Ease): EasedMove {
    this.number = number;
    this.value = value;
    this.ease = ease;
    this.first = NaN;
    this.start = u64.MAX_VALUE;
    this.limit = USUAL_ERROR;
    return this;
  }

  /** Begins at this value, in place of the current one. */
  from(value: f64): EasedMove {
    this.first = value;
    return this;
  }

  /** Begins at this instant, in place of now. */
  starting(instant: Instant): EasedMove {
    this.start = instant;
    return this;
  }

  /** The largest error of the lines against the curve; default: 0.004. */
  within(limit: f64): EasedMove {
    this.limit = limit;
    return this;
  }

  /** Sends it: it ends at this instant. */
  at(end: Instant): Answer {
    const start = this.starts();
    return this.send(start, between(start, end));
  }

  /** Sends it: it takes this long. */
  over(span: Span): Answer {
    return this.send(this.starts(), span);
  }

  private starts(): Instant {
    return this.start == u64.MAX_VALUE ? now() : this.start;
  }

  private send(start: Instant, span: Span): Answer {
    const from = isNaN(this.first) ? contract.laneSent(this.number) : this.first;
    follower.begin(this.number, start, this.limit);
    return follower.ease(this.ease, from, this.value, span);
  }
}

/** How a curve passes its keys. It always begins and ends at rest. */
export enum Through {
  /** On straight lines. */
  Straight,
  /** It stops at every key. */
  Stops,
  /** It passes smoothly without overshoot: between two keys its values are between theirs. */
  Flows,
  /** It passes smoothly, and may overshoot. */
  Swings,
}

/** The most keys of a phrase. Further ones are left out. */
const MOST_KEYS = 64;

/** A movement through keys that is being built. Commands that wait for its start or later are dropped. */
export class Phrase {
  number: u32 = NONE;
  through: Through = Through.Flows;
  limit: f64 = USUAL_ERROR;
  first: f64 = NaN;
  count: i32 = 1;
  /** The key at place 0 is the start. */
  times: StaticArray<u64> = new StaticArray<u64>(MOST_KEYS + 1);
  values: StaticArray<f64> = new StaticArray<f64>(MOST_KEYS + 1);

  begin(number: u32): Phrase {
    this.number = number;
    this.through = Through.Flows;
    this.limit = USUAL_ERROR;
    this.first = NaN;
    this.count = 1;
    return this;
  }

  /** A key: a time after the start, and the value there. Times must increase; 64 keys at most. */
  key(after: Span, value: f64): Phrase {
    if (this.count > MOST_KEYS) {
      line("a phrase has 64 keys at most: one is left out").warn();
      return this;
    }
    this.times[this.count] = after;
    this.values[this.count++] = value;
    return this;
  }

  /** How it passes its keys; default: `Flows`. */
  going(through: Through): Phrase {
    this.through = through;
    return this;
  }

  /** The largest error of the lines against the curve; default: 0.004. */
  within(limit: f64): Phrase {
    this.limit = limit;
    return this;
  }

  /** Begins at this value, in place of the current one. */
  from(value: f64): Phrase {
    this.first = value;
    return this;
  }

  /** Sends it: it starts at this instant. */
  at(start: Instant): Answer {
    // A key at time 0 is the start itself.
    const told = this.count > 1 && this.times[1] == 0;
    const begin = told ? 1 : 0;
    this.times[0] = 0;
    this.values[0] = isNaN(this.first) ? contract.laneSent(this.number) : this.first;
    follower.begin(this.number, start, this.limit);
    for (let place = begin; place + 1 < this.count; place++) {
      const to = place + 1;
      const slope = this.slope(place, begin);
      const last = this.slope(to, begin);
      follower.hermite(this.times[place], this.times[to], this.values[place], this.values[to], slope, last);
    }
    return follower.answer;
  }

  /** Sends it: it starts now. */
  now(): Answer {
    return this.at(now());
  }

  /** The slope at a key, per second; 0 at both ends. */
  private slope(place: i32, begin: i32): f64 {
    if (place == begin || place + 1 >= this.count) return 0;
    const one = <f64>between(this.times[place - 1], this.times[place]) / 1e9;
    const two = <f64>between(this.times[place], this.times[place + 1]) / 1e9;
    const up = (this.values[place] - this.values[place - 1]) / one;
    const on = (this.values[place + 1] - this.values[place]) / two;
    let slope: f64 = 0;
    if (this.through == Through.Swings) {
      slope = (up * two + on * one) / (one + two);
    } else if (this.through == Through.Flows && up * on > 0) {
      const near = two + 2 * one;
      const far = one + 2 * two;
      slope = (near + far) / (far / up + near / on);
    }
    // Two keys at one time have no slope between them.
    return isFinite(slope) ? slope : 0;
  }
}

// The commands that are being built, and the limits that were asked for.
const move = new Move();
const easedMove = new EasedMove();
const phrase = new Phrase();
const limits = new Limits();

/** Actuators, and a value for each: `new Pose().with(HeadYaw, 0.3).with(HeadPitch, 0)`, made at the top level. */
export class Pose {
  actuators: Actuator[] = [];
  values: f64[] = [];

  with(actuator: Actuator, value: f64): Pose {
    this.actuators.push(actuator);
    this.values.push(value);
    return this;
  }

  get length(): i32 {
    return this.values.length;
  }
}

/**
 * Moves to a pose: all actuators move smoothly, and arrive together. It takes the time of the longest movement at this
 * share of its actuator's maximum velocity, and at least `atLeast`. Returns the instant of arrival.
 */
export function strike(pose: Pose, share: f64, atLeast: Span): Instant {
  let longest = atLeast;
  for (let place = 0; place < pose.length; place++) {
    longest = max(longest, pose.actuators[place].timeTo(pose.values[place], share));
  }
  const there = now() + longest;
  for (let place = 0; place < pose.length; place++) {
    pose.actuators[place].to(pose.values[place]).eased(Ease.Jerkless).at(there);
  }
  return there;
}
