"""A service of a session: a proxy whose methods may be called asynchronously, with `_async=True`.

The law: it has the methods of the proxy or object that it stands for, and no others; a cancelled call ends the motion
that it makes.
"""

from __future__ import annotations

import threading
from typing import Any, Callable

from dcm_run.proxy import Proxy
from dcm_run.tasks import Numbered

from .future import Future


class Service:
    """What `session.service(name)` returns."""

    def __init__(self, name: str, proxy: Any) -> None:
        self.__dict__["_name"] = name
        self.__dict__["_proxy"] = proxy

    def __repr__(self) -> str:
        return f"<service {self._name}>"

    def __dir__(self) -> list[str]:
        return [it for it in dir(self._proxy) if not it.startswith("__")]

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._proxy, name)
        return self._method(name, found) if callable(found) and not hasattr(found, "connect") else found

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._proxy, name, value)

    def call(self, name: str, *arguments: Any, **named: Any) -> Any:
        """Calls a method by its name."""
        return getattr(self, name)(*arguments, **named)

    def async_(self, name: str, *arguments: Any) -> Future:
        """Calls a method by its name, asynchronously."""
        future: Future = getattr(self, name)(*arguments, _async=True)
        return future

    def _method(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def method(*arguments: Any, **named: Any) -> Any:
            # `async` is a keyword of newer Pythons; scripts give it as `**{"async": True}`.
            is_async = [named.pop(it, False) for it in ("_async", "async")]
            named.pop("_overload", None)
            if not any(is_async):
                return function(*arguments, **named)
            call = Numbered(lambda: function(*arguments, **named))
            stop = getattr(self._proxy, "stop", None)
            future = Future._pending((lambda: stop(call.number)) if callable(stop) else None)
            threading.Thread(target=future._make, args=(call, lambda: call.was_cut), name=f"qi.{name}").start()
            if isinstance(self._proxy, Proxy):
                call.wait_for_place()
            return future

        method.__name__, method.__doc__ = name, getattr(function, "__doc__", None)
        return method
