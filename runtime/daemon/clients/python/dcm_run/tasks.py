"""Asynchronous calls: `proxy.post.set(...)` returns a number at once, and a thread makes the call."""

from __future__ import annotations

import itertools
import logging
import threading
from typing import Any, Callable

from .errors import RobotError

# The maximum number of calls in progress of a proxy.
TASKS_MAX = 64

# All proxies of a script count together, so that a number means one call, whichever proxy is asked to end it.
_numbers = itertools.count(1)
_here = threading.local()

_log = logging.getLogger("dcm_run")


def number_here() -> int:
    """The number of the call of `post` that this thread makes; a new number on any other thread."""
    number: int | None = getattr(_here, "number", None)
    return next(_numbers) if number is None else number


def numbered(call: Callable[[], Any]) -> tuple[int, Callable[[], Any]]:
    """A call for another thread, with a number that `number_here` has while it is made."""
    number = next(_numbers)

    def run() -> Any:
        _here.number = number
        try:
            return call()
        finally:
            del _here.number

    return number, run


class Tasks:
    """The calls of a proxy that are in progress."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[int, threading.Thread] = {}

    def start(self, name: str, call: Callable[[], Any]) -> int:
        """Starts a call on a thread. Returns its number, which is unique."""
        with self._lock:
            if len(self._running) >= TASKS_MAX:
                raise RobotError("full", f"{TASKS_MAX} calls are in progress already", "wait for some of them")
            number = next(_numbers)
            # Not a daemon thread: a script whose last line posts a command ends after the call.
            thread = threading.Thread(target=self._run, args=(number, name, call), name=f"post.{name}")
            # Within the lock, so that it is added before it can be removed.
            thread.start()
            self._running[number] = thread
        return number

    def is_running(self, number: int) -> bool:
        """Whether the call is still in progress."""
        with self._lock:
            return number in self._running

    def wait(self, number: int, timeout_ms: int) -> bool:
        """Waits until the call has ended; 0: no limit. True after a timeout."""
        with self._lock:
            thread = self._running.get(number)
        if thread is None:
            return False
        thread.join(timeout_ms / 1000 if timeout_ms > 0 else None)
        return thread.is_alive()

    def _run(self, number: int, name: str, call: Callable[[], Any]) -> None:
        _here.number = number
        try:
            call()
        except RobotError as error:
            # Nobody may wait for the result, so it is logged, as in NAOqi.
            _log.warning("post.%s: %s", name, error)
        finally:
            with self._lock:
                del self._running[number]


class Post:
    """The methods of a proxy, as asynchronous calls."""

    def __init__(self, proxy: Any, tasks: Tasks) -> None:
        self._proxy = proxy
        self._tasks = tasks

    def __getattr__(self, name: str) -> Callable[..., int]:
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(self._proxy, name)
        return lambda *arguments, **named: self._tasks.start(name, lambda: method(*arguments, **named))
