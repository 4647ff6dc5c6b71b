"""The events that programs have declared, and descriptions of keys: what ALMemory knows about keys besides values.

Used by ALMemoryProxy. The law: what is declared is kept in the robot's memory, under marks of its own, so that every
program sees it; each mark is one key, so two programs that declare at once do not overwrite each other. Events that
were only raised are known to the program that raised them.
"""

from __future__ import annotations

from .errors import RobotError
from .robot import Robot

_EVENT = "ALMemory/Event/"
_MICRO = "ALMemory/MicroEvent/"
_ABOUT = "ALMemory/Description/"
# What the keys of the body's own events end with.
_OF_BODY = ("Touched", "Pressed")


class Declared:
    """Marks in the memory of a robot."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._raised: set[str] = set()

    @staticmethod
    def is_mark(key: str) -> bool:
        """Whether a key is a mark, which is not listed as a key."""
        return key.startswith((_EVENT, _MICRO, _ABOUT))

    def declare(self, name: str, extractor: str, *, is_micro: bool) -> None:
        """Marks an event."""
        self._write((_MICRO if is_micro else _EVENT) + name, extractor)

    def note(self, name: str) -> None:
        """Remembers that this program has raised an event."""
        self._raised.add(name)

    def remove(self, name: str) -> None:
        """Removes an event's marks, and its value if it has one."""
        self._raised.discard(name)
        for key in (_EVENT + name, _MICRO + name, _ABOUT + name, name):
            try:
                self._robot.post("memory/removeData", [key])
            except RobotError as error:
                # Few events have all of these.
                if error.code != "not-found":
                    raise

    def events(self) -> list[str]:
        """The events of the body, the declared ones, and those that this program has raised."""
        keys = self._keys("")
        declared = {it[len(_EVENT):] for it in keys if it.startswith(_EVENT)}
        of_body = {it for it in keys if it.endswith(_OF_BODY) and not self.is_mark(it)}
        return sorted(declared | of_body | self._raised)

    def micro_events(self) -> list[str]:
        """The declared micro-events."""
        return sorted(it[len(_MICRO):] for it in self._keys(_MICRO))

    def events_of(self, extractor: str) -> list[str]:
        """The events that were declared with the name of a module."""
        keys = self._keys(_EVENT)
        values = self._robot.post("memory/getListData", keys, repeatable=True)["values"]
        return [key[len(_EVENT):] for key, value in zip(keys, values) if value == extractor]

    def describe(self, name: str, text: str) -> None:
        """Describes a key."""
        self._write(_ABOUT + name, text)

    def description(self, name: str) -> str:
        """The description of a key; empty if there is none."""
        key = _ABOUT + name
        value = self._robot.post("memory/getListData", [key], repeatable=True)["values"][0]
        return value if isinstance(value, str) else ""

    def _write(self, key: str, text: str) -> None:
        self._robot.post("memory/insertListData", [[key, text]], repeatable=True)

    def _keys(self, begin: str) -> list[str]:
        keys = self._robot.get("memory/getDataList", filter=begin)["keys"]
        return [it for it in keys if it.startswith(begin)]
