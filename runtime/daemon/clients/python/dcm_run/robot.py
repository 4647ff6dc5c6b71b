"""A robot's connection, which proxies share, and calls that NAOqi does not have, such as the emergency stop."""

from __future__ import annotations

import copy
import os
import struct
from types import TracebackType
from typing import Any, Callable, Iterable, Mapping
from urllib.parse import quote

from .address import find
from .errors import RobotError
from .lane import Lane
from .line import Line
from .request import Request

# The default timeout of an answer, s.
TIMEOUT = 10.0
# In which time a stop is to be confirmed, s.
STOP_TIMEOUT = 1.5
# The age of a turn from which on it is old, s.
STALE = 1.0
# When a choreography begins that is sent now: a robot needs up to 0.3 s to take a long one, ns.
START_NS = 500_000_000
# And how long each command may be on its way: 16 bytes at 1 MB/s, ns.
SENT_NS = 16_000


def _packed(name: str, commands: list[tuple[float, float]], start: int) -> bytes:
    """The commands of an actuator as the robot unpacks them: their number, then instants and values."""
    flat: list[float] = []
    try:
        for time, value in commands:
            flat += (max(0, start + round(time * 1e9)), float(value))
        return struct.pack("<I" + "Qd" * len(commands), len(commands), *flat)
    except (TypeError, ValueError, OverflowError, struct.error) as error:
        raise RobotError("malformed", f"the commands of {name} cannot be sent: {error}",
                         "give pairs of a time in s and a value") from error


class Robot:
    """A robot's server, local or remote.

    `where` is a robot's name, `host:port`, an http or https URL, or `unix:/path`; default: DCM_RUN_ROBOT,
    else the only robot that runs here, else the only paired one. `token`: default is the one that `dcm-run pair` has
    stored, else DCM_RUN_TOKEN. `fingerprint` is the SHA-256 of the robot's certificate, for a robot that is not
    paired. It connects at the first request; threads may share a robot. `progress(sent, all)` is called with numbers of
    bytes while a long request is on its way, such as a whole choreography for `DCM.setAlias` or `schedule`.
    """

    def __init__(self, where: str | None = None, token: str | None = None, *, fingerprint: str | None = None,
                 timeout: float = TIMEOUT, progress: Callable[[int, int], object] | None = None) -> None:
        self._address = find(where or os.environ.get("DCM_RUN_ROBOT") or None, token, fingerprint)
        self._line = Line(self._address, timeout)
        self._line.progress = progress

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

    def another_line(self) -> Robot:
        """The same robot on a connection of its own, for requests that wait."""
        other = copy.copy(self)
        other._line = Line(self._address, TIMEOUT)
        return other

    def get(self, path: str, **query: str | float) -> Any:
        """Sends a GET request below /api/v2, as `get("choreographies")`. /api/v2 lists all of them."""
        words = [f"{key}={quote(str(value), safe='')}" for key, value in query.items()]
        path = f"/api/v2/{path}" + ("?" + "&".join(words) if words else "")
        return self._line.ask("GET", path, repeatable=True)

    def post(self, path: str, body: Any = None, *, repeatable: bool = False) -> Any:
        """Sends a POST request below /api/v2. `repeatable`: it may be executed twice."""
        return self._line.ask("POST", f"/api/v2/{path}", body, repeatable=repeatable)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Sends a request of any method below /api/v2."""
        return self._line.ask(method, f"/api/v2/{path}", body, repeatable=False)

    def request(self, kind: str, *, repeatable: bool = False, **fields: Any) -> Any:
        """Sends one of the loop's own requests, as `request("pause", guest="wave")`, and returns its reply. Fields that
        are None are left out. `repeatable`: it may be executed twice."""
        given = {name: value for name, value in fields.items() if value is not None}
        reply = self.post(f"loop/{kind}", given, repeatable=repeatable)
        return next(iter(reply.values())) if isinstance(reply, dict) else reply

    def schedule(self, commands: Mapping[str, Iterable[tuple[float, float]]], *, start_ns: int | None = None,
                 merge: str = "clear-all", lane: str | None = None) -> Request:
        """Sends a whole choreography, which is accepted at one turn's edge or not at all.

        For each actuator its commands: pairs of a time in s, and a value. The times count from `start_ns`, an instant
        of the robot's time (`state()["now_ns"]`); default: as soon as a fast network brings all of it, 0.5 s after now
        or 2.3 s for 26 times 4,096 commands. Up to 4,096 commands for each actuator. Returns the number of accepted
        `commands`, of those that came after their time (`late`: give a later `start_ns`), and more.
        """
        if not commands:
            raise RobotError("malformed", "there are no commands", "give at least one actuator with its commands")
        lists = {name: list(each) for name, each in commands.items()}
        if start_ns is None:
            begins = START_NS + SENT_NS * sum(len(it) for it in lists.values())
            start = int(self.state()["now_ns"]) + begins
        else:
            start = int(start_ns)
        packed = b"".join(_packed(name, each, start) for name, each in lists.items())
        names = quote(",".join(commands), safe=",")
        path = f"/api/v2/body/schedule?to={names}&merge={quote(merge, safe='')}"
        if lane is not None:
            path += f"&lane={quote(lane, safe='')}"
        return Request(self, self._line.ask("POST", path, packed, repeatable=False))

    def lane(self, name: str, **options: Any) -> Lane:
        """Opens a lane of this client's own: `priority`, `weight`, `joints`, `hold`, `fade_s`, `ending`, and its silence
        rule, `silent_after_s` and `retreat_after_s`. At the end of a `with` block it is ended."""
        return Lane(self, name, options)

    def pending(self, *names: str) -> list[dict[str, Any]]:
        """The commands that wait, of those that clients have sent: for these actuators, or for all that have some."""
        return list(self.request("pending", of=list(names), repeatable=True))

    def driving(self, *names: str) -> list[dict[str, Any]]:
        """The lanes that drove these actuators in the last turn, or all that are driven: `lane` (a guest, a client's own,
        or `clients`, the shared one), `priority`, `value`, `weight`, `hidden`."""
        return list(self.request("driving", of=list(names), repeatable=True))

    def hello(self) -> dict[str, Any]:
        """Who the robot is: `name`, `robot`, `version`, `fingerprint`. Needs no token."""
        try:
            return dict(self.get("hello"))
        except RobotError as error:
            if error.code != "no-route":
                raise
            raise RobotError("other-version", "the robot's server has another API than this client, whose API is 2",
                             "use the client of the robot's version; `stop()` works with both") from error

    def state(self, *, stale: bool = False) -> Any:
        """The state of the robot. RobotError `stale`: its loop has made no turn for a second, and so all figures are old;
        with `stale` they are returned nevertheless, and `age_s` says how old they are."""
        state = self.get("state")
        # A body with long turns has fewer of them.
        limit = max(STALE, 3 * state["elapsed_ns"] / 1e9)
        if state["age_s"] >= limit and not stale:
            raise RobotError("stale", f"the loop has made no turn for {state['age_s']:.1f} s",
                             "wait, or look at the robot: `dcm-run logs` there says what happened")
        return state

    def stop(self) -> Any:
        """The emergency stop: the body slows down and stands still. Needs no token, and does not wait for other requests.
        RobotError `not-confirmed`: nothing has said within 1.5 s that the body stands still."""
        line = Line(self._address, STOP_TIMEOUT)
        try:
            # Servers of both versions hear the stop there, before everything else.
            return line.ask("POST", "/api/v1/body/stop", repeatable=True)
        except RobotError as error:
            raise RobotError("not-confirmed", f"STOP is NOT CONFIRMED: {error.sentence}",
                             "press the robot's stop button or cut its power") from error
        finally:
            line.close()

    def _operate(self, operation: str) -> Any:
        """An operation on the whole body. Returns its `state`; after `arm` and `resume` with the `guests`."""
        reply = self.post(f"loop/{operation}")
        return reply.get("may-move", reply)

    def release(self) -> Any:
        """Releases the emergency stop: the body holds its position until it is resumed."""
        return self._operate("release")

    def arm(self) -> Any:
        """Arms the body: it exerts force, and holds its position."""
        return self._operate("arm")

    def disarm(self) -> Any:
        """Disarms the body: it goes limp."""
        return self._operate("disarm")

    def hold(self) -> Any:
        """Slows the body down and holds its position."""
        return self._operate("hold")

    def resume(self) -> Any:
        """Resumes after a hold: commands move the body again."""
        return self._operate("resume")

    def retreat(self) -> Any:
        """Moves the body to its safe pose, then disarms it."""
        return self._operate("retreat")
