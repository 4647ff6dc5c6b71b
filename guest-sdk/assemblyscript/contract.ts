// Generated from wit/ by guest-sdk/bindings; do not edit.

// Types that all interfaces share. Only scalars go into a guest, so that a guest needs no allocator, and every
// compiler can make one.

/// The number of an actuator of this body. `body` finds it by name. It does not change while the guest runs.
export type Actuator = u32;

/// The number of a sensor of this body.
export type Sensor = u32;

/// Nanoseconds of the robot's clock, which is 0 when the robot starts and never jumps.
export type Instant = u64;

/// Nanoseconds.
export type Span = u64;

/// The answer to a request. A request with another answer than `done` has changed nothing.
export enum Answer {
  /// The request was carried out.
  Done = 0,
  /// There is no such actuator, sensor, parameter or alias.
  Unknown = 1,
  /// The guest's grant or mask forbids it.
  Forbidden = 2,
  /// There is no room for so many commands, events or lines.
  Full = 3,
  /// The value is infinite, or not a number where one is needed.
  NotFinite = 4,
  /// The instant is more than 24.8 days from now.
  OutOfReach = 5,
  /// This may not be called inside a turn.
  InsideATurn = 6,
  /// Another lane holds the exclusive group.
  Taken = 7,
  /// It is not possible with an actuator of this kind.
  WrongKind = 8,
  /// This call of a hook has reached a limit.
  TooMuch = 9,
  /// The guest is ending, and no longer moves anything.
  Ending = 10,
}

/// The state of the whole body.
export enum State {
  /// Only sensors are read, until all positions are known.
  Boot = 0,
  /// Limp: targets follow the sensors.
  Disarmed = 1,
  /// Powered: the gains fade in.
  Armed = 2,
  /// Lanes move the body.
  Running = 3,
  /// The body slows down, and holds its position.
  Holding = 4,
  /// The body moves to its safe pose, then goes limp.
  Safe = 5,
  /// A fault has stopped the body.
  Fault = 6,
  /// The emergency stop is pressed.
  Estop = 7,
}

// The actuators, sensors and limits of the body. Look names up here once, outside the turn, and keep the
// numbers.

/// Returns the number of the actuator with this name: its short name (`HeadYaw`), its long name
/// (`HeadYaw/Position/Actuator/Value`), also with the NAO's prefix, or another name from the description.
/// Returns 4294967295 if there is no such actuator, or if the name has more than 255 bytes.
/// Inside a turn: no; it returns 4294967295.
// @ts-ignore: decorator
@external("dcm:choreography/body@0.1.0", "find-actuator")
export declare function bodyFindActuator(name: usize, nameLength: i32): Actuator;

/// Returns the number of the sensor with this name, as `find-actuator` does for actuators.
/// Inside a turn: no; it returns 4294967295.
// @ts-ignore: decorator
@external("dcm:choreography/body@0.1.0", "find-sensor")
export declare function bodyFindSensor(name: usize, nameLength: i32): Sensor;

/// Returns the number of actuators of an alias in the description, or 0 if there is no such alias.
/// Inside a turn: no; it returns 0.
// @ts-ignore: decorator
@external("dcm:choreography/body@0.1.0", "alias-length")
export declare function bodyAliasLength(name: usize, nameLength: i32): u32;

/// Returns the actuator at this place of an alias, counted from 0, or 4294967295 if there is none.
/// Inside a turn: no; it returns 4294967295.
// @ts-ignore: decorator
@external("dcm:choreography/body@0.1.0", "alias-member")
export declare function bodyAliasMember(name: usize, nameLength: i32, place: u32): Actuator;

/// Returns the lowest value of the actuator's range, in its unit (rad, m, rad/s, or 0 to 1), or NaN if there
/// is no such actuator. Inside a turn: yes. Both sentences hold for all functions below.
// @ts-ignore: decorator
@external("dcm:choreography/body@0.1.0", "lowest")
export declare function bodyLowest(which: Actuator): f64;

/// Returns the highest value of its range.
// @ts-ignore: decorator
@external("dcm:choreography/body@0.1.0", "highest")
export declare function bodyHighest(which: Actuator): f64;

/// Returns its maximum velocity, in units per second; infinity if it has no limit.
// @ts-ignore: decorator
@external("dcm:choreography/body@0.1.0", "velocity")
export declare function bodyVelocity(which: Actuator): f64;

/// Returns its maximum acceleration, in units per second squared; infinity if it has no limit.
// @ts-ignore: decorator
@external("dcm:choreography/body@0.1.0", "acceleration")
export declare function bodyAcceleration(which: Actuator): f64;

/// Returns its rest value.
// @ts-ignore: decorator
@external("dcm:choreography/body@0.1.0", "rest")
export declare function bodyRest(which: Actuator): f64;

/// Returns the period of the loop: the time from one turn to the next, ns.
// @ts-ignore: decorator
@external("dcm:choreography/body@0.1.0", "period")
export declare function bodyPeriod(): Span;

// Timed commands: this actuator, this value, at this instant. The runtime interpolates.
// The robot's description says how many waiting commands a lane has room for (default: 4,096). There is room
// for at most 4,096 on each actuator.

/// What happens to commands of this guest that are already waiting for the actuator.
export enum Merge {
  /// They are kept.
  Merge = 0,
  /// They are dropped.
  ClearAll = 1,
  /// Those after the first new one are dropped.
  ClearAfter = 2,
  /// Those before the last new one are dropped.
  ClearBefore = 3,
}

/// Sends one command, and keeps those that are waiting. `value` is in the actuator's unit. NaN does nothing.
/// A value outside the range is clipped to it, and counted. An instant in the past means now. A command of
/// `pre-process` for now or earlier reaches the board in the same turn.
/// Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`.
// @ts-ignore: decorator
@external("dcm:choreography/commands@0.1.0", "set")
export declare function commandsSet(to: Actuator, value: f64, at: Instant): Answer;

/// Sends one command like `set`; `merge` says what happens to those that are waiting. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/commands@0.1.0", "put")
export declare function commandsPut(to: Actuator, value: f64, at: Instant, merge: Merge): Answer;

/// Drops all commands of this guest that are waiting for the actuator: it stops where it is. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/commands@0.1.0", "clear")
export declare function commandsClear(which: Actuator): Answer;

/// Returns how many commands of this guest were waiting for the actuator when this call of a hook began,
/// without those that it has cleared since. For a score it returns 0. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/commands@0.1.0", "waiting")
export declare function commandsWaiting(on: Actuator): u32;

// Many commands in one call, for languages in which a call is expensive.

/// Sends many commands: all are accepted, or none. Each command is three words: the actuator, the bits of
/// its value as f64, the instant. Each is merged as by `commands.set`. A list whose length is no multiple of
/// three is answered with `unknown`.
/// Inside a turn: yes; more than 4,096 commands are answered with `too-much`, and a list of more than 65,536
/// bytes ends the guest. A score may send as many commands as its lane has room for.
// @ts-ignore: decorator
@external("dcm:choreography/bulk@0.1.0", "set-all")
export declare function bulkSetAll(words: usize, wordsLength: i32): Answer;

// The guest's own lane: its priority and weight among all lanes, and what it drives directly.

/// Sets the lane's priority: 0 background, 5 low, 10 standard, 50 high, 100 emergency. Below 0 the lane has no
/// effect, and of the guest's hooks only `is-alive` is called. A priority above that of the guest's grant is
/// answered with `forbidden`. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/lane@0.1.0", "set-priority")
export declare function laneSetPriority(priority: f64): Answer;

/// Sets the lane's weight among lanes of the same priority: up to 1 it is the share that it covers, above that it
/// has more votes than others. It lies between 0 and 1,000; another is answered with `not-finite`. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/lane@0.1.0", "set-weight")
export declare function laneSetWeight(weight: f64): Answer;

/// Sets the lane's weight for one actuator. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/lane@0.1.0", "set-weight-on")
export declare function laneSetWeightOn(which: Actuator, weight: f64): Answer;

/// Drives the actuator to this value in this turn only, in place of its timeline.
/// Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`. Outside a turn, it
/// applies to the next turn.
// @ts-ignore: decorator
@external("dcm:choreography/lane@0.1.0", "drive")
export declare function laneDrive(to: Actuator, value: f64, weight: f64): Answer;

/// Requests these gains in this turn, weighted by `weight`. If all are zero, the joint is limp. It counts as two
/// commands. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/lane@0.1.0", "set-gains")
export declare function laneSetGains(which: Actuator, p: f64, i: f64, d: f64, weight: f64): Answer;

/// Returns the value that was last sent to the actuator, whichever lanes it came from; NaN if there is no such
/// actuator. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/lane@0.1.0", "sent")
export declare function laneSent(to: Actuator): f64;

/// Returns the state of the whole body. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/lane@0.1.0", "body-state")
export declare function laneBodyState(): State;

/// Returns whether a lane of higher priority hides this one on any actuator. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/lane@0.1.0", "is-hidden")
export declare function laneIsHidden(): bool;

/// Ends this guest: its lane fades out, `stop` is called, and the guest is unloaded.
/// Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/lane@0.1.0", "finish")
export declare function laneFinish(): Answer;

// The sensors, as they were last read: in `pre-process` the values of the previous turn, in `post-process`
// those of this turn.

/// Returns the sensor's value in its unit; NaN if there is no such sensor. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/sensors@0.1.0", "read")
export declare function sensorsRead(which: Sensor): f64;

/// Returns how long ago the sensor's board last answered, ns; 0 if it was in this turn, and
/// 18446744073709551615 if there is no such sensor. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/sensors@0.1.0", "age")
export declare function sensorsAge(which: Sensor): Span;

/// Returns the value that the actuator's board has acknowledged; NaN if there is no such actuator.
/// Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/sensors@0.1.0", "acknowledged")
export declare function sensorsAcknowledged(by: Actuator): f64;

// The robot's time.

/// Returns the instant of this turn, or outside a turn that of the last turn. It does not change within a turn.
/// A guest has a time of its own, which stands still while the body does not follow the guest: while the body
/// is held, stopped, limp or in a fault, while the guest is paused, and until the body has returned to where
/// it left the guest's motion. Then both continue from there. Instants of commands are in the same time.
/// Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/clock@0.1.0", "now")
export declare function clockNow(): Instant;

/// Returns the number of this turn, counted from 1. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/clock@0.1.0", "turn")
export declare function clockTurn(): u64;

/// Sleeps until this instant, in a `score` only. Returns the instant at which it woke up.
/// Inside a turn: no; it returns at once.
// @ts-ignore: decorator
@external("dcm:choreography/clock@0.1.0", "sleep-until")
export declare function clockSleepUntil(at: Instant): Instant;

// Small messages between guests, and to listeners outside. An event is a topic and a value. The robot posts some itself,
// of the guest whose name follows:
// - `started/NAME`: its lane is open; 0.
// - `arrived/NAME`: the last command that waited for its joints is executed, and the values sent have stopped changing;
//   or values that it sets in every turn have stayed the same for 100 ms; 0. Not if somebody has stopped it, nor while
//   it is paused. A show without code, which has an end, arrives there alone.
// - `settled/NAME`, after `arrived`: the sensors of the joints that it moved have shown for 100 ms what was sent, within
//   0.035 rad or 2 % of the range, whichever is less; s since `arrived`. Joints that others move by now do not count;
//   if none is left, it has settled. A joint without force does not settle.
// - `unsettled/NAME`, instead of that: they do not after 2 s; the largest distance.
// - `ended/NAME`: it has ended, and its lane is gone; 0 if it ended itself, 1 if somebody has stopped it, 2 if it has
//   failed. Also if that was before it started. It may settle afterwards. Another version that takes over, of the same
//   name, is no end and no start; a guest of another name that is swapped in is both: 1, and its own `started`.
// And of the emergency stop: `estop/pressed`, 0; `estop/released`, s since it was pressed.
// Guests do not post to these topics: the answer is `forbidden`.

/// Subscribes this guest to a topic, and returns the topic's number, which is the same for all guests. Returns
/// 4294967295 if 1,024 topics have subscribers already, if this guest has subscribed to 64, or if the name has
/// more than 255 bytes. Inside a turn: no; it returns 4294967295.
// @ts-ignore: decorator
@external("dcm:choreography/events@0.1.0", "topic")
export declare function eventsTopic(name: usize, nameLength: i32): u32;

/// Posts an event. Guests receive it from the next turn on. A guest with more than 4,096 events that it has not
/// read misses the oldest ones; its report counts them. Inside a turn: yes; after 64 events in one call of a
/// hook the answer is `too-much`.
// @ts-ignore: decorator
@external("dcm:choreography/events@0.1.0", "post")
export declare function eventsPost(topic: u32, value: f64): Answer;

/// Goes to the next event that this guest has not read, of a topic that it has subscribed to. Returns whether
/// there is one. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/events@0.1.0", "next")
export declare function eventsNext(): bool;

/// Returns the topic of the event that `next` went to; 4294967295 before the first. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/events@0.1.0", "current-topic")
export declare function eventsCurrentTopic(): u32;

/// Returns the value of that event; NaN before the first. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/events@0.1.0", "current-value")
export declare function eventsCurrentValue(): f64;

// Live parameters: numbers that a person can change while the guest runs.

/// Declares a parameter, and returns its number. Returns 4294967295 if this guest has declared 64 already, if
/// the name is empty, has more than 64 bytes or is declared already, or unless
/// `lowest` ≤ `usual` ≤ `highest` and all are finite. Call it in `start`, so that the parameter can be set
/// before the first turn. Inside a turn: no; it returns 4294967295.
// @ts-ignore: decorator
@external("dcm:choreography/params@0.1.0", "declare")
export declare function paramsDeclare(name: usize, nameLength: i32, lowest: f64, usual: f64, highest: f64): u32;

/// Returns the parameter's value, which always lies within its range; NaN if there is no such parameter. It
/// changes between turns only. One that is named `at` is a place to go to: set again to the value that it has, it
/// changes by the least that a number can. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/params@0.1.0", "get")
export declare function paramsGet(param: u32): f64;

// Numbers that outlive a version of a guest: when another version takes over, it finds the numbers that this
// one has stored.

/// Stores a number at this place, 0 to 255; any other place is answered with `unknown`. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/state@0.1.0", "keep")
export declare function stateKeep(place: u32, value: f64): Answer;

/// Returns the number that is stored at this place; NaN if there is none. A version that takes over finds the
/// numbers in its first turn, not yet in `start`. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/state@0.1.0", "kept")
export declare function stateKept(place: u32): f64;

// Log lines for people.

/// The log level of a line.
export enum Level {
  /// Details.
  Debug = 0,
  /// The usual course of things.
  Info = 1,
  /// Something is wrong.
  Warning = 2,
}

/// Writes a line; the text is cut after 256 bytes. Inside a turn: yes; after 4 lines in one call of a hook the
/// answer is `too-much`. The answer is `full` while 64 lines wait to be written. Lines that are refused are
/// counted, and the log tells how many before the next line. A text of more than 65,536 bytes ends the guest.
// @ts-ignore: decorator
@external("dcm:choreography/log@0.1.0", "write")
export declare function logWrite(level: Level, text: usize, textLength: i32): Answer;

// How far what a guest has sent is: requests of many commands, which can be followed and cancelled as one.

/// What became of a request. Its commands are executed in the guest's lane; a lane of higher priority may hide them.
export enum Outcome {
  /// Some of its commands still wait.
  Waiting = 0,
  /// All of its commands were executed.
  Arrived = 1,
  /// All were executed, and some of them clipped to the range of their actuator.
  Clipped = 2,
  /// Some were executed while the body did not follow them: it did not run, or the joint was limp.
  Missed = 3,
  /// Some were deleted: by `clear` or a merge, or because the lane lost an exclusive group.
  Cleared = 4,
  /// Some were deleted by `cancel`.
  Cancelled = 5,
  /// Some were dropped because their joint was made limp.
  Dropped = 6,
  /// This number is none of the last 16 that were begun, or the robot follows too many others.
  Unknown = 7,
}

/// Begins a request: commands that this guest sends from now on belong to it, until it begins another one. Returns
/// its number, which counts up from 1; 0 for a score, and after four in one call of a hook. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/requests@0.1.0", "begin")
export declare function requestsBegin(): u32;

/// Returns how many commands of a request were waiting when this call of a hook began. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/requests@0.1.0", "left")
export declare function requestsLeft(request: u32): u32;

/// Returns what had become of a request when this call of a hook began. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/requests@0.1.0", "outcome-of")
export declare function requestsOutcomeOf(request: u32): Outcome;

/// Drops the commands of a request that wait; those of others stay. Its actuators stop. Inside a turn: yes.
// @ts-ignore: decorator
@external("dcm:choreography/requests@0.1.0", "cancel")
export declare function requestsCancel(request: u32): Answer;
