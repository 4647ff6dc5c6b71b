"""The SDK: actuators, sensors, times and curves in the manner of Python.

Instants and spans are integers of nanoseconds, angles are floats of radians: `now() + ms(300)`, `deg(30)`.
The law: a curve is cut into the same lines as by the SDK of Rust (`curve.py`), so a movement is the same in both.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import curve
from contract import Answer, Level, Merge, State, body, bulk, clock, commands, events, lane, log, params, sensors
from contract import state as figures
from curve import ERROR, Ease, Through, mix

__all__ = [
    "Actuator", "Answer", "Ease", "Event", "Group", "Limits", "Merge", "Param", "Priority", "Sensor", "State", "Tempo",
    "Through", "Topic", "actuator", "actuators", "body_state", "debug", "deg", "finish", "group", "info", "is_hidden",
    "keep", "kept", "mix", "ms", "next_event", "now", "ns", "param", "period", "s", "seconds", "sensor",
    "set_priority", "set_weight", "sleep", "sleep_until", "strike", "together", "topic", "turn", "us", "warn",
]  # fmt: skip

#: The number of what the body does not have.
NONE: Final = 4294967295

#: The most members of a group.
MEMBERS: Final = 32

Instant = int
Span = int


def _number(value: float, what: str, *, nan: bool = False) -> float:
    """A value that may be no number: then an error names it, since the host would end the guest, or do nothing."""
    if not isinstance(value, (int, float)):
        try:
            value = value.__float__()
        except AttributeError:
            raise TypeError(f"{what} takes a number, not {value!r}") from None
    if value != value and not nan:
        raise ValueError(f"{what} takes a number, not NaN")
    return float(value)


def ns(count: float) -> Span:
    """A span in nanoseconds."""
    if count > 0:
        return int(count + 0.5)
    if count != count:
        raise ValueError("a span or an instant is a number of nanoseconds, not NaN")
    return 0


def _nanos(count: float) -> int:
    """An instant or a span; most are whole already."""
    return count if type(count) is int and count >= 0 else ns(_number(count, "a span or an instant", nan=True))


def us(count: float) -> Span:
    """A span in microseconds."""
    return ns(count * 1e3)


def ms(count: float) -> Span:
    """A span in milliseconds."""
    return ns(count * 1e6)


def s(count: float) -> Span:
    """A span in seconds."""
    return ns(count * 1e9)


def seconds(span: Span) -> float:
    """The seconds of a span."""
    return span / 1e9


def deg(degrees: float) -> float:
    """An angle in degrees, as radians."""
    return degrees * (math.pi / 180.0)


#: The instant of this turn, for motions: it is the same for the whole turn, and each call of the host takes a microsecond.
_instant: Instant | None = None


def now() -> Instant:
    """The instant of this turn; outside a turn, of the last one."""
    return clock.now() if _instant is None else _instant


def begin_turn() -> None:
    """Called by the engine before each hook of a motion."""
    global _instant
    _instant = clock.now()


#: The number of this turn, counted from 1.
turn: Callable[[], int] = clock.turn
#: The time from one turn to the next.
period: Callable[[], Span] = body.period


def sleep_until(instant: float) -> Instant:
    """Sleeps until this instant, and returns the instant of waking. In a score only."""
    return clock.sleep_until(ns(instant))


def sleep(span: float) -> Instant:
    """Sleeps for this span. In a score only."""
    return sleep_until(now() + span)


def debug(*said: object) -> Answer:
    """Writes a line with details."""
    return _write(Level.DEBUG, said)


def info(*said: object) -> Answer:
    """Writes a line. `print` does the same."""
    return _write(Level.INFO, said)


def warn(*said: object) -> Answer:
    """Writes a line about a problem."""
    return _write(Level.WARNING, said)


def _write(level: Level, said: Iterable[object]) -> Answer:
    return log.write(level, " ".join(_text(it) for it in said))


def _text(it: object) -> str:
    """Numbers have at most three decimals."""
    return f"{it:.3f}".rstrip("0").rstrip(".") if isinstance(it, float) else str(it)


def _missing(kind: str, name: str) -> None:
    warn(f"there is no {kind} `{name}` here: it goes on without")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an actuator; NaN if this body does not have it, infinite where there is none."""

    lowest: float
    highest: float
    velocity: float
    acceleration: float
    rest: float


class Actuator:
    """An actuator of the body: a joint, a light, a wheel."""

    __slots__ = ("_limits", "name", "number")

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = of = body.find_actuator(name)
        # Asked for here, outside the turn: the answers do not change.
        self._limits = Limits(
            body.lowest(of), body.highest(of), body.velocity(of), body.acceleration(of), body.rest(of)
        )
        if not self.is_present():
            _missing("actuator", name)

    def is_present(self) -> bool:
        """Whether this body has it. If not, commands to it answer `Answer.UNKNOWN`."""
        return self.number != NONE

    def to(self, value: float) -> Move:
        """A command to this value; `at`, `over` or `now` sends it."""
        return Move(self.number, value if type(value) is float and value == value else self._valued(value, "to(value)"))

    def _valued(self, value: float, what: str) -> float:
        # What this body lacks tells NaN of itself: so NaN is no error there.
        return _number(value, f"{self.name}: {what}", nan=self.number == NONE)

    def through(self, keys: Sequence[tuple[Span, float]]) -> Phrase:
        """A movement through keys, `[(ms(400), 0.3), (ms(900), -0.3)]`; `at` or `now` sends it."""
        return Phrase(self.number, [(at, self._valued(value, "through(keys)")) for at, value in keys])

    def clear(self) -> Answer:
        """Drops all waiting commands: it stops where it is."""
        return commands.clear(self.number)

    def waiting(self) -> int:
        """How many commands waited when this call of a hook began; in a score 0."""
        return commands.waiting(self.number)

    def sent(self) -> float:
        """The value that was last sent to it, by any guest or client."""
        return lane.sent(self.number)

    def acknowledged(self) -> float:
        """The value that its board has acknowledged."""
        return sensors.acknowledged(self.number)

    def limits(self) -> Limits:
        """Its range, its limits and its value at rest."""
        return self._limits

    def time_to(self, value: float, share: float) -> Span:
        """The time to this value at a share of its maximum velocity on average; 0.5 suits most easings."""
        fastest = self._limits.velocity * share
        return int(abs(value - lane.sent(self.number)) / fastest * 1e9 + 0.5) if fastest > 0 else 0

    def drive(self, value: float, weight: float = 1.0) -> Answer:
        """Drives it to this value in this turn only."""
        return lane.drive(self.number, self._valued(value, "drive(value)"), _number(weight, "drive(weight)"))

    def set_gains(self, p: float, i: float, d: float, weight: float = 1.0) -> Answer:
        """Asks for these gains in this turn; all zero is limp."""
        p, i, d, weight = (_number(it, "set_gains(p, i, d, weight)") for it in (p, i, d, weight))
        return lane.set_gains(self.number, p, i, d, weight)

    def set_weight(self, weight: float) -> Answer:
        """This guest's weight on this actuator alone, 0 to 1,000."""
        return lane.set_weight_on(self.number, _number(weight, "set_weight(weight)"))


class Move:
    """A command at constant speed from the current value. It is sent by `at`, `over` or `now`."""

    __slots__ = ("_merge", "_number", "_value")

    def __init__(self, number: int, value: float, merge: Merge | None = None) -> None:
        self._number = number
        self._value = value
        self._merge = merge

    def at(self, instant: float) -> Answer:
        """Sends it: the value is reached at this instant."""
        if self._merge is None:
            return commands.set(self._number, self._value, _nanos(instant))
        return commands.put(self._number, self._value, _nanos(instant), self._merge)

    def over(self, span: float) -> Answer:
        """Sends it: the value is reached after this span."""
        return self.at(now() + span)

    def now(self) -> Answer:
        """Sends it for now: in `pre_process` the value is sent in the same turn."""
        if self._merge is None:
            return commands.set(self._number, self._value, clock.now() if _instant is None else _instant)
        return self.at(now())

    def replacing(self) -> Move:
        """Replaces all waiting commands of the actuator."""
        return self.merging(Merge.CLEAR_ALL)

    def merging(self, merge: Merge) -> Move:
        """What happens to waiting commands."""
        return Move(self._number, self._value, merge)

    def eased(self, ease: Ease) -> EasedMove:
        """Uses an easing in place of constant speed."""
        return EasedMove(self._number, self._value, ease)


class EasedMove:
    """An eased movement, sent by `at` or `over`. Commands that wait for its start or later are dropped."""

    __slots__ = ("_ease", "_error", "_first", "_number", "_start", "_value")

    def __init__(self, number: int, value: float, ease: Ease) -> None:
        self._number = number
        self._value = value
        self._ease = ease
        self._first: float | None = None
        self._start: float | None = None
        self._error = ERROR

    def from_(self, value: float) -> EasedMove:
        """Begins at this value, in place of the current one."""
        self._first = _optional(value)
        return self

    def starting(self, instant: float) -> EasedMove:
        """Begins at this instant, in place of now."""
        self._start = instant
        return self

    def within(self, error: float) -> EasedMove:
        """The maximum error of the lines against the curve."""
        self._error = _number(error, "within(error)")
        return self

    def at(self, end: float) -> Answer:
        """Sends it: it ends at this instant."""
        start = now() if self._start is None else self._start
        return self._between(start, end - start)

    def over(self, span: float) -> Answer:
        """Sends it: it takes this long."""
        return self._between(now() if self._start is None else self._start, span)

    def _between(self, start: float, span: float) -> Answer:
        first = lane.sent(self._number) if self._first is None else self._first
        start, span = _nanos(start), _nanos(span)
        return curve.send_eased(self._number, first, self._value, start, span, self._ease, self._error)


class Phrase:
    """A movement through keys, sent by `at` or `now`. Commands that wait for its start or later are dropped."""

    __slots__ = ("_error", "_first", "_keys", "_number", "_way")

    def __init__(self, number: int, keys: Sequence[tuple[Span, float]]) -> None:
        self._number = number
        self._keys = keys
        self._way = Through.FLOWS
        self._first: float | None = None
        self._error = ERROR

    def going(self, way: Through) -> Phrase:
        """How it passes its keys."""
        self._way = way
        return self

    def within(self, error: float) -> Phrase:
        """The maximum error of the lines against the curve."""
        self._error = _number(error, "within(error)")
        return self

    def from_(self, value: float) -> Phrase:
        """Begins at this value, in place of the current one."""
        self._first = _optional(value)
        return self

    def at(self, start: float) -> Answer:
        """Sends it: it starts at this instant."""
        first = self._first
        if not self._keys or self._keys[0][0] == 0:
            first = None
        elif first is None:
            first = lane.sent(self._number)
        return curve.send_keys(self._number, self._keys, _nanos(start), self._way, first, self._error)

    def now(self) -> Answer:
        """Sends it: it starts now."""
        return self.at(now())


def _optional(value: float) -> float | None:
    """The first value of a movement; NaN, which is what a body tells of what it lacks, stands for none."""
    return _number(value, "from_(value)") if value == value else None


def strike(pose: Sequence[tuple[Actuator, float]], share: float, at_least: Span) -> Instant:
    """Moves to a pose: all arrive together. Returns the instant of arrival.

    It takes the time of the longest movement at this share of its actuator's maximum velocity, and at least `at_least`.
    """
    there = now() + max([at_least, *(actuator.time_to(value, share) for actuator, value in pose)])
    for actuator, value in pose:
        actuator.to(value).eased(Ease.JERKLESS).at(there)
    return there


#: The bits of a float.
_NUMBER, _WORD = struct.Struct("<d"), struct.Struct("<Q")


class Group:
    """Several actuators that get their commands in one request: all are accepted or none."""

    __slots__ = ("_words", "name")

    def __init__(self, name: str, members: Sequence[int]) -> None:
        self.name = name
        # For each command its actuator, the bits of its value, its instant.
        self._words = [0] * (3 * len(members))
        self._words[0::3] = members

    def __len__(self) -> int:
        return len(self._words) // 3

    def to(self, value: float | Sequence[float]) -> GroupMove:
        """A command to all members, with one value or one for each; `at`, `over` or `now` sends it."""
        return GroupMove(self._words, value)


class GroupMove:
    """A command to a group. It is sent by `at`, `over` or `now`."""

    __slots__ = ("_value", "_words")

    def __init__(self, words: list[int], value: float | Sequence[float]) -> None:
        self._words = words
        self._value = value

    def at(self, instant: float) -> Answer:
        """Sends it: all reach their values at this instant."""
        words, value = self._words, self._value
        count = len(words) // 3
        if not count:
            return Answer.UNKNOWN
        if type(value) is float and value == value:
            words[1::3] = _WORD.unpack(_NUMBER.pack(value)) * count
        else:
            values = [float(value)] * count if isinstance(value, (int, float)) else value
            if len(values) != count or any(it != it for it in values) and NONE not in words[0::3]:
                raise ValueError(f"a group of {count} takes as many numbers, none of them NaN: {value!r}")
            words[1::3] = struct.unpack(f"<{count}Q", struct.pack(f"<{count}d", *values))
        words[2::3] = (_nanos(instant),) * count
        return bulk.set_all(words)

    def over(self, span: float) -> Answer:
        """Sends it: all reach their values after this span."""
        return self.at(now() + span)

    def now(self) -> Answer:
        """Sends it for now."""
        return self.at(now())


class Sensor:
    """A sensor of the body."""

    __slots__ = ("name", "number")

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = body.find_sensor(name)
        if not self.is_present():
            _missing("sensor", name)

    def is_present(self) -> bool:
        """Whether this body has it. If not, it reads NaN."""
        return self.number != NONE

    def read(self) -> float:
        """Its value: in `pre_process` that of the turn before, in `post_process` that of this turn."""
        return sensors.read(self.number)

    def is_on(self) -> bool:
        """Whether its value is above 0.5: a pressed button."""
        return self.read() > 0.5

    def age(self) -> Span:
        """How long ago its board last answered; 0 in this turn."""
        return sensors.age(self.number)


class Param:
    """A live parameter, which people change while the guest plays."""

    __slots__ = ("name", "number", "usual")

    def __init__(self, name: str, lowest: float, usual: float, highest: float) -> None:
        self.name = name
        self.usual = usual
        lowest, usual, highest = (_number(it, f"param({name!r}, …)") for it in (lowest, usual, highest))
        self.number = params.declare(name, lowest, usual, highest)
        if self.number == NONE:
            _missing("room for the parameter", name)

    def get(self) -> float:
        """Its value, always within its range; its usual one if it could not be declared."""
        value = params.get(self.number)
        return self.usual if math.isnan(value) else value


class Topic:
    """A topic of events. All guests that use its name share it."""

    __slots__ = ("name", "number")

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = events.topic(name)
        if self.number == NONE:
            _missing("room for the topic", name)

    def post(self, value: float) -> Answer:
        """Posts an event; guests receive it from the next turn on."""
        return events.post(self.number, _number(value, f"{self.name}: post(value)", nan=True))


@dataclass(frozen=True, slots=True)
class Event:
    """An event that was posted."""

    topic: int
    value: float

    def is_of(self, topic: Topic) -> bool:
        """Whether it was posted under this topic."""
        return self.topic == topic.number


def next_event() -> Event | None:
    """The next event that this guest has not received yet: `while event := next_event():`."""
    return Event(events.current_topic(), events.current_value()) if events.next() else None


def actuator(name: str) -> Actuator:
    """The actuator of this name. Call it at the top of a module: names are looked up before the first turn."""
    return Actuator(name)


def actuators(*names: str) -> list[Actuator]:
    """Actuators by their names: `yaw, pitch = actuators("HeadYaw", "HeadPitch")`."""
    return [Actuator(name) for name in names]


def group(name: str) -> Group:
    """The group of this name, an alias of the description."""
    length = body.alias_length(name)
    if not 0 < length <= MEMBERS:
        _missing(f"alias of 1 to {MEMBERS} actuators", name)
    return Group(name, [body.alias_member(name, place) for place in range(min(length, MEMBERS))])


def together(*members: Actuator) -> Group:
    """Actuators as a group. In a hook it is the quickest way to command many: `together(yaw, pitch).to([0.1, 0.2]).now()`."""
    return Group(" ".join(it.name for it in members), [it.number for it in members])


def sensor(name: str) -> Sensor:
    """The sensor of this name."""
    return Sensor(name)


def param(name: str, lowest: float, usual: float, highest: float) -> Param:
    """Declares a parameter; lowest, usual and highest value must increase."""
    return Param(name, lowest, usual, highest)


def topic(name: str) -> Topic:
    """The topic of this name."""
    return Topic(name)


def keep(place: int, value: float) -> Answer:
    """Keeps a figure at a place, 0 to 255, for the version of this guest that replaces it."""
    return figures.keep(place, _number(value, "keep(value)", nan=True))


def kept(place: int) -> float | None:
    """The figure at that place, if there is one."""
    value = figures.kept(place)
    return None if math.isnan(value) else value


class Priority:
    """Names for priorities; any number is one."""

    SILENT: Final = -1.0
    BACKGROUND: Final = 0.0
    LOW: Final = 5.0
    STANDARD: Final = 10.0
    HIGH: Final = 50.0
    EMERGENCY: Final = 100.0


def set_priority(priority: float) -> Answer:
    """Sets this guest's priority, at most what its grant allows."""
    return lane.set_priority(_number(priority, "set_priority(priority)"))


def set_weight(weight: float) -> Answer:
    """Sets this guest's weight among guests of the same priority, 0 to 1,000."""
    return lane.set_weight(_number(weight, "set_weight(weight)"))


#: What the whole body is doing.
body_state: Callable[[], State] = lane.body_state
#: Whether a guest of higher priority hides this one on any actuator.
is_hidden: Callable[[], bool] = lane.is_hidden
#: Ends the guest: its lane fades out, `stop` is called.
finish: Callable[[], Answer] = lane.finish


class Tempo:
    """Musical time: bars and beats are counted from 1. `Tempo(100, now() + s(1)).bar(2, 3)`"""

    def __init__(self, beats_per_minute: float, start: Instant = 0, beats_in_a_bar: int = 4) -> None:
        self.beat = s(60 / beats_per_minute)
        self.start = start
        self.metre = beats_in_a_bar

    def beats(self, count: float) -> Span:
        """How long so many beats take."""
        return ns(self.beat * count)

    def bar(self, bar: int, beat: float = 1) -> Instant:
        """The instant of a beat of a bar."""
        return self.start + self.beat * self.metre * (bar - 1) + ns(self.beat * (beat - 1))
