"""Properties: a value, and a signal that is emitted when it is set."""

from __future__ import annotations

from typing import Any

from dcm_run.signals import Signal


class Property(Signal):
    """A value with a signal."""

    def __init__(self, signature: str = "", value: Any = None) -> None:
        super().__init__(signature)
        self._value = value

    def value(self, *_named: Any, **_options: Any) -> Any:
        """The value."""
        return self._value

    def setValue(self, value: Any, *_named: Any, **_options: Any) -> None:
        """Sets the value, and emits it."""
        self._value = value
        self(value)
