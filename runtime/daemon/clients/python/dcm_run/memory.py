"""ALMemory: the robot's values by key, such as sensors; values that programs share; and events."""

from __future__ import annotations

import time
from typing import Any, Callable, Sequence

from .declared import Declared
from .proxy import Proxy, absent
from .robot import Robot
from .subscriber import Subscriber
from .subscriptions import subscriptions_of

# How often `getDataOnChange` looks, s.
LOOK = 0.02


class ALMemoryProxy(Proxy):
    """Values by key, as in NAOqi's ALMemory."""

    def __init__(self, ip: str | None = None, port: int | None = None, *, robot: Robot | str | None = None,
                 token: str | None = None) -> None:
        super().__init__(ip, port, robot=robot, token=token)
        self._subscriptions = subscriptions_of(self.robot)
        self._declared = Declared(self.robot)

    def getData(self, key: str, ignored: int = 0) -> Any:
        """The value of a key; None if there is none now. The second argument is for old scripts, and has no effect."""
        return self.robot.get("memory/getData", key=key)["value"]

    def getAge(self, key: str) -> float | None:
        """How old the value of a key is, s; None if that is not known. NAOqi has no such call."""
        age: float | None = self.robot.get("memory/getData", key=key).get("age_s")
        return age

    def getTimestamp(self, key: str) -> list[Any]:
        """The value of a key, and when it was written: `[value, s, µs]`, by this machine's clock.

        A value whose age is not known, such as a range, is as old as the answer.
        """
        told = self.robot.get("memory/getData", key=key)
        return [told["value"], *_stamp(time.time() - (told.get("age_s") or 0.0))]

    def getListData(self, keys: Sequence[str]) -> list[Any]:
        """The values of several keys, in one request."""
        return list(self.robot.post("memory/getListData", list(keys), repeatable=True)["values"])

    def getDataList(self, filter: str = "") -> list[str]:
        """All keys with this text in their names."""
        keys = self.robot.get("memory/getDataList", filter=filter)["keys"]
        return [it for it in keys if not Declared.is_mark(it)]

    def getDataListName(self) -> list[str]:
        """All keys."""
        return self.getDataList("")

    def getDataOnChange(self, key: str, ignored: int = 0) -> Any:
        """Waits until the value of a key is another one, and returns it. It waits without limit."""
        value = first = self.getData(key)
        while value == first:
            time.sleep(LOOK)
            value = self.getData(key)
        return value

    def insertData(self, key: str, value: Any) -> None:
        """Writes a value under a key of your own: whatever JSON has. It lasts until the robot's server ends."""
        self.insertListData([[key, value]])

    def insertListData(self, values: Sequence[Sequence[Any]]) -> None:
        """Writes several values, all or none: `[["key", value], ...]`."""
        self.robot.post("memory/insertListData", [list(it) for it in values], repeatable=True)

    def removeData(self, key: str) -> None:
        """Removes a key that a program has written."""
        self.robot.post("memory/removeData", [key])

    def removeEvent(self, name: str, extractorName: str = "") -> None:
        """Removes an event that a program has declared or raised, with its value."""
        self._declared.remove(name)

    def removeMicroEvent(self, name: str) -> None:
        """As `removeEvent`."""
        self._declared.remove(name)

    def raiseEvent(self, name: str, value: Any) -> None:
        """Writes a value, and calls whoever has subscribed to it."""
        self.robot.post("memory/raiseEvent", [name, value])
        self._declared.note(name)

    def raiseMicroEvent(self, name: str, value: Any) -> None:
        """As `raiseEvent`."""
        self.raiseEvent(name, value)

    def declareEvent(self, eventName: str, extractorName: str = "") -> None:
        """Lists an event in `getEventList` of every program. An event need not be declared to be raised."""
        self._declared.declare(eventName, extractorName, is_micro=False)

    def declareMicroEvent(self, name: str) -> None:
        """Lists an event in `getMicroEventList` of every program."""
        self._declared.declare(name, "", is_micro=True)

    def getEventList(self) -> list[str]:
        """The events: those of the body, those that were declared, and those that this program has raised."""
        return self._declared.events()

    def getMicroEventList(self) -> list[str]:
        """The events that were declared with `declareMicroEvent`."""
        return self._declared.micro_events()

    def getExtractorEvent(self, extractorName: str) -> list[str]:
        """The events that were declared with the name of this module."""
        return self._declared.events_of(extractorName)

    def getEventHistory(self, key: str) -> list[list[Any]]:
        """The kept events of a key, the oldest first: `[[value, [s, µs]], ...]`. The robot keeps its last 1,024."""
        events = self.robot.get("memory/events", keys=key, since=0)["events"]
        shift = time.time() - int(self.robot.state()["now_ns"]) / 1e9 if events else 0.0
        return [[it["value"], _stamp(shift + int(it["at_ns"]) / 1e9)] for it in events]

    def getType(self, key: str) -> str:
        """`Event`, `MicroEvent` or `Data`."""
        if key in self._declared.micro_events():
            return "MicroEvent"
        return "Event" if key in self._declared.events() else "Data"

    def setDescription(self, name: str, description: str) -> None:
        """Describes a key, for `getDescriptionList` of every program."""
        self._declared.describe(name, description)

    def getDescriptionList(self, names: Sequence[str]) -> list[list[str]]:
        """What is known of keys: `[[name, type, description], ...]`."""
        return [[it, self.getType(it), self._declared.description(it)] for it in names]

    def subscriber(self, name: str) -> Subscriber:
        """An object whose `signal` can be connected to functions: `subscriber("FrontTactilTouched").signal.connect(f)`.

        Each is called with the value alone, until `signal.disconnect`.
        """
        return Subscriber(self, name)

    def listen(self, name: str, listener: str, function: Callable[[str, Any, str], Any]) -> None:
        """Calls a function for every event `name` from now on; `listener` is the subscription's name."""
        self._subscriptions.listen(name, listener, function)

    def unlisten(self, name: str, listener: str) -> None:
        """Ends what `listen` has begun."""
        self._subscriptions.remove(name, listener)

    def subscribeToEvent(self, name: str, callbackModule: Any, callbackMethod: str, *old: str) -> None:
        """Calls `callbackMethod(name, value, subscriber)` of a module for every event `name` from now on.

        The module is an object, or as in NAOqi the name of an ALModule or of a global variable of the script. It is
        called on a thread of the program, one call after another. A module has one subscription to an event: another
        one replaces it. Touches and buttons of the robot are events:
        `FrontTactilTouched`, `ChestButtonPressed`, `LeftBumperPressed` and more, see `getEventList()`; their value is
        1 or 0. NAOqi's older form has a message before the method, as in `subscribeToMicroEvent`.
        """
        if old:
            self._subscriptions.add(name, callbackModule, old[0], callbackMethod)
        else:
            self._subscriptions.add(name, callbackModule, callbackMethod, None)

    def subscribeToMicroEvent(self, name: str, callbackModule: Any, message: str, callbackMethod: str) -> None:
        """As `subscribeToEvent`, and the third argument of the call is `message`."""
        self._subscriptions.add(name, callbackModule, callbackMethod, message)

    def unsubscribeToEvent(self, name: str, callbackModule: Any) -> None:
        """Ends a subscription. A call that is in progress goes on."""
        self._subscriptions.remove(name, callbackModule)

    def unsubscribeToMicroEvent(self, name: str, callbackModule: Any) -> None:
        """Ends a subscription. A call that is in progress goes on."""
        self.unsubscribeToEvent(name, callbackModule)

    def unregisterModuleReference(self, moduleName: str) -> None:
        """Ends all subscriptions of a module."""
        self._subscriptions.forget(moduleName)

    def getSubscribers(self, name: str) -> list[str]:
        """The modules of this program that have subscribed to an event."""
        return self._subscriptions.modules(name)

    getDataPtr = absent("getDataPtr", "a pointer is invalid in another process",
                        "on the robot, read the page: `dcm_page.py` of `runtime/sensors/clients`")


def _stamp(seconds: float) -> list[int]:
    """An instant of this machine's clock as whole s, and µs."""
    micros = round(seconds * 1e6)
    return [micros // 1_000_000, micros % 1_000_000]
