# Generated from wit/ by guest-sdk/bindings; do not edit.

from enum import Enum
from typing import NoReturn

# The number of an actuator of this body. `body` finds it by name. It does not change while the guest runs.
Actuator = int

# The number of a sensor of this body.
Sensor = int

# Nanoseconds of the robot's clock, which is 0 when the robot starts and never jumps.
Instant = int

# Nanoseconds.
Span = int

class Answer(Enum):
    """The answer to a request. A request with another answer than `done` has changed nothing."""
    #: The request was carried out.
    DONE = 0
    #: There is no such actuator, sensor, parameter or alias.
    UNKNOWN = 1
    #: The guest's grant or mask forbids it.
    FORBIDDEN = 2
    #: There is no room for so many commands, events or lines.
    FULL = 3
    #: The value is infinite, or not a number where one is needed.
    NOT_FINITE = 4
    #: The instant is more than 24.8 days from now.
    OUT_OF_REACH = 5
    #: This may not be called inside a turn.
    INSIDE_A_TURN = 6
    #: Another lane holds the exclusive group.
    TAKEN = 7
    #: It is not possible with an actuator of this kind.
    WRONG_KIND = 8
    #: This call of a hook has reached a limit.
    TOO_MUCH = 9
    #: The guest is ending, and no longer moves anything.
    ENDING = 10

class State(Enum):
    """The state of the whole body."""
    #: Only sensors are read, until all positions are known.
    BOOT = 0
    #: Limp: targets follow the sensors.
    DISARMED = 1
    #: Powered: the gains fade in.
    ARMED = 2
    #: Lanes move the body.
    RUNNING = 3
    #: The body slows down, and holds its position.
    HOLDING = 4
    #: The body moves to its safe pose, then goes limp.
    SAFE = 5
    #: A fault has stopped the body.
    FAULT = 6
    #: The emergency stop is pressed.
    ESTOP = 7

class Merge(Enum):
    """What happens to commands of this guest that are already waiting for the actuator."""
    #: They are kept.
    MERGE = 0
    #: They are dropped.
    CLEAR_ALL = 1
    #: Those after the first new one are dropped.
    CLEAR_AFTER = 2
    #: Those before the last new one are dropped.
    CLEAR_BEFORE = 3

class Level(Enum):
    """The log level of a line."""
    #: Details.
    DEBUG = 0
    #: The usual course of things.
    INFO = 1
    #: Something is wrong.
    WARNING = 2

class Outcome(Enum):
    """What became of a request. Its commands are executed in the guest's lane; a lane of higher priority may hide them."""
    #: Some of its commands still wait.
    WAITING = 0
    #: All of its commands were executed.
    ARRIVED = 1
    #: All were executed, and some of them clipped to the range of their actuator.
    CLIPPED = 2
    #: Some were executed while the body did not follow them: it did not run, or the joint was limp.
    MISSED = 3
    #: Some were deleted: by `clear` or a merge, or because the lane lost an exclusive group.
    CLEARED = 4
    #: Some were deleted by `cancel`.
    CANCELLED = 5
    #: Some were dropped because their joint was made limp.
    DROPPED = 6
    #: This number is none of the last 16 that were begun, or the robot follows too many others.
    UNKNOWN = 7

class body:
    """The actuators, sensors and limits of the body. Look names up here once, outside the turn, and keep the
    numbers.
    """
    @staticmethod
    def find_actuator(name: str) -> Actuator:
        """Returns the number of the actuator with this name: its short name (`HeadYaw`), its long name
        (`HeadYaw/Position/Actuator/Value`), also with the NAO's prefix, or another name from the description.
        Returns 4294967295 if there is no such actuator, or if the name has more than 255 bytes.
        Inside a turn: no; it returns 4294967295.
        """
    @staticmethod
    def find_sensor(name: str) -> Sensor:
        """Returns the number of the sensor with this name, as `find-actuator` does for actuators.
        Inside a turn: no; it returns 4294967295.
        """
    @staticmethod
    def alias_length(name: str) -> int:
        """Returns the number of actuators of an alias in the description, or 0 if there is no such alias.
        Inside a turn: no; it returns 0.
        """
    @staticmethod
    def alias_member(name: str, place: int) -> Actuator:
        """Returns the actuator at this place of an alias, counted from 0, or 4294967295 if there is none.
        Inside a turn: no; it returns 4294967295.
        """
    @staticmethod
    def lowest(of: Actuator) -> float:
        """Returns the lowest value of the actuator's range, in its unit (rad, m, rad/s, or 0 to 1), or NaN if there
        is no such actuator. Inside a turn: yes. Both sentences hold for all functions below.
        """
    @staticmethod
    def highest(of: Actuator) -> float:
        """Returns the highest value of its range."""
    @staticmethod
    def velocity(of: Actuator) -> float:
        """Returns its maximum velocity, in units per second; infinity if it has no limit."""
    @staticmethod
    def acceleration(of: Actuator) -> float:
        """Returns its maximum acceleration, in units per second squared; infinity if it has no limit."""
    @staticmethod
    def rest(of: Actuator) -> float:
        """Returns its rest value."""
    @staticmethod
    def period() -> Span:
        """Returns the period of the loop: the time from one turn to the next, ns."""

class commands:
    """Timed commands: this actuator, this value, at this instant. The runtime interpolates.
    The robot's description says how many waiting commands a lane has room for (default: 4,096). There is room
    for at most 4,096 on each actuator.
    """
    @staticmethod
    def set(to: Actuator, value: float, at: Instant) -> Answer:
        """Sends one command, and keeps those that are waiting. `value` is in the actuator's unit. NaN does nothing.
        A value outside the range is clipped to it, and counted. An instant in the past means now. A command of
        `pre-process` for now or earlier reaches the board in the same turn.
        Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`.
        """
    @staticmethod
    def put(to: Actuator, value: float, at: Instant, merge: Merge) -> Answer:
        """Sends one command like `set`; `merge` says what happens to those that are waiting. Inside a turn: yes."""
    @staticmethod
    def clear(of: Actuator) -> Answer:
        """Drops all commands of this guest that are waiting for the actuator: it stops where it is. Inside a turn: yes."""
    @staticmethod
    def waiting(on: Actuator) -> int:
        """Returns how many commands of this guest were waiting for the actuator when this call of a hook began,
        without those that it has cleared since. For a score it returns 0. Inside a turn: yes.
        """

class bulk:
    """Many commands in one call, for languages in which a call is expensive."""
    @staticmethod
    def set_all(words: list[int]) -> Answer:
        """Sends many commands: all are accepted, or none. Each command is three words: the actuator, the bits of
        its value as f64, the instant. Each is merged as by `commands.set`. A list whose length is no multiple of
        three is answered with `unknown`.
        Inside a turn: yes; more than 4,096 commands are answered with `too-much`, and a list of more than 65,536
        bytes ends the guest. A score may send as many commands as its lane has room for.
        """

class lane:
    """The guest's own lane: its priority and weight among all lanes, and what it drives directly."""
    @staticmethod
    def set_priority(priority: float) -> Answer:
        """Sets the lane's priority: 0 background, 5 low, 10 standard, 50 high, 100 emergency. Below 0 the lane has no
        effect, and of the guest's hooks only `is-alive` is called. A priority above that of the guest's grant is
        answered with `forbidden`. Inside a turn: yes.
        """
    @staticmethod
    def set_weight(weight: float) -> Answer:
        """Sets the lane's weight among lanes of the same priority: up to 1 it is the share that it covers, above that it
        has more votes than others. It lies between 0 and 1,000; another is answered with `not-finite`. Inside a turn: yes.
        """
    @staticmethod
    def set_weight_on(of: Actuator, weight: float) -> Answer:
        """Sets the lane's weight for one actuator. Inside a turn: yes."""
    @staticmethod
    def drive(to: Actuator, value: float, weight: float) -> Answer:
        """Drives the actuator to this value in this turn only, in place of its timeline.
        Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`. Outside a turn, it
        applies to the next turn.
        """
    @staticmethod
    def set_gains(of: Actuator, p: float, i: float, d: float, weight: float) -> Answer:
        """Requests these gains in this turn, weighted by `weight`. If all are zero, the joint is limp. It counts as two
        commands. Inside a turn: yes.
        """
    @staticmethod
    def sent(to: Actuator) -> float:
        """Returns the value that was last sent to the actuator, whichever lanes it came from; NaN if there is no such
        actuator. Inside a turn: yes.
        """
    @staticmethod
    def body_state() -> State:
        """Returns the state of the whole body. Inside a turn: yes."""
    @staticmethod
    def is_hidden() -> bool:
        """Returns whether a lane of higher priority hides this one on any actuator. Inside a turn: yes."""
    @staticmethod
    def finish() -> Answer:
        """Ends this guest: its lane fades out, `stop` is called, and the guest is unloaded.
        Inside a turn: yes.
        """

class sensors:
    """The sensors, as they were last read: in `pre-process` the values of the previous turn, in `post-process`
    those of this turn.
    """
    @staticmethod
    def read(of: Sensor) -> float:
        """Returns the sensor's value in its unit; NaN if there is no such sensor. Inside a turn: yes."""
    @staticmethod
    def age(of: Sensor) -> Span:
        """Returns how long ago the sensor's board last answered, ns; 0 if it was in this turn, and
        18446744073709551615 if there is no such sensor. Inside a turn: yes.
        """
    @staticmethod
    def acknowledged(by: Actuator) -> float:
        """Returns the value that the actuator's board has acknowledged; NaN if there is no such actuator.
        Inside a turn: yes.
        """

class clock:
    """The robot's time."""
    @staticmethod
    def now() -> Instant:
        """Returns the instant of this turn, or outside a turn that of the last turn. It does not change within a turn.
        A guest has a time of its own, which stands still while the body does not follow the guest: while the body
        is held, stopped, limp or in a fault, while the guest is paused, and until the body has returned to where
        it left the guest's motion. Then both continue from there. Instants of commands are in the same time.
        Inside a turn: yes.
        """
    @staticmethod
    def turn() -> int:
        """Returns the number of this turn, counted from 1. Inside a turn: yes."""
    @staticmethod
    def sleep_until(at: Instant) -> Instant:
        """Sleeps until this instant, in a `score` only. Returns the instant at which it woke up.
        Inside a turn: no; it returns at once.
        """

class events:
    """Small messages between guests, and to listeners outside. An event is a topic and a value. The robot posts some itself,
    of the guest whose name follows:
    - `started/NAME`: its lane is open; 0.
    - `arrived/NAME`: the last command that waited for its joints is executed, and the values sent have stopped changing;
      or values that it sets in every turn have stayed the same for 100 ms; 0. Not if somebody has stopped it, nor while
      it is paused. A show without code, which has an end, arrives there alone.
    - `settled/NAME`, after `arrived`: the sensors of the joints that it moved have shown for 100 ms what was sent, within
      0.035 rad or 2 % of the range, whichever is less; s since `arrived`. Joints that others move by now do not count;
      if none is left, it has settled. A joint without force does not settle.
    - `unsettled/NAME`, instead of that: they do not after 2 s; the largest distance.
    - `ended/NAME`: it has ended, and its lane is gone; 0 if it ended itself, 1 if somebody has stopped it, 2 if it has
      failed. Also if that was before it started. It may settle afterwards. Another version that takes over, of the same
      name, is no end and no start; a guest of another name that is swapped in is both: 1, and its own `started`.
    And of the emergency stop: `estop/pressed`, 0; `estop/released`, s since it was pressed.
    Guests do not post to these topics: the answer is `forbidden`.
    """
    @staticmethod
    def topic(name: str) -> int:
        """Subscribes this guest to a topic, and returns the topic's number, which is the same for all guests. Returns
        4294967295 if 1,024 topics have subscribers already, if this guest has subscribed to 64, or if the name has
        more than 255 bytes. Inside a turn: no; it returns 4294967295.
        """
    @staticmethod
    def post(topic: int, value: float) -> Answer:
        """Posts an event. Guests receive it from the next turn on. A guest with more than 4,096 events that it has not
        read misses the oldest ones; its report counts them. Inside a turn: yes; after 64 events in one call of a
        hook the answer is `too-much`.
        """
    @staticmethod
    def next() -> bool:
        """Goes to the next event that this guest has not read, of a topic that it has subscribed to. Returns whether
        there is one. Inside a turn: yes.
        """
    @staticmethod
    def current_topic() -> int:
        """Returns the topic of the event that `next` went to; 4294967295 before the first. Inside a turn: yes."""
    @staticmethod
    def current_value() -> float:
        """Returns the value of that event; NaN before the first. Inside a turn: yes."""

class params:
    """Live parameters: numbers that a person can change while the guest runs."""
    @staticmethod
    def declare(name: str, lowest: float, usual: float, highest: float) -> int:
        """Declares a parameter, and returns its number. Returns 4294967295 if this guest has declared 64 already, if
        the name is empty, has more than 64 bytes or is declared already, or unless
        `lowest` ≤ `usual` ≤ `highest` and all are finite. Call it in `start`, so that the parameter can be set
        before the first turn. Inside a turn: no; it returns 4294967295.
        """
    @staticmethod
    def get(param: int) -> float:
        """Returns the parameter's value, which always lies within its range; NaN if there is no such parameter. It
        changes between turns only. One that is named `at` is a place to go to: set again to the value that it has, it
        changes by the least that a number can. Inside a turn: yes.
        """

class state:
    """Numbers that outlive a version of a guest: when another version takes over, it finds the numbers that this
    one has stored.
    """
    @staticmethod
    def keep(place: int, value: float) -> Answer:
        """Stores a number at this place, 0 to 255; any other place is answered with `unknown`. Inside a turn: yes."""
    @staticmethod
    def kept(place: int) -> float:
        """Returns the number that is stored at this place; NaN if there is none. A version that takes over finds the
        numbers in its first turn, not yet in `start`. Inside a turn: yes.
        """

class log:
    """Log lines for people."""
    @staticmethod
    def write(level: Level, text: str) -> Answer:
        """Writes a line; the text is cut after 256 bytes. Inside a turn: yes; after 4 lines in one call of a hook the
        answer is `too-much`. The answer is `full` while 64 lines wait to be written. Lines that are refused are
        counted, and the log tells how many before the next line. A text of more than 65,536 bytes ends the guest.
        """

class requests:
    """How far what a guest has sent is: requests of many commands, which can be followed and cancelled as one."""
    @staticmethod
    def begin() -> int:
        """Begins a request: commands that this guest sends from now on belong to it, until it begins another one. Returns
        its number, which counts up from 1; 0 for a score, and after four in one call of a hook. Inside a turn: yes.
        """
    @staticmethod
    def left(request: int) -> int:
        """Returns how many commands of a request were waiting when this call of a hook began. Inside a turn: yes."""
    @staticmethod
    def outcome_of(request: int) -> Outcome:
        """Returns what had become of a request when this call of a hook began. Inside a turn: yes."""
    @staticmethod
    def cancel(request: int) -> Answer:
        """Drops the commands of a request that wait; those of others stay. Its actuators stop. Inside a turn: yes."""

class script:
    """What engines of scripts have beside the contract; for the SDK."""
    @staticmethod
    def length() -> int:
        """The length of the text, bytes."""
    @staticmethod
    def word(place: int) -> int:
        """Eight bytes of the text, from byte 8 * `place` on."""
    @staticmethod
    def follow(
        to: Actuator, shape: int, a: float, b: float, c: float, d: float, last: float, start: Instant, time: Span,
        error: float, begins: bool,
    ) -> Answer:
        """Sends a piece of a curve in as few straight lines as keep within `error` of it."""
    @staticmethod
    def fail(why: str) -> NoReturn:
        """Ends the guest; the text says why."""
