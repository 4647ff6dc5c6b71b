"""Times of the DCM: ms of the robot's clock in 32 bits, so that they begin again after 49.7 days.

As with NAOqi, a time is an int that may be negative. Python's ints do not wrap by themselves, so
`dcm.getTime(0) + 1000` may be a time that no robot has: it is brought back here, before it is sent.
"""

from __future__ import annotations

from typing import Any

_AROUND = 1 << 32


def wrapped(time: float) -> int:
    """A time in 32 bits with a sign. Parts of a ms do not count."""
    return (int(time) + _AROUND // 2) % _AROUND - _AROUND // 2


def between(earlier: int, later: int) -> int:
    """Ms from one time to another, also across the end of the clock; negative if `later` is the earlier one."""
    return wrapped(later - earlier)


def commands(them: Any) -> Any:
    """A list of `[value, time, ...]` with times that a robot has. What has another shape is left to the robot."""
    them = _plain(them)
    if not isinstance(them, list):
        return them
    rows = [_plain(it) for it in them]
    return [[it[0], _time(it[1]), *it[2:]] if isinstance(it, list) and len(it) > 1 else it for it in rows]


def times(them: Any) -> Any:
    """A list of times that a robot has."""
    them = _plain(them)
    return [_time(it) for it in them] if isinstance(them, list) else them


def _time(it: Any) -> Any:
    # No time at all, infinity among them, is for the robot to refuse: it does so with a sentence.
    try:
        return wrapped(it)
    except (TypeError, ValueError, OverflowError):
        return it


def _plain(it: Any) -> Any:
    it = it.tolist() if hasattr(it, "tolist") else it
    return list(it) if isinstance(it, tuple) else it
