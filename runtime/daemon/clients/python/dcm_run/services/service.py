"""The base of all services: a proxy that shares its robot's body with the others."""

from __future__ import annotations

from ..proxy import Proxy
from .body import Body, body_of


class Service(Proxy):
    """A module of NAOqi that moves the body or lights."""

    @property
    def _body(self) -> Body:
        return body_of(self.robot)

    def stop(self, id: int) -> None:
        """Ends what a call of `post` does: joints stop where they are, lights stay as they are."""
        self._body.motions.cancel(lambda it: it.number == id)
