"""What `ALMemory.subscriber(key)` returns: an object whose `signal` is emitted with each value of an event.

Used by scripts in the way of `qi`. The law: the robot is asked for events only while somebody is connected; and as in
NAOqi the subscription ends when the script drops the subscriber.
"""

from __future__ import annotations

import itertools
import weakref
from typing import TYPE_CHECKING, Any

from .signals import Signal

if TYPE_CHECKING:
    from .memory import ALMemoryProxy

_numbers = itertools.count(1)


class Subscriber:
    """The events of one key."""

    def __init__(self, memory: ALMemoryProxy, key: str) -> None:
        self._memory = memory
        self._key = key
        self._name = f"subscriber-{next(_numbers)}"
        self.signal = Signal("", self._change)

    def __del__(self) -> None:
        # The callbacks may belong to the subscriber's owner, who has gone.
        if getattr(self, "signal", None) is not None:
            self.signal.disconnectAll()

    def _change(self, has_subscribers: bool) -> None:
        if not has_subscribers:
            self._memory.unlisten(self._key, self._name)
            return
        # The memory keeps no subscriber alive.
        here = weakref.ref(self)

        def emit(_key: str, value: Any, _message: str) -> None:
            subscriber = here()
            if subscriber is not None:
                subscriber.signal(value)

        self._memory.listen(self._key, self._name, emit)
