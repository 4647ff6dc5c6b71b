"""`ALProxy`: a proxy by the name of NAOqi's module."""

from __future__ import annotations

from typing import Literal, overload

from .dcm import DCMProxy
from .errors import RobotError
from .memory import ALMemoryProxy
from .proxy import Proxy

_MODULES: dict[str, type[Proxy]] = {"DCM": DCMProxy, "ALMemory": ALMemoryProxy}


@overload
def ALProxy(name: Literal["DCM"], ip: str | None = None, port: int | None = None) -> DCMProxy: ...
@overload
def ALProxy(name: Literal["ALMemory"], ip: str | None = None, port: int | None = None) -> ALMemoryProxy: ...
@overload
def ALProxy(name: str, ip: str | None = None, port: int | None = None) -> Proxy: ...


def ALProxy(name: str, ip: str | None = None, port: int | None = None) -> Proxy:
    """The proxy for a module of NAOqi: `DCM` or `ALMemory`."""
    module = _MODULES.get(name)
    if module is None:
        raise RobotError("not-here", f"there is no module `{name}` here",
                         f"the modules are {' and '.join(_MODULES)}; use choreographies for everything else")
    return module(ip, port)
