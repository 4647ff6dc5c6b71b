"""The log of `qi`, as entries of Python's own: `qi.Logger("name").info("text")`, also as `qi.logging.Logger`."""

from __future__ import annotations

import logging
from typing import Any


class Logger:
    """A category of the log."""

    def __init__(self, category: str = "qi") -> None:
        self._log = logging.getLogger(category)

    def fatal(self, *words: Any) -> None:
        """An entry of the highest level."""
        self._log.critical(_text(words))

    def error(self, *words: Any) -> None:
        """A person must act."""
        self._log.error(_text(words))

    def warning(self, *words: Any) -> None:
        """It goes on, but not as it should."""
        self._log.warning(_text(words))

    def info(self, *words: Any) -> None:
        """What a person follows."""
        self._log.info(_text(words))

    def verbose(self, *words: Any) -> None:
        """Details."""
        self._log.debug(_text(words))

    debug = verbose


getLogger = Logger


def fatal(category: str, *words: Any) -> None:
    """An entry of the highest level."""
    Logger(category).fatal(*words)


def error(category: str, *words: Any) -> None:
    """A person must act."""
    Logger(category).error(*words)


def warning(category: str, *words: Any) -> None:
    """It goes on, but not as it should."""
    Logger(category).warning(*words)


def info(category: str, *words: Any) -> None:
    """What a person follows."""
    Logger(category).info(*words)


def verbose(category: str, *words: Any) -> None:
    """Details."""
    Logger(category).verbose(*words)


debug = verbose


def _text(words: tuple[Any, ...]) -> str:
    return " ".join(str(it) for it in words)
