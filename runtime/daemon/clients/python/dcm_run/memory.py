"""ALMemory: the robot's values by key, such as sensors; values that programs share; and events."""

from __future__ import annotations

from typing import Any, Sequence

from .proxy import Proxy, absent
from .robot import Robot
from .subscriptions import Subscriptions


class ALMemoryProxy(Proxy):
    """Values by key, as in NAOqi's ALMemory."""

    def __init__(self, ip: str | None = None, port: int | None = None, *, robot: Robot | str | None = None,
                 token: str | None = None) -> None:
        super().__init__(ip, port, robot=robot, token=token)
        self._subscriptions = Subscriptions(self.robot)

    def getData(self, key: str, ignored: int = 0) -> Any:
        """The value of a key; None if there is none now. The second argument is for old scripts, and has no effect."""
        return self.robot.get("memory/getData", key=key)["value"]

    def getAge(self, key: str) -> float | None:
        """How old the value of a key is, s; None if that is not known. NAOqi has no such call."""
        age: float | None = self.robot.get("memory/getData", key=key).get("age_s")
        return age

    def getListData(self, keys: Sequence[str]) -> list[Any]:
        """The values of several keys, in one request."""
        return list(self.robot.post("memory/getListData", list(keys), repeatable=True)["values"])

    def getDataList(self, filter: str = "") -> list[str]:
        """All keys with this text in their names."""
        return list(self.robot.get("memory/getDataList", filter=filter)["keys"])

    def getDataListName(self) -> list[str]:
        """All keys."""
        return self.getDataList("")

    def insertData(self, key: str, value: Any) -> None:
        """Writes a value under a key of your own: whatever JSON has. It lasts until the robot's server ends."""
        self.insertListData([[key, value]])

    def insertListData(self, values: Sequence[Sequence[Any]]) -> None:
        """Writes several values, all or none: `[["key", value], ...]`."""
        self.robot.post("memory/insertListData", [list(it) for it in values], repeatable=True)

    def removeData(self, key: str) -> None:
        """Removes a key that a program has written."""
        self.robot.post("memory/removeData", [key])

    def raiseEvent(self, name: str, value: Any) -> None:
        """Writes a value, and calls whoever has subscribed to it."""
        self.robot.post("memory/raiseEvent", [name, value])

    def raiseMicroEvent(self, name: str, value: Any) -> None:
        """As `raiseEvent`."""
        self.raiseEvent(name, value)

    def declareEvent(self, eventName: str, extractorName: str = "") -> None:
        """Has no effect: an event need not be declared."""

    def subscribeToEvent(self, name: str, callbackModule: Any, callbackMethod: str) -> None:
        """Calls `callbackMethod(name, value, subscriber)` of a module for every event `name` from now on.

        The module is an object, or as in NAOqi the name of a global variable of the script. It is called on a thread of
        the proxy, one call after another. Touches and buttons of the robot are events: `FrontTactilTouched`,
        `ChestButtonPressed`, `LeftBumperPressed` and more, see `getDataList("Touched")`; their value is 1 or 0.
        """
        self._subscriptions.add(name, callbackModule, callbackMethod, None)

    def subscribeToMicroEvent(self, name: str, callbackModule: Any, message: str, callbackMethod: str) -> None:
        """As `subscribeToEvent`, and the third argument of the call is `message`."""
        self._subscriptions.add(name, callbackModule, callbackMethod, message)

    def unsubscribeToEvent(self, name: str, callbackModule: Any) -> None:
        """Ends a subscription. A call that is in progress goes on."""
        self._subscriptions.remove(name, callbackModule)

    def unsubscribeToMicroEvent(self, name: str, callbackModule: Any) -> None:
        """Ends a subscription. A call that is in progress goes on."""
        self._subscriptions.remove(name, callbackModule)

    def getSubscribers(self, name: str) -> list[str]:
        """The modules of this proxy that have subscribed to an event."""
        return self._subscriptions.modules(name)

    getDataPtr = absent("getDataPtr", "a pointer is invalid in another process",
                        "on the robot, read the page: `dcm_page.py` of `runtime/sensors/clients`")
