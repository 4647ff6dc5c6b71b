"""A persistent connection to a robot's server. It reconnects after a restart of the server.

The law: a request that may have been executed is not sent again. It is sent again only if the server cannot have
received all of it, or if it is repeatable.
"""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any, Callable, Iterator

from .address import NAOQI_PORT, PORT, Address
from .connection import connect, has_ended
from .errors import RobotError, refusal

# The maximum length of an answer, bytes.
LONGEST = 64 << 20
# An idle connection is replaced after this time, s. The server closes idle connections, and the fate of a request that
# is sent in that moment is unknown.
IDLE = 5.0
# A request to another machine that is longer than this is compressed, and sent in pieces of this size.
PIECE = 64 << 10
# The requests that may be compressed.
LONG = {f"/api/v2/{it}" for it in ("loop/move", "loop/schedule", "body/schedule", "dcm/set", "dcm/setAlias")}


class _Broken(Exception):
    """A connection broke during a request."""

    def __init__(self, sent: bool, why: Exception) -> None:
        super().__init__(str(why) or type(why).__name__)
        self.sent = sent
        # Two classes until Python 3.10.
        self.is_late = isinstance(why, (TimeoutError, socket.timeout))


class Line:
    """Sends requests to a server, one after the other, for any number of threads."""

    def __init__(self, address: Address, timeout: float) -> None:
        self.address = address
        # Called while a long request is on its way, with the bytes that were sent and all of them.
        self.progress: Callable[[int, int], object] | None = None
        self._timeout = timeout
        self._lock = threading.Lock()
        self._connection: HTTPConnection | None = None
        self._used = 0.0

    def ask(self, method: str, path: str, body: Any = None, *, repeatable: bool) -> Any:
        """Sends a request and returns the answer. `repeatable`: it may be executed twice.

        `body` is sent as JSON, unless it is bytes.
        """
        headers = {"Accept": "application/json"}
        data = None
        if body is not None:
            is_bytes = isinstance(body, (bytes, bytearray))
            headers["Content-Type"] = "application/octet-stream" if is_bytes else "application/json"
            data = bytes(body) if is_bytes else _encoded(body)
            if len(data) > PIECE and self.address.path is None and path.partition("?")[0] in LONG:
                headers["Content-Encoding"] = "gzip"
                data = gzip.compress(data, 1)
        with self._lock:
            try:
                status, answer = self._exchange(method, path, data, headers)
            except _Broken as broken:
                if broken.is_late or (broken.sent and not repeatable):
                    raise self._unanswered(broken, repeatable) from broken
                try:
                    status, answer = self._exchange(method, path, data, headers)
                except _Broken as again:
                    raise self._unanswered(again, repeatable) from again
        return self._judged(status, answer)

    def close(self) -> None:
        """Closes the connection; the next request opens a new one."""
        with self._lock:
            self._let_go()

    def __del__(self) -> None:
        # Scripts for NAO never close a proxy.
        if getattr(self, "_connection", None) is not None:
            self._let_go()

    def _exchange(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        connection = self._standing()
        body: bytes | Iterator[bytes] | None = data
        if data is not None and len(data) > PIECE:
            headers = {**headers, "Content-Length": str(len(data))}
            body = self._pieces(data)
        if self.address.token:
            headers = {**headers, "Authorization": f"Bearer {self.address.token}"}
        sent = False
        try:
            connection.request(method, path, body, headers)
            sent = True
            response = connection.getresponse()
            answer = response.status, _whole(response)
            self._used = time.monotonic()
            return answer
        except (OSError, HTTPException) as error:
            self._let_go()
            raise _Broken(sent, error) from error
        except BaseException:
            # For example Ctrl-C: the next request must not receive the answer to this one.
            self._let_go()
            raise

    def _pieces(self, data: bytes) -> Iterator[bytes]:
        """The pieces of a long request; the progress is told before each, and after the last."""
        for at in range(0, len(data), PIECE):
            if self.progress is not None:
                self.progress(at, len(data))
            yield data[at:at + PIECE]
        if self.progress is not None:
            self.progress(len(data), len(data))

    def _standing(self) -> HTTPConnection:
        """The open connection, or a new one if the server has closed it."""
        if self._connection is not None:
            if time.monotonic() - self._used > IDLE or has_ended(self._connection):
                self._let_go()
        if self._connection is None:
            try:
                self._connection = connect(self.address, self._timeout)
                self._used = time.monotonic()
            except (OSError, UnicodeError) as error:
                raise self._away(str(error) or type(error).__name__) from error
        return self._connection

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _judged(self, status: int, text: bytes) -> Any:
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError) as error:
            if 200 <= status < 300:
                why = f"{self.address} gave an answer that is not JSON"
                raise RobotError("strange", why, self._hint()) from error
            answer = None
        if not 200 <= status < 300:
            raise refusal(status, answer)
        return answer

    def _unanswered(self, broken: _Broken, repeatable: bool) -> RobotError:
        why = f"no answer within {self._timeout:g} s" if broken.is_late else str(broken)
        if broken.sent and not repeatable:
            return RobotError("lost", f"{self.address} has the request, but no answer arrived: {why}",
                              "it may have been done; check before you send it again")
        return self._away(why)

    def _away(self, why: str) -> RobotError:
        return RobotError("away", f"{self.address} cannot be reached: {why}", self._hint())

    def _hint(self) -> str:
        if self.address.path is not None:
            return "start its server: `dcm-run serve`"
        if self.address.port == NAOQI_PORT:
            return f"{NAOQI_PORT} is NAOqi's port; dcm-run's is {PORT}, unless its dcm-run.toml has another"
        return "check that `dcm-run serve` runs there, and that `server.listen` in its dcm-run.toml has this address"


def _encoded(body: Any) -> bytes:
    """Encodes as JSON. NumPy's arrays and numbers are converted by their `tolist`."""
    def plain(value: Any) -> Any:
        if hasattr(value, "tolist"):
            return value.tolist()
        raise TypeError(f"{type(value).__name__} is neither number, text nor list")
    try:
        return json.dumps(body, allow_nan=False, default=plain).encode()
    except (TypeError, ValueError) as error:
        raise RobotError("malformed", f"this cannot be sent: {error}", "give finite numbers, texts, lists") from error


def _whole(response: HTTPResponse) -> bytes:
    if response.length is not None and response.length <= LONGEST:
        return response.read()
    # Its length is unknown. It is read in small pieces, because Python 3.9 allocates the requested size.
    text = bytearray()
    while response.length is None and len(text) <= LONGEST:
        piece = response.read(64 << 10)
        if not piece:
            return bytes(text)
        text += piece
    raise HTTPException(f"the answer is longer than {LONGEST >> 20} MiB")
