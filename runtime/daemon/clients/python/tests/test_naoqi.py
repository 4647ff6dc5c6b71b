"""Scripts for NAO, unchanged, on a simulated one: `naoqi` and `qi`, compared with what their numbers say.

The scripts are in `nao_scripts`. What the joints and lights do is computed here once more, by other formulas than the
client's. Without a program to serve the NAO (DCM_RUN_PROGRAM, or `dcm-run` in PATH), only what needs none is tested.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from served import Nao, Refusing, Watch, on_a_nao, until  # noqa: E402

import qi  # noqa: E402
from dcm_run import DCMProxy, RobotError, shared  # noqa: E402
from dcm_run.services import curves  # noqa: E402
from dcm_run.services.led_names import LedNames  # noqa: E402
from dcm_run.services.speech import spoken  # noqa: E402
from naoqi import ALBroker, ALModule, ALProxy  # noqa: E402

# How far what is sent may be from what was computed, rad: less than a turn at the speeds here.
NEAR = 0.012

nao = Nao()
setUpModule, tearDownModule = nao.start, nao.end


def straight(path: list[tuple[float, float]], time: float) -> float:
    """The value of a polyline."""
    for (t0, v0), (t1, v1) in zip(path, path[1:]):
        if time <= t1:
            return v0 + (v1 - v0) * (time - t0) / (t1 - t0)
    return path[-1][1]


def de_casteljau(points: list[tuple[float, float]], s: float) -> tuple[float, float]:
    """A point of a Bézier curve, by halving its lines again and again."""
    while len(points) > 1:
        points = [(a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s) for a, b in zip(points, points[1:])]
    return points[0]


def drawn(start: float, times: list[float], keys: list[list[Any]]) -> list[tuple[float, float]]:
    """The curve of Choregraphe's keys, as a polyline of many points."""
    path = [(0.0, start)]
    at, value, out = 0.0, start, [3, times[0] / 3, 0.0]
    for time, (target, before, after) in zip(times, keys):
        frame = [(at, value), (at + out[1], value + out[2]), (time + before[1], target + before[2]), (time, target)]
        path += [de_casteljau(frame, it / 400) for it in range(1, 401)]
        at, value, out = time, target, after
    return path


class Curves(Refusing):
    def test_lists_of_every_shape(self) -> None:
        for angles, times, wanted in [
            (0.5, 1, [[(1, 0.5)]]),
            ([0.5, 0.1], [1, 2], [[(1, 0.5), (2, 0.1)]]),
            ([[0.5, 0.1]], [[1, 2]], [[(1, 0.5), (2, 0.1)]]),
        ]:
            self.assertEqual(curves.timed(curves.rows(angles, 1, "angle"), times), wanted)
        for angles, times, wanted in [
            ([0.5, 0.1], 1.0, [[(1, 0.5)], [(1, 0.1)]]),
            ([0.5, 0.1], [1.0], [[(1, 0.5)], [(1, 0.1)]]),
            ([0.5, 0.1], [1, 2], [[(1, 0.5)], [(2, 0.1)]]),
            ([[1, 2, 3], [4]], [[1, 2, 3], [2]], [[(1, 1), (2, 2), (3, 3)], [(2, 4)]]),
            ([[1, 2], [3, 4]], [1, 2], [[(1, 1), (2, 2)], [(1, 3), (2, 4)]]),
        ]:
            self.assertEqual(curves.timed(curves.rows(angles, 2, "angle"), times), wanted)
        self.assertEqual(curves.rows(1.0, 3, "stiffness", spread=True), [[1.0]] * 3)

    def test_what_does_not_fit_is_refused(self) -> None:
        self.assertIn("26 names", self.refused("wrong-count", curves.rows, [0.1] * 3, 26, "angle"))
        self.refused("wrong-count", curves.rows, 0.1, 2, "angle")
        self.refused("wrong-count", curves.timed, [[1.0, 2.0]], 1.0)
        for times in [[2.0, 1.0], [1.0, 1.0], [-1.0, 1.0]]:
            self.refused("malformed", curves.timed, [[1.0, 2.0]], times)
        for wrong in ["a", None, math.nan, math.inf, True]:
            self.refused("malformed", curves.number, wrong, "angle")
        for key in [[], [1, 2, 3], [1, [3, 0.1]], [1, [3, 0, 0], [3, 0, 0], [3, 0, 0]]]:
            self.refused("malformed", curves.bezier, 0.0, [1.0], [key])

    def test_a_bezier_curve_is_the_one_that_is_drawn(self) -> None:
        times = [0.5, 1.5, 4.0]
        keys = [[1.0, [3, -0.2, 0.1], [3, 0.3, -0.4]], [0.5, [3, -0.33, 0], [2, 0.8, 0.9]], [0.0, [3, -1.0, 0], [3, 0, 0]]]
        found, wanted = curves.bezier(0.2, times, keys), drawn(0.2, times, keys)
        self.assertEqual([it for it in found if it[0] in times], list(zip(times, (1.0, 0.5, 0.0))))
        self.assertTrue(all(a[0] < b[0] <= a[0] + curves.STEP + 1e-9 for a, b in zip(found, found[1:])))
        for at, value in found:
            self.assertAlmostEqual(value, straight(wanted, at), 4)

    def test_a_long_curve_has_as_many_points_as_a_robot_takes(self) -> None:
        times = [float(it) for it in range(1, 301)]
        keys = [[it % 2, [3, -0.3, 0], [3, 0.3, 0]] for it in range(300)]
        self.assertLessEqual(len(curves.bezier(0.0, times, keys)), 4096)

    def test_handles_of_straight_lines_and_missing_ones(self) -> None:
        self.assertEqual(curves.bezier(0.0, [1.0, 2.0], [[1.0, [3, -0.3, 0], [1, 0.3, 0]], [0.0, [1, -0.3, 0], [1, 0, 0]]])[-1],
                         (2.0, 0.0))
        straight_on = curves.bezier(0.0, [1.0, 2.0], [[1.0], 0.0])
        self.assertEqual(straight_on[-2:], [(1.0, 1.0), (2.0, 0.0)])


class Names(Refusing):
    def test_groups_have_the_lights_that_are_there(self) -> None:
        leds = LedNames([f"Face/Led/{colour}/{side}/{it}Deg" for colour in ("Red", "Green", "Blue")
                         for side in ("Left", "Right") for it in range(0, 360, 45)] + ["HeadYaw"])
        self.assertEqual(leds.lights("RightFaceLed1"), [f"Face/Led/{it}/Right/0Deg" for it in ("Red", "Green", "Blue")])
        self.assertEqual(leds.lights("FaceLedRight7"), leds.lights("RightFaceLed1"))
        self.assertEqual(leds.lights("Device/SubDeviceList/Face/Led/Red/Left/45Deg/Actuator/Value"),
                         ["Face/Led/Red/Left/45Deg"])
        self.assertEqual((len(leds.lights("FaceLeds")), len(leds.lights("FaceLedsBlue"))), (48, 16))
        self.assertNotIn("EarLeds", leds.groups)
        self.assertIn("FaceLeds", self.refused("unknown-name", leds.lights, "FaceLed"))

    def test_marks_are_not_spoken(self) -> None:
        self.assertEqual(spoken("\\rspd=80\\ Hello \\\\pau=350\\\\ you ^start(animations/Hey) there"), "Hello you there")

    def test_naoqis_addresses_mean_the_robot_of_that_machine(self) -> None:
        with mock.patch.dict(os.environ, DCM_RUN_DIR="/tmp/dcm-none"):
            os.environ.pop("DCM_RUN_ROBOT", None)
            self.assertEqual(shared.place_of("192.168.1.20", 9559), "192.168.1.20:7878")
            self.assertEqual(shared.place_of("192.168.1.20", 7979), "192.168.1.20:7979")
            self.assertEqual(shared.place_of("nao.local", None), "nao.local:7878")
            self.assertEqual(shared.place_of_url("tcp://10.0.0.4:9559"), "10.0.0.4:7878")
            self.assertEqual(shared.place_of_url("tcps://10.0.0.4:9503"), "10.0.0.4:7878")
            self.assertEqual(shared.place_of_url("10.0.0.4"), "10.0.0.4:7878")
            self.refused("where", shared.place_of_url, "http://10.0.0.4")
            with mock.patch.dict(os.environ, DCM_RUN_ROBOT="bob"):
                self.assertEqual(shared.place_of("192.168.1.20", 9559), "bob")
                self.assertEqual(shared.place_of("192.168.1.20", 7979), "192.168.1.20:7979")


class Futures(unittest.TestCase):
    def test_a_future_has_one_end(self) -> None:
        self.assertEqual(qi.runAsync(lambda a, b: a + b, 1, 2).value(5000), 3)
        bad = qi.async_(lambda: 1 // 0)
        self.assertTrue(bad.hasError())
        self.assertIn("zero", bad.error())
        self.assertRaises(ZeroDivisionError, bad.value)
        promise = qi.Promise()
        told: list[Any] = []
        promise.future().addCallback(lambda it: told.append(it.value()))
        self.assertRaises(RuntimeError, promise.future().value, 10)
        later = promise.future().andThen(lambda it: it * 2)
        promise.setValue(7)
        self.assertEqual((told, later.value(), promise.future().isFinished()), ([7], 14, True))
        self.assertRaises(RuntimeError, promise.setValue, 8)
        self.assertRaises(RuntimeError, promise.setError, "late")
        # Who makes the result learns that it is no longer wanted, and says when it has ended.
        asked = qi.Promise(lambda it: told.append(it.isCancelRequested()))
        later = asked.future().andThen(told.append)
        asked.future().cancel()
        self.assertTrue(asked.future().isRunning() and told.pop())
        asked.setCanceled()
        self.assertEqual((asked.future().wait(), later.wait(5000), told), (2, 2, [7]))
        off = qi.runAsync(told.append, 9, delay=60_000_000)
        off.cancel()
        self.assertEqual((off.wait(5000), told), (qi.FutureState.Canceled, [7]))

    def test_signals_and_tasks(self) -> None:
        told: list[Any] = []
        signal = qi.Signal()
        link = signal.connect(told.append)
        with self.assertLogs("dcm_run", "ERROR"):
            bad = signal.connect(lambda it: 1 // 0)
            signal(1)
        signal.disconnect(bad)
        signal.disconnect(link)
        signal(2)
        self.assertEqual(told, [1])
        task, came = qi.PeriodicTask(), threading.Event()
        task.setCallback(came.set)
        task.setUsPeriod(1000)
        task.start(True)
        self.assertTrue(came.wait(5))
        task.stop()

    def test_the_command_line_has_the_address(self) -> None:
        words = ["script", "--qi-url=tcp://10.0.0.4:9559", "more"]
        app = qi.Application(words, url="tcp://10.0.0.5:9559")
        self.assertEqual((app.url(), words), ("tcp://10.0.0.4:9559", ["script", "more"]))


@on_a_nao
class Scripts(Refusing):
    def ended(self, script: Any) -> str:
        said: str = script.communicate(timeout=90)[0]
        self.assertEqual(script.returncode, 0, said)
        return said

    def follows(self, watch: Watch, name: str, begin_ns: int, path: list[tuple[float, float]], since: float) -> None:
        """What was sent is on a polyline, from some time on."""
        samples = [it for it in watch.between(name, begin_ns, begin_ns + round(path[-1][0] * 1e9)) if it[0] >= since]
        # How many there are is for the machine to say; that none of a part of the way was seen would be no test.
        for part in range(4):
            begun, until = (since + (path[-1][0] - since) * it / 4 for it in (part, part + 1))
            self.assertTrue([it for it in samples if begun <= it[0] <= until], f"{name} from {begun} to {until}")
        for at, value in samples:
            self.assertAlmostEqual(value, straight(path, at), delta=NEAR, msg=f"{name} at {at}")

    def test_a_head_nods(self) -> None:
        with Watch(nao.robot, "HeadYaw", "HeadPitch") as watch:
            said = self.ended(nao.script("head_nod.py", "--ip", "127.0.0.1", "--port", "9559"))
        lines = said.splitlines()
        self.assertEqual(lines[0], "[1.0, 1.0]")
        yaw, pitch = (float(it) for it in lines[1].strip("[]").split(","))
        # 0.5 s at a tenth of HeadYaw's 8.27 rad/s are enough for 0.2 rad; HeadPitch was changed by 0.1.
        self.assertAlmostEqual(yaw, 0.5, delta=0.03)
        self.assertAlmostEqual(pitch, -0.1, delta=0.03)
        self.assertEqual(lines[2], "26 [-2.08567, 2.08567]")
        third = sorted(watch.commands["HeadYaw"])[2]
        begin = third - 1_800_000_000
        # Before the first key the head comes from where it was.
        self.follows(watch, "HeadYaw", begin, [(0.6, 0.6), (1.2, -0.6), (1.8, 0.0)], 0.6)
        self.follows(watch, "HeadPitch", begin, [(0.9, 0.25), (1.8, 0.0)], 0.9)

    def test_eyes_fade_while_it_speaks(self) -> None:
        eye = "Face/Led/Red/Right/45Deg"
        with Watch(nao.robot, eye) as watch:
            said = self.ended(nao.script("fade_and_say.py", DCM_RUN_ROBOT="nao"))
        self.assertIn("says: My battery has 90 percent", said)
        self.assertIn("2.55", said)
        # Half of a straight fade to 1 is 0.3 s before its end; the light has 64 levels.
        end = min(at for at, value in watch.commands[eye].items() if value == 1.0)
        near = [value for at, value in watch.between(eye, end - 400_000_000, end) if 0.05 < at < 0.15]
        self.assertTrue(near and all(0.35 < it < 0.62 for it in near), near)
        leds, memory = ALProxy("ALLeds"), ALProxy("ALMemory")
        self.assertEqual(memory.getData("ALTextToSpeech/CurrentSentence"), "My battery has 90 percent")
        self.assertEqual(leds.getIntensity("ChestLeds"), [0.0, 0.0, 1.0])
        self.assertTrue(all(abs(it - 0.5) < 0.05 for it in leds.getIntensity("LeftEarLeds")))
        self.assertEqual(set(leds.getIntensity("RightEarLeds")), {0.0})
        # LeftFaceLeds are (1, 0, 0.5) but for the first place; RightFaceLeds are green.
        self.assertEqual(set(leds.getIntensity("RightFaceLed1")), {0.0, 1.0})
        self.assertTrue(all(abs(it - 0.25) < 0.02 for it in leds.getIntensity("FaceLed0")))
        self.assertTrue(all(abs(a - b) < 0.02 for a, b in zip(leds.getIntensity("FaceLedLeft3"), (1.0, 0.0, 0.5))))

    def test_a_module_reacts_to_touch(self) -> None:
        script = nao.script("react_to_touch.py", DCM_RUN_ROBOT="nao")
        self.assertIn("subscribed ['ReactToTouch']", script.stdout.readline())
        memory = ALProxy("ALMemory")
        for sensor in ("Head/Touch/Front", "LHand/Touch/Back"):
            for value in ("1", "0"):
                nao.say("sim", "give", "--robot", "nao", sensor, value)
                # It does not listen while it speaks: without a voice that is a moment.
                time.sleep(0.7)
        nao.say("sim", "give", "--robot", "nao", "ChestBoard/Button", "1")
        said = self.ended(script)
        nao.say("sim", "give", "--robot", "nao", "ChestBoard/Button", "0")
        self.assertIn("says: My Head and Head/Touch/Front is touched", said)
        self.assertIn("says: My LArm and LHand/Touch/Back is touched", said)
        self.assertEqual(memory.getData("ReactToTouch/Over"), ["ChestButtonPressed", "ReactToTouch", 2])

    def test_an_export_of_choregraphe_is_played(self) -> None:
        motion = ALProxy("ALMotion", "127.0.0.1", 9559)
        names = ["HeadYaw", "HeadPitch", "LHand", "LHipYawPitch"]
        starts = dict(zip(names, motion.getAngles(names, False)))
        with Watch(nao.robot, *names) as watch:
            self.assertEqual(self.ended(nao.script("choregraphe_export.py")), "")
        # The lists of the script itself; RHipYawPitch has the motor of LHipYawPitch.
        lists: dict[str, Any] = {}
        text = (HERE / "nao_scripts" / "choregraphe_export.py").read_text(encoding="utf-8")
        exec(text.split("try:")[0], lists)
        for name, times, keys in zip(lists["names"], lists["times"], lists["keys"]):
            name = "LHipYawPitch" if name == "RHipYawPitch" else name
            begin = watch.last_ns(name) - round(times[-1] * 1e9)
            self.follows(watch, name, begin, drawn(starts[name], times, keys), 0.05)


@on_a_nao
class Motion(Refusing):
    def setUp(self) -> None:
        self.motion = ALProxy("ALMotion")
        self.motion.wakeUp()

    def test_names_of_chains(self) -> None:
        body = self.motion.getBodyNames("Body")
        self.assertEqual((len(body), body[0], body[8], body[14], body[25]),
                         (26, "HeadYaw", "LHipYawPitch", "RHipYawPitch", "RHand"))
        self.assertEqual(len(self.motion.getBodyNames("Joints")), 24)
        self.assertEqual(self.motion.getJointNames("Arms")[5:7], ["LHand", "RShoulderPitch"])
        self.assertEqual(self.motion.getBodyNames("Chains"), ["Head", "LArm", "LLeg", "RLeg", "RArm"])
        self.assertEqual(len(self.motion.getAngles(["Head", "LHand"], True)), 3)
        self.assertEqual([len(it) for it in self.motion.getLimits("Head")], [4, 4])
        self.assertIn("HeadYaw", self.refused("unknown-name", self.motion.getAngles, "HeadYam", True))
        self.refused("twice", self.motion.setAngles, ["Head", "HeadYaw"], [0.0] * 3, 0.1)
        self.refused("out-of-range", self.motion.setAngles, "HeadYaw", 0.0, 1.5)
        self.assertIn("HeadPitch", self.motion.getSummary())

    def test_relative_motions_and_ranges(self) -> None:
        self.motion.angleInterpolation("Head", [0.2, 0.1], 0.3, True)
        self.motion.angleInterpolation("HeadYaw", [0.1, -0.1], [0.3, 0.6], False)
        self.assertAlmostEqual(self.motion.getAngles("HeadYaw", False)[0], 0.1, 3)
        # Beyond the range it is the end of the range; faster than a joint can be, it waits for the joint.
        self.motion.angleInterpolation("HeadYaw", 3.0, 0.05, True)
        self.assertAlmostEqual(self.motion.getAngles("HeadYaw", False)[0], 2.08567, 2)
        self.motion.angleInterpolation("HeadYaw", 0.0, 0.6, True)

    def test_hands(self) -> None:
        self.motion.openHand("LHand")
        self.assertAlmostEqual(self.motion.getAngles("LHand", False)[0], 1.0, 2)
        self.motion.closeHand("LHand")
        self.assertAlmostEqual(self.motion.getAngles("LHand", False)[0], 0.0, 2)
        self.refused("unknown-name", self.motion.openHand, "LArm")

    def test_tasks_own_their_joints(self) -> None:
        first = self.motion.post.angleInterpolation("HeadYaw", 0.4, 0.8, True)
        until("it has begun", lambda: self.motion.getTaskList())
        self.assertEqual(self.motion.getTaskList(), [["angleInterpolation", first, ["HeadYaw"]]])
        self.assertFalse(self.motion.areResourcesAvailable(["Head"]))
        self.assertTrue(self.motion.areResourcesAvailable(["LArm"]))
        # Another motion of the same joint begins when this one has ended.
        second = self.motion.post.angleInterpolation("HeadYaw", 0.0, 0.3, True)
        self.motion.angleInterpolation("HeadPitch", 0.1, 0.2, True)
        self.assertTrue(self.motion.isRunning(first) and self.motion.isRunning(second))
        self.motion.wait(first, 0)
        self.assertAlmostEqual(self.motion.getAngles("HeadYaw", False)[0], 0.4, delta=0.1)
        self.motion.wait(second, 0)
        self.assertAlmostEqual(self.motion.getAngles("HeadYaw", False)[0], 0.0, 3)
        for end in [self.motion.killTask, self.motion.stop, lambda _: self.motion.killAll(),
                    lambda _: self.motion.killTasksUsingResources("Head")]:
            number = self.motion.post.angleInterpolation("HeadYaw", 2.0, 20.0, True)
            until("it has begun", lambda: self.motion.getTaskList())
            time.sleep(0.1)
            # One that still waits for its joints is ended as well.
            waits = self.motion.post.angleInterpolation("HeadYaw", 1.0, 0.1, True)
            if end in (self.motion.killTask, self.motion.stop):
                end(waits)
                self.assertEqual((self.motion.isRunning(waits), self.motion.isRunning(number)), (False, True))
            end(number)
            # When the call returns they have ended.
            self.assertEqual(self.motion.getTaskList(), [])
            self.assertFalse(self.motion.isRunning(number) or self.motion.isRunning(waits))
            self.assertTrue(self.motion.areResourcesAvailable(["Head"]))
        # What was sent without waiting ends as well.
        self.motion.setAngles("HeadYaw", -2.0, 0.01)
        self.motion.killAll()
        until("nothing waits", lambda: nao.robot.pending() == [])
        self.motion.waitUntilMoveIsFinished()

    def test_force_comes_and_goes(self) -> None:
        self.assertTrue(self.motion.robotIsWakeUp())
        self.motion.setStiffnesses(["LArm", "HeadYaw"], 0.5)
        self.motion.setStiffnesses(["RHipYawPitch", "HeadPitch"], [0.4, 0.3])
        self.assertEqual(self.motion.getStiffnesses(["LHand", "HeadYaw", "LHipYawPitch", "HeadPitch", "RHand"]),
                         [0.5, 0.5, 0.4, 0.3, 1.0])
        self.motion.rest()
        self.assertFalse(self.motion.robotIsWakeUp())
        self.assertEqual(set(self.motion.getStiffnesses("Body")), {0.0})
        with self.assertRaises(RobotError):
            self.motion.setAngles("HeadYaw", 0.2, 0.2)
        # Stiffness is what arms a NAO.
        self.motion.stiffnessInterpolation("Body", 1.0, 0.2)
        self.assertTrue(self.motion.robotIsWakeUp())
        self.assertEqual(set(self.motion.getStiffnesses("Body")), {1.0})

    def test_what_is_not_here_says_what_to_use(self) -> None:
        for absent, why in [("moveTo", "choreography"), ("walkTo", "choreography"), ("setPositions", "angles")]:
            self.assertIn(why, self.refused("not-here", getattr(self.motion, absent), 1, 0, 0))
        self.assertIn("balance", self.refused("not-here", self.motion.wbEnable, True))
        self.motion.wbEnable(False)
        with self.assertLogs("dcm_run", "WARNING"):
            self.motion.setFallManagerEnabled(True)
        self.assertNotIn("moveTo", self.motion.getMethodList())

    def test_postures(self) -> None:
        posture = ALProxy("ALRobotPosture")
        self.assertEqual(posture.getPostureList(), ["ArmsWide", "Crouch", "Stand", "StandInit", "StandZero"])
        self.assertTrue(posture.goToPosture("StandZero", 1.0))
        self.assertEqual((posture.getPosture(), posture.getPostureFamily()), ("StandZero", "Standing"))
        self.assertTrue(posture.goToPosture("Crouch", 1.0))
        self.assertEqual((posture.getPosture(), posture.getPostureFamily()), ("Crouch", "Crouching"))
        self.assertTrue(posture.applyPosture("StandInit", 1.0))
        self.assertEqual((posture.getPosture(), posture.getPostureFamily()), ("StandInit", "Standing"))
        self.assertIn("StandInit", self.refused("unknown-name", posture.goToPosture, "LyingBack", 0.5))
        number = posture.post.goToPosture("Crouch", 0.1)
        until("it has begun", lambda: self.motion.getTaskList())
        posture.stopMove()
        self.assertFalse(posture.isRunning(number))
        self.assertNotEqual(posture.getPosture(), "Crouch")


@on_a_nao
class Memory(Refusing):
    def test_events_are_listed_and_remembered(self) -> None:
        memory = ALProxy("ALMemory", "127.0.0.1", 9559)
        self.assertIn("FrontTactilTouched", memory.getEventList())
        memory.declareEvent("Game/Begin", "Game")
        memory.declareMicroEvent("Game/Tick")
        memory.setDescription("Game/Begin", "somebody begins")
        other = type(memory)(robot="nao")
        self.assertIn("Game/Begin", other.getEventList())
        self.assertEqual((other.getMicroEventList(), other.getExtractorEvent("Game")), (["Game/Tick"], ["Game/Begin"]))
        self.assertEqual(other.getDescriptionList(["Game/Begin", "Battery/Charge"]),
                         [["Game/Begin", "Event", "somebody begins"], ["Battery/Charge", "Data", ""]])
        self.assertEqual(memory.getDataList("ALMemory/"), [])
        for value in (1, "two"):
            memory.raiseEvent("Game/Begin", value)
        value, seconds, micros = memory.getTimestamp("Game/Begin")
        self.assertEqual(value, "two")
        self.assertAlmostEqual(seconds + micros / 1e6, time.time(), delta=5)
        history = other.getEventHistory("Game/Begin")
        self.assertEqual([it[0] for it in history], [1, "two"])
        self.assertAlmostEqual(history[1][1][0], seconds, delta=2)
        memory.removeMicroEvent("Game/Begin")
        self.assertNotIn("Game/Begin", memory.getEventList())

    def test_an_old_subscription_and_a_change(self) -> None:
        memory = ALProxy("ALMemory")
        told: list[Any] = []

        class Ears(ALModule):
            def heard(self, *what: Any) -> None:
                told.append(what)

            def brief(self, key: str) -> None:
                told.append((key,))

        ears = Ears("ears")
        self.assertIs(ALProxy("ears"), ears)
        memory.subscribeToEvent("Old/Event", "ears", "a message", "heard")
        memory.subscribeToEvent("Brief/Event", "ears", "brief")
        # Another proxy for the same robot knows of it.
        self.assertEqual(ALProxy("ALMemory").getSubscribers("Old/Event"), ["ears"])
        memory.raiseEvent("Old/Event", [1, 2])
        memory.raiseEvent("Brief/Event", 0)
        until("both were called", lambda: len(told) == 2)
        self.assertEqual(sorted(told, key=len), [("Brief/Event",), ("Old/Event", [1, 2], "a message")])
        ALProxy("ALMemory").unsubscribeToEvent("Old/Event", "ears")
        memory.unregisterModuleReference("ears")
        self.assertEqual(memory.getSubscribers("Brief/Event"), [])
        memory.insertData("Old/Value", 1)
        changed = qi.runAsync(memory.getDataOnChange, "Old/Value")
        time.sleep(0.1)
        memory.insertData("Old/Value", 2)
        self.assertEqual(changed.value(10_000), 2)

    def test_an_alias_with_an_unknown_member_fails(self) -> None:
        said = self.refused("unknown-name", DCMProxy(robot="nao").createAlias, ["Mine", ["HeadYaw", "HeadYam"]])
        self.assertIn("did you mean `HeadYaw`", said)

    def test_a_broker_says_which_robot(self) -> None:
        broker = ALBroker("myBroker", "0.0.0.0", 0, "127.0.0.1", 9559)
        self.assertIn("ALMotion", broker.getGlobalModuleList())
        self.assertIn("ALMemory", self.refused("not-here", ALProxy, "ALFancy"))
        self.assertEqual(ALProxy("DCM", broker).getBrokerName(), "nao")
        broker.shutdown()


@on_a_nao
class Sessions(Refusing):
    def test_services_of_a_session(self) -> None:
        session = qi.Session()
        self.assertFalse(session.isConnected())
        session.connect("tcp://127.0.0.1:9559")
        self.assertTrue(session.isConnected())
        self.assertIn("ALMotion", [it["name"] for it in session.services()])
        self.assertIn("ALVideoDevice", self.refused("not-here", session.service, "ALVideoDevice"))
        motion = session.service("ALMotion")
        motion.wakeUp()
        moved = motion.angleInterpolation("HeadYaw", 0.3, 0.3, True, _async=True)
        self.assertTrue(moved.isRunning())
        moved.value()
        self.assertAlmostEqual(motion.getAngles("HeadYaw", False)[0], 0.3, 3)
        moved = motion.angleInterpolation("HeadYaw", 2.0, 30.0, True, **{"async": True})
        until("it has begun", lambda: motion.getTaskList())
        time.sleep(0.1)
        moved.cancel()
        self.assertEqual(moved.wait(5000), qi.FutureState.Canceled)
        self.assertTrue(moved.isCanceled() and moved.isFinished())
        self.assertRaises(RuntimeError, moved.value)
        # What somebody else has ended was not cancelled, nor what cannot be ended.
        moved = motion.angleInterpolation("HeadYaw", 2.0, 30.0, True, _async=True)
        until("it has begun", lambda: motion.getTaskList())
        motion.killAll()
        self.assertEqual(moved.wait(5000), qi.FutureState.FinishedWithValue)
        asked = motion.getAngles("HeadYaw", False, _async=True)
        asked.cancel()
        self.assertEqual(asked.wait(5000), qi.FutureState.FinishedWithValue)
        self.assertTrue(motion.moveTo(1, 0, 0, _async=True).hasError())
        self.assertEqual(session.service("DCM").call("getPrefix")[0], "Device/SubDeviceList/")

    def test_events_are_signals(self) -> None:
        app = qi.Application(["script", "--qi-url", "tcp://127.0.0.1:9559"])
        app.start()
        memory = app.session.service("ALMemory")
        told: list[Any] = []
        subscriber = memory.subscriber("Signal/Came")
        link = subscriber.signal.connect(told.append)
        other = memory.subscriber("Signal/Came")
        other.signal.connect(lambda it: told.append(-it))
        for value in (1, 2):
            memory.raiseEvent("Signal/Came", value)
        until("both were called twice", lambda: sorted(told) == [-2, -1, 1, 2])
        subscriber.signal.disconnect(link)
        memory.raiseEvent("Signal/Came", 3)
        until("the other was called", lambda: -3 in told)
        self.assertNotIn(3, told)
        other.signal.disconnectAll()
        threading.Timer(0.2, app.stop).start()
        app.run()

    def test_own_services(self) -> None:
        class Adder:
            def add(self, a: int, b: int) -> int:
                return a + b

        session = qi.Session("tcp://127.0.0.1:9559")
        number = session.registerService("Adder", Adder())
        session.waitForService("Adder", 1000)
        self.assertEqual(session.service("Adder").add(1, 2, _async=True).value(), 3)
        session.unregisterService(number)
        self.refused("not-here", session.service, "Adder")
        session.close()


if __name__ == "__main__":
    unittest.main()
