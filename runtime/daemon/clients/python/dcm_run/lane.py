"""A lane of a client's own: its commands are not merged with those of others, and have a priority."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterable, Mapping

from .errors import RobotError
from .request import Request

if TYPE_CHECKING:
    from .robot import Robot


def _option(option: tuple[str, Any]) -> tuple[str, Any]:
    """An option as the robot names it: `fade_s=0.5` is its `fade-ns`."""
    name, value = option
    if name.endswith("_s"):
        name, value = f"{name[:-2]}_ns", _nanos(value)
    return name.replace("_", "-"), value


def _nanos(seconds: float) -> int:
    try:
        return round(seconds * 1e9)
    except (TypeError, ValueError, OverflowError) as error:
        raise RobotError("malformed", f"{seconds!r} is no time in s", "give a number") from error


class Lane:
    """A lane that this client has opened, by `Robot.lane`. It ends with the `with` block, or by `end()`.

    While it drives an actuator, lanes of lower priority do not; the one that all clients share has the priority 10. With
    a silence rule it ends when nothing was sent in it for so long: each request is a heartbeat, and so is `feed()`.
    """

    def __init__(self, robot: Robot, name: str, options: Mapping[str, Any]) -> None:
        self.robot = robot
        self.name = name
        robot.request("open-lane", lane=name, options=dict(_option(it) for it in options.items() if it[1] is not None))

    def __enter__(self) -> Lane:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.end()

    def set(self, values: Mapping[str, float], in_s: float = 0.0, *, merge: str = "clear-all") -> Request:
        """Sets actuators or aliases to values, all reached in this time, s."""
        taken = self.robot.request("move", to=list(values), values=list(values.values()), after_ns=_nanos(in_s),
                                   merge=merge, lane=self.name)
        return Request(self.robot, taken)

    def schedule(self, commands: Mapping[str, Iterable[tuple[float, float]]], *, start_ns: int | None = None,
                 merge: str = "clear-all") -> Request:
        """Sends a whole choreography, as `Robot.schedule` does."""
        return self.robot.schedule(commands, start_ns=start_ns, merge=merge, lane=self.name)

    def feed(self) -> dict[str, Any]:
        """A heartbeat. Returns how the lane stands."""
        return dict(self.robot.request("feed-lane", lane=self.name)[0])

    def tune(self, *, priority: float | None = None, weight: float | None = None) -> dict[str, Any]:
        """Changes its priority, its weight, or both."""
        return dict(self.robot.request("tune-lane", lane=self.name, priority=priority, weight=weight)[0])

    def end(self, ending: str | None = None) -> dict[str, Any]:
        """Ends it, as it declared, or in this way: `release`, `hold`, `safe-pose`. It may have ended already."""
        try:
            return dict(self.robot.request("end-lane", lane=self.name, ending=ending)[0])
        except RuntimeError as error:
            if getattr(error, "code", None) != "no-lane":
                raise
            return {"lane": self.name, "life": "gone"}
