"""ALMotion's calls for force: stiffness, waking up and going to rest.

A part of ALMotionProxy. The law: a robot here is armed before it moves. As stiffness is what arms a NAO, more than 0
arms a body that is limp, as `wakeUp` does; to be limp for good a body rests, and then a stiffness reads 0.
"""

from __future__ import annotations

from typing import Any

from ..errors import RobotError
from . import curves, poses
from .angles import SHORTEST, Angles
from .joints import motor, motors

# How long it takes at most until a stiffness is set that is set at once, s.
SET_WITHIN = 1.0


class Stiffness(Angles):
    """Stiffness of joints, from 0 to 1."""

    def setStiffnesses(self, names: Any, stiffnesses: Any) -> None:
        """Sets the stiffness of joints, and returns when it is set. A limp body is armed first.

        One value for all, or one for each name (a joint or a chain), or one for each joint of the chains.
        """
        names = curves.plain(names)
        joints = self._stiff(names)
        rows = self._rows(names, joints, stiffnesses)
        if any(len(it) != 1 for it in rows):
            raise RobotError("wrong-count", "a joint has no stiffness, or several",
                             "give one for each; `stiffnessInterpolation` moves through several")
        if not self._arm_for(rows):
            return
        commands = motors((joint, [(SHORTEST, row[0])]) for joint, row in zip(joints, rows))
        self._body.motions.send({f"{it}Stiffness": path for it, path in commands.items()}).wait(SET_WITHIN)

    def stiffnessInterpolation(self, names: Any, stiffnessLists: Any, timeLists: Any) -> None:
        """Changes the stiffness of joints along values at times, s from now. Waits for the end."""
        self._interpolate(names, stiffnessLists, timeLists)

    def _interpolate(self, names: Any, stiffnessLists: Any, timeLists: Any) -> bool:
        """Returns whether it was not cancelled."""
        names = curves.plain(names)
        joints = self._stiff(names)
        rows = self._rows(names, joints, stiffnessLists)
        times = curves.plain(timeLists)
        # A list of times is for each name, or the times of one path for all.
        if all(len(it) == 1 for it in rows) or (isinstance(times, list) and any(isinstance(it, list) for it in times)):
            times = self._body.joints.spread(names, times)
        paths = motors(zip(joints, curves.timed(rows, times)))
        if not self._arm_for(rows):
            return True
        named = {f"{it}Stiffness": path for it, path in paths.items()}
        return self._body.motions.play("stiffnessInterpolation", list(named), lambda: named)

    def getStiffnesses(self, jointName: Any) -> list[float]:
        """The stiffness of joints; 0 while the body is limp."""
        joints = self._stiff(jointName)
        sent = self.robot.state()["actuators"]
        return [float(sent[f"{motor(it)}Stiffness"]["sent"] or 0.0) for it in joints]

    def wakeUp(self, *chain: str) -> None:
        """Arms the body, makes it stiff, and lets it stand up if it does not stand. Waits for the end."""
        if chain:
            raise RobotError("not-here", "a body wakes up as a whole", "wakeUp(); or setStiffnesses of the chain to 1")
        self._body.wake()
        if self._has_stiffness() and not self._interpolate("Body", 1.0, 0.3):
            return
        if poses.family(poses.nearest(self._body)) != "Standing":
            if (pose := poses.found(self._body, "StandInit", default=None)) is not None:
                poses.go(self._body, pose, 1.0, "wakeUp")

    def rest(self, *chain: str) -> None:
        """Moves to the safe pose, then makes the body limp. Waits for the end."""
        if chain:
            raise RobotError("not-here", "a body rests as a whole", "rest(); or setStiffnesses of the chain to 0")
        self._body.rest()

    def robotIsWakeUp(self) -> bool:
        """Whether the body has force."""
        return self._body.has_force()

    def _hand(self, name: str, value: float) -> None:
        """As NAOqi does it: a limp hand has force while it moves."""
        joints = self._named(name)
        if not self._body.has_force() or not self._has_stiffness() or any(self.getStiffnesses(joints)):
            return super()._hand(name, value)
        self.setStiffnesses(joints, 1.0)
        try:
            return super()._hand(name, value)
        finally:
            self.setStiffnesses(joints, 0.0)

    def _rows(self, names: Any, joints: list[str], said: Any) -> list[list[float]]:
        rows = curves.rows(self._body.joints.spread(names, curves.plain(said)), len(joints), "stiffness", spread=True)
        if any(it < 0 for row in rows for it in row):
            raise RobotError("out-of-range", "a stiffness is less than 0", "0 makes a joint limp, 1 is full stiffness")
        return rows

    def _arm_for(self, rows: list[list[float]]) -> bool:
        """Arms a limp body if a stiffness is more than 0. Returns whether there is something to set: with force."""
        if self._body.has_force():
            return True
        if not any(it > 0 for row in rows for it in row):
            return False
        self._body.wake()
        return True

    def _has_stiffness(self) -> bool:
        actuators = self.robot.state()["actuators"]
        return all(f"{motor(it)}Stiffness" in actuators for it in self._body.joints.body)

    def _stiff(self, names: Any) -> list[str]:
        joints = self._named(names)
        actuators = self.robot.state()["actuators"]
        for joint in joints:
            if f"{motor(joint)}Stiffness" not in actuators:
                raise RobotError("unknown-name", f"`{joint}` has no stiffness",
                                 "wakeUp() arms such a robot, and rest() makes it limp")
        return joints
