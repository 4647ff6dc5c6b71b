"""The DCM: timed commands for actuators. "This joint, this value, at this time."

Names of arguments and methods are NAOqi's; the robot judges what is in the lists, so that its errors are the same
for every client.
"""

from __future__ import annotations

from typing import Any, Sequence

from . import clock
from .errors import RobotError
from .proxy import Proxy, absent


class DCMProxy(Proxy):
    """Timed commands, as by NAOqi's DCM."""

    def createAlias(self, alias: Sequence[Any]) -> list[Any]:
        """Gives a name to actuators: `["Name", ["key", ...]]`. The same comes back, with "" for what is not there."""
        return list(self.robot.post("dcm/createAlias", alias, repeatable=True))

    def set(self, commands: Sequence[Any]) -> dict[str, int]:
        """Commands for an actuator, or the same ones for all of an alias: `["key", "Merge", [[value, time], ...]]`.

        NAOqi returned nothing. Here it tells how many `commands` were taken, how many came after their time
        (`late`), and how many were brought into their range (`clipped`).
        """
        sent = list(commands)
        if len(sent) > 2:
            sent[2] = clock.commands(sent[2])
        return dict(self.robot.post("dcm/set", sent))

    def setAlias(self, alias: Any, time: int | None = None, values: Sequence[float] | None = None) -> dict[str, int]:
        """Commands for each member of an alias; three arguments: one value for each, at one time.

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
        """The robot's time and so many ms: an int of 32 bits with a sign, which wraps after 49.7 days."""
        return int(self.robot.get("dcm/getTime", offset=int(offset))["time"])

    def getPrefix(self) -> list[str]:
        """What the names of subdevices, and those of devices, begin with. They may be left out."""
        return list(self.robot.get("dcm/getPrefix")["prefix"])

    calibration = absent(
        "calibration", "a joint is calibrated while its robot rests, and the result is kept in a file",
        "`dcm-run wire calibrate FILE --joint NAME`")
    preferences = absent(
        "preferences", "what a robot is made of is written in its description, `robot.toml`",
        "edit that file; `dcm-run config check` tells every mistake in it")
    special = absent(
        "special", "boards are not reset or asked by hand while the body may move",
        "`dcm-run doctor` says how the machine and its boards are")
    stop = absent(
        "stop", "a request that is on its way cannot be called back",
        "`set` with \"ClearAll\" and an empty list takes commands back; `robot.stop()` is the emergency stop")
    exit = absent(
        "exit", "a client cannot end the robot's loop by its DCM",
        "`dcm-run stop` stops the loop softly; `robot.retreat()` brings the body to rest")
