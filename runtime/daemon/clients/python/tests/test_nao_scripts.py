"""More scripts for NAO, unchanged, on a simulated one: a pose in degrees by the robot's model, an application."""

from __future__ import annotations

import json
import signal
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from served import Nao, on_a_nao  # noqa: E402

import motion  # noqa: E402
from naoqi import ALProxy  # noqa: E402

nao = Nao()
setUpModule, tearDownModule = nao.start, nao.end


@on_a_nao
class Scripts(unittest.TestCase):
    def test_a_pose_in_degrees(self) -> None:
        script = nao.script("pose_in_degrees.py")
        said = script.communicate(timeout=90)[0]
        self.assertEqual(script.returncode, 0, said)
        self.assertEqual(said.splitlines(), ["naoH25", "['10', '20', '50', '57']",
                                             "not here: there is no `setPosition` here"])
        proxy = ALProxy("ALMotion", "127.0.0.1", 9559)
        # 60 degrees are more than a hand can open.
        self.assertAlmostEqual(proxy.getAngles("RHand", False)[0], 1.0, 3)
        self.assertAlmostEqual(proxy.getAngles("LKneePitch", False)[0], 50 * motion.TO_RAD, 3)
        config = dict(zip(*proxy.getRobotConfig()))
        self.assertEqual((config["Number of Legs"], config["Number of Hands"], config["Extended Arms"]), (2, 2, True))

    def test_what_a_script_sends_is_written_as_a_motion(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "motion.json"
            script = nao.script("pose_in_degrees.py", DCM_RUN_WRITE=str(path))
            said = script.communicate(timeout=90)[0]
            self.assertEqual(script.returncode, 0, said)
            commands = json.loads(path.read_text(encoding="utf-8"))["commands"]
            knee = [it for it in commands if it["actuator"] == "LKneePitch"]
            self.assertAlmostEqual(knee[-1]["value"], 50 * motion.TO_RAD, 6)
            # The other program reads what this one has written.
            nao.say("compile", str(path), "--robot", "nao", "--output", str(path.with_suffix(".wasm")))

    def test_an_application_runs_until_ctrl_c(self) -> None:
        script = nao.script("count_touches.py", "--ip", "127.0.0.1")
        self.assertEqual(script.stdout.readline(), "ready\n")
        for number, sensor in enumerate(("Head/Touch/Front", "RHand/Touch/Back"), 1):
            nao.say("sim", "give", "--robot", "nao", sensor, "1")
            self.assertEqual(script.stdout.readline(), f"touched {number}\n")
            nao.say("sim", "give", "--robot", "nao", sensor, "0")
            time.sleep(0.7)
        script.send_signal(signal.SIGINT)
        said = script.communicate(timeout=30)[0]
        self.assertEqual((script.returncode, said), (0, "touches: 2\n"))
        self.assertEqual(ALProxy("ALLeds", "127.0.0.1", 9559).getIntensity("FaceLed0"), [0.0, 1.0, 0.0] * 2)


if __name__ == "__main__":
    unittest.main()
