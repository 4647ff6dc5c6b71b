"""Asynchronous calls: `proxy.post.set(...)` returns a number at once, and a thread makes the call.

The law: calls take effect in the order in which they were posted. So `post` returns when the call has its place in
that order, which it tells by `begun`, or has ended; a call that tells nothing is waited for a moment only.
"""

from __future__ import annotations

import itertools
import logging
import threading
from typing import Any, Callable

from .errors import RobotError

# The maximum number of calls in progress of a proxy.
TASKS_MAX = 64
# How long `post` waits at most until its call has its place in the order, s: a robot may be slow to answer.
PLACE_WITHIN = 1.0

# All proxies of a script count together, so that a number means one call, whichever proxy is asked to end it.
_numbers = itertools.count(1)
_here = threading.local()

_log = logging.getLogger("dcm_run")


def number_here() -> int:
    """The number of the call of `post` that this thread makes; a new number on any other thread."""
    number: int | None = getattr(_here, "number", None)
    return next(_numbers) if number is None else number


def begun() -> None:
    """Tells that this thread's call has its place: whatever is posted from now on comes after it."""
    event: threading.Event | None = getattr(_here, "begun", None)
    if event is not None:
        event.set()


class Numbered:
    """A call for another thread, with a number that `number_here` has while it is made."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self.number = next(_numbers)
        self._call = call
        self._begun = threading.Event()

    def __call__(self) -> Any:
        _here.number, _here.begun = self.number, self._begun
        try:
            return self._call()
        finally:
            self._begun.set()
            del _here.number, _here.begun

    def wait_for_place(self) -> None:
        """Waits until the call has its place, or a moment."""
        self._begun.wait(PLACE_WITHIN)


# The calls in progress, whichever proxy has begun them.
_lock = threading.Lock()
_running: dict[int, threading.Thread] = {}


class Tasks:
    """The calls of a proxy that are in progress. As in NAOqi, any proxy may wait for those of another."""

    def __init__(self, is_ordered: bool = True) -> None:
        self._is_ordered = is_ordered
        self._count = 0

    def start(self, name: str, call: Callable[[], Any]) -> int:
        """Starts a call on a thread. Returns its number, which is unique."""
        with _lock:
            if self._count >= TASKS_MAX:
                raise RobotError("full", f"{TASKS_MAX} calls are in progress already", "wait for some of them")
            numbered = Numbered(call)
            # Not a daemon thread: a script whose last line posts a command ends after the call.
            thread = threading.Thread(target=self._run, args=(name, numbered), name=f"post.{name}")
            # Within the lock, so that it is added before it can be removed.
            thread.start()
            self._count += 1
            _running[numbered.number] = thread
        if self._is_ordered:
            numbered.wait_for_place()
        return numbered.number

    def is_running(self, number: int) -> bool:
        """Whether the call is still in progress."""
        with _lock:
            return number in _running

    def wait(self, number: int, timeout_ms: int) -> bool:
        """Waits until the call has ended; 0: no limit. True after a timeout."""
        with _lock:
            thread = _running.get(number)
        if thread is None:
            return False
        thread.join(timeout_ms / 1000 if timeout_ms > 0 else None)
        return thread.is_alive()

    def _run(self, name: str, call: Numbered) -> None:
        try:
            call()
        except RobotError as error:
            # Nobody may wait for the result, so it is logged, as in NAOqi.
            _log.warning("post.%s: %s", name, error)
        finally:
            with _lock:
                self._count -= 1
                del _running[call.number]


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
