"""The joints of a robot under NAOqi's names: chains, `Body`, and both halves of the pelvis.

Used by ALMotion and ALRobotPosture. The law: names keep NAOqi's order, so that a list of 26 angles for `Body` means
the same joints as on NAO; and a name that the robot does not have is an error that says which names it has.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any, Iterable

from ..errors import RobotError
from ..robot import Robot

_ARM = ("ShoulderPitch", "ShoulderRoll", "ElbowYaw", "ElbowRoll", "WristYaw", "Hand")
_LEG = ("HipYawPitch", "HipRoll", "HipPitch", "KneePitch", "AnklePitch", "AnkleRoll")
CHAINS: dict[str, tuple[str, ...]] = {
    "Head": ("HeadYaw", "HeadPitch"),
    "LArm": tuple(f"L{it}" for it in _ARM),
    "LLeg": tuple(f"L{it}" for it in _LEG),
    "RLeg": tuple(f"R{it}" for it in _LEG),
    "RArm": tuple(f"R{it}" for it in _ARM),
}
_GROUPS = {"Arms": ("LArm", "RArm"), "Legs": ("LLeg", "RLeg")}
# NAO has one motor for both hips. NAOqi has two names for it, and the left one decides.
SAME_MOTOR = {"RHipYawPitch": "LHipYawPitch"}

# The maximum velocities, rad/s, and torques, N·m, of NAO's published model, by what a joint's name ends with.
_FIGURES = {
    "HeadYaw": (8.26797, 1.547), "HeadPitch": (7.19407, 1.532), "ShoulderPitch": (8.26797, 1.329),
    "ShoulderRoll": (7.19407, 1.7835), "ElbowYaw": (8.26797, 1.547), "ElbowRoll": (7.19407, 1.532),
    "WristYaw": (24.6229, 0.4075), "Hand": (8.33, 0.292), "HipYawPitch": (4.16174, 3.348),
    "HipRoll": (4.16174, 3.348), "HipPitch": (6.40239, 3.023), "KneePitch": (6.40239, 3.023),
    "AnklePitch": (6.40239, 3.023), "AnkleRoll": (4.16174, 3.348),
}
# Any other joint: slow enough for every servo. The robot limits each joint in any case.
_UNKNOWN = (2.0, 0.0)


@dataclass(frozen=True)
class Joint:
    """A joint: its range, and the velocity and torque that it has at most."""

    name: str
    lowest: float
    highest: float
    velocity: float
    torque: float

    @property
    def is_hand(self) -> bool:
        return self.name.endswith("Hand")


class Joints:
    """The joints of a robot. Its description does not change while it runs, so they are read once."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        figure = robot.request("figure", repeatable=True)
        self.poses: dict[str, dict[str, float]] = {it["name"]: dict(it["values"]) for it in figure.get("poses", ())}
        self._joints = {it["name"]: _joint(it) for it in figure["joints"]}
        self._by_place = {it["actuator"]: it["name"] for it in figure["joints"]}
        for other, motor in SAME_MOTOR.items():
            if motor in self._joints and other not in self._joints and self._joints.keys() >= {"RHipRoll"}:
                of = self._joints[motor]
                self._joints[other] = Joint(other, of.lowest, of.highest, of.velocity, of.torque)
        ordered = [it for chain in CHAINS.values() for it in chain if it in self._joints]
        self.body = ordered + [it for it in self._joints if it not in ordered]

    def __getitem__(self, name: str) -> Joint:
        return self._joints[name]

    def chains(self) -> list[str]:
        """The chains that this robot has."""
        return [name for name, joints in CHAINS.items() if any(it in self._joints for it in joints)]

    def named(self, said: Any) -> list[str]:
        """The joints that a name or a list of names means, in order. An empty list means none."""
        if isinstance(said, str):
            return self._one(said)
        if not isinstance(said, (list, tuple)) or not all(isinstance(it, str) for it in said):
            raise RobotError("malformed", f"{said!r} is not a name or a list of names",
                             'give a joint or a chain, as in "HeadYaw" or ["HeadYaw", "LArm"]')
        joints = [joint for it in said for joint in self._one(it)]
        twice = {it for it in joints if joints.count(it) > 1}
        if twice:
            raise RobotError("twice", f"{', '.join(sorted(twice))} is named twice", "name each joint once")
        return joints

    def spread(self, said: Any, values: Any) -> Any:
        """Values for the joints of names: where there is one for each chain, all of the chain's joints have it.

        Anything else is unchanged.
        """
        if not isinstance(said, list) or not isinstance(values, list) or len(said) != len(values):
            return values
        counts = [len(self._one(it)) for it in said]
        return [value for value, count in zip(values, counts) for _ in range(count)]

    def _one(self, name: str) -> list[str]:
        if name in self._joints:
            return [name]
        if name in ("Body", "JointActuators", "Actuators"):
            return list(self.body)
        if name in ("Joints", "BodyJoints"):
            return [it for it in self.body if not self._joints[it].is_hand]
        chains = _GROUPS.get(name, (name,))
        if all(it in CHAINS for it in chains):
            found = [joint for it in chains for joint in CHAINS[it] if joint in self._joints]
            if found:
                return found
        return self._alias(name)

    def _alias(self, name: str) -> list[str]:
        """The joints of an alias that the robot has besides NAOqi's chains."""
        try:
            places = self._robot.request("find", name=name, repeatable=True)["actuators"]
        except RobotError as error:
            if error.code not in ("unknown-name", "not-found"):
                raise
            places = []
        found = [self._by_place[it] for it in places if it in self._by_place]
        if found:
            return found
        near = difflib.get_close_matches(name, [*self._joints, *CHAINS, "Body", "Arms", "Legs"], 1)
        raise RobotError("unknown-name", f"this robot has no joint or chain `{name}`",
                         f"did you mean `{near[0]}`?" if near else 'getBodyNames("Body") has the names')


def motors(commands: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Commands by joint as commands by motor: of two names of one motor, the one that decides counts."""
    by_joint = dict(commands)
    by_motor = {SAME_MOTOR.get(name, name): it for name, it in by_joint.items() if name in SAME_MOTOR}
    return {**by_motor, **{name: it for name, it in by_joint.items() if name not in SAME_MOTOR}}


def motor(name: str) -> str:
    """The joint whose motor moves this one."""
    return SAME_MOTOR.get(name, name)


def _joint(told: dict[str, Any]) -> Joint:
    name = told["name"]
    figures = next((it for end, it in _FIGURES.items() if name == end or name[1:] == end), _UNKNOWN)
    velocity, torque = told.get("velocity") or figures[0], told.get("torque") or figures[1]
    return Joint(name, told["lowest"], told["highest"], velocity, torque)
