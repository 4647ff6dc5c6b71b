"""ALMemory: the robot's values by key, such as sensors. It is read-only."""

from __future__ import annotations

from typing import Sequence

from .proxy import Proxy, absent

_KEPT = "memory is read-only: its values are measured or sent by the robot"
_ACTUATORS = "use DCMProxy.set for actuators; keep a program's own values in the program"
_EVENTS = "there are no callbacks over HTTP"
_ASK = "read in a loop with getListData, or use the robot's live stream: see /api/v1"


class ALMemoryProxy(Proxy):
    """Values by key, as in NAOqi's ALMemory."""

    def getData(self, key: str, ignored: int = 0) -> float | None:
        """The value of a key; None if there is none now. The second argument is for old scripts, and has no effect."""
        value: float | None = self.robot.get("memory/getData", key=key)["value"]
        return value

    def getListData(self, keys: Sequence[str]) -> list[float | None]:
        """The values of several keys, in one request."""
        return list(self.robot.post("memory/getListData", list(keys), repeatable=True)["values"])

    def getDataList(self, filter: str = "") -> list[str]:
        """All keys with this text in their names."""
        return list(self.robot.get("memory/getDataList", filter=filter)["keys"])

    def getDataListName(self) -> list[str]:
        """All keys."""
        return self.getDataList("")

    insertData = absent("insertData", _KEPT, _ACTUATORS)
    insertListData = absent("insertListData", _KEPT, _ACTUATORS)
    removeData = absent("removeData", _KEPT, _ACTUATORS)
    raiseEvent = absent("raiseEvent", _EVENTS, _ACTUATORS)
    raiseMicroEvent = absent("raiseMicroEvent", _EVENTS, _ACTUATORS)
    declareEvent = absent("declareEvent", _EVENTS, _ASK)
    subscribeToEvent = absent("subscribeToEvent", _EVENTS, _ASK)
    subscribeToMicroEvent = absent("subscribeToMicroEvent", _EVENTS, _ASK)
    unsubscribeToEvent = absent("unsubscribeToEvent", _EVENTS, _ASK)
    unsubscribeToMicroEvent = absent("unsubscribeToMicroEvent", _EVENTS, _ASK)
    getDataPtr = absent("getDataPtr", "a pointer is invalid in another process",
                        "on the robot, read the page: `dcm_page.py` of `runtime/sensors/clients`")
