"""Connections to a robot's server: a local socket, plain TCP, or TLS with a certificate that is known.

A robot makes its certificate itself, so it is known by its fingerprint, not by who signed it. It is compared before
a single byte is sent: a token must not reach whoever merely answers at the robot's address.
"""

from __future__ import annotations

import hashlib
import select
import socket
import ssl
from http.client import HTTPConnection, HTTPSConnection
from typing import Any

from .address import Address
from .errors import RobotError

# How long a robot may take to be reached, s.
REACH = 5.0


def connect(address: Address, timeout: float) -> HTTPConnection:
    """A new connection that stands."""
    reach = min(REACH, timeout)
    connection: HTTPConnection
    if address.path is not None:
        connection = _Local(address.path, reach)
    elif address.tls:
        connection = _Pinned(address, reach)
    else:
        connection = HTTPConnection(address.host, address.port, timeout=reach)
    # Whoever uses it must know when it is a new one, so it must not open itself again.
    connection.auto_open = 0
    try:
        connection.connect()
    except BaseException:
        connection.close()
        raise
    connection.sock.settimeout(timeout)
    return connection


def has_ended(connection: HTTPConnection) -> bool:
    """Whether the other side has let go. Between two requests nothing can be read but an end."""
    if connection.sock is None:
        return True
    if hasattr(select, "poll"):
        # Unlike `select`, it takes files above number 1023.
        poll = select.poll()
        poll.register(connection.sock, select.POLLIN)
        return bool(poll.poll(0))
    return bool(select.select([connection.sock], [], [], 0)[0])


class _Local(HTTPConnection):
    """By a socket on this machine. The server sees which user asks; no token is needed."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        family = getattr(socket, "AF_UNIX", None)
        if family is None:
            raise OSError("this Python has no local sockets")
        self.sock: Any = socket.socket(family, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class _Pinned(HTTPSConnection):
    """By TLS, with whoever shows the certificate of this fingerprint."""

    def __init__(self, address: Address, timeout: float) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        # Nobody signed it and its names say little: the fingerprint is what counts, see `connect`.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        super().__init__(address.host, address.port, timeout=timeout, context=context)
        self._address = address

    def connect(self) -> None:
        super().connect()
        certificate = self.sock.getpeercert(binary_form=True) or b""
        shown, known = hashlib.sha256(certificate).hexdigest(), self._address.fingerprint
        if known is None:
            raise RobotError(
                "stranger", f"{self._address} shows a certificate that nobody here knows: {shown}",
                "pair with it: `dcm-run pair HOST:PORT`; or give Robot this fingerprint, if it is the robot's own")
        if shown != known:
            raise RobotError(
                "changed", f"this is not the robot that you know: its certificate was {known}, and is {shown}",
                "if it was set up anew, pair with it again: `dcm-run pair`")
