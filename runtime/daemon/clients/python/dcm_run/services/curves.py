"""Curves of timed motions: NAOqi's lists of angles and times, and Bézier curves, as points on straight lines.

Used by ALMotion and ALLeds. Pure: nothing here knows a robot. The law: a curve passes through every key at its time,
and times increase. The robot interpolates linearly between points, as its DCM does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, KeysView, ValuesView
from typing import Any, Sequence, Tuple

from ..errors import RobotError

# How far the points of a curve are apart, s: the cycle of NAOqi's ALMotion.
STEP = 0.02
# The maximum number of points of a curve: what a robot takes for an actuator, less some for keys.
POINTS_MAX = 4000

# A time in s, and a value.
Point = Tuple[float, float]


def number(it: Any, what: str) -> float:
    """A finite number; numbers of NumPy are numbers."""
    try:
        value = math.nan if isinstance(it, (str, bytes, bool)) else float(it)
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise RobotError("malformed", f"the {what} {it!r} is not a number", "give a finite number")
    return value


def plain(it: Any) -> Any:
    """Lists and tuples as lists; arrays of NumPy list themselves.

    So are what was a list in Python 2: `range`, `map`, `zip`, and the keys and values of a dict.
    """
    it = it.tolist() if hasattr(it, "tolist") else it
    is_list = isinstance(it, (list, tuple, range, Iterator, KeysView, ValuesView))
    return [plain(each) for each in it] if is_list else it


def rows(said: Any, count: int, what: str, *, spread: bool = False) -> list[list[float]]:
    """A value, a list or a list of lists, as a row for each of `count` joints. `spread`: one value is for all."""
    said = plain(said)
    if not isinstance(said, list):
        if count > 1 and not spread:
            raise RobotError("wrong-count", f"there is one {what} for {count} names", f"give a list with {count}")
        return [[number(said, what)] for _ in range(count)]
    if count == 1 and not any(isinstance(it, list) for it in said):
        said = [said]
    if len(said) == 1 and spread:
        said = said * count
    if len(said) != count:
        raise RobotError("wrong-count", f"there are {count} names, but {len(said)} values of {what}",
                         "give one for each; `Body`, chains and groups stand for all that they have, hands too")
    return [[number(each, what) for each in (it if isinstance(it, list) else [it])] for it in said]


def timed(values: list[list[float]], times: Any) -> list[list[Point]]:
    """Rows of values with their times: a time for all, a list for each joint, or one list for all."""
    said = plain(times)
    is_flat = isinstance(said, list) and not any(isinstance(it, list) for it in said)
    lengths = {len(it) for it in values}
    # One time for each joint, or, where that does not fit, the same times for all.
    if is_flat and len(values) > 1 and lengths == {len(said)}:
        said = [said for _ in values]
    each = rows(said, len(values), "time", spread=True)
    return [_joined(row, at) for row, at in zip(values, each)]


def _joined(values: list[float], times: list[float]) -> list[Point]:
    if len(values) != len(times) or not values:
        raise RobotError("wrong-count", f"there are {len(values)} values for {len(times)} times",
                         "give one time for each value")
    check(times)
    return list(zip(times, values))


def check(times: Sequence[float]) -> None:
    """Times increase from 0 on."""
    for before, time in zip([-1.0, *times], times):
        if time < 0 or time <= before:
            raise RobotError("malformed", f"the times {list(times)[:8]} do not increase",
                             "give times in s from the start, each later than the one before")


def bezier(start: float, times: Sequence[float], keys: Sequence[Any]) -> list[Point]:
    """Points of a Bézier curve from a value at 0 through keys: `[value, [type, dt, dv], [type, dt, dv]]`.

    The first handle shapes the curve before its key, the second the curve after it; each is an offset from the key, in
    s and in the value's unit. A key without handles has straight lines, as handles of a type below 2 have.
    """
    check(times)
    if len(times) != len(keys) or not keys:
        raise RobotError("wrong-count", f"there are {len(keys)} keys for {len(times)} times",
                         "give one time for each key")
    total = max(times)
    step = max(STEP, total / (POINTS_MAX - len(times)))
    found: list[Point] = []
    # Before the first key the curve leaves the present value without a jump of speed.
    at, value, after = 0.0, start, (times[0] / 3, 0.0)
    for time, key in zip(times, keys):
        target, before, following = _key(key)
        found += _segment((at, value), after, before, (time, target), step)
        at, value, after = time, target, following
    return found


def _key(key: Any) -> tuple[float, Any, Any]:
    """A key's value, and its handles: offsets in time and value, None for a straight line."""
    key = plain(key)
    if not isinstance(key, list):
        return number(key, "angle"), None, None
    if not 1 <= len(key) <= 3:
        raise RobotError("malformed", f"{key!r} is not a key", "give [angle, [type, dt, dangle], [type, dt, dangle]]")
    handles = [_handle(it) for it in key[1:]] + [None, None]
    return number(key[0], "angle"), handles[0], handles[1]


def _handle(handle: Any) -> Any:
    if not isinstance(handle, list) or len(handle) != 3:
        raise RobotError("malformed", f"{handle!r} is not a handle", "give [type, dt, dangle]; type 3 is usual")
    kind, dt, dv = (number(it, "part of a handle") for it in handle)
    return None if kind < 2 else (dt, dv)


def _segment(begin: Point, after: Any, before: Any, end: Point, step: float) -> list[Point]:
    """The points between two keys, and the second key."""
    span = end[0] - begin[0]
    if span <= step or (after is None and before is None):
        return [end]
    # A handle that reaches beyond the other key would turn time back.
    dt1, dv1 = after or (0.0, 0.0)
    dt2, dv2 = before or (0.0, 0.0)
    times = (0.0, min(max(dt1, 0.0), span), span + max(min(dt2, 0.0), -span), span)
    values = (begin[1], begin[1] + dv1, end[1] + dv2, end[1])
    count = math.ceil(span / step - 1e-9)
    inner = [span * it / count for it in range(1, count)]
    return [(begin[0] + it, _cubic(values, _where(times, it))) for it in inner] + [end]


def _cubic(p: Sequence[float], s: float) -> float:
    r = 1 - s
    return float(r * r * r * p[0] + 3 * r * r * s * p[1] + 3 * r * s * s * p[2] + s * s * s * p[3])


def _where(times: Sequence[float], time: float) -> float:
    """Where on the curve a time is, from 0 to 1: time does not go back there, so halving finds it."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if _cubic(times, middle) < time:
            low = middle
        else:
            high = middle
    return (low + high) / 2
