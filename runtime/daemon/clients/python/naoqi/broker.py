"""`ALBroker`: says which robot the proxies without an address mean. Nobody connects to a script here, so it listens
to nothing: events are fetched from the robot.
"""

from __future__ import annotations

from typing import Any

from dcm_run import modules
from dcm_run.names import module_names
from dcm_run.shared import place_of, robot_at, set_parent


class ALBroker:
    """The script's way to its robot: `ALBroker("myBroker", "0.0.0.0", 0, "192.168.1.20", 9559)`.

    As in NAOqi, it fails if the robot cannot be reached.
    """

    def __init__(self, name: str, ip: str = "0.0.0.0", port: int = 0, parentIp: str | None = None,
                 parentPort: int | None = None, *_more: Any) -> None:
        self._name, self._ip, self._port = name, ip, port
        self._parent_ip, self._parent_port = parentIp, parentPort
        self.place = place_of(parentIp or None, int(parentPort) if parentPort else None)
        robot_at(self.place).hello()
        set_parent(self.place)

    def getName(self) -> str:
        """The broker's name."""
        return self._name

    def getIP(self) -> str:
        """The address that the script gave; it is not used."""
        return self._ip

    def getPort(self) -> int:
        """The port that the script gave; it is not used."""
        return self._port

    def getParentIP(self) -> str:
        """The robot's address, as the script gave it."""
        return self._parent_ip or ""

    def getParentPort(self) -> int:
        """The robot's port, as the script gave it."""
        return self._parent_port or 0

    def getGlobalModuleList(self) -> list[str]:
        """The modules of the robot and of the script."""
        return sorted({*module_names(), *modules.names()})

    def getModuleList(self) -> list[str]:
        """The modules of the script."""
        return modules.names()

    def isModulePresent(self, name: str) -> bool:
        """Whether there is a module of this name."""
        return name in self.getGlobalModuleList()

    def shutdown(self) -> None:
        """Ends the script's modules, with their subscriptions. The robot goes on."""
        from dcm_run.subscriptions import subscriptions_of

        for name in modules.names():
            subscriptions_of(robot_at(self.place)).forget(name)
            modules.forget(name)
