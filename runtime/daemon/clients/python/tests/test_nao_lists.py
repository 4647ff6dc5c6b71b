"""The lists of scripts for NAO on a simulated one: values for chains, what was a list in Python 2, groups of LEDs."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from served import Nao, Refusing, on_a_nao  # noqa: E402

from dcm_run.services import curves  # noqa: E402
from naoqi import ALProxy  # noqa: E402

nao = Nao()
setUpModule, tearDownModule = nao.start, nao.end


class Plain(unittest.TestCase):
    def test_what_was_a_list_in_python_2_is_one(self) -> None:
        table = {"HeadYaw": 0.1, "HeadPitch": 0.2}
        self.assertEqual(curves.plain(table.keys()), ["HeadYaw", "HeadPitch"])
        self.assertEqual(curves.plain(map(abs, [-1, 2])), [1, 2])
        self.assertEqual(curves.plain(zip([1], range(2))), [[1, 0]])
        self.assertEqual(curves.rows(table.values(), 2, "angle"), [[0.1], [0.2]])
        # A text is none; a set has no order, so it is no list of angles.
        self.assertEqual((curves.plain("HeadYaw"), curves.plain({1, 2})), ("HeadYaw", {1, 2}))


@on_a_nao
class Lists(Refusing):
    def setUp(self) -> None:
        self.motion = ALProxy("ALMotion", "127.0.0.1", 9559)
        self.motion.wakeUp()

    def test_angles(self) -> None:
        table = {"HeadYaw": 0.1, "HeadPitch": 0.05}
        self.motion.angleInterpolation(table.keys(), table.values(), map(float, ["0.2", "0.2"]), True)
        self.assertEqual([round(it, 3) for it in self.motion.getAngles(iter(table), False)], [0.1, 0.05])
        self.assertIn("no angle", self.refused("wrong-count", self.motion.setAngles, "HeadYaw", [], 0.1))

    def test_a_stiffness_for_each_chain(self) -> None:
        self.motion.setStiffnesses(["HeadYaw", "LArm", "RArm"], [0.2, 0.4, 0.6])
        wanted = [0.2] + [0.4] * 6 + [0.6] * 6
        self.assertEqual(self.motion.getStiffnesses(["HeadYaw", "LArm", "RArm"]), wanted)
        # As many values as joints are for the joints.
        self.motion.setStiffnesses(["Head"], [0.3, 0.5])
        self.assertEqual(self.motion.getStiffnesses("Head"), [0.3, 0.5])
        for names, values, times, ends in [
            (["LArm", "RArm"], [0.5, 1.0], [0.1, 0.2], [0.5] * 6 + [1.0] * 6),
            (["LArm", "RArm"], [0.0, 0.7], 0.1, [0.0] * 6 + [0.7] * 6),
            (["LArm", "RArm"], [[0.2, 0.8], [0.9]], [[0.1, 0.2], [0.1]], [0.8] * 6 + [0.9] * 6),
            (["HeadYaw", "HeadPitch"], [[0.2, 0.8], [0.1, 0.9]], [0.1, 0.2], [0.8, 0.9]),
            ("Head", [[0.2, 0.8], [0.1, 0.9]], [[0.1, 0.2], [0.1, 0.2]], [0.8, 0.9]),
            (["Body"], 1.0, 0.2, [1.0] * 26),
        ]:
            self.motion.stiffnessInterpolation(names, values, times)
            self.assertEqual([round(it, 3) for it in self.motion.getStiffnesses(names)], ends)
        self.assertIn("less than 0", self.refused("out-of-range", self.motion.setStiffnesses, "Head", -0.2))
        self.refused("wrong-count", self.motion.setStiffnesses, ["LArm", "RArm"], [1.0] * 3)

    def test_a_limp_body(self) -> None:
        self.motion.rest()
        # It is limp already: scripts end so, and begin so.
        self.motion.setStiffnesses("Body", 0.0)
        self.motion.stiffnessInterpolation("Body", [[0.0, 0.0]] * 26, [[0.1, 20.0]] * 26)
        self.assertFalse(self.motion.robotIsWakeUp())
        for move in (lambda: self.motion.setAngles("HeadYaw", 0.1, 0.1), lambda: self.motion.openHand("LHand")):
            self.assertIn("wakeUp()", self.refused("not-now", move))
        ALProxy("ALLeds", "127.0.0.1", 9559).on("ChestLeds")
        # What is called while the force fades in waits for it.
        number = self.motion.post.wakeUp()
        self.motion.setAngles("HeadYaw", 0.1, 0.5)
        self.assertTrue(self.motion.robotIsWakeUp())
        self.motion.wait(number)
        self.assertAlmostEqual(self.motion.getAngles("HeadYaw", False)[0], 0.1, delta=0.11)
        self.motion.rest()
        self.motion.setStiffnesses(["LArm", "Head"], [0.0, 1.0])
        self.assertTrue(self.motion.robotIsWakeUp())
        self.assertEqual(self.motion.getStiffnesses(["LArm", "Head"]), [0.0] * 6 + [1.0] * 2)

    def test_a_limp_hand_has_force_while_it_moves(self) -> None:
        self.motion.closeHand("RHand")
        self.motion.setStiffnesses("RArm", 0.0)
        self.motion.openHand("RHand")
        self.assertGreater(self.motion.getAngles("RHand", True)[0], 0.9)
        self.assertEqual(self.motion.getStiffnesses("RArm"), [0.0] * 6)
        self.refused("unknown-name", self.motion.openHand, "RArm")
        self.motion.setStiffnesses("RArm", 1.0)

    def test_groups_of_leds(self) -> None:
        leds = ALProxy("ALLeds", "127.0.0.1", 9559)
        for name, count in [("ChestLedsRed", 1), ("LeftFootLedsBlue", 1), ("FeetLedsGreen", 2), ("LeftEarLedsFront", 4),
                            ("RightEarLedsBack", 4)]:
            self.assertEqual(len(leds.listGroup(name)), count, name)
        leds.off("ChestLeds")
        leds.setIntensity("ChestLedsRed", 1.0)
        self.assertEqual(leds.getIntensity("ChestLeds"), [1.0, 0.0, 0.0])
        # The direction of the ears and their halves agree.
        leds.earLedsSetAngle(90, 0.0, True)
        self.assertIn(1.0, leds.getIntensity("LeftEarLedsFront"))
        self.assertNotIn(1.0, leds.getIntensity("LeftEarLedsBack"))
        leds.createGroup("One", "ChestBoard/Led/Blue/Actuator/Value")
        # Groups belong to the module, not to a proxy.
        self.assertEqual(ALProxy("ALLeds", "127.0.0.1", 9559).listGroup("One"), ["ChestBoard/Led/Blue/Actuator/Value"])


if __name__ == "__main__":
    unittest.main()
