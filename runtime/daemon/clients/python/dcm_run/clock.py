"""Times of the DCM: ms of the robot's clock in 32 bits, which wrap after 49.7 days.

As in NAOqi, a time is a signed int. Python's ints do not wrap, so `dcm.getTime(0) + 1000` may not fit into 32 bits:
times are wrapped here before they are sent.
"""

from __future__ import annotations

from typing import Any

_AROUND = 1 << 32


def wrapped(time: float) -> int:
    """A time as a signed int of 32 bits. Fractions of a ms are dropped."""
    return (int(time) + _AROUND // 2) % _AROUND - _AROUND // 2


def between(earlier: int, later: int) -> int:
    """The ms from one time to another, also across a wrap; negative if `later` is the earlier one."""
    return wrapped(later - earlier)


def commands(them: Any) -> Any:
    """A list of `[value, time, ...]` with wrapped times. A list of another shape is unchanged; the robot refuses it."""
    them = _plain(them)
    if not isinstance(them, list):
        return them
    rows = [_plain(it) for it in them]
    return [[it[0], _time(it[1]), *it[2:]] if isinstance(it, list) and len(it) > 1 else it for it in rows]


def times(them: Any) -> Any:
    """A list of wrapped times."""
    them = _plain(them)
    return [_time(it) for it in them] if isinstance(them, list) else them


def _time(it: Any) -> Any:
    # Invalid times, such as infinity, are sent unchanged; the robot refuses them with a message.
    try:
        return wrapped(it)
    except (TypeError, ValueError, OverflowError):
        return it


def _plain(it: Any) -> Any:
    it = it.tolist() if hasattr(it, "tolist") else it
    return list(it) if isinstance(it, tuple) else it
