"""Finds the address of a robot's server from a name, an address or a URL.

The rules are those of the program `dcm-run`: a robot on this machine has precedence over a remote one, and a paired
robot is reached as the file of paired robots says, never with less security.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from urllib.parse import urlsplit

from .errors import RobotError
from .known import Known, find_known, known_robots
from .places import local_names, local_socket

# The default port of a robot's server, and NAOqi's port.
PORT = 7878
NAOQI_PORT = 9559


@dataclass(frozen=True)
class Address:
    """The address of a server: a socket's path, or host and port."""

    path: str | None = None
    host: str = "localhost"
    port: int = PORT
    tls: bool = False
    fingerprint: str | None = None
    token: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"the robot at {self.path or joined(self.host, self.port)}"


def find(where: str | None, token: str | None = None, fingerprint: str | None = None) -> Address:
    """The address of a robot. Arguments have precedence over the file of paired robots."""
    place = _named(where) if where else _only()
    token = (token or place.token or os.environ.get("DCM_RUN_TOKEN") or "").strip() or None
    if fingerprint and place.path is None:
        # A fingerprint implies TLS.
        place = replace(place, tls=True, fingerprint=fingerprint.replace(":", "").lower())
    return replace(place, token=token)


def joined(host: str, port: int) -> str:
    """Host and port as one text. An IPv6 address is put in brackets."""
    return f"[{host}]:{port}" if ":" in host and not host.startswith("[") else f"{host}:{port}"


def named_by_naoqi(ip: str | None, port: int | None) -> str | None:
    """Host and port, as in NAOqi. The first argument alone may also be a robot's name."""
    if port is not None:
        return joined(ip or "127.0.0.1", port)
    if not ip:
        return None
    is_whole = ip.startswith(("[", "unix:")) or "://" in ip or ip.count(":") == 1
    return ip if is_whole or local_socket(ip) or find_known(ip) else joined(ip, PORT)


def _only() -> Address:
    """The only robot that runs here, else the only paired one."""
    names = local_names()
    if len(names) > 1:
        raise RobotError("where", "several robots run here", f"name one of them: {', '.join(names)}")
    if names:
        return Address(path=str(local_socket(names[0])))
    known = known_robots()
    if len(known) == 1:
        return _paired(known[0])
    if known:
        robots = ", ".join(it.name for it in known)
        raise RobotError("where", "several robots are paired", f"name one of them: {robots}")
    raise RobotError("away", "no robot's server runs here, and no robot is paired",
                     "start one: `dcm-run serve`; or pair with one: `dcm-run pair HOST:PORT`")


def _named(where: str) -> Address:
    if where.startswith("unix:"):
        path = where[len("unix:"):]
        return Address(path="/" + path.lstrip("/") if path.startswith("//") else path)
    if "://" in where:
        return _by_url(where)
    socket = local_socket(where)
    if socket:
        return Address(path=str(socket))
    known = find_known(where)
    if known:
        return _paired(known)
    # A robot's name has no dot or colon.
    if ":" in where or "." in where:
        return _stranger(*_split(where, PORT))
    raise RobotError("away", f"no robot named `{where}` runs here, and none of that name is paired",
                     "start it: `dcm-run serve`; pair with it: `dcm-run pair HOST:PORT`; or use HOST:PORT")


def _paired(robot: Known) -> Address:
    host, port = _split(robot.address, PORT)
    return Address(host=host, port=port, tls=robot.fingerprint is not None, fingerprint=robot.fingerprint,
                   token=robot.token)


def _stranger(host: str, port: int) -> Address:
    """The default of servers: TLS on all addresses but the loopback."""
    try:
        is_here = ip_address(host).is_loopback
    except ValueError:
        is_here = host.lower() == "localhost"
    return Address(host=host, port=port, tls=not is_here)


def _by_url(url: str) -> Address:
    scheme = url.split("://")[0].lower()
    if scheme not in ("http", "https"):
        raise RobotError("where", f"`{url}` is not an address of a robot", "use http://HOST:PORT or https://HOST:PORT")
    parts = urlsplit(url)
    if parts.path not in ("", "/") or parts.query or parts.username:
        raise RobotError("where", f"`{url}` is more than an address", f"use {scheme}://HOST:PORT, nothing after it")
    host, port = _split(parts.netloc, 443 if scheme == "https" else 80)
    known = find_known(joined(host, port))
    return _paired(known) if known else Address(host=host, port=port, tls=scheme == "https")


def _split(text: str, port: int) -> tuple[str, int]:
    """`host:port`, `host`, `[::1]:port` or `[::1]`."""
    try:
        parts = urlsplit(f"//{text}")
        host, said = parts.hostname, parts.port
    except ValueError:
        host, said = None, None
    # An address has no further parts, such as a path.
    if not host or said == 0 or any(it in "/?#@\\" or it.isspace() for it in text):
        raise RobotError("where", f"`{text}` is not an address", f"use HOST:PORT, as in 192.168.1.20:{PORT}")
    return host, said or port
