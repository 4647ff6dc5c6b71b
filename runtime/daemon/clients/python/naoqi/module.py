"""`ALModule`: the base class of a script's own modules, whose methods events call.

The law: a module is known by its name from its constructor on, and until its script or its broker ends.
"""

from __future__ import annotations

from typing import Any

from dcm_run import modules
from dcm_run.tasks import Post, Tasks


class ALModule:
    """A module of the script: a class of your own derives from it, and gives its name to the constructor."""

    def __init__(self, name: str) -> None:
        self._module_name = name
        # Methods of the script take as long as they like, and have no order.
        self._tasks = Tasks(is_ordered=False)
        self.post = Post(self, self._tasks)
        modules.register(name, self)

    def getName(self) -> str:
        """The module's name."""
        return self._module_name

    def getMethodList(self) -> list[str]:
        """The methods of the class."""
        return sorted(it for it in dir(type(self)) if not it.startswith("_") and callable(getattr(type(self), it)))

    def getBrokerName(self) -> str:
        """The name of the script's process, which has all its modules."""
        return "script"

    def version(self) -> str:
        """The module's version."""
        return "0"

    def ping(self) -> bool:
        """True: the module is here."""
        return True

    def isRunning(self, id: int) -> bool:
        """Whether a call of `post` is still in progress."""
        return self._tasks.is_running(id)

    def wait(self, id: int, timeoutPeriod: int = 0) -> bool:
        """Waits for a call of `post`, at most this many ms; 0: no limit. True after a timeout."""
        return self._tasks.wait(id, timeoutPeriod)

    def exit(self) -> None:
        """Forgets the module: its name means nothing from now on."""
        modules.forget(self._module_name, self)

    def BIND_PYTHON(self, *_names: Any) -> None:
        """Has no effect: all methods can be called."""

    def setModuleDescription(self, *_text: Any) -> None:
        """Has no effect: a class has its docstring."""

    functionName = addParam = setReturn = setModuleDescription
    autoBind = BIND_PYTHON
