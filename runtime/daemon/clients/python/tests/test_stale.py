"""A loop that stands still, under a server that answers: what is old is not taken for new."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from served import Nao, Refusing, on_a_nao, until  # noqa: E402

from dcm_run import ALMemoryProxy, RobotError  # noqa: E402

YAW = "Device/SubDeviceList/HeadYaw/Position/Sensor/Value"

nao = Nao()
setUpModule, tearDownModule = nao.start, nao.end


@on_a_nao
class StandsStill(Refusing):
    def test_old_values_are_refused_and_a_stop_is_not_said_to_be_done(self) -> None:
        robot, memory = nao.robot, ALMemoryProxy(robot="nao")
        until("turns are new", lambda: robot.state(stale=True)["age_s"] < 0.9)
        memory.insertData("Mine", 1)
        os.kill(nao.process.pid, signal.SIGSTOP)
        try:
            until("values are refused", lambda: self.code(memory, YAW) == "stale")
            self.refused("stale", robot.state)
            self.refused("stale", memory.getListData, ["Mine", YAW])
            old = robot.state(stale=True)
            self.assertEqual(old["state"], "running")
            self.assertGreaterEqual(old["age_s"], 1.0)
            # What is not of the body has no turn.
            self.assertEqual(memory.getData("Mine"), 1)
            said = self.refused("not-confirmed", robot.stop)
            self.assertIn("press the robot's stop button or cut its power", said)
        finally:
            os.kill(nao.process.pid, signal.SIGCONT)
        # What was sent meanwhile still counts.
        until("it has stopped", lambda: robot.state(stale=True)["state"] == "estop")
        # The turn in which it was frozen is old when it ends.
        until("turns are new", lambda: robot.state(stale=True)["age_s"] < 0.9)
        robot.state()
        memory.getData(YAW)

    @staticmethod
    def code(memory: ALMemoryProxy, key: str) -> str:
        try:
            memory.getData(key)
        except RobotError as error:
            return error.code
        return ""
