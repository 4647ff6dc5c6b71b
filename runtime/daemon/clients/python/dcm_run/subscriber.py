"""What `ALMemory.subscriber(key)` returns: an object whose `signal` is emitted with each value of an event.

Used by scripts in the way of `qi`. The law: the robot is asked for events only while somebody is connected; and what
is connected is called until it is disconnected, also if the script keeps no reference to the subscriber.
"""

from __future__ import annotations

import itertools
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

    def _change(self, has_subscribers: bool) -> None:
        if has_subscribers:
            self._memory.listen(self._key, self._name, self._emit)
        else:
            self._memory.unlisten(self._key, self._name)

    def _emit(self, _key: str, value: Any, _message: str) -> None:
        self.signal(value)
