"""The voice: espeak, which says one sentence after another on the machine where the script runs.

Used by ALTextToSpeech, whose proxies share it. The law: sentences are said in the order in which they came, never two
at once; one that is stopped ends at once, also while it waits for its turn.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
from dataclasses import dataclass, field
from typing import Callable, Sequence

from ..tasks import begun

_log = logging.getLogger("dcm_run.speech")


@dataclass(eq=False)
class _Sentence:
    """A sentence that is said, or waits."""

    number: int
    process: subprocess.Popen[bytes] | None = None
    is_stopped: bool = False


# The parameters, as they are at first.
PARAMETERS = {"speed": 100.0, "pitchShift": 1.0, "doubleVoice": 0.0, "doubleVoiceLevel": 0.0,
              "doubleVoiceTimeShift": 0.0}


@dataclass
class Settings:
    """How sentences are said."""

    language: str = "English"
    volume: float = 1.0
    parameters: dict[str, float] = field(default_factory=lambda: dict(PARAMETERS))


def program() -> str | None:
    """The program that speaks; None if there is none."""
    return shutil.which("espeak-ng") or shutil.which("espeak")


class Voice:
    """The sentences of a program."""

    def __init__(self) -> None:
        self.settings = Settings()
        self._turn = threading.Condition()
        self._sentences: list[_Sentence] = []

    def say(self, number: int, text: str, words: Sequence[str], begins: Callable[[], None]) -> bool:
        """Says a text with a program, in its turn, and waits. Returns whether it was not stopped.

        Without words there is no sound. `begins` is called when it is the text's turn.
        """
        sentence = _Sentence(number)
        with self._turn:
            self._sentences.append(sentence)
            begun()
            self._turn.wait_for(lambda: sentence.is_stopped or self._sentences[0] is sentence)
        try:
            if not sentence.is_stopped:
                begins()
                if words:
                    self._speak(sentence, text, words)
        finally:
            with self._turn:
                self._sentences.remove(sentence)
                self._turn.notify_all()
        return not sentence.is_stopped

    def stop(self, number: int | None = None) -> list[int]:
        """Ends a sentence, or all. Returns the numbers of what it ends."""
        with self._turn:
            found = [it for it in self._sentences if number is None or it.number == number]
            for sentence in found:
                sentence.is_stopped = True
                if sentence.process is not None:
                    sentence.process.terminate()
            self._turn.notify_all()
        return [it.number for it in found]

    def _speak(self, sentence: _Sentence, text: str, words: Sequence[str]) -> None:
        with self._turn:
            if sentence.is_stopped:
                return
            process = sentence.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.communicate(text.encode())
        if process.returncode > 0:
            _log.warning("espeak ended with %d: is there a loudspeaker?", process.returncode)


VOICE = Voice()
