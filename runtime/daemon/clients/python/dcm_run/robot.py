"""A robot's connection, which proxies share, and calls that NAOqi does not have, such as the emergency stop."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any
from urllib.parse import quote

from .address import find
from .line import Line

# The default timeout of an answer, s.
TIMEOUT = 10.0
# The timeout of a stop, s.
STOP_TIMEOUT = 2.0


class Robot:
    """A robot's server, local or remote.

    `where` is a robot's name, `host:port`, an http or https URL, or `unix:/path`; default: DCM_RUN_ROBOT,
    else the only robot that runs here, else the only paired one. `token`: default is the one that `dcm-run pair` has
    stored, else DCM_RUN_TOKEN. `fingerprint` is the SHA-256 of the robot's certificate, for a robot that is not
    paired. It connects at the first request; threads may share a robot.
    """

    def __init__(self, where: str | None = None, token: str | None = None, *, fingerprint: str | None = None,
                 timeout: float = TIMEOUT) -> None:
        self._address = find(where or os.environ.get("DCM_RUN_ROBOT") or None, token, fingerprint)
        self._line = Line(self._address, timeout)

    def __repr__(self) -> str:
        return f"<{self._address}>"

    def __enter__(self) -> Robot:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection. The next request opens a new one."""
        self._line.close()

    def get(self, path: str, **query: str | int) -> Any:
        """Sends a GET request below /api/v1, as `get("guests")`. /api/v1 lists all of them."""
        words = [f"{key}={quote(str(value), safe='')}" for key, value in query.items()]
        path = f"/api/v1/{path}" + ("?" + "&".join(words) if words else "")
        return self._line.ask("GET", path, repeatable=True)

    def post(self, path: str, body: Any = None, *, repeatable: bool = False) -> Any:
        """Sends a POST request below /api/v1. `repeatable`: it may be executed twice."""
        return self._line.ask("POST", f"/api/v1/{path}", body, repeatable=repeatable)

    def hello(self) -> dict[str, Any]:
        """Who the robot is: `name`, `robot`, `version`, `fingerprint`. Needs no token."""
        return dict(self.get("hello"))

    def state(self) -> Any:
        """The state of the robot."""
        return self.get("state")

    def stop(self) -> Any:
        """The emergency stop: the body stands still at once. Needs no token, and does not wait for other requests."""
        line = Line(self._address, STOP_TIMEOUT)
        try:
            return line.ask("POST", "/api/v1/body/stop", repeatable=True)
        finally:
            line.close()

    def release(self) -> Any:
        """Releases the emergency stop: the body holds its position until it is resumed."""
        return self.post("body/release")

    def arm(self) -> Any:
        """Arms the body: it exerts force, and holds its position."""
        return self.post("body/arm")

    def disarm(self) -> Any:
        """Disarms the body: it goes limp."""
        return self.post("body/disarm")

    def hold(self) -> Any:
        """Slows the body down and holds its position."""
        return self.post("body/hold")

    def resume(self) -> Any:
        """Resumes after a hold: commands move the body again."""
        return self.post("body/resume")

    def retreat(self) -> Any:
        """Moves the body to its safe pose, then disarms it."""
        return self.post("body/retreat")
