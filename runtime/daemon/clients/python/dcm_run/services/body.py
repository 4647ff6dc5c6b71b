"""What the services of one robot share: its joints, its motions, and its state of force.

Made once for each `Robot`. The law: raising the stiffness of a limp body arms it, as on NAO; nothing else here does,
and an emergency stop or a fault is never cleared by a script.
"""

from __future__ import annotations

import threading
import time
import weakref
from typing import Sequence

from ..errors import RobotError
from ..robot import Robot
from ..tasks import begun
from .joints import Joints, motor
from .motions import Motions

# How long arming and retreating may take, s: a force that fades in, a way to the safe pose.
PATIENCE = 20.0
LOOK = 0.05
# Positions that differ by less are the same, rad: some steps of the sensors.
SAME = 0.01


class Body:
    """The body of a robot."""

    def __init__(self, robot: Robot) -> None:
        # On a line of its own, so that it does not keep the robot alive that it belongs to.
        self.robot = robot.another_line()
        self.joints = Joints(self.robot)
        self.motions = Motions(self.robot)

    def values(self, keys: Sequence[str]) -> list[float]:
        """The values of keys that all must have one."""
        found = self.robot.post("memory/getListData", list(keys), repeatable=True)["values"]
        for key, value in zip(keys, found):
            if not isinstance(value, (int, float)):
                raise RobotError("unknown-name", f"`{key}` has no value", "wait until the robot's sensors are read")
        return [float(it) for it in found]

    def angles(self, names: Sequence[str], use_sensors: bool) -> list[float]:
        """The measured or the sent positions of joints."""
        side = "Sensor" if use_sensors else "Actuator"
        return self.values([f"{motor(it)}/Position/{side}/Value" for it in names]) if names else []

    def state(self) -> str:
        """The name of the body's safety state."""
        return str(self.robot.state()["state"])

    def has_force(self) -> bool:
        """Whether the body is armed."""
        return self.state() in ("armed", "running", "holding")

    def wake(self) -> None:
        """Arms the body, and waits until it follows commands."""
        state = self.state()
        if state == "boot":
            state = self._wait("disarmed", "armed", "running")
        if state == "safe":
            self._until_limp()
            self.robot.disarm()
            state = "disarmed"
        if state == "disarmed":
            self.robot.arm()
        elif state == "holding":
            self.robot.resume()
        begun()
        self._wait("running")

    def rest(self) -> None:
        """Moves to the safe pose, where the body goes limp, and waits for that."""
        if self.state() not in ("disarmed", "safe"):
            self.robot.retreat()
        begun()
        self._until_limp()

    def _until_limp(self) -> None:
        until = time.monotonic() + PATIENCE
        while (told := self.robot.state())["power"] > 0:
            self._check(told["state"], until, "limp")
            time.sleep(LOOK)

    def _wait(self, *states: str) -> str:
        """Waits until the body is in one of these states."""
        until = time.monotonic() + PATIENCE
        while (state := self.state()) not in states:
            self._check(state, until, " or ".join(states))
            time.sleep(LOOK)
        return state

    def _check(self, state: str, until: float, wanted: str) -> None:
        if state in ("estop", "fault"):
            raise RobotError("unsafe-state", f"the body is in the state `{state}`, which a script may not end",
                             "look at the robot, then `dcm-run estop --release` or `dcm-run clear`")
        if time.monotonic() > until:
            raise RobotError("unsafe-state", f"the body is in the state `{state}`, and does not become {wanted}",
                             "`dcm-run events` says why")


_bodies: weakref.WeakKeyDictionary[Robot, Body] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def body_of(robot: Robot) -> Body:
    """The body of a robot. Its proxies share it."""
    with _lock:
        found = _bodies.get(robot)
        if found is None:
            found = _bodies[robot] = Body(robot)
        return found
