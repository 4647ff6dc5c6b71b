"""ALMotion's calls for angles: interpolations in time, which block, and targets with a speed, which do not.

A part of ALMotionProxy. The law: all joints of a call move by one request, taken whole; ranges and velocities are
limited by the robot, and a call that asked for more waits until the body has followed.
"""

from __future__ import annotations

from typing import Any, Sequence

from ..errors import RobotError
from . import curves
from .joints import motor, motors
from .service import Service

# The shortest motion, s: two turns.
SHORTEST = 0.02


class Angles(Service):
    """Angles of joints, in rad; of hands, from 0 (closed) to 1."""

    def getAngles(self, names: Any, useSensors: bool = False) -> list[float]:
        """The angles of joints: measured, or as they were sent."""
        return self._body.angles(self._named(names), bool(useSensors))

    def setAngles(self, names: Any, angles: Any, fractionMaxSpeed: float) -> None:
        """Lets joints go to angles, each with this fraction of its maximum velocity. Returns at once."""
        joints = self._named(names)
        self._aim(joints, _single(curves.rows(angles, len(joints), "angle")), fractionMaxSpeed)

    def changeAngles(self, names: Any, changes: Any, fractionMaxSpeed: float) -> None:
        """As `setAngles`, by so much from where the joints were sent."""
        joints = self._named(names)
        changes = _single(curves.rows(changes, len(joints), "change"))
        now = self._body.angles(joints, False)
        self._aim(joints, [at + by for at, by in zip(now, changes)], fractionMaxSpeed)

    def angleInterpolation(self, names: Any, angleLists: Any, timeLists: Any, isAbsolute: bool = True) -> None:
        """Moves joints through angles at times, s from now, in straight lines. Waits for the end.

        An angle, a list, or a list for each joint; times in the same way. Relative angles count from where the joint
        is when it begins.
        """
        joints = self._named(names)
        paths = curves.timed(curves.rows(angleLists, len(joints), "angle"), timeLists)

        def make() -> dict[str, Any]:
            starts = [0.0] * len(joints) if isAbsolute else self._body.angles(joints, False)
            return motors((joint, [(time, start + angle) for time, angle in path])
                          for joint, start, path in zip(joints, starts, paths))

        self._play("angleInterpolation", joints, make)

    def angleInterpolationWithSpeed(self, names: Any, targetAngles: Any, maxSpeedFraction: float) -> None:
        """Moves joints to angles, all in the time that the slowest needs at this fraction of its maximum velocity."""
        joints = self._named(names)
        rows = curves.rows(targetAngles, len(joints), "angle")
        fraction = fraction_of(maxSpeedFraction)

        def make() -> dict[str, Any]:
            paths: list[list[tuple[float, float]]] = [[] for _ in joints]
            at, time = self._body.angles(joints, False), 0.0
            for step in range(max(len(it) for it in rows)):
                aims = [row[step] if step < len(row) else now for row, now in zip(rows, at)]
                time += max(self._needs(it, now, aim, fraction) for it, now, aim in zip(joints, at, aims))
                for path, aim in zip(paths, aims):
                    path.append((time, aim))
                at = aims
            return motors(zip(joints, paths))

        self._play("angleInterpolationWithSpeed", joints, make)

    def angleInterpolationBezier(self, jointNames: Any, times: Any, controlPoints: Any) -> None:
        """Moves joints along Bézier curves, as Choregraphe exports them. Waits for the end.

        For each joint its times, and its keys: `[angle, [type, dt, dangle], [type, dt, dangle]]`.
        """
        joints = self._named(jointNames)
        times, keys = curves.plain(times), curves.plain(controlPoints)
        if not isinstance(times, list) or not isinstance(keys, list) or not len(joints) == len(times) == len(keys):
            raise RobotError("wrong-count", "joints, times and keys differ in number", "give each joint a list of both")
        each = curves.rows(times, len(joints), "time")

        def make() -> dict[str, Any]:
            starts = self._body.angles(joints, False)
            return motors((joint, curves.bezier(start, at, key))
                          for joint, start, at, key in zip(joints, starts, each, keys))

        # What cannot be read is an error before anything waits for its joints.
        for at, key in zip(each, keys):
            curves.bezier(0.0, at, key)
        self._play("angleInterpolationBezier", joints, make)

    def openHand(self, handName: str) -> None:
        """Opens a hand, `LHand` or `RHand`, and waits for it."""
        self._hand(handName, 1.0)

    def closeHand(self, handName: str) -> None:
        """Closes a hand, `LHand` or `RHand`, and waits for it."""
        self._hand(handName, 0.0)

    def _hand(self, name: str, value: float) -> None:
        if len(joints := self._named(name)) != 1 or not self._body.joints[joints[0]].is_hand:
            raise RobotError("unknown-name", f"`{name}` is not a hand", "the hands are LHand and RHand")
        self.angleInterpolationWithSpeed(joints, [value], 0.5)

    def _aim(self, joints: Sequence[str], angles: Sequence[float], speed: Any) -> None:
        fraction = fraction_of(speed)
        now = self._body.angles(joints, False)
        paths = ((it, [(self._needs(it, at, aim, fraction), aim)]) for it, at, aim in zip(joints, now, angles))
        if commands := motors(paths):
            self._body.motions.send(commands)

    def _needs(self, joint: str, start: float, end: float, fraction: float) -> float:
        """How long a joint needs, s."""
        return max(abs(end - start) / (fraction * self._body.joints[joint].velocity), SHORTEST)

    def _named(self, names: Any) -> list[str]:
        return self._body.joints.named(curves.plain(names))

    def _play(self, name: str, joints: Sequence[str], make: Any) -> None:
        self._body.motions.play(name, [motor(it) for it in joints], make)


def fraction_of(said: Any) -> float:
    """A fraction of the maximum speed."""
    fraction = curves.number(said, "fraction of the maximum speed")
    if not 0 < fraction <= 1:
        raise RobotError("out-of-range", f"{fraction:g} is not a fraction of the maximum speed",
                         "give more than 0, and 1 at most")
    return fraction


def _single(rows: list[list[float]]) -> list[float]:
    if any(len(it) != 1 for it in rows):
        raise RobotError("wrong-count", "a joint has no angle, or several",
                         "give one for each; `angleInterpolation` moves through several")
    return [it[0] for it in rows]
