"""What scripts for NAO expect of modules: unknown methods by name, `post` and `wait` on any proxy, getters."""

from __future__ import annotations

import sys
import threading
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from served import Nao, Refusing, on_a_nao, until  # noqa: E402

import qi  # noqa: E402
from dcm_run import RobotError  # noqa: E402
from dcm_run.services.motions import ENDS_WITHIN  # noqa: E402
from naoqi import ALModule, ALProxy  # noqa: E402

nao = Nao()
setUpModule, tearDownModule = nao.start, nao.end


@on_a_nao
class Methods(Refusing):
    def test_unknown_methods_fail_by_name(self) -> None:
        for name, said, near in [("ALMotion", "setAngle", "setAngles"), ("DCM", "setAllias", "setAlias"),
                                 ("ALMemory", "subscribeToEvents", "subscribeToEvent")]:
            proxy = ALProxy(name, "127.0.0.1", 9559)
            # As in NAOqi it is a RuntimeError, and `hasattr` works.
            with self.assertRaises(RuntimeError) as caught:
                getattr(proxy, said)("x")
            self.assertIn(f"{name} has no method `{said}` here; fix: did you mean `{near}`?", str(caught.exception))
            self.assertFalse(hasattr(proxy, said))
            self.assertRaises(RobotError, getattr, proxy.post, said)
        service = qi.Session("tcp://127.0.0.1:9559").service("ALMotion")
        self.assertIn("`fly`", self.refused("not-here", lambda: service.fly(1)))
        self.assertIn("`fly`", self.refused("not-here", service.call, "fly", 1))

    def test_any_proxy_waits_for_a_call(self) -> None:
        motion, other = ALProxy("ALMotion", "127.0.0.1", 9559), ALProxy("ALMotion", "127.0.0.1", 9559)
        motion.wakeUp()
        begin, number = time.monotonic(), motion.post.angleInterpolation("HeadYaw", 0.3, 1.5, True)
        self.assertTrue(other.isRunning(number))
        self.assertTrue(other.wait(number, 50))
        # Without a limit if none is given.
        self.assertFalse(other.wait(number))
        self.assertGreater(time.monotonic() - begin, 1.5)
        number = motion.post.angleInterpolation("HeadYaw", 0.0, 20.0, True)
        until("it has begun", lambda: motion.getTaskList())
        other.stop(number)
        self.assertFalse(motion.isRunning(number))

    def test_calls_of_one_proxy_are_made_in_order(self) -> None:
        leds = ALProxy("ALLeds", "127.0.0.1", 9559)
        for _ in range(10):
            first, last = leds.post.fadeRGB("FaceLed0", 0xFFFFFF, 0.05), leds.post.fadeRGB("FaceLed0", 0, 0.08)
            leds.wait(first), leds.wait(last)
            self.assertEqual(set(leds.getIntensity("FaceLed0")), {0.0})

    def test_lights_are_no_tasks_of_motion(self) -> None:
        motion, leds = ALProxy("ALMotion", "127.0.0.1", 9559), ALProxy("ALLeds", "127.0.0.1", 9559)
        motion.wakeUp()
        number = leds.post.fadeRGB("FaceLeds", "blue", 30.0)
        self.assertEqual(motion.getTaskList(), [])
        moves = motion.post.angleInterpolation("HeadYaw", 1.0, 20.0, True)
        motion.killAll()
        self.assertFalse(motion.isRunning(moves))
        self.assertTrue(leds.isRunning(number))
        self.assertTrue(nao.robot.pending("Face/Led/Blue/Left/45Deg"))
        leds.stop(number)
        self.assertFalse(leds.isRunning(number))

    def test_a_method_of_the_script_goes_on_after_its_motion(self) -> None:
        class Behaviour(ALModule):
            def work(self) -> None:
                motion.angleInterpolation("HeadYaw", 1.0, 20.0, True)
                over.wait(30)

        motion, over, behaviour = ALProxy("ALMotion", "127.0.0.1", 9559), threading.Event(), Behaviour("behaviour")
        self.addCleanup(behaviour.exit)
        self.addCleanup(over.set)
        motion.wakeUp()
        number = behaviour.post.work()
        until("it has begun", lambda: motion.getTaskList())
        begin = time.monotonic()
        motion.killAll()
        self.assertEqual(motion.getTaskList(), [])
        # Its own end is not waited for.
        self.assertLess(time.monotonic() - begin, ENDS_WITHIN)
        self.assertTrue(behaviour.isRunning(number))
        over.set()
        self.assertFalse(behaviour.wait(number, 5000))

    def test_waking_up_ends_as_a_whole(self) -> None:
        motion = ALProxy("ALMotion", "127.0.0.1", 9559)
        motion.wakeUp()
        ALProxy("ALRobotPosture", "127.0.0.1", 9559).goToPosture("Crouch", 1.0)
        # Its second part would be the motion to a pose.
        number = motion.post.wakeUp()
        until("it has begun", lambda: motion.getTaskList())
        self.assertEqual(motion.getTaskList()[0][:2], ["stiffnessInterpolation", number])
        motion.killAll()
        self.assertEqual((motion.getTaskList(), motion.isRunning(number)), ([], False))

    def test_what_is_not_here_is_off(self) -> None:
        motion = ALProxy("ALMotion", "127.0.0.1", 9559)
        self.assertIs(motion.getFallManagerEnabled(), False)
        self.assertIs(motion.getBreathEnabled("Body"), False)
        self.assertEqual(motion.getWalkArmsEnabled(), [False, False])
        self.assertIn("setStiffnesses", self.refused("not-here", motion.wakeUp, "LArm"))
        self.assertIn("setStiffnesses", self.refused("not-here", motion.rest, "LArm"))

    def test_a_module_of_the_script(self) -> None:
        class Slow(ALModule):
            def work(self) -> None:
                over.wait(30)

        over, slow = threading.Event(), Slow("slow")
        self.addCleanup(slow.exit)
        begin, number = time.monotonic(), ALProxy("slow").post.work()
        session = qi.Session("tcp://127.0.0.1:9559")
        future = session.service("slow").work(_async=True)
        # Nothing waits for a method of the script itself.
        self.assertLess(time.monotonic() - begin, 10)
        self.assertTrue(slow.isRunning(number) and future.isRunning())
        over.set()
        self.assertFalse(slow.wait(number))
        self.assertIsNone(future.value())


if __name__ == "__main__":
    unittest.main()
