"""Answers that must come at a pace: whoever sends a byte now and then does not keep a program waiting for ever."""

from __future__ import annotations

import io
import socket
import time
from http.client import HTTPResponse
from typing import Any

# The slowest pace of an answer, bytes/s, behind the timeout of its first byte.
SLOWEST = 16 << 10


class PacedResponse(HTTPResponse):
    """An answer that is read within the timeout of its socket, and more only as long as it comes at a pace."""

    def __init__(self, sock: socket.socket, *arguments: Any, **named: Any) -> None:
        super().__init__(sock, *arguments, **named)
        unpaced, timeout = self.fp, sock.gettimeout()
        if timeout is not None:
            self.fp = io.BufferedReader(_Paced(unpaced.detach(), sock, timeout))


class _Paced(io.RawIOBase):
    """Reads from a socket until a deadline that each byte moves by its share of the slowest pace."""

    def __init__(self, raw: Any, sock: socket.socket, timeout: float) -> None:
        super().__init__()
        self._raw, self._sock, self._timeout = raw, sock, timeout
        self._end = time.monotonic() + timeout

    def readable(self) -> bool:
        return True

    def readinto(self, place: Any) -> int | None:
        left = self._end - time.monotonic()
        if left <= 0.0:
            raise TimeoutError("timed out")
        self._sock.settimeout(left)
        try:
            read = self._raw.readinto(place)
        finally:
            self._sock.settimeout(self._timeout)
        self._end += (read or 0) / SLOWEST
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()
