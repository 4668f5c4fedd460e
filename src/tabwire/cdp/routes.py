"""Which listeners hear an event: by session and method, in the order they came.

A listener that raises does not keep the others from hearing; what it raised goes on to the
carrier, which writes it to the log. Listeners may come and go while an event is told.
"""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from tabwire.cdp.protocol import Event

EVERY_SESSION: Final = "*"
"""Instead of a session's id: events of all sessions and of the browser itself."""

Listener = Callable[[Event], None]


class Routes:
    """All listeners of one connection."""

    def __init__(self) -> None:
        self._routes: dict[tuple[str | None, str], tuple[Listener, ...]] = {}

    def __len__(self) -> int:
        return len(self._routes)

    def tell(self, event: Event) -> None:
        """Call everyone who wants it, now."""
        heard = self._routes.get((event.session, event.method), ())
        if (everywhere := self._routes.get((EVERY_SESSION, event.method))) is not None:
            heard += everywhere
        if len(heard) == 1:
            heard[0](event)
        elif heard:
            with ExitStack() as all_of_them:
                for listener in reversed(heard):
                    all_of_them.callback(listener, event)

    def add(self, session: str | None, method: str, listener: Listener) -> None:
        """From the next event on."""
        route = (session, method)
        self._routes[route] = (*self._routes.get(route, ()), listener)

    def remove(self, session: str | None, method: str, listener: Listener) -> None:
        """Once for each `add`; one that is not there is no fault."""
        route = (session, method)
        left = list(self._routes.get(route, ()))
        if listener in left:
            left.remove(listener)
        if left:
            self._routes[route] = tuple(left)
        else:
            self._routes.pop(route, None)

    def drop(self, session: str) -> None:
        """Forget all that listen to this session alone."""
        for route in [route for route in self._routes if route[0] == session]:
            del self._routes[route]

    def clear(self) -> None:
        """Forget all."""
        self._routes.clear()
