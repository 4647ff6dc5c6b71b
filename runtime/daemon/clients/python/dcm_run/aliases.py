"""Aliases of a program: checked before they are made, and NAOqi's names of groups may have other members.

Used by DCMProxy. The law: an alias whose members are not all known is not made, and one of the same name stays as it
was. The robot keeps the names of its description, so one of them gets its new members under a name of its own there,
which the calls of this program mean from then on.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any, Sequence

from .errors import RobotError
from .robot import Robot

# The names on the robot: an alias to try members with, and what the new ones of the description's names begin with.
_TRIAL = "client/"


class Aliases:
    """The aliases that this program has made on a robot."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._names: dict[str, str] = {}

    def make(self, robot: Robot, alias: Sequence[Any]) -> list[Any]:
        """Makes an alias, or gives it other members. Returns it as the robot knows it, with the program's name."""
        if not isinstance(alias, (list, tuple)) or len(alias) != 2 or isinstance(alias[1], (str, bytes)):
            raise RobotError("malformed", f"{alias!r} is not an alias", 'give ["Name", ["key", ...]]')
        name, members = alias[0], list(alias[1])
        if not members:
            raise RobotError("malformed", f"the alias `{name}` has no members", "give it one actuator or more")
        with self._lock:
            answer = _post(robot, _TRIAL, members)
            unknown = [said for said, known in zip(members, answer[1]) if not known]
            if unknown:
                raise RobotError("unknown-name", f"this robot has no actuator `{unknown[0]}` for the alias `{name}`",
                                 _instead(robot, unknown[0]))
            try:
                answer = _post(robot, self._names.get(name, name), members)
            except RobotError as error:
                # A key, and any name that the robot refuses for another reason, stays as it is.
                if error.code != "taken" or "/" in name or name in robot.state()["actuators"]:
                    raise
                answer = _post(robot, _TRIAL + name, members)
                self._names[name] = _TRIAL + name
        return [name, *answer[1:]]

    def name(self, said: Any) -> Any:
        """The name on the robot."""
        with self._lock:
            return self._names.get(said, said) if isinstance(said, str) else said


def _post(robot: Robot, name: Any, members: Sequence[Any]) -> list[Any]:
    return list(robot.post("dcm/createAlias", [name, list(members)], repeatable=True))


def _instead(robot: Robot, name: Any) -> str:
    """What the robot proposes for an unknown name."""
    try:
        robot.get("find", name=name)
    except RobotError as error:
        if error.fix:
            return error.fix
    return "ALMemory's getDataList(\"Actuator/Value\") has the names"


_known: weakref.WeakKeyDictionary[Robot, Aliases] = weakref.WeakKeyDictionary()
_known_lock = threading.Lock()


def aliases_of(robot: Robot) -> Aliases:
    """The aliases of a robot, which its proxies share."""
    with _known_lock:
        found = _known.get(robot)
        if found is None:
            found = _known[robot] = Aliases()
        return found
