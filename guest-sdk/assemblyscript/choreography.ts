// The SDK for choreographies of dcm-run in AssemblyScript.
//
// The top level of a choreography is a part of it: a motion's is its `start`, a score's its `run`, by `exportStart` in
// asconfig.json. There names are looked up: `const HeadYaw = joint("HeadYaw");`.

import * as contract from "./contract";
import { Answer, State } from "./contract";
import { Actuator, NONE, missing } from "./actuator";
import { Group } from "./group";
import { buffer, utf8 } from "./text";
import { Span } from "./time";

export { contract };
export { Answer, Merge, State } from "./contract";
export { Actuator, Limits, Pose, Through, strike } from "./actuator";
export { Ease, easeAt } from "./curve";
export { Group } from "./group";
export { Line, line, log } from "./text";
export {
  Instant,
  Span,
  between,
  deg,
  ms,
  nanos,
  now,
  period,
  s,
  seconds,
  sleep,
  sleepUntil,
  turn,
  us,
} from "./time";

/** An actuator of the body, by name. */
export function actuator(name: string): Actuator {
  return new Actuator(name);
}

/** A joint. */
export function joint(name: string): Actuator {
  return new Actuator(name);
}

/** A light. */
export function light(name: string): Actuator {
  return new Actuator(name);
}

/** An alias of the description. */
export function group(name: string): Group {
  return new Group(name);
}

/** A sensor, by name. */
export class Sensor {
  readonly number: u32;

  constructor(readonly name: string) {
    this.number = contract.bodyFindSensor(buffer, utf8(name));
    if (!this.isPresent) missing("sensor", name);
  }

  /** Whether this body has it. If not, it reads NaN. */
  get isPresent(): bool {
    return this.number != NONE;
  }

  /** Its value: in `preProcess` that of the previous turn, in `postProcess` that of this turn. */
  read(): f64 {
    return contract.sensorsRead(this.number);
  }

  /** Whether its value is above 0.5: a pressed button, a touched head. */
  isOn(): bool {
    return this.read() > 0.5;
  }

  /** The time since its board last answered; zero in this turn. */
  age(): Span {
    return contract.sensorsAge(this.number);
  }
}

export function sensor(name: string): Sensor {
  return new Sensor(name);
}

/** A live parameter: a figure that a person changes while the choreography plays. */
export class Param {
  readonly number: u32;

  /** The name has at most 64 bytes; the figures must increase. */
  constructor(readonly name: string, lowest: f64, readonly usual: f64, highest: f64) {
    this.number = contract.paramsDeclare(buffer, utf8(name), lowest, usual, highest);
    if (this.number == NONE) missing("room for the parameter", name);
  }

  /** Its value, always within its range. It changes between turns only. */
  get(): f64 {
    const value = contract.paramsGet(this.number);
    return isNaN(value) ? this.usual : value;
  }
}

export function param(name: string, lowest: f64, usual: f64, highest: f64): Param {
  return new Param(name, lowest, usual, highest);
}

/** A topic of events, by name. All guests that use the same name share it. */
export class Topic {
  readonly number: u32;

  constructor(readonly name: string) {
    this.number = contract.eventsTopic(buffer, utf8(name));
    if (this.number == NONE) missing("room for the topic", name);
  }

  /** Posts an event. Guests receive it from the next turn on. */
  post(value: f64): Answer {
    return contract.eventsPost(this.number, value);
  }
}

export function topic(name: string): Topic {
  return new Topic(name);
}

/** Moves on to the next event that this guest has not received: `while (nextEvent()) if (event.is(greeted)) …`. */
export function nextEvent(): bool {
  return contract.eventsNext();
}

/** The event that `nextEvent` moved to. */
export namespace event {
  export function is(topic: Topic): bool {
    return contract.eventsCurrentTopic() == topic.number;
  }
  export function value(): f64 {
    return contract.eventsCurrentValue();
  }
}

/** Keeps a figure at a place, 0 to 255, for the version that takes over. */
export function keep(place: u32, value: f64): Answer {
  return contract.stateKeep(place, value);
}

/** The figure that the previous version has kept, from the first turn on, not yet in `start`; NaN for none. */
export function kept(place: u32): f64 {
  return contract.stateKept(place);
}

/** Priorities; any finite number between them is one too. */
export namespace Priority {
  export const Silent: f64 = -1;
  export const Background: f64 = 0;
  export const Low: f64 = 5;
  export const Standard: f64 = 10;
  export const High: f64 = 50;
  export const Emergency: f64 = 100;
}

/** Sets this guest's priority, at most what its grant allows. */
export function setPriority(priority: f64): Answer {
  return contract.laneSetPriority(priority);
}

/** Sets this guest's weight among guests of the same priority, 0 to 1,000. */
export function setWeight(weight: f64): Answer {
  return contract.laneSetWeight(weight);
}

/** The state of the body. */
export function bodyState(): State {
  return contract.laneBodyState();
}

/** Whether a guest of higher priority hides this one on any actuator. */
export function isHidden(): bool {
  return contract.laneIsHidden();
}

/** Ends the guest: its lane fades out, `stop` is called, and it is gone. */
export function finish(): Answer {
  return contract.laneFinish();
}
