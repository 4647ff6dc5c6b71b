"""The DCM: timed commands for actuators. "This joint, this value, at this time."

The names of arguments and methods are NAOqi's. The robot validates the lists, so its errors are the same for every
client.
"""

from __future__ import annotations

from typing import Any, Sequence

from . import clock
from .errors import RobotError
from .proxy import Proxy, absent


class DCMProxy(Proxy):
    """Timed commands, as in NAOqi's DCM."""

    def createAlias(self, alias: Sequence[Any]) -> list[Any]:
        """Gives a name to actuators: `["Name", ["key", ...]]`. Returns the same, with "" for unknown keys."""
        return list(self.robot.post("dcm/createAlias", alias, repeatable=True))

    def set(self, commands: Sequence[Any]) -> dict[str, int]:
        """Sends commands to an actuator, or to all members of an alias: `["key", "Merge", [[value, time], ...]]`.

        Returns the number of accepted `commands`, of those that arrived after their time (`late`), and of those that
        were clipped to their range (`clipped`). NAOqi returns nothing.
        """
        sent = list(commands)
        if len(sent) > 2:
            sent[2] = clock.commands(sent[2])
        return dict(self.robot.post("dcm/set", sent))

    def setAlias(self, alias: Any, time: int | None = None, values: Sequence[float] | None = None) -> dict[str, int]:
        """Sends commands to each member of an alias. With three arguments: one value for each, at one time.

        `["alias", kind, "time-mixed", [[[value, time], ...], ...]]`, or
        `["alias", kind, "time-separate", importance, [time, ...], [[value, ...], ...]]`, or `"alias", time, values`.
        """
        if (time is None) != (values is None) or (time is None and isinstance(alias, str)):
            raise RobotError("malformed", "an alias's name, a time and its values belong together",
                             "setAlias(name, time, values), or setAlias([name, kind, ...])")
        sent = list(alias) if time is None else [alias, clock.wrapped(time), values]
        if len(sent) > 3 and sent[2] == "time-mixed":
            each = sent[3]
            sent[3] = [clock.commands(it) for it in each] if isinstance(each, (list, tuple)) else each
        elif len(sent) > 4 and sent[2] == "time-separate":
            sent[4] = clock.times(sent[4])
        return dict(self.robot.post("dcm/setAlias", sent))

    def getTime(self, offset: int = 0) -> int:
        """The robot's time plus `offset` ms: a signed int of 32 bits, which wraps after 49.7 days."""
        return int(self.robot.get("dcm/getTime", offset=int(offset))["time"])

    def getPrefix(self) -> list[str]:
        """The prefixes of subdevices and of devices. They may be left out."""
        return list(self.robot.get("dcm/getPrefix")["prefix"])

    calibration = absent(
        "calibration", "a joint is calibrated while the loop is stopped, and the result is stored in a file",
        "`dcm-run wire calibrate FILE --joint NAME`")
    preferences = absent(
        "preferences", "a robot is described in its `robot.toml`",
        "edit that file; `dcm-run config check` reports every mistake")
    special = absent(
        "special", "boards cannot be reset or queried by hand while the body may move",
        "`dcm-run doctor` reports the state of the machine and its boards")
    stop = absent(
        "stop", "a sent request cannot be cancelled",
        "`set` with \"ClearAll\" and an empty list drops waiting commands; `robot.stop()` is the emergency stop")
    exit = absent(
        "exit", "a call of the DCM cannot end the robot's loop",
        "`dcm-run stop` stops the loop; `robot.retreat()` moves the body to its safe pose")
