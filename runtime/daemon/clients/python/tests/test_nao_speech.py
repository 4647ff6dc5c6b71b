"""What scripts for NAO expect of ALTextToSpeech, with a program in espeak's place that needs a while for a sentence."""

from __future__ import annotations

import os
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from served import Nao, Refusing, on_a_nao, until  # noqa: E402

import qi  # noqa: E402
from dcm_run.services.speech import spoken  # noqa: E402
from naoqi import ALProxy  # noqa: E402

# It writes its arguments, the sentence, and when it has ended. A sentence with "long" takes half a minute, "drawl" 3 s.
ESPEAK = """#!/bin/sh
read -r text
echo "begin $text $*" >> "$LOG"
case "$text" in *long*) exec sleep 30;; drawl) sleep 3;; esac
sleep 0.2
echo "end $text" >> "$LOG"
"""

nao = Nao()
setUpModule, tearDownModule = nao.start, nao.end


class Texts(unittest.TestCase):
    def test_texts_of_python_2_are_read(self) -> None:
        self.assertEqual(spoken("h\xe9llo".encode()), "h\xe9llo")
        self.assertEqual(spoken(b"\xff?"), "\ufffd?")
        self.assertEqual(spoken(42), "42")


@on_a_nao
class Speech(Refusing):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = Path(folder.name) / "log"
        program = Path(folder.name) / "espeak-ng"
        program.write_text(ESPEAK)
        program.chmod(0o755)
        path = f"{folder.name}{os.pathsep}{os.environ['PATH']}"
        patch = mock.patch.dict(os.environ, PATH=path, LOG=str(self.log))
        patch.start()
        self.addCleanup(patch.stop)
        self.tts = ALProxy("ALTextToSpeech", "127.0.0.1", 9559)
        self.memory = ALProxy("ALMemory", "127.0.0.1", 9559)

    def lines(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def test_sentences_are_said_one_after_another(self) -> None:
        other = ALProxy("ALTextToSpeech", "127.0.0.1", 9559)
        numbers = [self.tts.post.say("one"), other.post.say("two"), self.tts.post.say("three", "French")]
        self.tts.say("four")
        self.assertFalse(any(self.tts.wait(it) for it in numbers))
        said = [it.split()[:2] for it in self.lines()]
        self.assertEqual(said, [[what, text] for text in ("one", "two", "three", "four") for what in ("begin", "end")])
        self.assertIn("-v fr", self.lines()[4])

    def test_what_is_said_can_be_stopped(self) -> None:
        number = self.tts.post.say("long")
        waits = self.tts.post.say("waits")
        until("it has begun", self.lines)
        begin = time.monotonic()
        self.tts.stop(waits)
        self.assertFalse(self.tts.isRunning(waits))
        self.assertTrue(self.tts.isRunning(number))
        self.tts.stop(number)
        self.assertFalse(self.tts.isRunning(number))
        self.assertEqual(self.memory.getData("ALTextToSpeech/Status"), [number, "stopped"])
        both = [self.tts.post.say("long"), self.tts.post.say("long too")]
        ALProxy("ALTextToSpeech").stopAll()
        self.assertFalse(any(self.tts.isRunning(it) for it in both))
        said = qi.Session("tcp://127.0.0.1:9559").service("ALTextToSpeech").say("long", _async=True)
        said.cancel()
        self.assertEqual(said.wait(5000), qi.FutureState.Canceled)
        self.assertLess(time.monotonic() - begin, 29)
        self.assertFalse(any("waits" in it for it in self.lines()))

    def test_events_tell_of_each_sentence(self) -> None:
        told: list[Any] = []
        for name in ("CurrentSentence", "TextStarted", "Status", "TextDone"):
            subscriber = self.memory.subscriber(f"ALTextToSpeech/{name}")
            subscriber.signal.connect(lambda value, name=name: told.append((name, value)))
            self.addCleanup(subscriber.signal.disconnectAll)
        number = self.tts.post.say("drawl")
        until("it has begun", self.lines)
        # A script that looks at the values instead sees whether it speaks.
        self.assertEqual(self.memory.getListData(["ALTextToSpeech/TextStarted", "ALTextToSpeech/TextDone"]), [1, 0])
        self.tts.wait(number)
        self.assertEqual(self.memory.getListData(["ALTextToSpeech/TextStarted", "ALTextToSpeech/TextDone"]), [0, 1])
        until("all were told", lambda: len(told) == 5)
        self.assertEqual(told, [("CurrentSentence", "drawl"), ("Status", [number, "started"]), ("TextStarted", 1),
                                ("Status", [number, "done"]), ("TextDone", 1)])

    def test_parameters(self) -> None:
        self.assertEqual(self.tts.getParameter("doubleVoiceLevel"), 0.0)
        # Settings belong to the module, not to a proxy.
        ALProxy("ALTextToSpeech", "127.0.0.1", 9559).setParameter("speed", 50)
        self.addCleanup(self.tts.setLanguage, "English")
        ALProxy("ALTextToSpeech", "127.0.0.1", 9559).setLanguage("French")
        self.tts.say("slow")
        self.assertIn("-v fr -s 85", self.lines()[0])
        self.tts.reset()
        self.assertEqual(self.tts.getParameter("speed"), 100.0)
        self.refused("malformed", self.tts.setVolume, "loud")
        self.refused("malformed", self.tts.setParameter, "speed", "fast")
        self.refused("unknown-name", self.tts.say, "tlhIngan", "Klingon")
        self.assertEqual(len(self.lines()), 2)


if __name__ == "__main__":
    unittest.main()
