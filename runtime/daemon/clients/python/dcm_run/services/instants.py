"""The robot's time, in ns, for motions that begin now.

Used by whoever sends timed motions. The law: a request of a few bytes asks for the DCM's clock of 32 bits; the upper
bits are those of the last full answer, so an instant is right if that answer is not older than three weeks.
"""

from __future__ import annotations

import time

from ..robot import Robot

_AROUND = 1 << 32
_MS = 1_000_000


class Instants:
    """The time of a robot."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._known: tuple[float, int] | None = None

    def now_ns(self) -> int:
        """The present instant."""
        if self._known is None:
            now = int(self._robot.state()["now_ns"])
        else:
            stamp = int(self._robot.get("dcm/getTime", offset=0)["time"])
            guess = self._known[1] // _MS + round((time.monotonic() - self._known[0]) * 1000)
            now = (guess + (stamp - guess + _AROUND // 2) % _AROUND - _AROUND // 2) * _MS
        self._known = (time.monotonic(), now)
        return now
