"""Connections to a robot's server: a local socket, plain TCP, or TLS with a pinned certificate.

A robot's certificate is self-signed, so it is verified by its fingerprint. That happens before a single byte is sent,
so a token never reaches another machine at the robot's address.
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
from .paced import PacedResponse

# The timeout of a connection, s.
REACH = 5.0


def connect(address: Address, timeout: float) -> HTTPConnection:
    """Opens a new connection."""
    reach = min(REACH, timeout)
    connection: HTTPConnection
    if address.path is not None:
        connection = _Local(address.path, reach)
    elif address.tls:
        connection = _Pinned(address, reach)
    else:
        connection = HTTPConnection(address.host, address.port, timeout=reach)
    # It must not reconnect by itself: the caller must know whether a connection is new.
    connection.auto_open = 0
    connection.response_class = PacedResponse
    try:
        connection.connect()
    except BaseException:
        connection.close()
        raise
    connection.sock.settimeout(timeout)
    return connection


def has_ended(connection: HTTPConnection) -> bool:
    """Whether the server has closed it. Between two requests there is nothing else to read."""
    if connection.sock is None:
        return True
    if hasattr(select, "poll"):
        # Unlike `select`, it supports file descriptors above 1023.
        poll = select.poll()
        poll.register(connection.sock, select.POLLIN)
        return bool(poll.poll(0))
    return bool(select.select([connection.sock], [], [], 0)[0])


class _Local(HTTPConnection):
    """A connection to a local socket. The server sees the user, so no token is needed."""

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
    """A TLS connection that requires the certificate of this fingerprint."""

    def __init__(self, address: Address, timeout: float) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        # The certificate is self-signed: `connect` compares its fingerprint.
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
                "stranger", f"{self._address} has an unknown certificate: {shown}",
                "pair with it: `dcm-run pair HOST:PORT`; or, if this is the robot's fingerprint, give it to Robot")
        if shown != known:
            raise RobotError(
                "changed", f"the robot's certificate has changed: it was {known}, and is {shown}",
                "if the robot was set up again, pair with it again: `dcm-run pair`")
