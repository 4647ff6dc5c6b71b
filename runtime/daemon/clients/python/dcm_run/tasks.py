"""Asynchronous calls: `proxy.post.set(...)` returns a number at once, and a thread makes the call.

The law: calls take effect in the order in which they were posted. So `post` returns when the call has its place in
that order, which it tells by `begun`, or has ended; a call that tells nothing is waited for a moment only. Who ends
what a call does has it ended when it returns.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from typing import Any, Callable, Iterable, NamedTuple

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
    call = _call_here()
    return next(_numbers) if call is None else call.number


def begun() -> None:
    """Tells that this thread's call has its place: whatever is posted from now on comes after it."""
    call = _call_here()
    if call is not None:
        call.begun.set()


def cut() -> None:
    """Tells that what this thread's call does was ended before its time."""
    call = _call_here()
    if call is not None:
        call.was_cut = True


def _call_here() -> Numbered | None:
    call: Numbered | None = getattr(_here, "call", None)
    return call


class Numbered:
    """A call for another thread, with a number that `number_here` has while it is made."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self.number = next(_numbers)
        self.begun = threading.Event()
        self.was_cut = False
        self._call = call

    def __call__(self) -> Any:
        _here.call = self
        try:
            return self._call()
        finally:
            self.begun.set()
            del _here.call

    def wait_for_place(self) -> None:
        """Waits until the call has its place, or a moment."""
        self.begun.wait(PLACE_WITHIN)


class _Running(NamedTuple):
    """A call in progress."""

    thread: threading.Thread
    is_ordered: bool


# The calls in progress, whichever proxy has begun them.
_lock = threading.Lock()
_running: dict[int, _Running] = {}


def wait_for_ends(numbers: Iterable[int], within: float) -> None:
    """Waits until calls have ended whose work was ended, at most so long, s.

    It does not wait for methods of the script: they may do other things afterwards, as long as they like.
    """
    until = time.monotonic() + within
    with _lock:
        found = [it.thread for it in map(_running.get, numbers) if it is not None and it.is_ordered]
    for thread in found:
        if thread is not threading.current_thread():
            thread.join(max(0.0, until - time.monotonic()))


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
            _running[numbered.number] = _Running(thread, self._is_ordered)
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
            found = _running.get(number)
        if found is None:
            return False
        found.thread.join(timeout_ms / 1000 if timeout_ms > 0 else None)
        return found.thread.is_alive()

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
