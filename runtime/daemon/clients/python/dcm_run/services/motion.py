"""ALMotion: NAOqi's module for joints and force. Its calls are in `angles`, `stiffness`, `motion_tasks`, `walking`."""

from __future__ import annotations

from typing import Any

from .walking import Walking

# NAOqi's names of models, by their numbers of arms and legs, and whether they have wrists and hands.
_MODELS = {(2, 2, True): "naoH25", (2, 2, False): "naoH21", (2, 0, True): "naoT14", (0, 0, False): "naoT2"}


class ALMotionProxy(Walking):
    """Joints and force, as in NAOqi's ALMotion."""

    def getBodyNames(self, name: str) -> list[str]:
        """The joints of a chain, or of `Body`, `Joints` (without hands), `JointActuators`, `Arms`, `Legs`; `Chains`."""
        return self._body.joints.chains() if name == "Chains" else self._body.joints.named(name)

    def getJointNames(self, name: str) -> list[str]:
        """As `getBodyNames`."""
        return self.getBodyNames(name)

    def getLimits(self, name: Any) -> list[list[float]]:
        """For each joint its range, rad, its maximum velocity, rad/s, and its maximum torque, N·m."""
        joints = (self._body.joints[it] for it in self._named(name))
        return [[it.lowest, it.highest, it.velocity, it.torque] for it in joints]

    def getSummary(self) -> str:
        """A table of all joints: stiffness, sent and measured angle."""
        joints = self._body.joints.body
        sent, measured = self.getAngles(joints, False), self.getAngles(joints, True)
        stiff = self.getStiffnesses(joints) if self._has_stiffness() else [1.0 if self._body.has_force() else 0.0] * len(joints)
        lines = [f"{'Joint':<16}{'Stiffness':>10}{'Command':>12}{'Sensor':>12}"]
        for name, force, at, felt in zip(joints, stiff, sent, measured):
            lines.append(f"{name:<16}{force:>10.2f}{at:>12.6f}{felt:>12.6f}")
        return "\n".join(lines)

    def getRobotConfig(self) -> list[list[Any]]:
        """What the robot is: names, and values. A NAO is `naoH25`, or by its joints another of NAOqi's models."""
        joints = self._body.joints
        chains, hands = joints.chains(), sum(joints[it].is_hand for it in joints.body)
        arms, legs = (sum(it.endswith(end) for it in chains) for end in ("Arm", "Leg"))
        has_wrists = "LWristYaw" in joints.body
        model = _MODELS.get((arms, legs, has_wrists)) if "Head" in chains else None
        facts = {"Model Type": model or self.robot.hello()["robot"], "Head Version": self.version(),
                 "Body Version": self.version(), "Laser": False, "Legs": legs > 0, "Arms": arms > 0,
                 "Extended Arms": has_wrists, "Number of Legs": legs, "Number of Arms": arms, "Number of Hands": hands}
        return [list(facts), list(facts.values())]
