"""ALSonar: switches the ultrasound on while somebody has subscribed to it. Its values are keys of ALMemory.

The law: the trigger repeats while this program has a subscriber, and ends with the last; as in NAOqi, a program that
ends without unsubscribing leaves it on.
"""

from __future__ import annotations

import threading
from typing import Any

from ..errors import RobotError
from .service import Service

# Both sides, and again and again: the ultrasound's trigger as the DCM has it.
_ON = 12 + 64
_OFF = 0
_KEYS = [f"Device/SubDeviceList/US/{side}/Sensor/Value" for side in ("Left", "Right")]

_lock = threading.Lock()


class ALSonarProxy(Service):
    """The ultrasound, as in NAOqi's ALSonar."""

    def __init__(self, *where: Any, **named: Any) -> None:
        super().__init__(*where, **named)
        self._subscribers: dict[str, list[Any]] = {}

    def subscribe(self, name: str, period: int = 100, precision: float = 0.0) -> None:
        """Switches the ultrasound on, for a subscriber of this name. The period is the robot's own."""
        with _lock:
            self._trigger(_ON)
            self._subscribers[name] = [name, period, precision]

    def unsubscribe(self, name: str) -> None:
        """Ends a subscription; with the last one the ultrasound is switched off."""
        with _lock:
            if self._subscribers.pop(name, None) is None:
                raise RobotError("not-found", f"`{name}` has not subscribed to the sonar",
                                 "use the name of the subscription, on the same proxy")
            if not self._subscribers:
                self._trigger(_OFF)

    def getSubscribersInfo(self) -> list[list[Any]]:
        """The subscribers: `[[name, period, precision], ...]`."""
        with _lock:
            return list(self._subscribers.values())

    def getCurrentPeriod(self) -> int:
        """The period of the measurements, ms."""
        return 100

    def getCurrentPrecision(self) -> float:
        """0: there is no such setting."""
        return 0.0

    def getOutputNames(self) -> list[str]:
        """The keys of the measured distances, m."""
        return list(_KEYS)

    def getEventList(self) -> list[str]:
        """None: read the keys of `getOutputNames` by ALMemory."""
        return []

    def _trigger(self, value: int) -> None:
        now = int(self.robot.get("dcm/getTime", offset=0)["time"])
        self.robot.post("dcm/set", ["US/Actuator/Value", "ClearAll", [[value, now]]])
