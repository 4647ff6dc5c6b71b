"""Curves as pieces, which the host cuts into straight lines and sends (`follow` in `wit/script.wit`).

The law: the same curve gives the same lines as in the SDK of Rust (`curve.rs`, `ease.rs`, `keys.rs`, `flatten.rs`), to the
last bit; change both or none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum
from typing import Final

from contract import Answer, script

#: Shapes of a piece over the share x of its time, as the host numbers them.
_CUBIC, _JERKLESS, _COSINE = 0, 1, 2

#: The overshoot of `BACK`: a tenth of the way.
_SWING: Final = 1.70158

#: The default error of the lines: a quarter of a degree.
ERROR: Final = 0.004


class Ease(Enum):
    """How a movement goes from its start to its end. The values are shapes from 0 to 1."""

    #: Constant speed.
    LINEAR = (_CUBIC, 0.0, 1.0, 0.0, 0.0)
    #: Smooth start and smooth end: right for most movements.
    SINE = (_COSINE, 0.5, -0.5, 0.0, 1.0)
    #: Smooth start, full speed at the end.
    SINE_IN = (_COSINE, 1.0, -1.0, 0.0, 0.5)
    #: Full speed at the start, smooth end.
    SINE_OUT = (_COSINE, 0.0, 1.0, 0.5, -0.5)
    #: As `SINE`, but slower at both ends. It has two halves, of which this is the second.
    CUBIC = (_CUBIC, 0.5, 1.5, -1.5, 0.5)
    #: As `SINE_IN`, but slower at the start.
    CUBIC_IN = (_CUBIC, 0.0, 0.0, 0.0, 1.0)
    #: As `SINE_OUT`, but slower at the end.
    CUBIC_OUT = (_CUBIC, 0.0, 3.0, -3.0, 1.0)
    #: Minimum jerk between two positions at rest.
    JERKLESS = (_JERKLESS, 0.0, 1.0, 0.0, 0.0)
    #: Swings back a little first.
    BACK_IN = (_CUBIC, 0.0, 0.0, -_SWING, _SWING + 1.0)
    #: Overshoots a little, and comes back.
    BACK_OUT = (_CUBIC, 0.0, _SWING + 3.0, -2.0 * _SWING - 3.0, _SWING + 1.0)

    def at(self, share: float) -> float:
        """The share of the way at this share of the time."""
        x = min(share, 1.0) if share > 0.0 else 0.0
        if x == 1.0:
            return 1.0
        shape, a, b, c, d = self.value
        if self is Ease.CUBIC:
            (a, b, c, d), x = ((a, b, c, d), 2.0 * x - 1.0) if x > 0.5 else ((0.0, 0.0, 0.0, 0.5), 2.0 * x)
        if shape == _JERKLESS:
            return a + b * x * x * x * (10.0 + x * (6.0 * x - 15.0))
        if shape == _COSINE:
            return a + b * math.cos(math.pi * (c + d * x))
        return a + x * (b + x * (c + x * d))


class Through(Enum):
    """How a curve passes its keys."""

    #: On straight lines.
    STRAIGHT = "straight"
    #: It stops at every key.
    STOPS = "stops"
    #: It passes smoothly without overshoot.
    FLOWS = "flows"
    #: It passes smoothly and may overshoot.
    SWINGS = "swings"


def send_eased(number: int, first: float, last: float, start: int, span: int, ease: Ease, error: float) -> Answer:
    """Sends an easing from one value to another."""
    way = last - first
    if ease is Ease.CUBIC:
        half, middle = span // 2, 0.5 * (first + last)
        answer = script.follow(number, _CUBIC, first, 0.0, 0.0, 0.5 * way, middle, start, half, error, True)
        if answer is not Answer.DONE:
            return answer
        start, span = start + half, span - half
    shape, a, b, c, d = ease.value
    # The angles of a cosine are not scaled.
    scale = 1.0 if shape == _COSINE else way
    return script.follow(
        number, shape, first + a * way, b * way, c * scale, d * scale, last, start, span, error, ease is not Ease.CUBIC
    )


def send_keys(
    number: int, points: Sequence[tuple[int, float]], start: int, way: Through, first: float | None, error: float
) -> Answer:
    """Sends a curve through keys, which begins at `first` if that is given."""
    everything = list(points) if first is None else [(0, first), *points]
    for place, ((at, a), (end, b)) in enumerate(zip(everything, everything[1:])):
        time = (end - at) / 1e9
        if way is Through.STRAIGHT:
            leaving = arriving = _divided(b - a, time)
        else:
            leaving, arriving = _slope(everything, place, way), _slope(everything, place + 1, way)
        # A cubic (Hermite) between two values, with slopes at both ends.
        rise, leaving, arriving = b - a, leaving * time, arriving * time
        square, cube = 3.0 * rise - 2.0 * leaving - arriving, leaving + arriving - 2.0 * rise
        answer = script.follow(
            number, _CUBIC, a, leaving, square, cube, b, start + at, max(end - at, 0), error, place == 0
        )
        if answer is not Answer.DONE:
            return answer
    return Answer.DONE


def _divided(a: float, b: float) -> float:
    """`a / b` as processors divide: nothing raises."""
    return a / b if b else math.copysign(math.inf, a) if a else math.nan


def _slope(points: list[tuple[int, float]], place: int, way: Through) -> float:
    """The slope at a key, per second; 0 at both ends."""
    if place == 0 or place + 1 >= len(points):
        return 0.0
    before, at, after = points[place - 1 : place + 2]
    one, two = (at[0] - before[0]) / 1e9, (after[0] - at[0]) / 1e9
    up, on = _divided(at[1] - before[1], one), _divided(after[1] - at[1], two)
    found = 0.0
    if way is Through.SWINGS:
        found = _divided(up * two + on * one, one + two)
    elif way is Through.FLOWS and up * on > 0.0:
        near, far = two + 2.0 * one, one + 2.0 * two
        found = _divided(near + far, far / up + near / on)
    return found if math.isfinite(found) else 0.0


def mix(first: float, last: float, share: float) -> float:
    """Linear interpolation at a share of a line."""
    return first + (last - first) * share
