"""ALTextToSpeech: what a script says goes to the log, to the robot's memory, and to espeak where it is installed.

The law: `say` returns when the voice has ended. Without a voice it returns at once: a script must not depend on a
loudspeaker. Speech is heard on the machine where the script runs. NAOqi's events tell of each sentence, and their
values say whether one is being said.
"""

from __future__ import annotations

import logging
import re
import subprocess
from typing import Any

from ..errors import RobotError
from ..memory import ALMemoryProxy
from ..tasks import cut, number_here, wait_for_ends
from . import curves, voice
from .service import Service

# NAOqi's languages, and espeak's voices for them.
_VOICES = {
    "English": "en", "French": "fr", "German": "de", "Spanish": "es", "Italian": "it", "Portuguese": "pt",
    "Brazilian": "pt-br", "Dutch": "nl", "Polish": "pl", "Russian": "ru", "Turkish": "tr", "Swedish": "sv",
    "Norwegian": "nb", "Danish": "da", "Finnish": "fi", "Greek": "el", "Czech": "cs", "Arabic": "ar",
    "Japanese": "ja", "Chinese": "cmn", "Korean": "ko",
}
# Words a minute at NAOqi's speed of 100 %.
_WORDS = 170
_MARK = re.compile(r"\\+\w+(?:=[^\\]*)?\\+|\^\w+\([^)]*\)")

_EVENT = "ALTextToSpeech/"
# How long whoever stops sentences waits at most until their calls have ended, s: a robot may be slow to answer.
ENDS_WITHIN = 2.0

_log = logging.getLogger("dcm_run.speech")


def spoken(said: Any) -> str:
    """A text without NAOqi's marks, such as `\\\\rspd=80\\\\` and `^start(...)`.

    Scripts of Python 2 encode their texts.
    """
    text = said.decode("utf-8", "replace") if isinstance(said, (bytes, bytearray)) else str(said)
    return " ".join(_MARK.sub(" ", text).split())


class ALTextToSpeechProxy(Service):
    """Speech, as in NAOqi's ALTextToSpeech."""

    def __init__(self, *where: Any, **named: Any) -> None:
        super().__init__(*where, **named)
        self._memory = ALMemoryProxy(robot=self.robot)
        # Of the module, not of a proxy: as in NAOqi, all proxies have the same language.
        self._settings = voice.VOICE.settings

    def say(self, stringToSay: Any, language: str | None = None) -> None:
        """Says a text, after those that came before. It is an entry of the log, and events of ALMemory tell of it."""
        text, number = spoken(stringToSay), number_here()
        words = self._words(language or self._settings.language)
        if not logging.getLogger().handlers and not _log.hasHandlers():
            # A script that does not care about logs shall see what its robot says.
            _log.addHandler(logging.StreamHandler())
            _log.setLevel(logging.INFO)

        def begins() -> None:
            _log.info("says: %s", text)
            # What was done says so no longer: a script may have begun to look before it is told.
            self._memory.insertData(f"{_EVENT}TextDone", 0)
            self._memory.raiseEvent(f"{_EVENT}CurrentSentence", text)
            self._memory.raiseEvent(f"{_EVENT}Status", [number, "started"])
            self._memory.raiseEvent(f"{_EVENT}TextStarted", 1)

        is_whole = voice.VOICE.say(number, text, words, begins)
        if not is_whole:
            cut()
        self._memory.insertData(f"{_EVENT}TextStarted", 0)
        self._memory.raiseEvent(f"{_EVENT}Status", [number, "done" if is_whole else "stopped"])
        self._memory.raiseEvent(f"{_EVENT}TextDone", 1)

    def sayToFile(self, stringToSay: Any, fileName: str) -> None:
        """Writes a text as sound to a file (.wav), with espeak."""
        words = self._words(self._settings.language)
        if not words:
            raise RobotError("not-here", "espeak is not installed, so there is no sound", "apt-get install espeak-ng")
        done = subprocess.run([*words, "-w", fileName], input=spoken(stringToSay).encode(), capture_output=True)
        if done.returncode != 0:
            why = done.stderr.decode(errors="replace").strip()
            raise RobotError("not-here", f"espeak did not write `{fileName}`: {why}",
                             "give a file in a folder that is there")

    def stop(self, id: int) -> None:
        """Ends what a call of `post.say` says, or keeps it from being said."""
        wait_for_ends(voice.VOICE.stop(id), ENDS_WITHIN)

    def stopAll(self) -> None:
        """Ends what is being said, and what waits for its turn."""
        wait_for_ends(voice.VOICE.stop(), ENDS_WITHIN)

    def setLanguage(self, pLanguage: str) -> None:
        """Sets the language, such as `English`."""
        _voice(pLanguage)
        self._settings.language = pLanguage

    def getLanguage(self) -> str:
        """The language."""
        return self._settings.language

    def getAvailableLanguages(self) -> list[str]:
        """The languages that `setLanguage` knows."""
        return list(_VOICES)

    getSupportedLanguages = getAvailableLanguages

    def setVolume(self, volume: float) -> None:
        """Sets the volume, from 0 to 1."""
        self._settings.volume = min(max(curves.number(volume, "volume"), 0.0), 1.0)

    def getVolume(self) -> float:
        """The volume, from 0 to 1."""
        return self._settings.volume

    def setParameter(self, pEffectName: str, pEffectValue: float) -> None:
        """Sets a parameter. `speed` (percent) and `pitchShift` are heard, the others are kept."""
        self._settings.parameters[pEffectName] = curves.number(pEffectValue, "parameter")

    def getParameter(self, pParameterName: str) -> float:
        """A parameter."""
        if pParameterName not in self._settings.parameters:
            raise RobotError("unknown-name", f"there is no parameter `{pParameterName}`",
                             f"the parameters are {', '.join(self._settings.parameters)}")
        return self._settings.parameters[pParameterName]

    def reset(self) -> None:
        """Sets all parameters as they were at first."""
        self._settings.parameters = dict(voice.PARAMETERS)

    def resetSpeed(self) -> None:
        """Sets the speed to 100 %."""
        self._settings.parameters["speed"] = 100.0

    def setVoice(self, pVoiceID: str) -> None:
        """Has no effect: the voice is espeak's for the language."""

    def getVoice(self) -> str:
        """The voice's name."""
        return "espeak"

    def getAvailableVoices(self) -> list[str]:
        """The voices."""
        return ["espeak"]

    def _words(self, language: str) -> list[str]:
        """The command that says a text; empty without espeak."""
        code, program = _voice(language), voice.program()
        if program is None:
            return []
        speed = max(80, min(450, round(_WORDS * self._settings.parameters["speed"] / 100)))
        pitch = max(0, min(99, round(50 * self._settings.parameters["pitchShift"] or 50)))
        return [program, "-v", code, "-s", str(speed), "-p", str(pitch), "-a", str(round(100 * self._settings.volume))]


def _voice(language: str) -> str:
    if language not in _VOICES:
        raise RobotError("unknown-name", f"there is no language `{language}`",
                         f"the languages are {', '.join(_VOICES)}")
    return _VOICES[language]
