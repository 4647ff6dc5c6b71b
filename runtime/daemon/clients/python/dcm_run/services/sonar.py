"""ALSonar: switches the ultrasound on while somebody has subscribed to it. Its values are keys of ALMemory.

The law: the trigger repeats while this program has a subscriber, and ends with the last, whichever proxy it used; as
in NAOqi, a program that ends without unsubscribing leaves it on.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

from ..errors import RobotError
from ..robot import Robot
from .obstacles import KEYS, Obstacles, event_names
from .service import Service

# Both sides, and again and again: the ultrasound's trigger as the DCM has it.
_ON = 12 + 64
_OFF = 0


class _Sonar:
    """The ultrasound of a robot, and who wants it."""

    def __init__(self, robot: Robot) -> None:
        # On a line of its own: what belongs to a robot must not keep it alive.
        self._robot = robot.another_line()
        self._obstacles = Obstacles(self._robot)
        self._lock = threading.Lock()
        self._subscribers: dict[str, list[Any]] = {}

    def subscribe(self, name: str, period: int, precision: float) -> None:
        with self._lock:
            self._trigger(_ON)
            self._subscribers[name] = [name, period, precision]
            self._obstacles.start()

    def unsubscribe(self, name: str) -> None:
        with self._lock:
            self._known(name)
            del self._subscribers[name]
            if not self._subscribers:
                self._obstacles.stop()
                self._trigger(_OFF)

    def subscriber(self, name: str) -> list[Any]:
        with self._lock:
            return self._known(name)

    def subscribers(self) -> list[list[Any]]:
        with self._lock:
            return [list(it) for it in self._subscribers.values()]

    def _known(self, name: str) -> list[Any]:
        if name not in self._subscribers:
            raise RobotError("not-found", f"`{name}` has not subscribed to the sonar",
                             "use the name of the subscription")
        return self._subscribers[name]

    def _trigger(self, value: int) -> None:
        now = int(self._robot.get("dcm/getTime", offset=0)["time"])
        self._robot.post("dcm/set", ["US/Actuator/Value", "ClearAll", [[value, now]]])


_known: weakref.WeakKeyDictionary[Robot, _Sonar] = weakref.WeakKeyDictionary()
_known_lock = threading.Lock()


def _sonar_of(robot: Robot) -> _Sonar:
    with _known_lock:
        found = _known.get(robot)
        if found is None:
            found = _known[robot] = _Sonar(robot)
        return found


class ALSonarProxy(Service):
    """The ultrasound, as in NAOqi's ALSonar."""

    def __init__(self, *where: Any, **named: Any) -> None:
        super().__init__(*where, **named)
        self._sonar = _sonar_of(self.robot)

    def subscribe(self, name: str, period: int = 100, precision: float = 0.0) -> None:
        """Switches the ultrasound on, for a subscriber of this name. The period is the robot's own."""
        self._sonar.subscribe(name, period, precision)

    def unsubscribe(self, name: str) -> None:
        """Ends a subscription; with the last one the ultrasound is switched off."""
        self._sonar.unsubscribe(name)

    def updatePeriod(self, name: str, period: int) -> None:
        """Keeps the period that a subscriber wants; the ultrasound has its own."""
        self._sonar.subscriber(name)[1] = period

    def updatePrecision(self, name: str, precision: float) -> None:
        """Keeps the precision that a subscriber wants."""
        self._sonar.subscriber(name)[2] = precision

    def getMyPeriod(self, name: str) -> int:
        """The period that a subscriber wants, ms."""
        return int(self._sonar.subscriber(name)[1])

    def getMyPrecision(self, name: str) -> float:
        """The precision that a subscriber wants."""
        return float(self._sonar.subscriber(name)[2])

    def getSubscribersInfo(self) -> list[list[Any]]:
        """The subscribers: `[[name, period, precision], ...]`."""
        return self._sonar.subscribers()

    def getCurrentPeriod(self) -> int:
        """The period of the measurements, ms."""
        return 100

    def getCurrentPrecision(self) -> float:
        """0: there is no such setting."""
        return 0.0

    def getOutputNames(self) -> list[str]:
        """The keys of the measured distances, m."""
        return list(KEYS.values())

    def getMemoryKeyList(self) -> list[str]:
        """As `getOutputNames`."""
        return self.getOutputNames()

    def getEventList(self) -> list[str]:
        """The events: an obstacle is nearer than 0.5 m, at the left or at the right, or it is no longer."""
        return event_names()
