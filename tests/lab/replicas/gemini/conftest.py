"""What the tests of the lab's Gemini share: tabs of its page, with somebody before them."""

import pytest

from lab.replicas.gemini.reader import DEEP, HOME, Reader


@pytest.fixture
def gemini(lab_tab):
    """Open the page on a stage, `gemini("/app", lang="ja")`, and wait until it is alive."""

    async def opened(path="/app", *, alive=True, **stage):
        words = ",".join(f"{name}:{said}" for name, said in stage.items())
        url = HOME.removesuffix("/app") + path + (f"?lab={words}" if words else "")
        person = await lab_tab(url)
        await person.session.call("Page.addScriptToEvaluateOnNewDocument", {"source": DEEP})
        await person.finds(DEEP)
        if alive:
            await person.finds("until(() => document.querySelector('.send-button mat-icon'))")
        return Reader(person)

    return opened
