"""NAOqi's events of the ultrasound, which the robot does not raise itself: something is near, or nothing is.

Used by ALSonar. The law: each side is told once when somebody begins to look, and then when it changes. The value is
the distance, m.
"""

from __future__ import annotations

import logging
import threading

from ..robot import Robot

KEYS = {side: f"Device/SubDeviceList/US/{side}/Sensor/Value" for side in ("Left", "Right")}
# What is nearer is an obstacle, m.
NEAR = 0.5
# How often it looks, s.
LOOK = 0.1

_log = logging.getLogger("dcm_run")


def _event(side: str, is_near: bool) -> str:
    return f"Sonar{side}{'' if is_near else 'Nothing'}Detected"


def event_names() -> list[str]:
    """The names of all events."""
    return [_event(side, is_near) for side in KEYS for is_near in (True, False)]


class Obstacles:
    """Looks at the distances on a thread, and raises events."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._is_over: threading.Event | None = None

    def start(self) -> None:
        """Begins to look, if it does not already."""
        if self._is_over is None:
            self._is_over = threading.Event()
            threading.Thread(target=self._run, args=(self._is_over,), name="dcm_run.sonar", daemon=True).start()

    def stop(self) -> None:
        """Looks no longer."""
        if self._is_over is not None:
            self._is_over.set()
            self._is_over = None

    def _run(self, is_over: threading.Event) -> None:
        line = self._robot.another_line()
        told: dict[str, bool] = {}
        try:
            while not is_over.wait(LOOK):
                try:
                    self._look(line, told)
                except Exception as error:  # Whatever comes instead of an answer: the robot is asked again.
                    _log.warning("sonar: %s", error)
                    is_over.wait(1.0)
        finally:
            line.close()

    @staticmethod
    def _look(line: Robot, told: dict[str, bool]) -> None:
        values = line.post("memory/getListData", list(KEYS.values()), repeatable=True)["values"]
        for side, value in zip(KEYS, values):
            # Nothing is measured yet.
            if not isinstance(value, (int, float)) or value <= 0:
                continue
            is_near = value < NEAR
            if told.get(side) is not is_near:
                line.post("memory/raiseEvent", [_event(side, is_near), value])
                told[side] = is_near
