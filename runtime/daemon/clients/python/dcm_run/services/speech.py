"""ALTextToSpeech: what a script says goes to the log, to the robot's memory, and to espeak where it is installed.

The law: `say` returns when the voice has ended. Without a voice it returns at once: a script must not depend on a
loudspeaker. Speech is heard on the machine where the script runs.
"""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
import threading
from typing import Any

from ..errors import RobotError
from ..memory import ALMemoryProxy
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

_log = logging.getLogger("dcm_run.speech")


def spoken(text: str) -> str:
    """A text without NAOqi's marks, such as `\\\\rspd=80\\\\` and `^start(...)`."""
    return " ".join(_MARK.sub(" ", text).split())


class ALTextToSpeechProxy(Service):
    """Speech, as in NAOqi's ALTextToSpeech."""

    def __init__(self, *where: Any, **named: Any) -> None:
        super().__init__(*where, **named)
        self._memory = ALMemoryProxy(robot=self.robot)
        self._language, self._volume = "English", 1.0
        self._parameters: dict[str, float] = {"speed": 100.0, "pitchShift": 1.0}
        self._voices: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    def say(self, stringToSay: Any, language: str | None = None) -> None:
        """Says a text. It is an entry of the log, and the events of NAOqi tell of it in ALMemory."""
        text = spoken(str(stringToSay))
        if not logging.getLogger().handlers and not _log.hasHandlers():
            # A script that does not care about logs shall see what its robot says.
            _log.addHandler(logging.StreamHandler())
            _log.setLevel(logging.INFO)
        _log.info("says: %s", text)
        self._memory.insertData("ALTextToSpeech/CurrentSentence", text)
        self._memory.raiseEvent("ALTextToSpeech/TextStarted", 1)
        try:
            self._speak(text, self._voice(language or self._language))
        finally:
            self._memory.raiseEvent("ALTextToSpeech/TextDone", 1)

    def sayToFile(self, stringToSay: str, fileName: str) -> None:
        """Writes a text as sound to a file (.wav), with espeak."""
        self._speak(spoken(stringToSay), self._voice(self._language), "-w", fileName, required=True)

    def stopAll(self) -> None:
        """Ends what is being said."""
        with self._lock:
            for voice in self._voices:
                voice.terminate()

    def setLanguage(self, pLanguage: str) -> None:
        """Sets the language, such as `English`."""
        self._voice(pLanguage)
        self._language = pLanguage

    def getLanguage(self) -> str:
        """The language."""
        return self._language

    def getAvailableLanguages(self) -> list[str]:
        """The languages that `setLanguage` knows."""
        return list(_VOICES)

    getSupportedLanguages = getAvailableLanguages

    def setVolume(self, volume: float) -> None:
        """Sets the volume, from 0 to 1."""
        self._volume = min(max(float(volume), 0.0), 1.0)

    def getVolume(self) -> float:
        """The volume, from 0 to 1."""
        return self._volume

    def setParameter(self, pEffectName: str, pEffectValue: float) -> None:
        """Sets a parameter. `speed` (percent) and `pitchShift` are heard, the others are kept."""
        self._parameters[pEffectName] = float(pEffectValue)

    def getParameter(self, pParameterName: str) -> float:
        """A parameter."""
        if pParameterName not in self._parameters:
            raise RobotError("unknown-name", f"there is no parameter `{pParameterName}`",
                             f"the parameters are {', '.join(self._parameters)}")
        return self._parameters[pParameterName]

    def resetSpeed(self) -> None:
        """Sets the speed to 100 %."""
        self._parameters["speed"] = 100.0

    def setVoice(self, pVoiceID: str) -> None:
        """Has no effect: the voice is espeak's for the language."""

    def getVoice(self) -> str:
        """The voice's name."""
        return "espeak"

    def getAvailableVoices(self) -> list[str]:
        """The voices."""
        return ["espeak"]

    def _voice(self, language: str) -> str:
        if language not in _VOICES:
            raise RobotError("unknown-name", f"there is no language `{language}`",
                             f"the languages are {', '.join(_VOICES)}")
        return _VOICES[language]

    def _speak(self, text: str, voice: str, *more: str, required: bool = False) -> None:
        program = shutil.which("espeak-ng") or shutil.which("espeak")
        if program is None:
            if required:
                raise RobotError("not-here", "espeak is not installed, so there is no sound", "apt-get install espeak-ng")
            return
        speed = max(80, min(450, round(_WORDS * self._parameters["speed"] / 100)))
        pitch = max(0, min(99, round(50 * self._parameters["pitchShift"] or 50)))
        words = [program, "-v", voice, "-s", str(speed), "-p", str(pitch), "-a", str(round(100 * self._volume)), *more]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with self._lock:
            self._voices.add(process)
        try:
            process.communicate(text.encode())
        finally:
            with self._lock:
                self._voices.discard(process)
        if process.returncode > 0:
            _log.warning("espeak ended with %d: is there a loudspeaker?", process.returncode)
