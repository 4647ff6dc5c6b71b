"""Periodic tasks: a function that a thread calls again and again."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any, Callable

_log = logging.getLogger("dcm_run")


class PeriodicTask:
    """Calls a function every so often, until it is stopped. It ends with the script."""

    def __init__(self) -> None:
        self._callback: Callable[[], Any] | None = None
        self._period = 0.0
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None

    def setCallback(self, callback: Callable[[], Any]) -> None:
        """Sets the function."""
        self._callback = callback

    def setUsPeriod(self, period: int) -> None:
        """Sets the period, µs."""
        self._period = period / 1e6

    def start(self, immediate: bool = False) -> None:
        """Begins: at once, or after one period."""
        if self._callback is None or self._period <= 0:
            raise RuntimeError("a periodic task needs setCallback and setUsPeriod first")
        if self._thread is None:
            self._is_over.clear()
            self._thread = threading.Thread(target=self._run, args=(immediate,), name="qi.periodic", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ends it, and waits for a call that is in progress."""
        thread, self._thread = self._thread, None
        self._is_over.set()
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    asyncStop = stop

    def isRunning(self) -> bool:
        """Whether it has begun and was not stopped."""
        return self._thread is not None

    def _run(self, immediate: bool) -> None:
        following = time.monotonic() + (0.0 if immediate else self._period)
        while not self._is_over.wait(max(0.0, following - time.monotonic())):
            try:
                assert self._callback is not None
                self._callback()
            except Exception:  # The next call may be well again.
                _log.exception("periodic task")
            # Missed calls are not made up for.
            following = max(following + self._period, time.monotonic())
