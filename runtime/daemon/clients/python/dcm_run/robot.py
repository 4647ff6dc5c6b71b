"""A robot: what the proxies talk through, and what NAOqi had no call for, such as the emergency stop."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any
from urllib.parse import quote

from .address import find
from .line import Line

# How long an answer may take, s, unless one says otherwise.
TIMEOUT = 10.0
# Stopping is quick, or it is no stop.
STOP_TIMEOUT = 2.0


class Robot:
    """A robot's server, near or far.

    `where` is a robot's name, `host:port`, an http or https URL, or `unix:/path`; without it DCM_RUN_ROBOT counts,
    and without that the only robot that runs here. `token` counts before the one that `dcm-run pair` has kept, and
    that before DCM_RUN_TOKEN. `fingerprint` is the SHA-256 of the robot's certificate, for one that was not paired
    with. Nothing is sent before the first request; threads may share a robot.
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
        """Lets the connection go. The robot can be used again; then there is a new one."""
        self._line.close()

    def get(self, path: str, **query: str | int) -> Any:
        """Asks for something below /api/v1, as `get("guests")`. The robot lists all of it at /api/v1."""
        words = [f"{key}={quote(str(value), safe='')}" for key, value in query.items()]
        path = f"/api/v1/{path}" + ("?" + "&".join(words) if words else "")
        return self._line.ask("GET", path, repeatable=True)

    def post(self, path: str, body: Any = None, *, repeatable: bool = False) -> Any:
        """Asks that something below /api/v1 is done; `repeatable` if it does no harm twice."""
        return self._line.ask("POST", f"/api/v1/{path}", body, repeatable=repeatable)

    def hello(self) -> dict[str, Any]:
        """Who the robot is: `name`, `robot`, `version`, `fingerprint`. Needs no token."""
        return dict(self.get("hello"))

    def state(self) -> Any:
        """How the robot is."""
        return self.get("state")

    def stop(self) -> Any:
        """The emergency stop: the body stands still at once. Needs no token, and waits for no other request."""
        line = Line(self._address, STOP_TIMEOUT)
        try:
            return line.ask("POST", "/api/v1/body/stop", repeatable=True)
        finally:
            line.close()

    def release(self) -> Any:
        """Releases the emergency stop; the body stays limp until it is armed."""
        return self.post("body/release")

    def arm(self) -> Any:
        """Gives the body force, where it stands."""
        return self.post("body/arm")

    def disarm(self) -> Any:
        """Lets the body go limp."""
        return self.post("body/disarm")

    def hold(self) -> Any:
        """Slows the body down, and lets it stay."""
        return self.post("body/hold")

    def resume(self) -> Any:
        """Lets commands move the body again, after it was held."""
        return self.post("body/resume")

    def retreat(self) -> Any:
        """Brings the body to its safe pose, where it lets go."""
        return self.post("body/retreat")
