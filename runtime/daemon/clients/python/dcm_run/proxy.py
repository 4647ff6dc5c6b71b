"""The base class of all proxies: the methods that every module of NAOqi has."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Callable

from .address import named_by_naoqi
from .errors import NoSuchMethod, RobotError
from .robot import Robot
from .tasks import Post, Tasks

_TOLD = "the methods have docstrings"
_HELP = "use `help(proxy)` or `help(proxy.set)`; getMethodList has the names"


def absent(name: str, sentence: str, fix: str) -> Callable[..., Any]:
    """A method of NAOqi that is not supported: it raises an error that says what to use instead."""

    def method(self: Proxy, *_arguments: Any, **_named: Any) -> Any:
        raise RobotError("not-here", f"there is no `{name}` here: {sentence}", fix)

    method.__name__ = name
    method.__doc__ = f"Not supported: {sentence}."
    method.is_absent = True  # type: ignore[attr-defined]
    return method


class Proxy:
    """A module of NAOqi, as far as it is supported.

    `ip` and `port` are as in NAOqi; `robot` is a Robot, or an argument of Robot. As in NAOqi, the constructor fails if
    the robot cannot be reached: many scripts rely on that.
    """

    def __init__(self, ip: str | None = None, port: int | None = None, *, robot: Robot | str | None = None,
                 token: str | None = None) -> None:
        if robot is not None and (ip is not None or port is not None):
            raise RobotError("where", "both `ip` or `port` and `robot` are given", "give one of them")
        if isinstance(robot, Robot):
            if token is not None:
                raise RobotError("where", "a Robot has its own token", "give the token to Robot")
            self.robot = robot
        else:
            self.robot = Robot(robot if robot is not None else named_by_naoqi(ip, port), token)
        self._tasks = Tasks()
        self.post = Post(self, self._tasks)
        self.robot.hello()

    if not TYPE_CHECKING:  # A checker of types shall still find wrong names.

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or name in ("robot", "post"):
                raise AttributeError(name)
            near = difflib.get_close_matches(name, self.getMethodList(), 1, 0.8)
            raise NoSuchMethod("not-here", f"{type(self).__name__.removesuffix('Proxy')} has no method `{name}` here",
                               f"did you mean `{near[0]}`?" if near else "getMethodList() has the names")

    def ping(self) -> bool:
        """True; an error if the robot cannot be reached."""
        return bool(self.robot.get("dcm/ping"))

    def version(self) -> str:
        """The version of the program on the robot."""
        return str(self.robot.get("dcm/version"))

    def getBrokerName(self) -> str:
        """The robot's name. One process has all modules."""
        return str(self.robot.hello()["name"])

    def getMethodList(self) -> list[str]:
        """The supported methods."""
        found = {name: getattr(type(self), name) for name in dir(type(self)) if not name.startswith("_")}
        return sorted(name for name, it in found.items() if callable(it) and not hasattr(it, "is_absent"))

    def isRunning(self, id: int) -> bool:
        """Whether a call of `post` is still in progress."""
        return self._tasks.is_running(id)

    def wait(self, id: int, timeoutPeriod: int = 0) -> bool:
        """Waits for a call of `post`, at most this many ms; 0: no limit. True after a timeout."""
        return self._tasks.wait(id, timeoutPeriod)

    getMethodHelp = absent("getMethodHelp", _TOLD, _HELP)
    getModuleHelp = absent("getModuleHelp", _TOLD, _HELP)
    getUsage = absent("getUsage", _TOLD, _HELP)
    pCall = absent("pCall", "it is NAOqi 1's call of a method by its name",
                   "use `getattr(proxy, name)(...)`; `robot.post(path, body)` sends any request of /api/v2")
