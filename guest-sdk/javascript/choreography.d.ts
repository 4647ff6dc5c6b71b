// The types of the SDK, for editors and TypeScript; `choreography.js` says more. Instants and spans are numbers of
// nanoseconds, angles are numbers of radians.

import type { Answer, Instant, Merge, Span, State } from './contract.js';

export { Answer, Level, Merge, State } from './contract.js';
export type { Instant, Span } from './contract.js';

/** How a movement goes from its start to its end. */
export declare const Ease: Readonly<{
  linear: 'linear';
  sine: 'sine';
  sineIn: 'sineIn';
  sineOut: 'sineOut';
  cubic: 'cubic';
  cubicIn: 'cubicIn';
  cubicOut: 'cubicOut';
  jerkless: 'jerkless';
  backIn: 'backIn';
  backOut: 'backOut';
}>;
export type Ease = keyof typeof Ease;
/** How a curve passes its keys. */
export declare const Through: Readonly<{ straight: 'straight'; stops: 'stops'; flows: 'flows'; swings: 'swings' }>;
export type Through = keyof typeof Through;

/** A span in nanoseconds; what is negative becomes 0. So for the next three. */
export declare function ns(count: number): Span;
/** A span in microseconds. */
export declare function us(count: number): Span;
/** A span in milliseconds. */
export declare function ms(count: number): Span;
/** A span in seconds. */
export declare function s(count: number): Span;
/** The seconds of a span. */
export declare function seconds(span: Span): number;
/** An angle in degrees, as radians. */
export declare function deg(degrees: number): number;
/** The share of the way of an easing at this share of its time. */
export declare function easeAt(ease: Ease, share: number): number;
/** Linear interpolation at a share of a line. */
export declare function mix(from: number, to: number, share: number): number;

/** The instant of this turn; outside a turn, of the last one. */
export declare function now(): Instant;
/** The number of this turn, counted from 1. */
export declare function turn(): number;
/** The time from one turn to the next. */
export declare function period(): Span;
/** Sleeps until this instant, and returns the instant of waking; in a score only. */
export declare function sleepUntil(at: Instant): Instant;
/** Sleeps for this span; in a score only. */
export declare function sleep(span: Span): Instant;

/** Lines for people. `console.log` and `print` write them, too. */
export declare const log: Readonly<Record<'debug' | 'info' | 'warn', (...said: unknown[]) => Answer>>;

/** The limits of an actuator; NaN if this body does not have it, infinite where there is none. */
export interface Limits {
  readonly lowest: number;
  readonly highest: number;
  /** Units per second. */
  readonly velocity: number;
  readonly acceleration: number;
  readonly rest: number;
}

/** A keyframe: its time after the start, and the value. */
export type Key = readonly [at: Span, value: number];

/** An actuator of the body: a joint, a light, a wheel. */
export interface Actuator {
  readonly name: string;
  /** Whether this body has it. If not, commands to it answer `Answer.unknown`. */
  isPresent(): boolean;
  /** A command to this value; `at`, `over` or `now` sends it. */
  to(value: number): Move;
  /** A movement through keys, `[[ms(400), 0.3], [ms(900), -0.3]]`; `at` or `now` sends it. */
  through(keys: readonly Key[]): Phrase;
  /** Drops all waiting commands: it stops where it is. */
  clear(): Answer;
  /** How many commands waited when this call of a hook began; in a score 0. */
  waiting(): number;
  /** The value that was last sent to it, by any guest or client. */
  sent(): number;
  /** The value that its board has acknowledged. */
  acknowledged(): number;
  limits(): Limits;
  /** The time to this value at a share of its maximum velocity on average; a share of 0.5 suits most easings. */
  timeTo(value: number, share: number): Span;
  /** Drives it to this value in this turn only. */
  drive(value: number, weight?: number): Answer;
  /** Asks for these gains in this turn; all zero is limp. */
  setGains(p: number, i: number, d: number, weight?: number): Answer;
  /** This guest's weight on this actuator alone, 0 to 1,000. */
  setWeight(weight: number): Answer;
}

/** What can be sent. */
interface Sendable {
  /** Sends it: the value is reached at this instant. */
  at(instant: Instant): Answer;
  /** Sends it: the value is reached after this span. */
  over(span: Span): Answer;
  /** Sends it for now: in `preProcess` the value is sent in the same turn. */
  now(): Answer;
}

/** A command at constant speed from the current value. */
export interface Move extends Sendable {
  /** Replaces all waiting commands of the actuator. */
  replacing(): Move;
  /** What happens to waiting commands. */
  merging(merge: Merge): Move;
  /** Uses an easing in place of constant speed. */
  eased(ease: Ease): EasedMove;
}

/** An eased movement. Commands that wait for its start or later are dropped. */
export interface EasedMove {
  /** Begins at this value, in place of the current one. */
  from(value: number): EasedMove;
  /** Begins at this instant, in place of now. */
  starting(instant: Instant): EasedMove;
  /** The maximum error of the lines against the curve; default: 0.004. */
  within(error: number): EasedMove;
  /** Sends it: it ends at this instant. */
  at(end: Instant): Answer;
  /** Sends it: it takes this long. */
  over(span: Span): Answer;
}

/** A movement through keys. Commands that wait for its start or later are dropped. */
export interface Phrase {
  /** How it passes its keys; default: `flows`. */
  going(way: Through): Phrase;
  /** The maximum error of the lines against the curve; default: 0.004. */
  within(error: number): Phrase;
  /** Begins at this value, in place of the current one. */
  from(value: number): Phrase;
  /** Sends it: it starts at this instant. */
  at(start: Instant): Answer;
  /** Sends it: it starts now. */
  now(): Answer;
}

/** Several actuators that get their commands in one request: all are accepted or none. */
export interface Group {
  readonly name: string;
  /** How many members this body has; 0 if it has no such alias. */
  length(): number;
  /** A command to all members, with one value or an array of one for each. */
  to(value: number | ArrayLike<number>): Sendable;
}

/** A sensor of the body. */
export interface Sensor {
  readonly name: string;
  /** Whether this body has it. If not, it reads NaN. */
  isPresent(): boolean;
  /** Its value: in `preProcess` that of the turn before, in `postProcess` that of this turn. */
  read(): number;
  /** Whether its value is above 0.5: a pressed button. */
  isOn(): boolean;
  /** How long ago its board last answered; 0 in this turn. */
  age(): Span;
}

/** A live parameter, which people change while the guest plays. */
export interface Param {
  readonly name: string;
  /** Its value, always within its range. */
  get(): number;
}

/** A topic of events. All guests that use its name share it. */
export interface Topic {
  readonly name: string;
  /** Posts an event; guests receive it from the next turn on. */
  post(value: number): Answer;
}

/** An event that was posted. */
export interface Event {
  readonly topic: number;
  readonly value: number;
  /** Whether it was posted under this topic. */
  is(of: Topic): boolean;
}

/** The actuator of this name. Call it at the top of a module: names are looked up before the first turn. */
export declare function actuator(name: string): Actuator;
/** Actuators by their names: `const { HeadYaw, HeadPitch } = joints('HeadYaw', 'HeadPitch')`. */
export declare function joints<const Names extends readonly string[]>(
  ...names: Names
): { readonly [name in Names[number]]: Actuator };
/** The group of this name, an alias of the description. */
export declare function group(name: string): Group;
/** Actuators as a group, the quickest way to command many in a hook. */
export declare function together(...members: Actuator[]): Group;
/** The sensor of this name. */
export declare function sensor(name: string): Sensor;
/** Declares a parameter; lowest, usual and highest value must increase. */
export declare function param(name: string, lowest: number, usual: number, highest: number): Param;
/** The topic of this name. */
export declare function topic(name: string): Topic;
/** The next event that this guest has not received yet; undefined if there is none. */
export declare function nextEvent(): Event | undefined;

/** Moves to a pose: all arrive together. It takes the time of the longest movement at this share of its actuator's
 * maximum velocity, and at least `atLeast`. Returns the instant of arrival. */
export declare function strike(
  pose: readonly (readonly [Actuator, number])[],
  share: number,
  atLeast: Span,
): Instant;

/** Keeps a figure at a place, 0 to 255, for the version of this guest that replaces it. */
export declare function keep(place: number, value: number): Answer;
/** The figure at that place; undefined if there is none. */
export declare function kept(place: number): number | undefined;

/** Names for priorities; any number is one. */
export declare const Priority: Readonly<
  Record<'silent' | 'background' | 'low' | 'standard' | 'high' | 'emergency', number>
>;
/** Sets this guest's priority, at most what its grant allows. */
export declare function setPriority(priority: number): Answer;
/** Sets this guest's weight among guests of the same priority, 0 to 1,000. */
export declare function setWeight(weight: number): Answer;
/** What the whole body is doing. */
export declare function bodyState(): State;
/** Whether a guest of higher priority hides this one on any actuator. */
export declare function isHidden(): boolean;
/** Ends the guest: its lane fades out, `stop` is called. */
export declare function finish(): Answer;

/** Musical time: `tempo(100, now() + s(1)).bar(2, 3)`. Bars and beats are counted from 1. */
export declare function tempo(
  beatsPerMinute: number,
  start?: Instant,
  beatsInABar?: number,
): { beats(count: number): Span; bar(bar: number, beat?: number): Instant };

declare global {
  /** Writes a line. */
  function print(...said: unknown[]): void;
  const console: Readonly<Record<'debug' | 'log' | 'info' | 'warn' | 'error', (...said: unknown[]) => void>>;
}
