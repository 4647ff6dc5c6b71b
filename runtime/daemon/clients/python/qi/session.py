"""Sessions: a script's connection to its robot, where it finds services and registers its own.

The law: a service that is not here fails by its name, when it is asked for.
"""

from __future__ import annotations

import itertools
import time
from typing import Any

from dcm_run import modules
from dcm_run.names import is_module, module_names
from dcm_run.signals import Signal
from dcm_run.shared import parent, place_of_url, proxy_at, robot_at, set_parent

from .future import Future, runAsync
from .service import Service

_numbers = itertools.count(1000)


class Session:
    """A session: `qi.Session("tcp://192.168.1.20:9559")`, or without an address and then `connect`."""

    def __init__(self, url: str | None = None, *_more: Any) -> None:
        self._place: list[str | None] = []
        self._url = ""
        self._services: dict[str, Service] = {}
        self._own: dict[int, str] = {}
        # What a script may wait for: its own acts, because nobody else registers services here.
        self.connected, self.disconnected = Signal(), Signal("(s)")
        self.serviceRegistered, self.serviceUnregistered = Signal("(Is)"), Signal("(Is)")
        if url is not None:
            self.connect(url)

    def connect(self, url: str = "", _async: bool = False, **named: Any) -> Future | None:
        """Connects to a robot: `tcp://HOST:9559`. Without an address it is the default one, as for `dcm_run.Robot`."""
        if _async or named.pop("async", False):
            return runAsync(self.connect, url)
        place = place_of_url(url) if url else parent()
        robot_at(place).hello()
        self._place, self._url = [place], url
        set_parent(place)
        self.connected()
        return None

    def isConnected(self) -> bool:
        """Whether the session is connected."""
        return bool(self._place)

    def close(self) -> None:
        """Ends the session. Services that the script still has go on."""
        for number in list(self._own):
            self.unregisterService(number)
        was_connected = self.isConnected()
        self._place, self._services = [], {}
        if was_connected:
            self.disconnected("the script has closed the session")

    def url(self) -> str:
        """The address that was given."""
        return self._url

    def endpoints(self) -> list[str]:
        """The address that was given."""
        return [self._url]

    def service(self, name: str, *_more: Any) -> Service:
        """A service by its name: a module of the robot, or one that the script has registered."""
        own = modules.registered(name)
        if own is not None and not is_module(name):
            return Service(name, own)
        if name not in self._services:
            if not self._place:
                self.connect()
            self._services[name] = Service(name, proxy_at(name, self._place[0]))
        return self._services[name]

    def services(self, *_more: Any) -> list[dict[str, Any]]:
        """The services: `[{"name": ..., "serviceId": ...}, ...]`."""
        names = [*module_names(), *(it for it in modules.names() if not is_module(it))]
        return [{"name": it, "serviceId": number, "processId": 0} for number, it in enumerate(names, 1)]

    def waitForService(self, name: str, timeout: int = 30_000, *_more: Any) -> None:
        """Waits until a service of the script is registered, at most this many ms. Those of the robot are there."""
        until = time.monotonic() + timeout / 1000
        while not is_module(name) and modules.registered(name) is None and time.monotonic() < until:
            time.sleep(0.02)
        self.service(name)

    def registerService(self, name: str, service: Any) -> int:
        """Makes an object a service of this script. Returns its number. Other programs cannot call it."""
        number = next(_numbers)
        modules.register(name, service)
        self._own[number] = name
        self.serviceRegistered(number, name)
        return number

    def unregisterService(self, number: int) -> None:
        """Removes a service of this script."""
        name = self._own.pop(number, None)
        if name is None:
            raise RuntimeError(f"there is no service with the number {number}")
        modules.forget(name)
        self.serviceUnregistered(number, name)

    def listen(self, *_addresses: Any) -> None:
        """Has no effect: nobody connects to a script here."""

    listenStandalone = setClientAuthenticatorFactory = setServerAuthenticatorFactory = listen
