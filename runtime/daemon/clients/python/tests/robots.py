"""A robot's server of a few lines, for tests of the client: it answers what it is told to, and remembers requests."""

from __future__ import annotations

import gzip
import json
import os
import socketserver
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

# The last ms before the robot's clock begins again.
TIME = 2**31 - 500

ANSWERS: dict[str, Any] = {
    "hello": {"name": "nao", "robot": "nao", "version": "0.1.0", "fingerprint": None},
    "dcm/set": {"ticket": 9, "commands": 1, "late": 0, "clipped": 0},
    "dcm/setAlias": {"commands": 2, "late": 0, "clipped": 0},
    "dcm/ping": True,
    "dcm/version": "0.1.0",
    "dcm/getPrefix": {"prefix": ["Device/SubDeviceList/", "Device/DeviceList/"]},
    "memory/getData": {"value": 0.25},
    "memory/getListData": {"values": [0.25, None]},
    "memory/getDataList": {"keys": ["DCM/Time"]},
    "body/stop": {"state": "estop"},
    "body/schedule": {"commands": 3, "late": 0, "clipped": 0},
    "loop/cancel": {"progress": [{"ticket": 9, "end": "cancelled"}]},
    "state": {"now_ns": "7000000000", "age_s": 0.01, "elapsed_ns": 10_000_000},
}


class Request(BaseHTTPRequestHandler):
    """Answers one request."""

    protocol_version = "HTTP/1.1"
    # Head and body of an answer go together; apart, TCP lets the second wait for 40 ms.
    wbufsize = 64 << 10
    server: "FakeServer"

    def answer(self) -> None:
        url = urlsplit(self.path)
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = url.path[len("/api/v2/"):]
        if self.headers.get("Content-Encoding") == "gzip":
            text = gzip.decompress(text)
        is_json = self.headers.get("Content-Type") != "application/octet-stream"
        body = (json.loads(text) if is_json else text) if text else None
        self.server.asked.append((self.command, path, body, dict(self.headers)))
        if path in self.server.slow:
            self.server.go_on.wait(10)
        if self.server.breaks > 0 and path != "hello":
            # As a server that dies with the request in its hands.
            self.server.breaks -= 1
            self.close_connection = True
            return
        status, told = self.server.refuses.get(path, (200, ANSWERS.get(path)))
        if self.server.sequences.get(path):
            told = self.server.sequences[path].pop(0)
        if path == "dcm/getTime":
            offset = int(parse_qs(url.query)["offset"][0])
            told = {"time": (TIME + offset + 2**31) % 2**32 - 2**31}
        if path == "dcm/createAlias":
            name, keys = json.loads(text)
            told = [name, keys]
            unknown = [it for it in keys if "Head" not in it]
            if unknown:
                status = 422
                told = {"error": {"code": "unknown-name", "sentence": f"this robot has no actuator `{unknown[0]}`"}}
        data = told if isinstance(told, bytes) else json.dumps(told).encode()
        self.send_response(status)
        if self.server.in_pieces:
            self.send_header("Transfer-Encoding", "chunked")
            data = b"".join(b"1\r\n%c\r\n" % it for it in data) + b"0\r\n\r\n"
        else:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, format: str, *arguments: Any) -> None:
        """Tests are quiet."""


class FakeServer(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """Listens on a socket's path, or on a port of the loopback; with a TLS context, by TLS."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, path: str | None = None, tls: Any = None, port: int = 0) -> None:
        self.asked: list[tuple[str, str, Any, dict[str, str]]] = []
        self.refuses: dict[str, tuple[int, Any]] = {}
        # Answers in their order, before the usual one.
        self.sequences: dict[str, list[Any]] = {}
        self.breaks = 0
        self.in_pieces = False
        self.slow: set[str] = set()
        self.go_on = threading.Event()
        self.open: list[Any] = []
        self.path = path
        if path is not None:
            self.address_family = socketserver.UnixStreamServer.address_family
            if os.path.exists(path):
                os.remove(path)
        super().__init__(path if path is not None else ("127.0.0.1", port), Request)  # type: ignore[arg-type]
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def get_request(self) -> Any:
        connection, address = super().get_request()
        self.open.append(connection)
        return connection, address

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go are part of the tests."""

    def paths(self) -> list[str]:
        """What was asked, without greetings."""
        return [it[1] for it in self.asked if it[1] != "hello"]

    def end(self) -> None:
        """Goes, as a process does: all connections end."""
        self.go_on.set()
        self.shutdown()
        self._thread.join()
        self.server_close()
        for connection in self.open:
            try:
                connection.shutdown(2)
            except OSError:
                pass
            connection.close()
