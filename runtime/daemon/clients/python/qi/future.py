"""Futures: the results of calls that a thread makes.

Used by services (`_async=True`), by `qi.runAsync`, and by scripts. The law: a future has one result, an error, or was
cancelled; callbacks are called once, and an error of theirs concerns nobody else.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import Any, Callable

_log = logging.getLogger("dcm_run")


class FutureState:
    """The states of a future."""

    none, Running, Canceled, FinishedWithError, FinishedWithValue = range(5)


class FutureTimeout:
    """Timeouts of a future, ms."""

    none, Infinite = 0, 0x7FFFFFFF


class Future:
    """A result that comes later. `qi.Future(value)` has one already."""

    def __init__(self, value: Any = None) -> None:
        self._turn = threading.Condition()
        self._state = FutureState.FinishedWithValue
        self._value = value
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[Future], Any]] = []
        self._on_cancel: Callable[[], Any] | None = None
        self._is_cancel_asked = False

    @classmethod
    def _pending(cls, on_cancel: Callable[[], Any] | None = None) -> Future:
        future = cls()
        future._state = FutureState.Running
        future._on_cancel = on_cancel
        return future

    def _make(self, call: Callable[[], Any], was_cut: Callable[[], bool] = lambda: False) -> None:
        """Makes the call, and settles by how it ends. `was_cut` is asked after it: it was ended before its time."""
        try:
            value = call()
        except BaseException as error:  # Whoever asks for the result gets it.
            self._settle(FutureState.FinishedWithError, error=error)
        else:
            # What somebody else has ended was not cancelled, but has a result.
            is_cancelled = self._is_cancel_asked and was_cut()
            self._settle(FutureState.Canceled if is_cancelled else FutureState.FinishedWithValue, value)

    def _settle(self, state: int, value: Any = None, error: BaseException | None = None) -> bool:
        with self._turn:
            if self._state != FutureState.Running:
                return False
            self._state, self._value, self._error = state, value, error
            callbacks, self._callbacks = self._callbacks, []
            self._turn.notify_all()
        for callback in callbacks:
            self._tell(callback)
        return True

    def _tell(self, callback: Callable[[Future], Any]) -> None:
        try:
            callback(self)
        except BaseException:  # The result is the same for all others.
            _log.exception("future: a callback")

    def wait(self, timeout: int = FutureTimeout.Infinite) -> int:
        """Waits for the result, at most this many ms. Returns the state."""
        with self._turn:
            self._turn.wait_for(lambda: self._state != FutureState.Running, _seconds(timeout))
            return self._state

    def value(self, timeout: int = FutureTimeout.Infinite) -> Any:
        """Waits for the result and returns it. An error of the call is raised."""
        state = self.wait(timeout)
        if state == FutureState.Running:
            raise RuntimeError(f"there is no result after {timeout} ms")
        if state == FutureState.Canceled:
            raise RuntimeError("the call was cancelled")
        if self._error is not None:
            raise self._error
        return self._value

    def error(self, timeout: int = FutureTimeout.Infinite) -> str:
        """Waits, and returns the text of the error; empty if there is none."""
        self.wait(timeout)
        return str(self._error) if self._error is not None else ""

    def hasError(self, timeout: int = FutureTimeout.Infinite) -> bool:
        """Waits, and returns whether there was an error."""
        return self.wait(timeout) == FutureState.FinishedWithError

    def hasValue(self, timeout: int = FutureTimeout.Infinite) -> bool:
        """Waits, and returns whether there is a result."""
        return self.wait(timeout) == FutureState.FinishedWithValue

    def isRunning(self) -> bool:
        """Whether the call is in progress."""
        return self._state == FutureState.Running

    def isFinished(self) -> bool:
        """Whether the call has ended, in any way."""
        return not self.isRunning()

    def isCanceled(self) -> bool:
        """Whether the call was cancelled."""
        return self._state == FutureState.Canceled

    def isCancelable(self) -> bool:
        """Whether `cancel` ends the call."""
        return self._on_cancel is not None

    def cancel(self) -> None:
        """Asks the call to end: a motion stops where it is. What cannot be ended goes on."""
        if self._on_cancel is not None and self.isRunning():
            self._is_cancel_asked = True
            self._on_cancel()

    def addCallback(self, callback: Callable[[Future], Any]) -> None:
        """Calls a function with this future when it has ended; at once if it has."""
        with self._turn:
            if self._state == FutureState.Running:
                self._callbacks.append(callback)
                return
        self._tell(callback)

    def then(self, callback: Callable[[Future], Any]) -> Future:
        """A future of what a function makes of this one when it has ended."""
        return self._chained(lambda later: later._make(lambda: callback(self)))

    def andThen(self, callback: Callable[[Any], Any]) -> Future:
        """A future of what a function makes of the result; an error and a cancellation pass by it."""

        def follow(later: Future) -> None:
            if self.isCanceled():
                later._settle(FutureState.Canceled)
            else:
                later._make(lambda: callback(self.value()))

        return self._chained(follow)

    def _chained(self, follow: Callable[[Future], None]) -> Future:
        later = Future._pending(self.cancel)
        self.addCallback(lambda _: follow(later))
        return later


class Promise:
    """The other end of a future: who makes the result."""

    def __init__(self, on_cancel: Callable[[Promise], Any] | None = None) -> None:
        self._future = Future._pending((lambda: on_cancel(self)) if callable(on_cancel) else None)

    def future(self) -> Future:
        """The future."""
        return self._future

    def setValue(self, value: Any) -> None:
        """Gives the result."""
        self._end(self._future._settle(FutureState.FinishedWithValue, value))

    def setError(self, error: str) -> None:
        """Ends it with an error."""
        self._end(self._future._settle(FutureState.FinishedWithError, error=RuntimeError(error)))

    def setCanceled(self) -> None:
        """Ends it as cancelled."""
        self._end(self._future._settle(FutureState.Canceled))

    def isCancelRequested(self) -> bool:
        """Whether it was cancelled: who makes the result may end, and call `setCanceled`."""
        return self._future._is_cancel_asked or self._future.isCanceled()

    def _end(self, is_first: bool) -> None:
        if not is_first:
            raise RuntimeError("the promise has ended already")


def runAsync(callback: Callable[..., Any], *arguments: Any, delay: int = 0, **named: Any) -> Future:
    """Calls a function on a thread, after `delay` µs."""
    is_off = threading.Event()
    future = Future._pending(is_off.set)

    def run() -> None:
        if is_off.wait(delay / 1e6):
            future._settle(FutureState.Canceled)
        else:
            future._make(lambda: callback(*arguments, **named))

    threading.Thread(target=run, name=f"qi.{getattr(callback, '__name__', 'call')}", daemon=delay > 0).start()
    return future


async_ = runAsync


def clockNow() -> int:
    """A clock that never goes back, ns."""
    return time.monotonic_ns()


def _seconds(timeout: int) -> float | None:
    return None if timeout >= FutureTimeout.Infinite or timeout < 0 else timeout / 1000
