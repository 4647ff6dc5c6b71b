"""Postures: the poses of the robot's description under NAOqi's names.

Used by ALRobotPosture and `wakeUp`. The law: a posture is what the description says, and a way to it is smooth, within
each joint's velocity; a posture that the description does not have is an error that lists those that it has.
"""

from __future__ import annotations

from typing import Any

from ..errors import RobotError
from . import curves
from .body import SAME, Body
from .joints import motor

# NAOqi's names of poses that NAO's description has.
_NAMES = {"stand": "Stand", "stand-ready": "StandInit", "crouch": "Crouch"}
# NAOqi's posture with every joint at 0, as far as its range allows. It needs no pose of the description.
_ZERO = "StandZero"
_FAMILIES = {"Stand": "Standing", "Crouch": "Crouching", "Sit": "Sitting", "Lying": "Lying"}
UNKNOWN = "Unknown"

# How far a joint may be from a pose that the body is in, rad.
NEAR = 0.15
# How long a way takes at least, at full speed, s.
SHORTEST = 1.0
# How much faster a smooth way is in its middle than on average.
PEAK = 1.5

_MISSING: Any = object()


def name_of(pose: str) -> str:
    """The name of a pose in NAOqi's way: `arms-wide` is `ArmsWide`."""
    return _NAMES.get(pose) or "".join(it[:1].upper() + it[1:] for it in pose.replace("_", "-").split("-"))


def names(body: Body) -> list[str]:
    """All postures."""
    return sorted(name_of(it) for it in _all(body))


def _all(body: Body) -> dict[str, dict[str, float]]:
    """The poses of the description, and StandZero for a body with legs."""
    poses = dict(body.joints.poses)
    if "LLeg" in body.joints.chains() and _ZERO not in poses:
        joints = (body.joints[it] for it in body.joints.body)
        poses[_ZERO] = {it.name: min(max(0.0, it.lowest), it.highest) for it in joints
                        if not it.is_hand and it.name == motor(it.name)}
    return poses


def found(body: Body, posture: str, default: Any = _MISSING) -> dict[str, float]:
    """The values of a posture, by NAOqi's name or the description's."""
    for pose, values in _all(body).items():
        if posture in (pose, name_of(pose)):
            return values
    if default is not _MISSING:
        return default  # type: ignore[no-any-return]
    raise RobotError("unknown-name", f"this robot has no posture `{posture}`",
                     f"it has {', '.join(names(body)) or 'none'}; `dcm-run pose save` makes others")


def nearest(body: Body) -> str:
    """The posture that the body is in, by its sensors; `Unknown` if it is in none."""
    best, distance = UNKNOWN, NEAR
    for pose, values in _all(body).items():
        joints = list(values)
        now = body.angles(joints, True)
        # A pose of a few joints, such as one of the arms, says less than a pose of all.
        off = max((abs(at - values[it]) for it, at in zip(joints, now)), default=NEAR)
        if off < distance and 2 * len(joints) > len(body.joints.body):
            best, distance = name_of(pose), off
    return best


def family(posture: str) -> str:
    """The family of a posture."""
    return next((it for begin, it in _FAMILIES.items() if posture.startswith(begin)), UNKNOWN)


def is_in(body: Body, values: dict[str, float]) -> bool:
    """Whether the body is in a posture, by its sensors."""
    now = body.angles(list(values), True)
    return all(abs(at - it) < NEAR for at, it in zip(now, values.values()))


def go(body: Body, values: dict[str, float], fraction: float, task: str) -> bool:
    """Moves to a posture at a fraction of the maximum speed, and waits. Returns whether it was not cancelled."""

    def make() -> dict[str, Any]:
        starts = body.angles(list(values), False)
        ways = {it: abs(value - start) for (it, value), start in zip(values.items(), starts)}
        if max(ways.values(), default=0.0) < SAME:
            return {}
        needs = max(PEAK * way / body.joints[it].velocity for it, way in ways.items())
        time = max(SHORTEST, needs) / fraction
        flat = [3, -time / 3, 0.0]
        return {it: curves.bezier(start, [time], [[value, flat]])
                for (it, value), start in zip(values.items(), starts)}

    return body.motions.play(task, list(values), make)
