"""The modules of the script itself: objects with a name, whose methods robots' events call.

Written by `naoqi.ALModule` and `qi.Session.registerService`, read by subscriptions and by `ALProxy`. The law: a name
that was registered comes before a global variable of the same name, because a module subscribes in its constructor,
before the script has assigned it.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

_lock = threading.Lock()
_modules: dict[str, Any] = {}


def register(name: str, module: Any) -> None:
    """Makes a module known by its name. It replaces one of the same name."""
    with _lock:
        _modules[name] = module


def forget(name: str, module: Any = None) -> None:
    """Removes a name; if a module is given, only while the name is this module's."""
    with _lock:
        if module is None or _modules.get(name) is module:
            _modules.pop(name, None)


def registered(name: str) -> Any:
    """The module that was registered under this name; None if there is none."""
    with _lock:
        return _modules.get(name)


def find(name: str) -> Any:
    """The module of this name: a registered one, else a global variable of the script."""
    found = registered(name)
    return vars(sys.modules["__main__"]).get(name) if found is None else found


def names() -> list[str]:
    """The names of all registered modules."""
    with _lock:
        return sorted(_modules)
