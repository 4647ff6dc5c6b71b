// Generated from wit/ by guest-sdk/bindings; do not edit.

/// The number of an actuator of this body. `body` finds it by name. It does not change while the guest runs.
pub const Actuator = u32;

/// The number of a sensor of this body.
pub const Sensor = u32;

/// Nanoseconds of the robot's clock, which is 0 when the robot starts and never jumps.
pub const Instant = u64;

/// Nanoseconds.
pub const Span = u64;

/// The answer to a request. A request with another answer than `done` has changed nothing.
pub const Answer = enum(u32) {
    /// The request was carried out.
    done = 0,
    /// There is no such actuator, sensor, parameter or alias.
    unknown = 1,
    /// The guest's grant or mask forbids it.
    forbidden = 2,
    /// There is no room for so many commands, events or lines.
    full = 3,
    /// The value is infinite, or not a number where one is needed.
    not_finite = 4,
    /// The instant is more than 24.8 days from now.
    out_of_reach = 5,
    /// This may not be called inside a turn.
    inside_a_turn = 6,
    /// Another lane holds the exclusive group.
    taken = 7,
    /// It is not possible with an actuator of this kind.
    wrong_kind = 8,
    /// This call of a hook has reached a limit.
    too_much = 9,
    /// The guest is ending, and no longer moves anything.
    ending = 10,
    /// A number of a younger contract.
    _,
};

/// The state of the whole body.
pub const State = enum(u32) {
    /// Only sensors are read, until all positions are known.
    boot = 0,
    /// Limp: targets follow the sensors.
    disarmed = 1,
    /// Powered: the gains fade in.
    armed = 2,
    /// Lanes move the body.
    running = 3,
    /// The body slows down, and holds its position.
    holding = 4,
    /// The body moves to its safe pose, then goes limp.
    safe = 5,
    /// A fault has stopped the body.
    fault = 6,
    /// The emergency stop is pressed.
    estop = 7,
    /// A number of a younger contract.
    _,
};

/// The actuators, sensors and limits of the body. Look names up here once, outside the turn, and keep the
/// numbers.
pub const body = struct {
    /// Returns the number of the actuator with this name: its short name (`HeadYaw`), its long name
    /// (`HeadYaw/Position/Actuator/Value`), also with the NAO's prefix, or another name from the description.
    /// Returns 4294967295 if there is no such actuator, or if the name has more than 255 bytes.
    /// Inside a turn: no; it returns 4294967295.
    extern "dcm:choreography/body@0.1.0" fn @"find-actuator"(name: [*]const u8, name_length: usize) Actuator;
    pub const findActuator = @"find-actuator";

    /// Returns the number of the sensor with this name, as `find-actuator` does for actuators.
    /// Inside a turn: no; it returns 4294967295.
    extern "dcm:choreography/body@0.1.0" fn @"find-sensor"(name: [*]const u8, name_length: usize) Sensor;
    pub const findSensor = @"find-sensor";

    /// Returns the number of actuators of an alias in the description, or 0 if there is no such alias.
    /// Inside a turn: no; it returns 0.
    extern "dcm:choreography/body@0.1.0" fn @"alias-length"(name: [*]const u8, name_length: usize) u32;
    pub const aliasLength = @"alias-length";

    /// Returns the actuator at this place of an alias, counted from 0, or 4294967295 if there is none.
    /// Inside a turn: no; it returns 4294967295.
    extern "dcm:choreography/body@0.1.0" fn @"alias-member"(name: [*]const u8, name_length: usize, place: u32) Actuator;
    pub const aliasMember = @"alias-member";

    /// Returns the lowest value of the actuator's range, in its unit (rad, m, rad/s, or 0 to 1), or NaN if there
    /// is no such actuator. Inside a turn: yes. Both sentences hold for all functions below.
    pub extern "dcm:choreography/body@0.1.0" fn lowest(of: Actuator) f64;

    /// Returns the highest value of its range.
    pub extern "dcm:choreography/body@0.1.0" fn highest(of: Actuator) f64;

    /// Returns its maximum velocity, in units per second; infinity if it has no limit.
    pub extern "dcm:choreography/body@0.1.0" fn velocity(of: Actuator) f64;

    /// Returns its maximum acceleration, in units per second squared; infinity if it has no limit.
    pub extern "dcm:choreography/body@0.1.0" fn acceleration(of: Actuator) f64;

    /// Returns its rest value.
    pub extern "dcm:choreography/body@0.1.0" fn rest(of: Actuator) f64;

    /// Returns the period of the loop: the time from one turn to the next, ns.
    pub extern "dcm:choreography/body@0.1.0" fn period() Span;
};

/// What happens to commands of this guest that are already waiting for the actuator.
pub const Merge = enum(u32) {
    /// They are kept.
    merge = 0,
    /// They are dropped.
    clear_all = 1,
    /// Those after the first new one are dropped.
    clear_after = 2,
    /// Those before the last new one are dropped.
    clear_before = 3,
    /// A number of a younger contract.
    _,
};

/// Timed commands: this actuator, this value, at this instant. The runtime interpolates.
/// The robot's description says how many waiting commands a lane has room for (default: 4,096). There is room
/// for at most 4,096 on each actuator.
pub const commands = struct {
    /// Sends one command, and keeps those that are waiting. `value` is in the actuator's unit. NaN does nothing.
    /// A value outside the range is clipped to it, and counted. An instant in the past means now. A command of
    /// `pre-process` for now or earlier reaches the board in the same turn.
    /// Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`.
    pub extern "dcm:choreography/commands@0.1.0" fn set(to: Actuator, value: f64, at: Instant) Answer;

    /// Sends one command like `set`; `merge` says what happens to those that are waiting. Inside a turn: yes.
    pub extern "dcm:choreography/commands@0.1.0" fn put(to: Actuator, value: f64, at: Instant, merge: Merge) Answer;

    /// Drops all commands of this guest that are waiting for the actuator: it stops where it is. Inside a turn: yes.
    pub extern "dcm:choreography/commands@0.1.0" fn clear(of: Actuator) Answer;

    /// Returns how many commands of this guest were waiting for the actuator when this call of a hook began,
    /// without those that it has cleared since. For a score it returns 0. Inside a turn: yes.
    pub extern "dcm:choreography/commands@0.1.0" fn waiting(on: Actuator) u32;
};

/// Many commands in one call, for languages in which a call is expensive.
pub const bulk = struct {
    /// Sends many commands: all are accepted, or none. Each command is three words: the actuator, the bits of
    /// its value as f64, the instant. Each is merged as by `commands.set`. A list whose length is no multiple of
    /// three is answered with `unknown`.
    /// Inside a turn: yes; more than 4,096 commands are answered with `too-much`, and a list of more than 65,536
    /// bytes ends the guest. A score may send as many commands as its lane has room for.
    extern "dcm:choreography/bulk@0.1.0" fn @"set-all"(words: [*]const u64, words_length: usize) Answer;
    pub const setAll = @"set-all";
};

/// The guest's own lane: its priority and weight among all lanes, and what it drives directly.
pub const lane = struct {
    /// Sets the lane's priority: 0 background, 5 low, 10 standard, 50 high, 100 emergency. Below 0 the lane has no
    /// effect, and of the guest's hooks only `is-alive` is called. A priority above that of the guest's grant is
    /// answered with `forbidden`. Inside a turn: yes.
    extern "dcm:choreography/lane@0.1.0" fn @"set-priority"(priority: f64) Answer;
    pub const setPriority = @"set-priority";

    /// Sets the lane's weight among lanes of the same priority: up to 1 it is the share that it covers, above that it
    /// has more votes than others. It lies between 0 and 1,000; another is answered with `not-finite`. Inside a turn: yes.
    extern "dcm:choreography/lane@0.1.0" fn @"set-weight"(weight: f64) Answer;
    pub const setWeight = @"set-weight";

    /// Sets the lane's weight for one actuator. Inside a turn: yes.
    extern "dcm:choreography/lane@0.1.0" fn @"set-weight-on"(of: Actuator, weight: f64) Answer;
    pub const setWeightOn = @"set-weight-on";

    /// Drives the actuator to this value in this turn only, in place of its timeline.
    /// Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`. Outside a turn, it
    /// applies to the next turn.
    pub extern "dcm:choreography/lane@0.1.0" fn drive(to: Actuator, value: f64, weight: f64) Answer;

    /// Requests these gains in this turn, weighted by `weight`. If all are zero, the joint is limp. It counts as two
    /// commands. Inside a turn: yes.
    extern "dcm:choreography/lane@0.1.0" fn @"set-gains"(of: Actuator, p: f64, i: f64, d: f64, weight: f64) Answer;
    pub const setGains = @"set-gains";

    /// Returns the value that was last sent to the actuator, whichever lanes it came from; NaN if there is no such
    /// actuator. Inside a turn: yes.
    pub extern "dcm:choreography/lane@0.1.0" fn sent(to: Actuator) f64;

    /// Returns the state of the whole body. Inside a turn: yes.
    extern "dcm:choreography/lane@0.1.0" fn @"body-state"() State;
    pub const bodyState = @"body-state";

    /// Returns whether a lane of higher priority hides this one on any actuator. Inside a turn: yes.
    extern "dcm:choreography/lane@0.1.0" fn @"is-hidden"() bool;
    pub const isHidden = @"is-hidden";

    /// Ends this guest: its lane fades out, `stop` is called, and the guest is unloaded.
    /// Inside a turn: yes.
    pub extern "dcm:choreography/lane@0.1.0" fn finish() Answer;
};

/// The sensors, as they were last read: in `pre-process` the values of the previous turn, in `post-process`
/// those of this turn.
pub const sensors = struct {
    /// Returns the sensor's value in its unit; NaN if there is no such sensor. Inside a turn: yes.
    pub extern "dcm:choreography/sensors@0.1.0" fn read(of: Sensor) f64;

    /// Returns how long ago the sensor's board last answered, ns; 0 if it was in this turn, and
    /// 18446744073709551615 if there is no such sensor. Inside a turn: yes.
    pub extern "dcm:choreography/sensors@0.1.0" fn age(of: Sensor) Span;

    /// Returns the value that the actuator's board has acknowledged; NaN if there is no such actuator.
    /// Inside a turn: yes.
    pub extern "dcm:choreography/sensors@0.1.0" fn acknowledged(by: Actuator) f64;
};

/// The robot's time.
pub const clock = struct {
    /// Returns the instant of this turn, or outside a turn that of the last turn. It does not change within a turn.
    /// A guest has a time of its own, which stands still while the body does not follow the guest: while the body
    /// is held, stopped, limp or in a fault, while the guest is paused, and until the body has returned to where
    /// it left the guest's motion. Then both continue from there. Instants of commands are in the same time.
    /// Inside a turn: yes.
    pub extern "dcm:choreography/clock@0.1.0" fn now() Instant;

    /// Returns the number of this turn, counted from 1. Inside a turn: yes.
    pub extern "dcm:choreography/clock@0.1.0" fn turn() u64;

    /// Sleeps until this instant, in a `score` only. Returns the instant at which it woke up.
    /// Inside a turn: no; it returns at once.
    extern "dcm:choreography/clock@0.1.0" fn @"sleep-until"(at: Instant) Instant;
    pub const sleepUntil = @"sleep-until";
};

/// Small messages between guests, and to listeners outside. An event is a topic and a value. The robot posts some itself,
/// of the guest whose name follows:
/// - `started/NAME`: its lane is open; 0.
/// - `arrived/NAME`: the last command that waited for its joints is executed, and the values sent have stopped changing;
///   or values that it sets in every turn have stayed the same for 100 ms; 0. Not if somebody has stopped it, nor while
///   it is paused. A show without code, which has an end, arrives there alone.
/// - `settled/NAME`, after `arrived`: the sensors of the joints that it moved have shown for 100 ms what was sent, within
///   0.035 rad or 2 % of the range, whichever is less; s since `arrived`. Joints that others move by now do not count;
///   if none is left, it has settled. A joint without force does not settle.
/// - `unsettled/NAME`, instead of that: they do not after 2 s; the largest distance.
/// - `ended/NAME`: it has ended, and its lane is gone; 0 if it ended itself, 1 if somebody has stopped it, 2 if it has
///   failed. Also if that was before it started. It may settle afterwards. Another version that takes over, of the same
///   name, is no end and no start; a guest of another name that is swapped in is both: 1, and its own `started`.
/// And of the emergency stop: `estop/pressed`, 0; `estop/released`, s since it was pressed.
/// Guests do not post to these topics: the answer is `forbidden`.
pub const events = struct {
    /// Subscribes this guest to a topic, and returns the topic's number, which is the same for all guests. Returns
    /// 4294967295 if 1,024 topics have subscribers already, if this guest has subscribed to 64, or if the name has
    /// more than 255 bytes. Inside a turn: no; it returns 4294967295.
    pub extern "dcm:choreography/events@0.1.0" fn topic(name: [*]const u8, name_length: usize) u32;

    /// Posts an event. Guests receive it from the next turn on. A guest with more than 4,096 events that it has not
    /// read misses the oldest ones; its report counts them. Inside a turn: yes; after 64 events in one call of a
    /// hook the answer is `too-much`.
    pub extern "dcm:choreography/events@0.1.0" fn post(topic: u32, value: f64) Answer;

    /// Goes to the next event that this guest has not read, of a topic that it has subscribed to. Returns whether
    /// there is one. Inside a turn: yes.
    pub extern "dcm:choreography/events@0.1.0" fn next() bool;

    /// Returns the topic of the event that `next` went to; 4294967295 before the first. Inside a turn: yes.
    extern "dcm:choreography/events@0.1.0" fn @"current-topic"() u32;
    pub const currentTopic = @"current-topic";

    /// Returns the value of that event; NaN before the first. Inside a turn: yes.
    extern "dcm:choreography/events@0.1.0" fn @"current-value"() f64;
    pub const currentValue = @"current-value";
};

/// Live parameters: numbers that a person can change while the guest runs.
pub const params = struct {
    /// Declares a parameter, and returns its number. Returns 4294967295 if this guest has declared 64 already, if
    /// the name is empty, has more than 64 bytes or is declared already, or unless
    /// `lowest` ≤ `usual` ≤ `highest` and all are finite. Call it in `start`, so that the parameter can be set
    /// before the first turn. Inside a turn: no; it returns 4294967295.
    pub extern "dcm:choreography/params@0.1.0" fn declare(
        name: [*]const u8,
        name_length: usize,
        lowest: f64,
        usual: f64,
        highest: f64,
    ) u32;

    /// Returns the parameter's value, which always lies within its range; NaN if there is no such parameter. It
    /// changes between turns only. One that is named `at` is a place to go to: set again to the value that it has, it
    /// changes by the least that a number can. Inside a turn: yes.
    pub extern "dcm:choreography/params@0.1.0" fn get(param: u32) f64;
};

/// Numbers that outlive a version of a guest: when another version takes over, it finds the numbers that this
/// one has stored.
pub const state = struct {
    /// Stores a number at this place, 0 to 255; any other place is answered with `unknown`. Inside a turn: yes.
    pub extern "dcm:choreography/state@0.1.0" fn keep(place: u32, value: f64) Answer;

    /// Returns the number that is stored at this place; NaN if there is none. A version that takes over finds the
    /// numbers in its first turn, not yet in `start`. Inside a turn: yes.
    pub extern "dcm:choreography/state@0.1.0" fn kept(place: u32) f64;
};

/// The log level of a line.
pub const Level = enum(u32) {
    /// Details.
    debug = 0,
    /// The usual course of things.
    info = 1,
    /// Something is wrong.
    warning = 2,
    /// A number of a younger contract.
    _,
};

/// Log lines for people.
pub const log = struct {
    /// Writes a line; the text is cut after 256 bytes. Inside a turn: yes; after 4 lines in one call of a hook the
    /// answer is `too-much`. The answer is `full` while 64 lines wait to be written. Lines that are refused are
    /// counted, and the log tells how many before the next line. A text of more than 65,536 bytes ends the guest.
    pub extern "dcm:choreography/log@0.1.0" fn write(level: Level, text: [*]const u8, text_length: usize) Answer;
};

/// What became of a request. Its commands are executed in the guest's lane; a lane of higher priority may hide them.
pub const Outcome = enum(u32) {
    /// Some of its commands still wait.
    waiting = 0,
    /// All of its commands were executed.
    arrived = 1,
    /// All were executed, and some of them clipped to the range of their actuator.
    clipped = 2,
    /// Some were executed while the body did not follow them: it did not run, or the joint was limp.
    missed = 3,
    /// Some were deleted: by `clear` or a merge, or because the lane lost an exclusive group.
    cleared = 4,
    /// Some were deleted by `cancel`.
    cancelled = 5,
    /// Some were dropped because their joint was made limp.
    dropped = 6,
    /// This number is none of the last 16 that were begun, or the robot follows too many others.
    unknown = 7,
    /// A number of a younger contract.
    _,
};

/// How far what a guest has sent is: requests of many commands, which can be followed and cancelled as one.
pub const requests = struct {
    /// Begins a request: commands that this guest sends from now on belong to it, until it begins another one. Returns
    /// its number, which counts up from 1; 0 for a score, and after four in one call of a hook. Inside a turn: yes.
    pub extern "dcm:choreography/requests@0.1.0" fn begin() u32;

    /// Returns how many commands of a request were waiting when this call of a hook began. Inside a turn: yes.
    pub extern "dcm:choreography/requests@0.1.0" fn left(request: u32) u32;

    /// Returns what had become of a request when this call of a hook began. Inside a turn: yes.
    extern "dcm:choreography/requests@0.1.0" fn @"outcome-of"(request: u32) Outcome;
    pub const outcomeOf = @"outcome-of";

    /// Drops the commands of a request that wait; those of others stay. Its actuators stop. Inside a turn: yes.
    pub extern "dcm:choreography/requests@0.1.0" fn cancel(request: u32) Answer;
};
