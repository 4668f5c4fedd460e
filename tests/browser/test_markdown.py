"""What stands in a page becomes Markdown, in a real browser."""

import json

import pytest

from browser.pages_markdown import CASES
from tabwire.browser.inpage import script

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

OPTIONS = {
    "skip": ".thinking-container",
    "citation": "[data-testid='webpage-citation-pill'] a[href]",
}

MANY = """
(cases, options) => cases.map((html) => {
  const root = document.body.appendChild(document.createElement("div"));
  root.innerHTML = html;
  const text = tabwire.markdown.of(root, options);
  root.remove();
  return text;
})
"""


async def convert(session, pages, function=MANY):
    """All of them in one call, in the page's own world: here it is ours."""
    arguments = f"{json.dumps(pages)}, {json.dumps(OPTIONS)}"
    expression = f"{script('markdown')};\n({function})({arguments})"
    params = {"expression": expression, "returnByValue": True}
    done = await session.call("Runtime.evaluate", params)
    assert "exceptionDetails" not in done, done["exceptionDetails"]
    return done["result"]["value"]


async def test_every_shape_becomes_its_markdown(blank):
    texts = await convert(blank, [html for _, html, _ in CASES])
    wrong = [
        (what, text, wanted)
        for (what, _, wanted), text in zip(CASES, texts, strict=True)
        if text != wanted
    ]
    assert wrong == []
    assert len(CASES) > 100
