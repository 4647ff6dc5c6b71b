// The SDK: actuators, sensors, times and curves in the manner of JavaScript. Authors import it as `choreography`.
// Instants and spans are numbers of nanoseconds, angles are numbers of radians: `now() + ms(300)`, `deg(30)`.
// The law: a curve is cut into the same lines as by the SDK of Rust (`curve.js`), so a movement is the same in both.

import { Answer, Level, Merge, body, clock, commands, events, lane, log as lines } from './contract.js';
import { params, sendGroup, sensors, state } from './contract.js';
import { ERROR, sendEased, sendKeys } from './curve.js';
import { figure, number, optional, refuse, time } from './numbers.js';

export { Answer, Level, Merge, State } from './contract.js';
export { Ease, Through, easeAt, mix } from './curve.js';

/** The number of what the body does not have. */
const NONE = 4294967295;

/** A span in nanoseconds. */
export const ns = (count) => (count === +count ? round(count) : refuse(count, 'ns(count)'));
/** A span in microseconds. */
export const us = (count) => (count === +count ? round(count * 1e3) : refuse(count, 'us(count)'));
/** A span in milliseconds. */
export const ms = (count) => (count === +count ? round(count * 1e6) : refuse(count, 'ms(count)'));
/** A span in seconds. */
export const s = (count) => (count === +count ? round(count * 1e9) : refuse(count, 's(count)'));
/** The seconds of a span. */
export const seconds = (span) => time(span, 'seconds(span)') / 1e9;
/** An angle in degrees, as radians. */
export const deg = (degrees) => number(degrees, 'deg(degrees)') * (Math.PI / 180);

/** To whole nanoseconds; what is negative becomes 0, and so does a time that an actuator takes that is missing. */
function round(nanos) {
  return nanos > 0 ? Math.floor(nanos + 0.5) : 0;
}

/** The instant of this turn; outside a turn, of the last one. */
export const now = clock.now;
/** The number of this turn, counted from 1. */
export const turn = clock.turn;
/** The time from one turn to the next. */
export const period = body.period;
/** Sleeps until this instant, and returns the instant of waking; in a score only. */
export const sleepUntil = (instant) => clock.sleepUntil(time(instant, 'sleepUntil(instant)'));
/** Sleeps for this span; in a score only. */
export const sleep = (span) => clock.sleepUntil(clock.now() + time(span, 'sleep(span)'));

/** Lines for people. Numbers have at most three decimals. */
export const log = {
  debug: (...said) => lines.write(Level.debug, line(said)),
  info: (...said) => lines.write(Level.info, line(said)),
  warn: (...said) => lines.write(Level.warning, line(said)),
};

function line(said) {
  return said.map(text).join(' ');
}

function text(it) {
  if (typeof it === 'number') return String(Math.round(it * 1e3) / 1e3);
  if (typeof it !== 'object' || it === null || it instanceof Error) return String(it);
  return JSON.stringify(it);
}

globalThis.console = { debug: log.debug, log: log.info, info: log.info, warn: log.warn, error: log.warn };
globalThis.print = log.info;

/** Logs a name that this body does not have, once. */
function missing(kind, name) {
  log.warn(`there is no ${kind} \`${name}\` here: it goes on without`);
}

/** An actuator of the body: a joint, a light, a wheel. */
export class Actuator {
  constructor(name) {
    this.name = name;
    this.number = body.findActuator(name);
    // Asked for here, outside the turn: the answers do not change.
    this.bounds = limits(this.number);
    if (!this.isPresent()) missing('actuator', name);
  }
  /** Whether this body has it. If not, commands to it answer `Answer.unknown`. */
  isPresent() {
    return this.number !== NONE;
  }
  /** A command to this value; `at`, `over` or `now` sends it. */
  to(value) {
    return new Move(this.number, value === +value ? value : this.valued(value, 'to(value)'));
  }
  /** A value that is no number. An actuator that this body lacks tells NaN of itself: so NaN is no error there. */
  valued(value, what) {
    return typeof value === 'number' && !this.isPresent() ? value : refuse(value, `${this.name}.${what}`);
  }
  /** A movement through keys, `[[ms(400), 0.3], [ms(900), -0.3]]`; `at` or `now` sends it. */
  through(points) {
    return new Phrase(this, points);
  }
  /** Drops all waiting commands: it stops where it is. */
  clear() {
    return commands.clear(this.number);
  }
  /** How many commands waited when this call of a hook began; in a score 0. */
  waiting() {
    return commands.waiting(this.number);
  }
  /** The value that was last sent to it, by any guest or client. */
  sent() {
    return lane.sent(this.number);
  }
  /** The value that its board has acknowledged. */
  acknowledged() {
    return sensors.acknowledged(this.number);
  }
  /** Its range, its limits and its value at rest. */
  limits() {
    return this.bounds;
  }
  /** The time to this value at a share of its maximum velocity on average; a share of 0.5 suits most easings. */
  timeTo(value, share) {
    const way = (value === +value ? value : this.valued(value, 'timeTo(value)')) - this.sent();
    return round((Math.abs(way) / (this.bounds.velocity * number(share, 'timeTo(…, share)'))) * 1e9);
  }
  /** Drives it to this value in this turn only. */
  drive(value, weight = 1) {
    const to = value === +value ? value : this.valued(value, 'drive(value)');
    return lane.drive(this.number, to, weight === +weight ? weight : refuse(weight, 'drive(…, weight)'));
  }
  /** Asks for these gains in this turn; all zero is limp. */
  setGains(p, i, d, weight = 1) {
    const gains = [p, i, d, weight].map((it) => number(it, 'setGains(p, i, d, weight)'));
    return lane.setGains(this.number, ...gains);
  }
  /** This guest's weight on this actuator alone, 0 to 1,000. */
  setWeight(weight) {
    return lane.setWeightOn(this.number, number(weight, 'setWeight(weight)'));
  }
}

function limits(of) {
  return Object.freeze({
    lowest: body.lowest(of),
    highest: body.highest(of),
    velocity: body.velocity(of),
    acceleration: body.acceleration(of),
    rest: body.rest(of),
  });
}

/** A command at constant speed from the current value. */
class Move {
  // Two properties: QuickJS takes twice as long for an object with a third.
  constructor(number, value) {
    this.number = number;
    this.value = value;
  }
  /** Sends it: the value is reached at this instant. */
  at(instant) {
    return commands.set(this.number, this.value, instant === +instant ? instant : time(instant, 'at(instant)'));
  }
  /** Sends it: the value is reached after this span. */
  over(span) {
    return this.at(clock.now() + (span === +span ? span : time(span, 'over(span)')));
  }
  /** Sends it for now: in `preProcess` the value is sent in the same turn. */
  now() {
    return this.at(clock.now());
  }
  /** Replaces all waiting commands of the actuator. */
  replacing() {
    return this.merging(Merge.clearAll);
  }
  /** What happens to waiting commands. */
  merging(merge) {
    return new MergingMove(this, merge);
  }
  /** Uses an easing in place of constant speed. */
  eased(ease) {
    return new EasedMove([this.number, this.value, ease, undefined, undefined, ERROR]);
  }
}

/** A command that says what happens to waiting ones. */
class MergingMove extends Move {
  constructor({ number, value }, merge) {
    super(number, value);
    this.merge = merge;
  }
  at(instant) {
    return commands.put(this.number, this.value, time(instant, 'at(instant)'), this.merge);
  }
}

/** An eased movement. Commands that wait for its start or later are dropped. */
class EasedMove {
  // One array: QuickJS takes five times as long for an object with so many properties. Its places:
  // actuator, value, ease, first value, start, error.
  constructor(parts) {
    this.parts = parts;
  }
  /** Begins at this value, in place of the current one. */
  from(value) {
    this.parts[3] = optional(value, 'from(value)');
    return this;
  }
  /** Begins at this instant, in place of now. */
  starting(instant) {
    this.parts[4] = time(instant, 'starting(instant)');
    return this;
  }
  /** The maximum error of the lines against the curve. */
  within(error) {
    this.parts[5] = number(error, 'within(error)');
    return this;
  }
  /** Sends it: it ends at this instant. */
  at(end) {
    if (end !== +end) time(end, 'at(instant)');
    const start = this.parts[4] ?? clock.now();
    return sendEased(this.parts, start, end > start ? end - start : 0);
  }
  /** Sends it: it takes this long. */
  over(span) {
    return sendEased(this.parts, this.parts[4] ?? clock.now(), span === +span ? span : time(span, 'over(span)'));
  }
}

/** A movement through keys. Commands that wait for its start or later are dropped. */
class Phrase {
  constructor(actuator, points) {
    this.actuator = actuator;
    this.points = points;
  }
  /** How it passes its keys; see `Through`. */
  going(way) {
    this.way = way;
    return this;
  }
  /** The maximum error of the lines against the curve. */
  within(error) {
    this.error = number(error, 'within(error)');
    return this;
  }
  /** Begins at this value, in place of the current one. */
  from(value) {
    this.first = optional(value, 'from(value)');
    return this;
  }
  /** Sends it: it starts at this instant. */
  at(start) {
    const { actuator, points } = this;
    for (const [span, value] of points) {
      if (span !== +span) time(span, `${actuator.name}.through([[span, …]])`);
      if (value !== +value) actuator.valued(value, 'through([[…, value]])');
    }
    const begins = points.length === 0 || points[0][0] === 0;
    const first = begins ? undefined : (this.first ?? lane.sent(actuator.number));
    return sendKeys(actuator.number, points, round(time(start, 'at(instant)')), this.way, first, this.error);
  }
  /** Sends it: it starts now. */
  now() {
    return this.at(clock.now());
  }
}

/** Moves to a pose, `[[HeadYaw, 0.4], …]`: all arrive together. Takes the time of the longest movement at this share
 * of its actuator's maximum velocity, and at least `atLeast`. Returns the instant of arrival. */
export function strike(pose, share, atLeast) {
  const needed = pose.map(([actuator, value]) => actuator.timeTo(value, share));
  const there = now() + Math.max(time(atLeast, 'strike(…, atLeast)'), ...needed);
  for (const [actuator, value] of pose) actuator.to(value).eased('jerkless').at(there);
  return there;
}

/** The most members of a group. */
const MEMBERS = 32;

/** Several actuators that get their commands in one request: all are accepted or none. */
class Group {
  constructor(name, members) {
    this.name = name;
    // Three words of 64 bits for each command: its actuator, its value, its instant. The engine writes the last.
    this.words = new ArrayBuffer(24 * members.length);
    this.values = new Float64Array(this.words);
    const halves = new Uint32Array(this.words);
    members.forEach((member, place) => (halves[6 * place] = member));
  }
  /** How many members this body has; 0 if it has no such alias. */
  length() {
    return this.values.length / 3;
  }
  /** A command to all members, with one value or an array of one for each; `at`, `over` or `now` sends it. */
  to(value) {
    return new GroupMove(this, value);
  }
}

/** Whether this body lacks a member. */
const isIncomplete = (words) => new Uint32Array(words).some((it, place) => place % 6 === 0 && it === NONE);

class GroupMove {
  constructor(group, value) {
    this.group = group;
    this.value = value;
  }
  /** Sends it: all reach their values at this instant. */
  at(instant) {
    const { value, group } = this;
    const { words, values } = group;
    if (values.length === 0) return Answer.unknown;
    if (instant !== +instant) time(instant, 'at(instant)');
    if (value === +value) return sendGroup(words, instant, value);
    if (Number.isNaN(value) && isIncomplete(words)) return Answer.unknown;
    if (!Array.isArray(value)) refuse(value, `${group.name}.to(value)`);
    for (let place = 0, word = 1; word < values.length; place++, word += 3) {
      const it = value[place];
      if (it !== +it && !isIncomplete(words)) refuse(it, `${group.name}.to([…]) at place ${place}`);
      values[word] = it;
    }
    return sendGroup(words, instant, NaN);
  }
  /** Sends it: all reach their values after this span. */
  over(span) {
    return this.at(clock.now() + (span === +span ? span : time(span, 'over(span)')));
  }
  /** Sends it for now. */
  now() {
    return this.at(clock.now());
  }
}

/** A sensor of the body. */
export class Sensor {
  constructor(name) {
    this.name = name;
    this.number = body.findSensor(name);
    if (!this.isPresent()) missing('sensor', name);
  }
  /** Whether this body has it. If not, it reads NaN. */
  isPresent() {
    return this.number !== NONE;
  }
  /** Its value: in `preProcess` that of the turn before, in `postProcess` that of this turn. */
  read() {
    return sensors.read(this.number);
  }
  /** Whether its value is above 0.5: a pressed button. */
  isOn() {
    return this.read() > 0.5;
  }
  /** How long ago its board last answered; 0 in this turn. */
  age() {
    return sensors.age(this.number);
  }
}

/** A live parameter, which people change while the guest plays. */
export class Param {
  constructor(name, lowest, usual, highest) {
    this.name = name;
    this.usual = usual;
    for (const it of [lowest, usual, highest]) number(it, `param('${name}', lowest, usual, highest)`);
    this.number = params.declare(name, lowest, usual, highest);
    if (this.number === NONE) missing('room for the parameter', name);
  }
  /** Its value, always within its range; its usual one if it could not be declared. */
  get() {
    const value = params.get(this.number);
    return Number.isNaN(value) ? this.usual : value;
  }
}

/** A topic of events. All guests that use its name share it. */
export class Topic {
  constructor(name) {
    this.name = name;
    this.number = events.topic(name);
    if (this.number === NONE) missing('room for the topic', name);
  }
  /** Posts an event; guests receive it from the next turn on. */
  post(value) {
    return events.post(this.number, figure(value, `${this.name}.post(value)`));
  }
}

/** The actuator of this name. Call it at the top of a module: names are looked up before the first turn. */
export const actuator = (name) => new Actuator(name);
/** Actuators by their names: `const { HeadYaw, HeadPitch } = joints('HeadYaw', 'HeadPitch')`. */
export const joints = (...names) => Object.fromEntries(names.map((name) => [name, new Actuator(name)]));
/** The group of this name, an alias of the description. */
export function group(name) {
  const length = body.aliasLength(name);
  if (length === 0 || length > MEMBERS) missing(`alias of 1 to ${MEMBERS} actuators`, name);
  const places = Array.from({ length: Math.min(length, MEMBERS) }, (_, place) => place);
  return new Group(name, places.map((place) => body.aliasMember(name, place)));
}
/** Actuators as a group, the quickest way to command many in a hook: `together(yaw, pitch).to([0.1, 0.2]).now()`. */
export const together = (...members) => new Group(members.map((it) => it.name).join(' '), members.map((it) => it.number));
/** The sensor of this name. */
export const sensor = (name) => new Sensor(name);
/** Declares a parameter; lowest, usual and highest value must increase. */
export const param = (name, lowest, usual, highest) => new Param(name, lowest, usual, highest);
/** The topic of this name. */
export const topic = (name) => new Topic(name);

/** The next event that this guest has not received yet: `{ topic, value }`; undefined if there is none. */
export function nextEvent() {
  if (!events.next()) return undefined;
  return { topic: events.currentTopic(), value: events.currentValue(), is: isOf };
}

function isOf(of) {
  return this.topic === of.number;
}

/** Keeps a figure at a place, 0 to 255, for the version of this guest that replaces it. */
export const keep = (place, value) => state.keep(number(place, 'keep(place, …)'), figure(value, 'keep(…, value)'));
/** The figure at that place; undefined if there is none. */
export function kept(place) {
  const value = state.kept(place);
  return Number.isNaN(value) ? undefined : value;
}

/** Names for priorities; any number is one. */
export const Priority = Object.freeze({
  silent: -1,
  background: 0,
  low: 5,
  standard: 10,
  high: 50,
  emergency: 100,
});

/** Sets this guest's priority, at most what its grant allows. */
export const setPriority = (priority) => lane.setPriority(number(priority, 'setPriority(priority)'));
/** Sets this guest's weight among guests of the same priority, 0 to 1,000. */
export const setWeight = (weight) => lane.setWeight(number(weight, 'setWeight(weight)'));
/** What the whole body is doing; see `State`. */
export const bodyState = lane.bodyState;
/** Whether a guest of higher priority hides this one on any actuator. */
export const isHidden = () => lane.isHidden() !== 0;
/** Ends the guest: its lane fades out, `stop` is called. */
export const finish = lane.finish;

/** Musical time: bars and beats are counted from 1. `tempo(100, now() + s(1)).bar(2, 3)` */
export function tempo(beatsPerMinute, start = 0, beatsInABar = 4) {
  const beat = s(60 / number(beatsPerMinute, 'tempo(beatsPerMinute)'));
  return {
    /** How long so many beats take. */
    beats: (count) => round(beat * number(count, 'beats(count)')),
    /** The instant of a beat of a bar. */
    bar: (bar, at = 1) => time(start + beat * beatsInABar * (bar - 1) + round(beat * (at - 1)), 'bar(bar, beat)'),
  };
}
