"""The motions of a script on a robot: who moves what, in which order, and how they are ended.

Used by ALMotion, ALRobotPosture and ALLeds, which share one `Motions` for each robot. The law: as in NAOqi, a blocking
motion owns its joints, and another one that needs them waits for them in its turn; a motion is one request, which the
robot takes whole or not at all; a motion that somebody else's command replaces has ended, which is no error; who
cancels a motion finds it gone when that call returns.
"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import Callable, Mapping, Sequence, Tuple

from ..errors import RobotError
from ..request import INTERVAL, Request
from ..robot import Robot
from ..tasks import begun, cut, number_here, wait_for_ends
from ..written import motion_file
from .instants import Instants

# When a motion begins after it is sent, ns: a few turns, so that its first points arrive before their time.
LEAD_NS = 40_000_000
# How many requests are remembered, so that they can be ended together.
SENT_MAX = 64
# How often a motion that waits for its joints looks whether it was cancelled, s.
LOOK = 0.1
# How long whoever cancels motions waits at most until they are gone, s: a robot may be slow to answer.
ENDS_WITHIN = 2.0

# How long a motion waits at most for the force of a body that is being armed, s.
ARMING_MAX = 10.0
# How long a motion waits at most for joints that are behind their commands, s, and how near is near, rad: a range that
# depends on another joint may keep them away for good.
BEHIND_MAX = 3.0
CLOSE = 0.0005

_log = logging.getLogger("dcm_run")

# For each actuator pairs of a time in s, and a value.
Commands = Mapping[str, Sequence[Tuple[float, float]]]


@dataclass(eq=False)
class Task:
    """A blocking motion."""

    number: int
    name: str
    resources: frozenset[str]
    request: Request | None = None
    is_cancelled: bool = False


class Motions:
    """The motions of this program on a robot."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._instants = Instants(robot)
        self._turn = threading.Condition()
        self._tasks: list[Task] = []
        self._sent: list[Request] = []

    def send(self, commands: Commands) -> Request:
        """Sends a motion, and returns at once. It replaces what these actuators were told before."""
        request = self._send(commands)
        with self._turn:
            self._sent = [*self._sent[-SENT_MAX:], request]
        return request

    def _send(self, commands: Commands) -> Request:
        until = time.monotonic() + ARMING_MAX
        while True:
            start = self._instants.now_ns() + LEAD_NS
            try:
                request = self._robot.schedule(commands, start_ns=start)
                break
            except RobotError as error:
                state = self._robot.state()["state"] if error.code == "not-now" else None
                if state in ("disarmed", "safe"):
                    fix = "wakeUp(), or setStiffnesses with more than 0"
                    raise RobotError(error.code, error.sentence, fix) from error
                # Another call may have begun to arm it: its force fades in.
                if state not in ("armed", "running") or time.monotonic() > until:
                    raise
            time.sleep(LOOK)
        if file := motion_file():
            file.add(commands, start)
        if request.get("clipped"):
            _log.info("clipped to the range: %s", ", ".join(request.get("clipped_names", ())) or "some values")
        return request

    def play(self, name: str, resources: Sequence[str], make: Callable[[], Commands]) -> bool:
        """Sends a motion when its resources are free, and waits for its end. `make` is called when it begins.

        Returns whether it was not cancelled.
        """
        task = Task(number_here(), name, frozenset(resources))
        with self._turn:
            self._tasks.append(task)
        if resources:
            begun()
        try:
            if self._begins(task):
                self._finish(task, make())
        finally:
            with self._turn:
                self._tasks.remove(task)
                self._turn.notify_all()
        if task.is_cancelled:
            cut()
        return not task.is_cancelled

    def _begins(self, task: Task) -> bool:
        """Waits until no earlier motion has one of its resources. False: it was cancelled meanwhile."""
        with self._turn:
            while not task.is_cancelled:
                before = self._tasks[:self._tasks.index(task)]
                if not any(it.resources & task.resources for it in before):
                    return True
                self._turn.wait(LOOK)
        return False

    def _finish(self, task: Task, commands: Commands) -> None:
        if not commands:
            return
        request = self._send(commands)
        begun()
        with self._turn:
            task.request = request
            is_cancelled = task.is_cancelled
        if is_cancelled:
            request.cancel()
        end = request.wait()
        if end in ("missed", "dropped"):
            _log.warning("%s: the body did not follow all of it (%s)", task.name, end)
        if end in ("arrived", "clipped") and task.resources:
            self._follow(task, list(commands))

    def _follow(self, task: Task, names: Sequence[str]) -> None:
        """Waits for joints that were asked to be faster than they can be: they are behind their commands."""
        until = time.monotonic() + BEHIND_MAX
        while not task.is_cancelled and time.monotonic() < until:
            actuators = self._robot.state()["actuators"]
            behind = (abs((actuators[it]["commanded"] or 0.0) - (actuators[it]["limited"] or 0.0)) for it in names)
            if max(behind) < CLOSE:
                return
            time.sleep(INTERVAL)

    def tasks(self) -> list[Task]:
        """The blocking motions that are in progress or wait. Lights, which have no resources, are none."""
        with self._turn:
            return [it for it in self._tasks if it.resources]

    def cancel_sent(self) -> None:
        """Ends what was sent without waiting: of the last requests those that still move something."""
        with self._turn:
            requests, self._sent = self._sent, []
        if not requests:
            return
        tickets = [it["ticket"] for it in requests]
        found = self._robot.request("progress", tickets=tickets, repeatable=True)
        waiting = {it["ticket"] for it in found if "end" not in it}
        for request in requests:
            if request["ticket"] in waiting:
                request.cancel()

    def cancel(self, which: Callable[[Task], bool]) -> bool:
        """Ends motions: their joints stop where they are. Returns, when they are gone, whether there was one."""
        with self._turn:
            found = [it for it in self._tasks if which(it)]
            for task in found:
                task.is_cancelled = True
            requests = [it.request for it in found if it.request is not None]
            self._turn.notify_all()
        for request in requests:
            request.cancel()
        until = time.monotonic() + ENDS_WITHIN
        with self._turn:
            self._turn.wait_for(lambda: not any(it in self._tasks for it in found), ENDS_WITHIN)
        wait_for_ends((it.number for it in found), until - time.monotonic())
        return bool(found)
