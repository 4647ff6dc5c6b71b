"""Signals: a function that is connected is called with what is emitted.

Used by `ALMemory.subscriber`, and by `qi`, whose class it is. The law: a callback's error is logged and concerns
nobody else.
"""

from __future__ import annotations

import itertools
import logging
import threading
from typing import Any, Callable

_log = logging.getLogger("dcm_run")


class Signal:
    """A list of functions that are called, one after another, whenever something is emitted.

    `on_subscribers(True)` is called before the first function is connected, and with False after the last has gone.
    """

    def __init__(self, _signature: str = "", on_subscribers: Callable[[bool], object] | None = None) -> None:
        self._lock = threading.RLock()
        self._links: dict[int, Callable[..., Any]] = {}
        self._numbers = itertools.count(1)
        self._on_subscribers = on_subscribers

    def connect(self, callback: Callable[..., Any], *_named: Any, **_options: Any) -> int:
        """Connects a function. Returns the link's number, for `disconnect`."""
        if not callable(callback):
            raise TypeError(f"{callback!r} cannot be called")
        with self._lock:
            if not self._links and self._on_subscribers is not None:
                self._on_subscribers(True)
            number = next(self._numbers)
            self._links[number] = callback
            return number

    def disconnect(self, link: int, *_named: Any, **_options: Any) -> bool:
        """Ends a link. Returns whether there was one of this number."""
        with self._lock:
            known = self._links.pop(link, None) is not None
            if known and not self._links and self._on_subscribers is not None:
                self._on_subscribers(False)
            return known

    def disconnectAll(self, *_named: Any, **_options: Any) -> bool:
        """Ends all links."""
        for link in list(self._links):
            self.disconnect(link)
        return True

    def __call__(self, *values: Any) -> None:
        with self._lock:
            callbacks = list(self._links.values())
        for callback in callbacks:
            try:
                callback(*values)
            except BaseException:  # As with events: an error or an exit is the callback's own.
                _log.exception("signal: a callback")

    emit = __call__
