"""What can go wrong, as one kind of error: a code for programs, a sentence for people, and often a fix.

It is a RuntimeError because that is what NAOqi's proxies raise: `except RuntimeError` in an old script still holds.
"""

from __future__ import annotations

from typing import Any


class RobotError(RuntimeError):
    """A robot would not, or could not, do what was asked.

    Codes that come from here, not from the robot's server:
    `away` it cannot be reached; `lost` the connection broke before the answer to something that may have been
    done; `stranger` nobody here knows its certificate; `changed` its certificate is another one than it was;
    `strange` the answer is none; `where` no such place can be; `known` the file of paired robots cannot be read;
    `malformed` the arguments cannot be sent; `full` too many tasks; `not-here` NAOqi has it and this robot has not.
    """

    def __init__(self, code: str, sentence: str, fix: str | None = None) -> None:
        super().__init__(code, sentence, fix)
        self.code = code
        self.sentence = sentence
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.sentence}; fix: {self.fix}" if self.fix else self.sentence


def refusal(status: int, answer: Any) -> RobotError:
    """The error that a server's answer tells, whatever has become of it on the way."""
    told = answer.get("error") if isinstance(answer, dict) else None
    if isinstance(told, dict) and isinstance(told.get("sentence"), str):
        fix = told.get("fix")
        return RobotError(str(told.get("code", "strange")), told["sentence"], fix if isinstance(fix, str) else None)
    # Something between us and the robot may answer too: a relay, another program at this port.
    return RobotError("strange", f"the answer is {status}, without a word why")
