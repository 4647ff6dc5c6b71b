"""What all proxies have, as all modules of NAOqi have it."""

from __future__ import annotations

from typing import Any, Callable

from .address import named_by_naoqi
from .errors import RobotError
from .robot import Robot
from .tasks import Post, Tasks

_TOLD = "methods describe themselves in the way of Python"
_HELP = "`help(proxy)`, or `help(proxy.set)`; getMethodList has the names"


def absent(name: str, sentence: str, fix: str) -> Callable[..., Any]:
    """A method that NAOqi has and this robot has not: calling it says how the thing is done here."""

    def method(self: Proxy, *_arguments: Any, **_named: Any) -> Any:
        raise RobotError("not-here", f"there is no `{name}` here: {sentence}", fix)

    method.__name__ = name
    method.__doc__ = f"Not here: {sentence}."
    method.is_absent = True  # type: ignore[attr-defined]
    return method


class Proxy:
    """A module of NAOqi, as far as this robot has it.

    `ip` and `port` are given as to NAOqi; `robot` is a Robot, or what Robot takes. As with NAOqi, a proxy for a
    robot that is away cannot be made: many scripts find out that way.
    """

    def __init__(self, ip: str | None = None, port: int | None = None, *, robot: Robot | str | None = None,
                 token: str | None = None) -> None:
        if robot is not None and (ip is not None or port is not None):
            raise RobotError("where", "a robot is named twice, by `ip` and `port` and by `robot`", "give one of them")
        if isinstance(robot, Robot):
            if token is not None:
                raise RobotError("where", "a Robot has its own token", "give the token to Robot")
            self.robot = robot
        else:
            self.robot = Robot(robot if robot is not None else named_by_naoqi(ip, port), token)
        self._tasks = Tasks()
        self.post = Post(self, self._tasks)
        self.robot.hello()

    def ping(self) -> bool:
        """True; an error if the robot is away."""
        return bool(self.robot.get("dcm/ping"))

    def version(self) -> str:
        """The version of what runs on the robot."""
        return str(self.robot.get("dcm/version"))

    def getBrokerName(self) -> str:
        """The robot's name, by which it is found: here one process has all modules."""
        return str(self.robot.hello()["name"])

    def getMethodList(self) -> list[str]:
        """The methods that there are here."""
        found = {name: getattr(type(self), name) for name in dir(type(self)) if not name.startswith("_")}
        return sorted(name for name, it in found.items() if callable(it) and not hasattr(it, "is_absent"))

    def isRunning(self, id: int) -> bool:
        """Whether a call that was made by `post` is under way still."""
        return self._tasks.is_running(id)

    def wait(self, id: int, timeoutPeriod: int) -> bool:
        """Waits for a call that was made by `post`, at most so many ms, or for ever if 0. True if the time was over."""
        return self._tasks.wait(id, timeoutPeriod)

    getMethodHelp = absent("getMethodHelp", _TOLD, _HELP)
    getModuleHelp = absent("getModuleHelp", _TOLD, _HELP)
    getUsage = absent("getUsage", _TOLD, _HELP)
    pCall = absent("pCall", "it was how NAOqi 1 made any call by its name",
                   "`getattr(proxy, name)(...)`; `robot.post(path, body)` asks for whatever /api/v1 lists")
