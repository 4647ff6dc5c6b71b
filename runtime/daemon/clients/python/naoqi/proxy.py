"""`ALProxy`, as scripts for NAO call it: with an address, with a broker, or with neither."""

from __future__ import annotations

from typing import Any

from dcm_run import modules
from dcm_run.names import is_module
from dcm_run.shared import parent, place_of, proxy_at

from .broker import ALBroker


def ALProxy(name: str, ip: str | ALBroker | None = None, port: int | str | None = None) -> Any:
    """The proxy for a module by its name: one of the robot, or one of the script itself.

    Without an address it is the robot of the script's ALBroker, else the one in DCM_RUN_ROBOT, else the only one here.
    """
    own = modules.registered(name)
    if own is not None and not is_module(name):
        return own
    if isinstance(ip, ALBroker):
        return proxy_at(name, ip.place)
    if ip is None and port is None:
        return proxy_at(name, parent())
    return proxy_at(name, place_of(ip, None if port is None else int(port)))


def ALMemoryProxy(ip: str | None = None, port: int | None = None) -> Any:
    """NAOqi's older name for `ALProxy("ALMemory", ip, port)`."""
    return ALProxy("ALMemory", ip, port)
