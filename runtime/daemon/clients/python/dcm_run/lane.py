"""A lane of a client's own: its commands are not merged with those of others, and have a priority."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterable, Mapping
from urllib.parse import quote

from .request import Request

if TYPE_CHECKING:
    from .robot import Robot


class Lane:
    """A lane that this client has opened, by `Robot.lane`. It ends with the `with` block, or by `end()`.

    While it drives an actuator, lanes of lower priority do not; the one that all clients share has the priority 10. With
    a silence rule it ends when nothing was sent in it for so long: each request is a heartbeat, and so is `feed()`.
    """

    def __init__(self, robot: Robot, name: str, options: Mapping[str, Any]) -> None:
        self.robot = robot
        self.name = name
        self._path = f"lanes/{quote(name, safe='')}"
        robot.post("lanes", {"lane": name, **options})

    def __enter__(self) -> Lane:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.end()

    def set(self, values: Mapping[str, float], in_s: float = 0.0, *, merge: str = "clear-all") -> Request:
        """Sets actuators or aliases to values, all reached in this time, s."""
        sent = {"values": dict(values), "in_s": in_s, "merge": merge, "lane": self.name}
        return Request(self.robot, self.robot.post("body/set", sent))

    def schedule(self, commands: Mapping[str, Iterable[tuple[float, float]]], *, start_ns: int | None = None,
                 merge: str = "clear-all") -> Request:
        """Sends a whole choreography, as `Robot.schedule` does."""
        return self.robot.schedule(commands, start_ns=start_ns, merge=merge, lane=self.name)

    def feed(self) -> dict[str, Any]:
        """A heartbeat. Returns how the lane stands."""
        return dict(self.robot.post(f"{self._path}/feed"))

    def tune(self, *, priority: float | None = None, weight: float | None = None) -> dict[str, Any]:
        """Changes its priority, its weight, or both."""
        asked = {"priority": priority, "weight": weight}
        changed = {key: value for key, value in asked.items() if value is not None}
        return dict(self.robot.ask("PATCH", self._path, changed))

    def end(self, ending: str | None = None) -> dict[str, Any]:
        """Ends it, as it declared, or in this way: `release`, `hold`, `safe-pose`. It may have ended already."""
        query = "" if ending is None else f"?ending={quote(ending, safe='')}"
        try:
            return dict(self.robot.ask("DELETE", self._path + query))
        except RuntimeError as error:
            if getattr(error, "code", None) != "no-lane":
                raise
            return {"lane": self.name, "life": "gone"}
