"""Applications: a session, and a main loop that runs until it is stopped.

The law: `--qi-url` of the command line comes before the address in the script, and is removed from its arguments.
"""

from __future__ import annotations

import threading
from typing import Any, Callable

from .session import Session

_OPTIONS = ("--qi-url", "--qi-listen-url")


class Application:
    """A script with its session: `app = qi.Application(sys.argv); app.start(); app.session.service("ALMotion")`."""

    def __init__(self, args: list[str] | None = None, autoExit: bool = True, url: str = "", raw: bool = False,
                 *_more: Any) -> None:
        self._url = _taken(args, "--qi-url") or url
        _taken(args, "--qi-listen-url")
        self.session = Session()
        self._is_over = threading.Event()
        self._at_run: list[Callable[[], Any]] = []
        self._at_stop: list[Callable[[], Any]] = []

    def start(self) -> None:
        """Connects the session."""
        if not self.session.isConnected():
            self.session.connect(self._url)

    def url(self) -> str:
        """The robot's address, as it was given."""
        return self._url

    def run(self) -> None:
        """Runs until `stop` is called, or Ctrl-C is pressed."""
        self.start()
        for callback in self._at_run:
            callback()
        try:
            while not self._is_over.wait(0.2):
                pass
        except KeyboardInterrupt:
            # As in NAOqi, Ctrl-C stops the application, and the script goes on after `run`.
            pass
        finally:
            self.stop()

    def stop(self) -> None:
        """Ends `run`."""
        callbacks, self._at_stop = self._at_stop, []
        for callback in callbacks:
            callback()
        self._is_over.set()

    def atRun(self, callback: Callable[[], Any]) -> None:
        """Calls a function when `run` begins."""
        self._at_run.append(callback)

    def atStop(self, callback: Callable[[], Any]) -> None:
        """Calls a function when the application stops."""
        self._at_stop.append(callback)


ApplicationSession = Application


def _taken(args: list[str] | None, option: str) -> str:
    """The value of an option, which is removed from the arguments."""
    found = ""
    for place, word in reversed(list(enumerate(args or []))):
        if args is not None and word.startswith(f"{option}="):
            found = word[len(option) + 1:]
            del args[place]
        elif args is not None and word == option and place + 1 < len(args):
            found = args[place + 1]
            del args[place:place + 2]
    return found
