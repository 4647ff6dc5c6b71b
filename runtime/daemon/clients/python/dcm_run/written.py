"""A file of the motions that a script sends: `DCM_RUN_WRITE=motion.json python3 script.py`.

For scripts that compute their motions, which `dcm-run play` does not read. The file is written when the script ends; its
motions are as far from each other as they were when the script sent them.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import threading
from collections.abc import Mapping, Sequence


class MotionFile:
    """What is written, in dcm-run's own form of a motion."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._begin_ns: int | None = None
        self._points: dict[str, list[tuple[float, float]]] = {}
        self._turn = threading.Lock()

    def add(self, commands: Mapping[str, Sequence[tuple[float, float]]], start_ns: int) -> None:
        """Adds a motion. As on the robot, it replaces what waits for its actuators."""
        with self._turn:
            if self._begin_ns is None:
                self._begin_ns = start_ns
            start = max(start_ns - self._begin_ns, 0) / 1e9
            for name, points in commands.items():
                before = [point for point in self._points.get(name, []) if point[0] < start]
                self._points[name] = before + [(round(start + time, 6), value) for time, value in points]

    def write(self) -> None:
        """Writes the file."""
        with self._turn:
            commands = [{"actuator": name, "time": time, "value": value}
                        for name, points in self._points.items() for time, value in points]
        lines = ",\n".join(f"  {json.dumps(command)}" for command in commands)
        with open(self._path, "w", encoding="utf-8") as file:
            file.write(f'{{"commands": [\n{lines}\n]}}\n')


@functools.lru_cache(maxsize=None)
def motion_file() -> MotionFile | None:
    """The file that `DCM_RUN_WRITE` names, if it does."""
    if not (path := os.environ.get("DCM_RUN_WRITE")):
        return None
    file = MotionFile(path)
    atexit.register(file.write)
    return file
