"""Subscriptions to events of the robot's memory: a thread asks the robot for them, and calls the subscribers.

Used by ALMemory. The law: a module has one subscription to each event, also to events that the robot raises as one.
"""

from __future__ import annotations

import inspect
import logging
import threading
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable

from . import modules
from .errors import RobotError
from .touches import TOUCH_CHANGED, events_of, translated

if TYPE_CHECKING:
    from .robot import Robot

# How long the robot waits for an event before it answers, s: so long a subscription may take to end its thread, and so
# late another one may hear its first event.
WAIT = 0.5
# How long the thread waits after an error, s.
RETRY = 0.5

_log = logging.getLogger("dcm_run")

Function = Callable[..., Any]


@dataclass(frozen=True)
class _Subscription:
    """What is called, with which third argument, for which of the robot's events."""

    function: Function
    message: str
    keys: frozenset[str]


class Subscriptions:
    """The subscriptions to events of a robot. Their thread ends with the last of them, or with the program."""

    def __init__(self, robot: Robot) -> None:
        # On a line of its own: what belongs to a robot must not keep it alive.
        self._robot = robot.another_line()
        self._lock = threading.Lock()
        # By event and module, as the script names them.
        self._subscriptions: dict[tuple[str, str], _Subscription] = {}
        self._thread: threading.Thread | None = None

    def add(self, event: str, module: Any, method: str, message: str | None) -> None:
        """Subscribes a method of a module."""
        found = modules.find(module) if isinstance(module, str) else module
        function = getattr(found, method, None)
        if not callable(function):
            raise RobotError("not-found", f"{_name(module)} has no method {method!r}",
                             "give an object, or the name of a global variable, and the name of its method")
        self.listen(event, _name(module), fitted(function), message)

    def listen(self, event: str, name: str, function: Function, message: str | None = None) -> None:
        """Subscribes a function under a name."""
        if "," in event or not event:
            raise RobotError("invalid-name", f"{event!r} cannot be an event", "give the key of one event")
        added = _Subscription(translated(function) if event == TOUCH_CHANGED else function,
                              name if message is None else message, frozenset(events_of(event)))
        since = self._next()
        with self._lock:
            # What is added while the thread waits for others is heard when that wait is over.
            self._subscriptions[(event, name)] = added
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(since,), name="dcm_run.events", daemon=True)
                self._thread.start()

    def remove(self, event: str, module: Any) -> None:
        """Ends a subscription."""
        with self._lock:
            if self._subscriptions.pop((event, _name(module)), None) is None:
                raise RobotError("not-found", f"{_name(module)} has not subscribed to {event!r}",
                                 "name the event and the module as in the subscription")

    def forget(self, module: Any) -> None:
        """Ends all subscriptions of a module."""
        with self._lock:
            for key in [it for it in self._subscriptions if it[1] == _name(module)]:
                del self._subscriptions[key]

    def modules(self, event: str) -> list[str]:
        """Who has subscribed to an event."""
        with self._lock:
            return [module for name, module in self._subscriptions if name == event]

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
        """The robot's events that are subscribed to. Without any, the thread ends."""
        with self._lock:
            if not self._subscriptions:
                if self._thread is threading.current_thread():
                    self._thread = None
                return None
            return sorted({key for it in self._subscriptions.values() for key in it.keys})

    def _call(self, event: dict[str, Any]) -> None:
        with self._lock:
            subscriptions = [it for it in self._subscriptions.values() if event["key"] in it.keys]
        for it in subscriptions:
            try:
                it.function(event["key"], event["value"], it.message)
            except BaseException:  # A callback's error, or its exit, is its own; the others are still called.
                _log.exception("events: a callback for %s", event["key"])


def fitted(function: Function) -> Function:
    """A function that is called with as many of the three arguments as it takes: scripts leave the last ones out."""
    try:
        kinds = [it.kind for it in inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        return function
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return function
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    count = sum(it in places for it in kinds)
    return lambda *told: function(*told[:count])


_known: weakref.WeakKeyDictionary[Robot, Subscriptions] = weakref.WeakKeyDictionary()
_known_lock = threading.Lock()


def subscriptions_of(robot: Robot) -> Subscriptions:
    """The subscriptions of a robot, which its proxies share: any of them may end what another has begun."""
    with _known_lock:
        found = _known.get(robot)
        if found is None:
            found = _known[robot] = Subscriptions(robot)
        return found


def _name(module: Any) -> str:
    return module if isinstance(module, str) else str(getattr(module, "__name__", None) or f"{type(module).__name__}-{id(module):x}")
