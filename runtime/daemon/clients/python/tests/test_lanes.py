"""A lane of a client's own, and calibrations, on a simulated NAO that is served."""

from __future__ import annotations

import sys
import time
import unittest
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from served import Nao, on_a_nao, until  # noqa: E402

from dcm_run import ALMemoryProxy, DCMProxy, RobotError  # noqa: E402

YAW = "Device/SubDeviceList/HeadYaw/Position/Actuator/Value"
FELT = "Device/SubDeviceList/HeadYaw/Position/Sensor/Value"


@on_a_nao
class Served(unittest.TestCase):
    def setUp(self) -> None:
        self.nao = Nao()
        self.nao.start()
        self.addCleanup(self.nao.end)
        self.robot = self.nao.robot
        self.dcm, self.memory = DCMProxy(robot="nao"), ALMemoryProxy(robot="nao")

    def refused(self, code: str, call: Any, *arguments: Any) -> None:
        with self.assertRaises(RobotError) as caught:
            call(*arguments)
        self.assertEqual(caught.exception.code, code, str(caught.exception))

    def is_at(self, value: float) -> bool:
        return abs(float(self.memory.getData(YAW)) - value) < 1e-9

    def test_a_lane_has_its_joint_until_it_ends(self) -> None:
        with self.robot.lane("head", priority=50, joints=["HeadYaw"]) as lane:
            self.assertEqual(lane.set({"HeadYaw": 0.2}, 0.1).wait(5), "arrived")
            until("it is there", lambda: self.is_at(0.2))
            # What all clients share is below it.
            self.dcm.set([YAW, "ClearAll", [[-0.3, self.dcm.getTime(100)]]])
            time.sleep(0.4)
            self.assertTrue(self.is_at(0.2))
            self.refused("wrong-kind", lane.set, {"HeadPitch": 0.1})
            self.assertEqual(lane.tune(weight=0.5)["lane"], "head")
            sent = lane.schedule({"HeadYaw": [(0.1, 0.3), (0.2, 0.4)]})
            self.assertEqual((sent["commands"], sent.wait(5)), (2, "arrived"))
            until("it is there", lambda: self.is_at(0.4))
        self.refused("no-lane", lane.set, {"HeadYaw": 0.1})
        self.assertEqual(lane.end()["life"], "gone")
        self.dcm.set([YAW, "ClearAll", [[0.1, self.dcm.getTime(100)]]])
        until("it is there", lambda: self.is_at(0.1))

    def test_a_silent_lane_ends(self) -> None:
        lane = self.robot.lane("brief", silent_after_s=0.4)
        for _ in range(6):
            time.sleep(0.15)
            self.assertEqual(lane.feed()["life"], "open")
        time.sleep(1.0)
        self.refused("no-lane", lane.feed)

    def test_a_limp_joint_is_calibrated(self) -> None:
        now = [YAW, "Manual", "InPosition", 0.1]
        self.refused("not-now", self.dcm.calibration, now)
        self.robot.disarm()
        before = float(self.memory.getData(FELT))
        told = self.dcm.calibration(now)
        self.assertAlmostEqual(told[0]["moved"], 0.1 - before, delta=0.004)
        until("it is felt there", lambda: abs(float(self.memory.getData(FELT)) - 0.1) < 0.004)
        self.assertTrue(self.dcm.preferences("Load", "All", "", 0.0)["keys"])
        until("it is felt there", lambda: abs(float(self.memory.getData(FELT)) - before) < 0.004)
        self.assertIn("HeadYaw", self.dcm.special("Chain")[0]["actuators"])
        self.refused("not-here", self.dcm.special, "Reset")


if __name__ == "__main__":
    unittest.main()
