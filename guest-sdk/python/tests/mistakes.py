"""What authors get wrong is told as an exception that names it: `python3 guest-sdk/python/tests/mistakes.py`.

Run by `tests/sdk.rs`. It needs Python 3.10 and nothing else: the host's functions are replaced by some that note their
calls. The law: what is no number is sent nowhere, and answered by no `DONE`; what would fail on a robot is not built.
"""

import builtins
import enum
import io
import json
import math
import os
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

SDK = Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
NONE = 4294967295
Answer = enum.Enum("Answer", [("DONE", 0), ("UNKNOWN", 1)])
Merge = enum.Enum("Merge", [("MERGE", 0), ("CLEAR_ALL", 1)])
Level = enum.Enum("Level", [("DEBUG", 0), ("INFO", 1), ("WARNING", 2)])
State = enum.Enum("State", [("RUNNING", 3)])

#: What was sent.
sent: list[tuple[object, ...]] = []


def send(name):
    def call(*given):
        sent.append((name, *given))
        return Answer.UNKNOWN if given[0] == NONE else Answer.DONE

    return call


class Host(types.SimpleNamespace):
    """An interface: what is not given here answers 0."""

    def __getattr__(self, name):
        return lambda *_: 0


def host():
    """The contract on a body that has every actuator but `Tail`, and no sensor."""
    limits = {name: lambda _: 1.0 for name in ("lowest", "highest", "velocity", "acceleration", "rest")}
    yield "body", Host(find_actuator=lambda name: NONE if name == "Tail" else 3, find_sensor=lambda _: NONE,
                       alias_length=lambda _: 2, alias_member=lambda *_: 3, **limits)  # fmt: skip
    yield "bulk", Host(set_all=send("set_all"))
    yield "clock", Host(now=lambda: 10**9)
    yield "commands", Host(set=send("set"), put=send("put"))
    of_lane = {name: send(name) for name in ("drive", "set_gains", "set_weight_on", "set_priority", "set_weight")}
    yield "lane", Host(sent=lambda number: math.nan if number == NONE else 0.0, **of_lane)
    yield "sensors", Host(read=lambda _: math.nan)
    yield "script", Host(follow=send("follow"))
    yield "events", Host(post=send("post"))
    yield "state", Host(keep=send("keep"))
    for name in ("log", "params"):
        yield name, Host()


contract = types.ModuleType("contract")
contract.__dict__.update(host(), Answer=Answer, Merge=Merge, Level=Level, State=State)
sys.modules["contract"] = contract
sys.path.insert(0, str(SDK))

import build  # noqa: E402
import choreography as sdk  # noqa: E402

YAW, TAIL = sdk.actuator("HeadYaw"), sdk.actuator("Tail")
FACE = sdk.group("Face")


class Numbers(unittest.TestCase):
    def setUp(self):
        sent.clear()

    def test_what_is_no_number_is_an_error_and_nothing_is_sent(self):
        wrong = [
            (TypeError, "HeadYaw: to.value. takes a number, not 'a'", lambda: YAW.to("a").now()),
            (TypeError, "HeadYaw: to.value. takes a number, not None", lambda: YAW.to(None).over(5)),
            (ValueError, "HeadYaw: to.value. takes a number, not NaN", lambda: YAW.to(math.nan).now()),
            (TypeError, "str", lambda: YAW.to(1.0).over("x")),
            (TypeError, "a span or an instant takes a number, not 'x'", lambda: YAW.to(1.0).at("x")),
            (ValueError, "not NaN", lambda: YAW.to(1.0).over(math.nan)),
            (ValueError, "not NaN", lambda: sdk.ms(math.nan)),
            (TypeError, "float", lambda: sdk.ms("x")),
            (TypeError, "None", lambda: YAW.to(1.0).eased(sdk.Ease.SINE).over(None)),
            (TypeError, "from_.value. takes a number", lambda: YAW.to(1.0).eased(sdk.Ease.SINE).from_("a")),
            (TypeError, "through.keys. takes a number", lambda: YAW.through([(1, "a")]).now()),
            (ValueError, "through.keys. takes a number", lambda: YAW.through([(1, math.nan)]).now()),
            (TypeError, "drive.value. takes a number", lambda: YAW.drive("a")),
            (TypeError, "set_gains", lambda: YAW.set_gains(1, 2, None)),
            (ValueError, "a group of 2", lambda: FACE.to(math.nan).now()),
            (ValueError, "a group of 2", lambda: FACE.to([1.0]).now()),
            (TypeError, "post.value. takes a number", lambda: sdk.topic("hello").post("a")),
            (TypeError, "keep.value. takes a number", lambda: sdk.keep(0, None)),
            (TypeError, "set_priority.priority. takes a number", lambda: sdk.set_priority("high")),
        ]
        for kind, message, mistake in wrong:
            with self.subTest(message), self.assertRaisesRegex(kind, message):
                mistake()
        self.assertEqual(sent, [])

    def test_what_a_body_lacks_tells_nan_which_is_no_mistake(self):
        self.assertIs(TAIL.to(TAIL.sent() + 0.1).over(sdk.ms(300)), Answer.UNKNOWN)
        self.assertIs(TAIL.to(1.0).eased(sdk.Ease.SINE).from_(TAIL.sent()).over(sdk.s(1)), Answer.UNKNOWN)
        self.assertIs(TAIL.drive(TAIL.sent()), Answer.UNKNOWN)
        sdk.together(TAIL, YAW).to([TAIL.sent(), 1.0]).now()
        self.assertIs(sdk.topic("hello").post(sdk.sensor("Nose").read()), Answer.DONE)

    def test_numbers_are_sent_as_they_are(self):
        YAW.to(0.5).over(sdk.ms(300))
        YAW.to(-1).replacing().at(5)
        FACE.to(1).now()
        one = 0x3FF0000000000000
        commands = [("set", 3, 0.5, 1_300_000_000), ("put", 3, -1.0, 5, Merge.CLEAR_ALL)]
        self.assertEqual(sent, [*commands, ("set_all", [3, one, 10**9] * 2)])


class Trap(BaseException):
    """What a call of WASI does in an engine without files."""


def play(source):
    """Runs the engine with this script; prints why it fails. What reaches a file traps."""
    text = json.dumps({"main": "main", "modules": {"main": ["src/main.py", source]}}).encode()

    def fail(why):
        sys.__stdout__.write(why)
        raise SystemExit

    def trap(*_, **__):
        raise Trap

    contract.script = Host(length=lambda: len(text), fail=fail,
                           word=lambda place: int.from_bytes(text[8 * place : 8 * place + 8], "little"))  # fmt: skip
    for name in ("wit_world", "wit_world.imports", "wit_world.imports.types"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["wit_world"].imports = sys.modules["wit_world.imports"]
    sys.modules["wit_world.imports"].types = sys.modules["wit_world.imports.types"]
    import engine

    builtins.open = io.open = trap
    # Sources of modules, and the compiler, which looks for a file when it refuses a text.
    engine.importlib.machinery.SourceFileLoader.get_data = trap
    engine.traceback._extract_caret_anchors_from_line_segment = trap
    for name in engine.PATHS:
        for module in (os, sys.modules["posix"]):
            setattr(module, name, trap)
    guest = engine.WitWorld()
    guest.start()
    guest.pre_process()


class Tracebacks(unittest.TestCase):
    """An exception ends the guest with its traceback, wherever it is raised."""

    def failure(self, source):
        code = "import sys; import mistakes; mistakes.play(sys.argv[1])"
        words = [sys.executable, "-B", "-c", code, source]
        done = subprocess.run(words, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_at_the_top_of_the_module(self):
        said = self.failure("x = 1\nraise ValueError('top kaputt')")
        self.assertEqual(said[0], "ValueError: top kaputt")
        self.assertIn('  File "src/main.py", line 2, in <module>', said)
        self.assertIn("    raise ValueError('top kaputt')", said)

    def test_in_a_hook(self):
        said = self.failure("def pre_process():\n    1 / 0")
        self.assertEqual(said[0], "ZeroDivisionError: division by zero")
        self.assertIn('  File "src/main.py", line 2, in pre_process', said)

    def test_what_led_to_it(self):
        said = self.failure("def pre_process():\n    try:\n        1 / 0\n    except ArithmeticError as error:\n        "
                            "raise ValueError('no way') from error")  # fmt: skip
        self.assertEqual(said[0], "ValueError: no way")
        first, second = (said.index(it) for it in ("ZeroDivisionError: division by zero", "which led to:"))
        self.assertLess(first, second)
        self.assertIn('  File "src/main.py", line 5, in pre_process', said[second:])

    def test_there_are_no_files(self):
        opens = ("open('/etc/passwd')", "import io; io.open('/etc/passwd')", "import inspect; inspect.os.stat('/')")
        for wanted in opens:
            said = self.failure(f"def pre_process():\n    {wanted}")
            self.assertRegex(said[0], r"^FileNotFoundError: \[Errno 2\] a choreography has no files: '/")
        # Modules are looked for in files, too.
        self.assertEqual(self.failure("import nowhere")[0], "ModuleNotFoundError: No module named 'nowhere'")


class Builds(unittest.TestCase):
    """What `build.py` refuses, with a sentence."""

    def refused(self, text, world="motion"):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "src").mkdir()
            (Path(folder) / "src/main.py").write_bytes(text)
            with self.assertRaises(SystemExit) as refusal:
                build.check(build.modules(Path(folder)), world)
            return str(refusal.exception)

    def test_a_source_that_is_no_utf8(self):
        why = "error: src/main.py:2: it is not UTF-8: byte 0xe9; fix: save it as UTF-8"
        self.assertEqual(self.refused(b"def stop() -> None: ...\n# caf\xe9\n"), why)

    def test_hooks_that_nobody_can_call(self):
        wrong = {
            b"def pre_process(now): ...": "error: src/main.py:1: `pre_process` is called without arguments, and needs "
            "`now`; fix: def pre_process()",
            b"def start(*, mode): ...": "error: src/main.py:1: `start` is called without arguments, and needs `mode`; "
            "fix: def start()",
            b"x = 1\nstart = 5": "error: src/main.py:2: `start` is no function; fix: def start()",
            b"async def start(): ...": "error: src/main.py:1: `start` is `async`, and nobody would wait for it; "
            "fix: def start()",
            b"def start():\n  yield 1": "error: src/main.py:1: `start` has `yield`, and nobody would go on with it; "
            "fix: call what it is made of",
            b"class stop: ...": "error: src/main.py:1: `stop` is no function; fix: def stop()",
        }
        for text, why in wrong.items():
            self.assertEqual(self.refused(text), why)

    def test_hooks_that_the_loop_can_call(self):
        good = [b"def start(mode=1, *rest, **more): ...", b"def other(): ...\nstart = other", b"start = lambda: None",
                b"import functools\n@functools.cache\ndef start(): ...", b"def start():\n  def inner(x): yield x"]
        for text in good:
            build.check({"main": ("src/main.py", text.decode())}, "motion")

    def test_the_manifest_lists_the_hooks_that_there_are(self):
        known = {
            "def pre_process(): ...": ["start", "pre-process"],
            "def start(): ...\nif 1:\n  def stop(): ...": ["start", "stop"],
            "from other import is_alive as alive, post_process": ["start", "post-process"],
            "pre_process, stop = 1, 2": ["start", "pre-process", "stop"],
            "def start():\n  global stop\n  stop = start\n  is_alive = 1": ["start", "stop"],
            "from other import *": ["start", "pre-process", "post-process", "is-alive", "stop"],
            "globals()['x'] = 1": ["start", "pre-process", "post-process", "is-alive", "stop"],
        }
        for text, hooks in known.items():
            self.assertEqual(build.manifest(text, "motion"), f"hooks = {hooks}\n".replace("'", '"'))
        self.assertEqual(build.manifest("def run(): ...", "score"), 'hooks = ["run"]\n')


if __name__ == "__main__":
    unittest.main(verbosity=0)
