"""Look for elements in a page: by candidates, best first, past decoys and shadow roots."""

from typing import Any, TypeVar

import msgspec

from tabwire.browser.page.elements import Found, Looked, Surveyed, Wish
from tabwire.browser.page.errors import NotFound
from tabwire.browser.world import SCRIPT_SECONDS, World

T = TypeVar("T")


class Finder:
    """Asks the functions of page.js, and reads what they say into shapes."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.session = world.session

    async def ask(
        self, function: str, argument: Any, shape: type[T], *, seconds: float = SCRIPT_SECONDS
    ) -> T:
        """Call `page.<function>`."""
        said = await self.world.call(f"page.{function}", argument, seconds=seconds)
        return msgspec.convert(said, shape)

    async def look(self, wish: Wish) -> Looked:
        """What there is of it."""
        return await self.ask("find", wish.said(), Looked)

    async def need(self, wish: Wish) -> Found:
        """The same, where going on without it makes no sense. Raises `NotFound`."""
        looked = await self.look(wish)
        if looked.found is None:
            raise NotFound(wish.part, wish.candidates, seen=looked.seen, why=looked.why)
        return looked.found

    async def survey(self, wish: Wish) -> list[Surveyed]:
        """How every candidate fares, not only the first that serves."""
        return await self.ask("survey", wish.said(), list[Surveyed])
