"""The DCM: timed commands for actuators. "This joint, this value, at this time."

The names of arguments and methods are NAOqi's. The robot validates the lists, so its errors are the same for every
client.
"""

from __future__ import annotations

from typing import Any, Sequence
from urllib.parse import quote

from . import clock
from .errors import RobotError
from .proxy import Proxy, absent
from .request import Request


class DCMProxy(Proxy):
    """Timed commands, as in NAOqi's DCM."""

    def createAlias(self, alias: Sequence[Any]) -> list[Any]:
        """Gives a name to actuators: `["Name", ["key", ...]]`. Returns the same.

        Names of the robot's description, such as `ChestLeds`, may get other members, as on the NAO for all programs.
        NAOqi returns "" for each unknown key, and leaves it out. Who does not look at that moves fewer joints than
        meant, so here it is an error, and an alias of this name stays as it was.
        """
        if not isinstance(alias, (list, tuple)) or len(alias) != 2 or isinstance(alias[1], (str, bytes)):
            raise RobotError("malformed", f"{alias!r} is not an alias", 'give ["Name", ["key", ...]]')
        name, members = alias[0], list(alias[1])
        if not members:
            raise RobotError("malformed", f"the alias `{name}` has no members",
                             "give it one actuator or more, or remove it with `removeAlias`")
        return list(self.robot.post("dcm/createAlias", [name, members], repeatable=True))

    def removeAlias(self, name: str) -> None:
        """Removes an alias that a program has made. One of the description means again what it meant."""
        self.robot.ask("DELETE", f"dcm/aliases/{quote(name, safe='')}")

    def set(self, commands: Sequence[Any]) -> Request:
        """Sends commands to an actuator, or to all members of an alias: `["key", "Merge", [[value, time], ...]]`.

        Returns the number of accepted `commands`, of those that arrived after their time (`late`), and of those that
        were clipped to their range (`clipped`). NAOqi returns nothing. The answer's `wait()` and `cancel()` follow it.
        """
        sent = list(commands)
        if len(sent) > 2:
            sent[2] = clock.commands(sent[2])
        return Request(self.robot, self.robot.post("dcm/set", sent))

    def setAlias(self, alias: Any, time: int | None = None, values: Sequence[float] | None = None) -> Request:
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
        return Request(self.robot, self.robot.post("dcm/setAlias", sent))

    def getTime(self, offset: int = 0) -> int:
        """The robot's time plus `offset` ms: a signed int of 32 bits, which wraps after 49.7 days."""
        return int(self.robot.get("dcm/getTime", offset=int(offset))["time"])

    def getPrefix(self) -> list[str]:
        """The prefixes of subdevices and of devices. They may be left out."""
        return list(self.robot.get("dcm/getPrefix")["prefix"])

    def calibration(self, input: Sequence[Any]) -> list[Any]:
        """Says where a limp joint is now: `["key", "Manual", "InPosition", rad]`. Returns its calibration.

        Its zero moves at once, until the loop ends or `preferences("Save", "All", "", 0)` keeps it.
        """
        return list(self.robot.post("dcm/calibration", list(input)))

    def preferences(self, action: str, target: str, key: str = "", value: Any = 0.0) -> dict[str, Any]:
        """Tries a value (`"Add"`), keeps what is tried (`"Save"`), or takes it back (`"Load"`).

        `target` is `"Chest"`, `"Head"`, `"Main"`, `"All"` or `"Local"`: all mean this robot's local layer. `key` is one
        of the description or of NAO. Returns the `keys` that changed, and the `file` that was written.
        """
        return dict(self.robot.post("dcm/preferences", [action, target, key, value]))

    def special(self, command: str) -> Any:
        """Tells about the robot: `"Version"`, `"Chain"`, `"Diagnostic"`, `"Config"`. `"Reset"` is refused."""
        return self.robot.post("dcm/special", [command])

    def isRunning(self, id: int | Request) -> bool:
        """Whether commands of a request wait; of a call of `post`: whether the call is still in progress."""
        return id.is_running() if isinstance(id, Request) else super().isRunning(id)

    def wait(self, id: int | Request, timeoutPeriod: int = 0) -> bool:
        """Waits for the end of a request, or of a call of `post`, at most this many ms; 0: no limit. True after a timeout."""
        if isinstance(id, Request):
            return id.wait(timeoutPeriod / 1000 if timeoutPeriod > 0 else None) is None
        return super().wait(id, timeoutPeriod)

    def stop(self, id: Request) -> None:
        """Cancels a request: its commands that wait are removed, and its joints stop where they are."""
        if not isinstance(id, Request):
            raise RobotError("not-here", "a call of `post` cannot be stopped: it has sent its request already",
                             "stop what `set` or `setAlias` has returned; `robot.stop()` is the emergency stop")
        id.cancel()

    exit = absent(
        "exit", "a call of the DCM cannot end the robot's loop",
        "`dcm-run stop` stops the loop; `robot.retreat()` moves the body to its safe pose")
