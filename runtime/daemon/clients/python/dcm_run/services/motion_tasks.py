"""ALMotion's calls for tasks: which motions are in progress, and how they are ended.

A part of ALMotionProxy. The law: a task is a blocking call of this program; what other programs have sent is ended by
the emergency stop or by their own requests.
"""

from __future__ import annotations

from typing import Any

from .joints import motor
from .stiffness import Stiffness


class MotionTasks(Stiffness):
    """The motions of this program."""

    def getTaskList(self) -> list[list[Any]]:
        """The blocking calls that are in progress or wait: `[[name, number, [resources]], ...]`."""
        return [[it.name, it.number, sorted(it.resources)] for it in self._body.motions.tasks()]

    def areResourcesAvailable(self, resourceNames: Any) -> bool:
        """Whether no blocking call moves these joints."""
        wanted = {motor(it) for it in self._named(resourceNames)}
        return not any(it.resources & wanted for it in self._body.motions.tasks())

    def killTask(self, motionTaskID: int) -> bool:
        """Ends the call with this number: its joints stop where they are. Returns whether there was one."""
        return self._body.motions.cancel(lambda it: it.number == motionTaskID)

    def killTasksUsingResources(self, resourceNames: Any) -> None:
        """Ends all calls that move one of these joints."""
        wanted = {motor(it) for it in self._named(resourceNames)}
        self._body.motions.cancel(lambda it: bool(it.resources & wanted))

    def killAll(self) -> None:
        """Ends all motions of this program: calls of ALMotion and ALRobotPosture, and what `setAngles` has sent."""
        # First what ends at once: the calls are waited for.
        self._body.motions.cancel_sent()
        self._body.motions.cancel(lambda it: bool(it.resources))

    def killMove(self) -> None:
        """Has no effect: the body does not walk."""

    killWalk = stopMove = stopWalk = killMove

    def moveIsActive(self) -> bool:
        """False: the body does not walk."""
        return False

    walkIsActive = moveIsActive

    def waitUntilMoveIsFinished(self) -> None:
        """Returns at once: the body does not walk."""

    waitUntilWalkIsFinished = waitUntilMoveIsFinished
