"""Pictures of a tab that nobody looks at."""

import asyncio

import pytest

from tabwire.browser.page.page import Page

pytestmark = pytest.mark.asyncio

MANY = 12  # of a hidden tab, where every fourth hangs unless it is nudged


async def test_many_pictures_of_a_background_tab_all_come(new_tab):
    front, _ = await new_tab("data:text/html,<h1>in front")
    _, session = await new_tab("data:text/html,<h1>x")
    await session.connection.call("Target.activateTarget", {"targetId": front})
    page = Page(session)
    async with asyncio.timeout(30):
        for _ in range(MANY):
            assert (await page.screenshot()).startswith(b"\x89PNG")
