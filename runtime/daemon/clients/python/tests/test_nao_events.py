"""What scripts for NAO expect of ALSonar and of events, on a simulated one that has something in front of it."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from served import Nao, Refusing, on_a_nao, until  # noqa: E402

import qi  # noqa: E402
import qi.logging  # noqa: E402
from naoqi import ALModule, ALProxy  # noqa: E402

nao = Nao()
setUpModule, tearDownModule = nao.start, nao.end


class Logs(unittest.TestCase):
    def test_the_log_is_a_module_too(self) -> None:
        self.assertIs(qi.logging.Logger, qi.Logger)
        with self.assertLogs("game", "INFO") as caught:
            qi.logging.getLogger("game").info("it", "begins")
        self.assertEqual(caught.output, ["INFO:game:it begins"])


@on_a_nao
class Events(Refusing):
    def setUp(self) -> None:
        self.memory = ALProxy("ALMemory", "127.0.0.1", 9559)

    def test_the_sonar_tells_of_obstacles(self) -> None:
        sonar, other = ALProxy("ALSonar", "127.0.0.1", 9559), ALProxy("ALSonar", "127.0.0.1", 9559)
        told: list[Any] = []
        for name in sonar.getEventList():
            subscriber = self.memory.subscriber(name)
            subscriber.signal.connect(lambda value, name=name: told.append((name, round(value, 2))))
            self.addCleanup(subscriber.signal.disconnectAll)
        sonar.subscribe("game")
        until("both sides were told", lambda: len(told) == 2)
        self.assertEqual(sorted(told), [("SonarLeftNothingDetected", 2.55), ("SonarRightNothingDetected", 2.55)])
        nao.say("sim", "give", "--robot", "nao", "US/Left", "0.3")
        until("the left side was told", lambda: len(told) == 3)
        nao.say("sim", "give", "--robot", "nao", "US/Left", "1.5")
        until("it was told again", lambda: len(told) == 4)
        self.assertEqual(told[2:], [("SonarLeftDetected", 0.3), ("SonarLeftNothingDetected", 1.5)])
        self.assertAlmostEqual(self.memory.getData("SonarLeftDetected"), 0.3, 2)
        # Subscriptions belong to the module, not to a proxy.
        other.subscribe("other", 200, 0.5)
        other.updatePeriod("game", 50)
        self.assertEqual(sonar.getSubscribersInfo(), [["game", 50, 0.0], ["other", 200, 0.5]])
        self.assertEqual((sonar.getMyPeriod("other"), sonar.getMyPrecision("other")), (200, 0.5))
        for name in ("game", "other"):
            other.unsubscribe(name)
        self.assertEqual(self.memory.getData("US/Actuator/Value"), 0)
        self.refused("not-found", sonar.unsubscribe, "game")

    def test_a_module_hears_a_touch_by_each_of_its_events(self) -> None:
        class Ears(ALModule):
            def all(self, event: str, value: Any) -> None:
                told.append((event, [it[:2] for it in value]))

            def one(self, event: str, value: Any) -> None:
                told.append((event, value))

            def other(self, event: str) -> None:
                told.append(("other", event))

        def heard(event: str, value: int, *wanted: Any) -> None:
            told.clear()
            nao.say("sim", "give", "--robot", "nao", single[event], str(value))
            until("it is touched", lambda: self.memory.getData(event) == value)
            # Events come in their order, so after this one nothing else does.
            self.memory.raiseEvent("Ears/Over", value)
            until("the end was told", lambda: ("Ears/Over", value) in told)
            self.assertEqual(sorted(told[:-1], key=str), sorted(wanted, key=str), event)

        told: list[Any] = []
        ears = Ears("ears")
        self.addCleanup(ears.exit)
        self.addCleanup(self.memory.unregisterModuleReference, "ears")
        single = {"FrontTactilTouched": "Head/Touch/Front", "MiddleTactilTouched": "Head/Touch/Middle",
                  "HandLeftBackTouched": "LHand/Touch/Back", "LeftBumperPressed": "LFoot/Bumper/Left"}
        part = {"Head/Touch/Front": "Head", "Head/Touch/Middle": "Head", "LHand/Touch/Back": "LArm"}
        # Some before the event for all, some after it.
        for event in [*list(single)[:2], "TouchChanged", *list(single)[2:], "Ears/Over"]:
            self.memory.subscribeToEvent(event, "ears", "all" if event == "TouchChanged" else "one")
        subscriber = self.memory.subscriber("FrontTactilTouched")
        subscriber.signal.connect(lambda value: told.append(("signal", value)))
        self.addCleanup(subscriber.signal.disconnectAll)
        self.assertIn("ears", self.memory.getSubscribers("FrontTactilTouched"))
        self.assertEqual(self.memory.getSubscribers("TouchChanged"), ["ears"])
        self.assertEqual(self.memory.getSubscribers("RearTactilTouched"), [])
        for value in (1, 0):
            for event, sensor in single.items():
                where = [[part.get(sensor, "LLeg"), value == 1], [sensor.replace("Bumper/Left", "Bumper"), value == 1]]
                signal = [("signal", value)] if "Front" in event else []
                heard(event, value, (event, value), ("TouchChanged", where), *signal)
        subscriber.signal.disconnectAll()
        # Without one of the two the other goes on.
        self.memory.unsubscribeToEvent("FrontTactilTouched", "ears")
        heard("FrontTactilTouched", 1, ("TouchChanged", [["Head", True], ["Head/Touch/Front", True]]))
        self.refused("not-found", self.memory.unsubscribeToEvent, "FrontTactilTouched", "ears")
        self.memory.unsubscribeToEvent("TouchChanged", "ears")
        self.refused("not-found", self.memory.unsubscribeToEvent, "TouchChanged", "ears")
        heard("FrontTactilTouched", 0)
        heard("MiddleTactilTouched", 1, ("MiddleTactilTouched", 1))
        # A module has one subscription to an event: its name and the module's are all that ends it.
        self.memory.subscribeToEvent("MiddleTactilTouched", "ears", "other")
        heard("MiddleTactilTouched", 0, ("other", "MiddleTactilTouched"))
        self.memory.unsubscribeToEvent("MiddleTactilTouched", "ears")
        heard("MiddleTactilTouched", 1)
        heard("MiddleTactilTouched", 0)

    def test_a_session_tells_of_its_acts(self) -> None:
        class Adder:
            @qi.bind(qi.Double, [qi.Double, qi.UInt64])
            def add(self, a: float, b: int) -> float:
                return a + b

        session, told = qi.Session(), []
        session.connected.connect(lambda: told.append("connected"))
        session.disconnected.connect(lambda why: told.append("disconnected"))
        session.serviceRegistered.connect(lambda number, name: told.append(name))
        session.serviceUnregistered.connect(lambda number, name: told.append(f"no {name}"))
        session.connect("tcp://127.0.0.1:9559")
        session.registerService("Adder", Adder())
        self.assertEqual(session.service("Adder").add(0.5, 2), 2.5)
        session.close()
        session.close()
        self.assertEqual(told, ["connected", "Adder", "no Adder", "disconnected"])

    def test_events_are_removed(self) -> None:
        self.memory.declareEvent("Game/Over", "Game")
        self.memory.raiseEvent("Game/Over", 1)
        self.memory.removeEvent("Game/Over", "Game")
        self.assertNotIn("Game/Over", self.memory.getEventList())
        self.refused("unknown-name", self.memory.getData, "Game/Over")


if __name__ == "__main__":
    unittest.main()
