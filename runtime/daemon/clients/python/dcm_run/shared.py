"""The robots of a script for NAO: which one an address of NAOqi means, and one connection for all proxies to it.

Used by `naoqi` and `qi`. The law: NAOqi's ports are no ports of this program, so an address with one of them only says
which machine is meant, and DCM_RUN_ROBOT and DCM_RUN_TOKEN come before it, because a script is not changed for another
robot; an address with any other port is taken as it is.
"""

from __future__ import annotations

import os
import threading
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from .address import NAOQI_PORT, PORT, joined
from .errors import RobotError
from .known import find_known
from .names import module_class
from .places import local_names
from .robot import Robot

# Ports of NAOqi: 9503 is the one of `tcps`.
_PORTS = (NAOQI_PORT, 9503)

_lock = threading.Lock()
_robots: dict[str | None, Robot] = {}
_parent: list[str | None] = []


def place_of(ip: str | None, port: int | None) -> str | None:
    """The robot that NAOqi's `ip` and `port` mean, as an argument of Robot; None is the default."""
    if ip is not None and ("://" in ip or ip.startswith("unix:")) and port is None:
        return ip if not ip.startswith("tcp") else place_of_url(ip)
    port = NAOQI_PORT if port is None else int(port)
    if port not in _PORTS:
        return joined(ip or "127.0.0.1", port)
    asked = os.environ.get("DCM_RUN_ROBOT")
    if asked:
        return asked
    if not ip or _is_here(ip):
        # The robot that runs here, by its local socket.
        return None if local_names() or not ip else joined("127.0.0.1", PORT)
    for known in (ip, joined(ip, port), joined(ip, PORT)):
        if find_known(known):
            return known
    return joined(ip, PORT)


def place_of_url(url: str) -> str | None:
    """The robot that an address of `qi` means: `tcp://192.168.1.20:9559`, or a part of it."""
    text = url if "://" in url else f"tcp://{url}"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or text.split("://")[0] not in ("tcp", "tcps"):
        raise RobotError("where", f"`{url}` is not an address of a robot", "use tcp://HOST:9559")
    return place_of(host, port)


def _is_here(ip: str) -> bool:
    try:
        return ip_address(ip).is_loopback or ip_address(ip).is_unspecified
    except ValueError:
        return ip.lower() == "localhost"


def robot_at(place: str | None) -> Robot:
    """The robot at a place. All proxies of a script to it share one."""
    with _lock:
        found = _robots.get(place)
        if found is None:
            found = _robots[place] = Robot(place)
        return found


def proxy_at(name: str, place: str | None) -> Any:
    """A proxy for a module of the robot at a place. As in NAOqi, an error if the robot cannot be reached."""
    return module_class(name)(robot=robot_at(place))


def set_parent(place: str | None) -> None:
    """Sets the robot of proxies without an address: that of the script's broker or session."""
    _parent[:] = [place]


def parent() -> str | None:
    """The robot of proxies without an address."""
    return _parent[0] if _parent else place_of(None, None)
