"""Calls that nobody waits for: `proxy.post.set(...)` gives a number at once, and the call is made on a thread."""

from __future__ import annotations

import logging
import threading
from typing import Any, Callable

from .errors import RobotError

# As many calls may be under way for one proxy.
TASKS_MAX = 64

_log = logging.getLogger("dcm_run")


class Tasks:
    """The calls of one proxy that are under way. One that has ended is forgotten."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0
        self._running: dict[int, threading.Thread] = {}

    def start(self, name: str, call: Callable[[], Any]) -> int:
        """Makes a call on a thread; its number, which is never given twice."""
        with self._lock:
            if len(self._running) >= TASKS_MAX:
                raise RobotError("full", f"{TASKS_MAX} calls are under way already", "wait for some of them")
            self._last += 1
            number = self._last
            # Not a daemon: a script whose last line posts a command ends when the command has gone.
            thread = threading.Thread(target=self._run, args=(number, name, call), name=f"post.{name}")
            # Within the lock, so that a call that ends at once is written down before it is taken out.
            thread.start()
            self._running[number] = thread
        return number

    def is_running(self, number: int) -> bool:
        """Whether the call is under way still."""
        with self._lock:
            return number in self._running

    def wait(self, number: int, timeout_ms: int) -> bool:
        """Waits until the call has ended, for ever if the time is 0. True if the time was over before."""
        with self._lock:
            thread = self._running.get(number)
        if thread is None:
            return False
        thread.join(timeout_ms / 1000 if timeout_ms > 0 else None)
        return thread.is_alive()

    def _run(self, number: int, name: str, call: Callable[[], Any]) -> None:
        try:
            call()
        except RobotError as error:
            # Nobody may ever ask what became of it, so it is said aloud, as NAOqi does.
            _log.warning("post.%s: %s", name, error)
        finally:
            with self._lock:
                del self._running[number]


class Post:
    """The methods of a proxy, as calls that nobody waits for."""

    def __init__(self, proxy: Any, tasks: Tasks) -> None:
        self._proxy = proxy
        self._tasks = tasks

    def __getattr__(self, name: str) -> Callable[..., int]:
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(self._proxy, name)
        return lambda *arguments: self._tasks.start(name, lambda: method(*arguments))
