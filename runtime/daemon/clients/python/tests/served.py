"""A simulated NAO for tests: `dcm-run serve` in a folder of its own, and what its joints and lights did meanwhile.

The program is the one in DCM_RUN_PROGRAM, else the one in PATH. Without one these tests are left out.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Callable

from dcm_run import Robot, RobotError, shared

HERE = Path(__file__).resolve().parent
PROGRAM = os.environ.get("DCM_RUN_PROGRAM") or shutil.which("dcm-run")
# How long anything may take, s: the machine may have other work.
PATIENCE = 60.0

# Of tests that need a NAO.
on_a_nao = unittest.skipUnless(PROGRAM, "DCM_RUN_PROGRAM names the program that serves a NAO")


def until(what: str, holds: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Waits until something holds, and returns it."""
    end = time.monotonic() + patience
    while not (found := holds()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {patience:g} s: {what}")
        time.sleep(0.01)
    return found


class Refusing(unittest.TestCase):
    """Tests of what is refused."""

    def refused(self, code: str, call: Any, *arguments: Any, **named: Any) -> str:
        with self.assertRaises(RobotError) as caught:
            call(*arguments, **named)
        self.assertEqual(caught.exception.code, code, str(caught.exception))
        return str(caught.exception)


class Nao:
    """A served, simulated NAO, of one module of tests: its `setUpModule` is `start`, its `tearDownModule` `end`.

    Its environment is that of this process while it lives.
    """

    process: subprocess.Popen[bytes]
    robot: Robot

    def start(self) -> None:
        """Starts it, if there is a program to serve it; then all proxies are of this robot."""
        if not PROGRAM:
            return
        # The path of a socket is short by law, so the folder's is.
        self.folder = Path(tempfile.mkdtemp(prefix="dcm", dir="/tmp"))
        settings = self.folder / "dcm-run.toml"
        settings.write_text('[server]\nlisten = ["127.0.0.1:0"]\n[foxglove]\nlisten = ""\n[recordings]\non = false\n')
        self.environment = {key: it for key, it in os.environ.items() if not key.startswith("DCM_RUN")}
        self.environment["DCM_RUN_DIR"] = str(self.folder)
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [str(PROGRAM), "serve", "--robot", "nao", "--sim", "--physics", "off",  # so that it cannot fall
                 "--config", str(settings), "--state", str(self.folder / "state")],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        os.environ["DCM_RUN_DIR"] = str(self.folder)
        try:
            self.robot = until("the robot runs", self._running)
        except BaseException:
            print((self.folder / "log").read_text(), file=sys.stderr)
            self.end()
            raise
        shared._robots.clear()

    def _running(self) -> Robot | None:
        if self.process.poll() is not None:
            raise AssertionError("the server has ended")
        try:
            robot = Robot("nao")
            return robot if robot.state()["state"] == "running" else None
        except RobotError:
            return None

    def end(self) -> None:
        """Ends it, if it was started, and removes its folder."""
        if not PROGRAM:
            return
        os.environ.pop("DCM_RUN_DIR", None)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def say(self, *words: str) -> None:
        """Runs `dcm-run` with these words."""
        subprocess.run([str(PROGRAM), *words], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def script(self, name: str, *words: str, **environment: str) -> subprocess.Popen[str]:
        """Starts a script for NAO, unchanged."""
        path = os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])
        return subprocess.Popen(
            [sys.executable, str(HERE / "nao_scripts" / name), *words],
            env={**self.environment, "PYTHONPATH": path, **environment}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            # As in a terminal: who runs these tests in the background ignores Ctrl-C, and so would the script.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))


class Watch:
    """Notes what is sent to actuators, turn by turn as far as it can, until it is left."""

    def __init__(self, robot: Robot, *names: str) -> None:
        self.samples: list[tuple[int, dict[str, float]]] = []
        # Of each actuator the commands that were ever seen to wait, by their instant.
        self.commands: dict[str, dict[int, float]] = {it: {} for it in names}
        self._robot = robot.another_line()
        self._names = names
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_why: Any) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_over.is_set():
            for told in self._robot.pending(*self._names):
                self.commands[told["actuator"]].update((int(it["at_ns"]), it["value"]) for it in told["commands"])
            state = self._robot.state()
            values = {it: state["actuators"][it]["sent"] for it in self._names}
            self.samples.append((int(state["now_ns"]), values))

    def between(self, name: str, begin_ns: int, end_ns: int) -> list[tuple[float, float]]:
        """What was sent to an actuator between two instants: pairs of s from the first, and the value."""
        return [((at - begin_ns) / 1e9, it[name]) for at, it in self.samples if begin_ns <= at <= end_ns]

    def last_ns(self, name: str) -> int:
        """The instant of the last command that was seen to wait for an actuator."""
        return max(self.commands[name])
