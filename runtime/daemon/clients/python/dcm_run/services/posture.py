"""ALRobotPosture: the poses of the robot's description as NAOqi's postures."""

from __future__ import annotations

from typing import Any

from . import curves, poses
from .angles import fraction_of
from .service import Service


class ALRobotPostureProxy(Service):
    """Postures, as in NAOqi's ALRobotPosture. NAO's are Stand, StandInit, StandZero, Crouch, ArmsWide."""

    def __init__(self, *where: Any, **named: Any) -> None:
        super().__init__(*where, **named)
        self._tries = 3

    def getPostureList(self) -> list[str]:
        """All postures that `goToPosture` knows. The names of the robot's description are known as well."""
        return poses.names(self._body)

    def getPosture(self) -> str:
        """The posture that the body is in, by its sensors; `Unknown` if it is in none."""
        return poses.nearest(self._body)

    def getPostureFamily(self) -> str:
        """The family of the posture that the body is in: `Standing`, `Crouching` and so on, or `Unknown`."""
        return poses.family(self.getPosture())

    def getPostureFamilyList(self) -> list[str]:
        """The families of all postures."""
        return sorted({poses.family(it) for it in self.getPostureList()})

    def isRobotInPosture(self, name: str) -> bool:
        """Whether the body is in a posture, by its sensors."""
        return poses.is_in(self._body, poses.found(self._body, name))

    def goToPosture(self, postureName: str, maxSpeedFraction: float) -> bool:
        """Moves smoothly to a posture, and waits. Returns whether the body is there, by its sensors.

        It goes there in one motion: the robot plans no intermediate postures, such as those of standing up.
        """
        values, speed = poses.found(self._body, postureName), fraction_of(maxSpeedFraction)
        for _ in range(self._tries):
            if not poses.go(self._body, values, speed, "goToPosture"):
                return False
            if poses.is_in(self._body, values):
                return True
        return False

    def applyPosture(self, postureName: str, maxSpeedFraction: float) -> bool:
        """As `goToPosture`, with one attempt."""
        values = poses.found(self._body, postureName)
        poses.go(self._body, values, fraction_of(maxSpeedFraction), "applyPosture")
        return poses.is_in(self._body, values)

    def stopMove(self) -> None:
        """Ends a motion to a posture: the joints stop where they are."""
        self._body.motions.cancel(lambda it: it.name in ("goToPosture", "applyPosture"))

    def setMaxTryNumber(self, maxTryNumber: int) -> None:
        """How often `goToPosture` tries at most; -1 is NAOqi's word for 3."""
        self._tries = max(1, int(curves.number(maxTryNumber, "number"))) if maxTryNumber != -1 else 3
