"""Subscriptions to events of the robot's memory: a thread asks the robot for them, and calls the subscribers."""

from __future__ import annotations

import logging
import sys
import threading
from typing import TYPE_CHECKING, Any, Callable

from .errors import RobotError

if TYPE_CHECKING:
    from .robot import Robot

# How long the robot waits for an event before it answers, s: so long a subscription may take to end its thread.
WAIT = 2
# How long the thread waits after an error, s.
RETRY = 0.5

_log = logging.getLogger("dcm_run")


class Subscriptions:
    """The subscriptions of a proxy. Their thread ends with the last of them, or with the program."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._lock = threading.Lock()
        # By event and module: the function, and the third argument of its calls.
        self._functions: dict[tuple[str, str], tuple[Callable[..., Any], str]] = {}
        self._thread: threading.Thread | None = None

    def add(self, event: str, module: Any, method: str, message: str | None) -> None:
        """Subscribes a method of a module."""
        found = vars(sys.modules["__main__"]).get(module) if isinstance(module, str) else module
        function = getattr(found, method, None)
        if not callable(function):
            raise RobotError("not-found", f"{_name(module)} has no method {method!r}",
                             "give an object, or the name of a global variable, and the name of its method")
        if "," in event or not event:
            raise RobotError("invalid-name", f"{event!r} cannot be an event", "give the key of one event")
        since = self._next()
        with self._lock:
            self._functions[(event, _name(module))] = (function, _name(module) if message is None else message)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(since,), name="dcm_run.events", daemon=True)
                self._thread.start()

    def remove(self, event: str, module: Any) -> None:
        """Ends a subscription."""
        with self._lock:
            if self._functions.pop((event, _name(module)), None) is None:
                raise RobotError("not-found", f"{_name(module)} has not subscribed to {event!r}",
                                 "name the event and the module as in the subscription")

    def modules(self, event: str) -> list[str]:
        """Who has subscribed to an event."""
        with self._lock:
            return [module for name, module in self._functions if name == event]

    def _next(self) -> int:
        return int(self._robot.get("memory/events", keys="")["next"])

    def _run(self, since: int) -> None:
        line = self._robot.another_line()
        try:
            while (keys := self._keys()) is not None:
                try:
                    told = line.get("memory/events", keys=",".join(keys), since=since, wait_s=WAIT)
                    events = told["events"]
                    # Of what was subscribed to meanwhile, the answer has nothing.
                    added = sorted(set(self._keys() or ()) - set(keys))
                    if added:
                        more = line.get("memory/events", keys=",".join(added), since=since)["events"]
                        events += [it for it in more if it["number"] < told["next"]]
                except Exception as error:  # Whatever comes instead of an answer: the robot is asked again.
                    _log.warning("events: %s", error)
                    threading.Event().wait(RETRY)
                    continue
                if told["missed"]:
                    _log.warning("events: %d were missed, because a callback takes too long", told["missed"])
                # A robot's server that was started again counts from 0.
                since = told["next"]
                for event in sorted(events, key=lambda it: it["number"]):
                    self._call(event)
        finally:
            line.close()
            with self._lock:
                if self._thread is threading.current_thread():
                    self._thread = None

    def _keys(self) -> list[str] | None:
        """The events that are subscribed to. Without any, the thread ends."""
        with self._lock:
            if not self._functions:
                if self._thread is threading.current_thread():
                    self._thread = None
                return None
            return sorted({event for event, _ in self._functions})

    def _call(self, event: dict[str, Any]) -> None:
        with self._lock:
            functions = [it for (name, _), it in self._functions.items() if name == event["key"]]
        for function, message in functions:
            try:
                function(event["key"], event["value"], message)
            except BaseException:  # A callback's error, or its exit, is its own; the others are still called.
                _log.exception("events: a callback for %s", event["key"])


def _name(module: Any) -> str:
    return module if isinstance(module, str) else str(getattr(module, "__name__", None) or f"{type(module).__name__}-{id(module):x}")
