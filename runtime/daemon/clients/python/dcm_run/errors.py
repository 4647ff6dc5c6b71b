"""All errors are one class: a code for programs, a sentence for people, and often a fix.

It is a RuntimeError, as in NAOqi, so that `except RuntimeError` in an old script still works.
"""

from __future__ import annotations

from typing import Any


# The longest part of an error, letters.
LONGEST = 2000


def printable(text: str) -> str:
    """The text without what would move a terminal's cursor: it may come from another machine."""
    return "".join(it if it.isprintable() else "\ufffd" for it in text[:LONGEST])


class RobotError(RuntimeError):
    """A request failed or was refused.

    Codes of the client, besides those of the robot's server:
    `stale` the robot's loop stands still; `not-confirmed` a stop was not confirmed in time, so use the robot's button;
    `away` the robot cannot be reached; `lost` the connection broke before the answer, and the command may have been
    executed; `stranger` unknown certificate; `changed` the certificate has changed; `strange` invalid answer;
    `where` invalid address; `known` the file of paired robots cannot be read; `malformed` the arguments cannot be
    sent; `full` too many tasks; `not-here` a call of NAOqi that is not supported.
    """

    def __init__(self, code: str, sentence: str, fix: str | None = None) -> None:
        code, sentence, fix = printable(code), printable(sentence), fix and printable(fix)
        super().__init__(code, sentence, fix)
        self.code = code
        self.sentence = sentence
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.sentence}; fix: {self.fix}" if self.fix else self.sentence


class NoSuchMethod(RobotError, AttributeError):
    """A module has no such method: an AttributeError for Python, and as in NAOqi a RuntimeError that names it."""


def refusal(status: int, answer: Any) -> RobotError:
    """The error in a server's answer."""
    told = answer.get("error") if isinstance(answer, dict) else None
    if isinstance(told, dict) and isinstance(told.get("sentence"), str):
        fix = told.get("fix")
        return RobotError(str(told.get("code", "strange")), told["sentence"], fix if isinstance(fix, str) else None)
    # The answer may come from a proxy, or from another program at this port.
    return RobotError("strange", f"the answer has status {status} without a message")
