"""A request to move that the robot has accepted: what `DCM.set`, `setAlias` and `Robot.schedule` return."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from .errors import RobotError

if TYPE_CHECKING:
    from .robot import Robot

# How often `wait` asks, s. It does not let the robot wait, because other threads may use the same connection.
INTERVAL = 0.02
# How long it waits for a robot that does not answer, s.
PATIENCE = 10.0


class Request(dict[str, Any]):
    """The robot's answer, a dict: `commands`, `late`, `clipped` and more, and `ticket`, the request's number.

    Its methods ask what becomes of it. How it ended is a word: `arrived`; `clipped` if values were clipped to their
    range; `missed` if the body followed no commands meanwhile, as in a hold; `cancelled`; `cleared` by another request,
    whose number is `by`; `dropped` if its joint was made limp; `unknown` if it ended so long ago that the robot has
    forgotten it, or if 2,048 others were on their way when it came (`followed` is False then).
    """

    def __init__(self, robot: Robot, answer: dict[str, Any]) -> None:
        super().__init__(answer)
        self._robot = robot

    def progress(self) -> dict[str, Any]:
        """How far it is: `commands`, `waiting`, `executed`, and `end` when it has ended."""
        return dict(self._robot.request("progress", tickets=[self["ticket"]], repeatable=True)[0])

    def is_running(self) -> bool:
        """Whether commands of it wait."""
        return "end" not in self.progress()

    def wait(self, timeout: float | None = None) -> str | None:
        """Waits until it has ended, at most `timeout` s. Returns how it ended; None after a timeout."""
        until = None if timeout is None else time.monotonic() + timeout
        lost: float | None = None
        while True:
            try:
                end = self.progress().get("end")
                lost = None
            except RobotError as error:
                # The robot's server may be starting again.
                lost = lost or time.monotonic()
                if error.code != "away" or time.monotonic() > lost + PATIENCE:
                    raise
                end = None
            if end is not None:
                return str(end)
            if until is not None and time.monotonic() >= until:
                return None
            time.sleep(INTERVAL)

    def cancel(self) -> dict[str, Any]:
        """Removes those of its commands that wait: its joints stop where they are. Returns its progress."""
        return dict(self._robot.request("cancel", ticket=self["ticket"])[0])
