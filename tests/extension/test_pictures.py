"""The pictures in docs/images, taken of the real thing.

`TABWIRE_PICTURES=1 pytest -m soak tests/extension/test_pictures.py` writes them anew; otherwise
they are taken all the same, into a temporary folder: what they show cannot silently break.
"""

# ruff: noqa: E501  what a page does is easier to read in one line

import base64
import os
import shutil
import subprocess
from contextlib import asynccontextmanager

import pytest

from extension.control_seen import Control
from extension.page_lab import PAGE, Site, stub_extension, tabs_at, value_of
from extension.test_control import state
from extension.test_ui import AWAY, STATUS, page_of, until
from kit.chromium import Aside
from kit.extension import flags_for_extension
from tabwire.browser.find import Found
from tabwire.browser.launch import Launch, launched

pytestmark = pytest.mark.soak
ANSWER = "/backend-api/f/conversation"
MAX_BYTES = 120_000  # of one picture
SHOWN = {
    **STATUS,
    "tabs": [
        {**STATUS["tabs"][0], "title": "Notes on tides - Grok"},
        {**STATUS["tabs"][1], "title": "Why is the sky blue?"},
    ],
    "events": STATUS["events"][:2],
}

CHAT = (
    PAGE
    + """<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:24px}
    p{max-width:520px}form{position:fixed;left:24px;right:24px;bottom:16px;border:1px solid #8886;
    border-radius:16px;padding:12px 16px;color:#8889}textarea{display:none}</style>
    <p><b>Why is the sky blue?</b></p><p>Sunlight is scattered by the air, and short waves are
    scattered far more than long ones. So from every direction blue light reaches the eye.</p>
    <form><div contenteditable=true role=textbox>Ask anything</div></form>"""
)


@pytest.fixture(params=["en", "ja"])
def language(request):
    return request.param


@pytest.fixture
def speaking_url(
    language: str, aside: Aside, chromium: Found, served: Site, tmp_path, monkeypatch
) -> str:
    """A browser that speaks this language."""
    monkeypatch.setenv("LANGUAGE", language)
    monkeypatch.setenv("LANG", f"{language}.UTF-8")
    folder = stub_extension(tmp_path / "extension")
    flags = (*served.flags, *flags_for_extension(folder), f"--lang={language}", "--hide-scrollbars")
    return aside.enter(launched(Launch(chromium, more_flags=flags))).endpoint.url


@pytest.fixture
def album(root, tmp_path, language):
    """Where pictures go. Without letters for a language there are only boxes to be seen."""
    wanted = os.environ.get("TABWIRE_PICTURES") and can_be_drawn(language)
    folder = root / "docs" / "images" if wanted else tmp_path / "images"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def can_be_drawn(language: str) -> bool:
    """Whether this machine has letters for it."""
    if language == "en" or shutil.which("fc-list") is None:
        return language == "en"
    found = subprocess.run(["fc-list", f":lang={language}"], capture_output=True, check=False)
    return bool(found.stdout.strip())


async def picture(page, path, *, width, height=None, scale=2, scheme="light", most=MAX_BYTES):
    """Take one. Without a height the page is as high as it is."""
    await page.call(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    size = {"width": width, "height": height or 400, "deviceScaleFactor": scale, "mobile": False}
    await page.call("Emulation.setDeviceMetricsOverride", size)
    if height is None:
        size["height"] = await value_of(
            page, "Math.ceil(document.documentElement.getBoundingClientRect().height)"
        )
        await page.call("Emulation.setDeviceMetricsOverride", size)
    await page.call("Page.bringToFront")
    await value_of(
        page, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    data = base64.b64decode((await page.call("Page.captureScreenshot", {"format": "png"}))["data"])
    assert 2_000 < len(data) < most, f"{path.name}: {len(data)} bytes"
    path.write_bytes(data)


@asynccontextmanager
async def chat(tabs, site, **more):
    site.server.page("/", CHAT)
    site.server.file(ANSWER, b"data: x\n\n", "text/event-stream")
    page = await tabs.open()
    control = Control(page)
    await control.lives("idle")
    await value_of(page, f"fetch('{ANSWER}', {{method: 'POST'}}).then((r) => r.text())")
    attempt = (await tabs.stub.of(ANSWER)).sent["attempt"]
    await state(tabs, attempt=attempt, **more)
    yield page, control


@pytest.mark.asyncio
async def test_pictures_of_everything(speaking_url, site, album, language):
    end = "" if language == "en" else f"-{language}"
    async with tabs_at(speaking_url) as tabs:
        async with page_of(tabs, "popup.html?tab=900002", {"status": SHOWN}) as page:
            await until(page, "document.querySelectorAll('#events li').length === 2")
            name = await value_of(page, "document.querySelector('#options').textContent")
            assert name == {"en": "Options", "ja": "設定"}[language]
            await picture(page, album / f"popup{end}.png", width=340)
            if language == "en":
                await picture(page, album / "popup-dark.png", width=340, scheme="dark")
        async with page_of(tabs, "connect.html", {"status": {**AWAY, "phase": "pairing", "trouble": {
            "why": "pair", "message": "This browser is not paired with the hub yet."}}}) as page:  # fmt: skip
            await until(page, "document.querySelector('#pair').textContent")
            await page.call("Input.insertText", {"text": ""})
            await value_of(page, "document.querySelector('#code').value = 'K7MQ-2XHP'")
            await picture(page, album / f"connect{end}.png", width=700)
        async with page_of(tabs, "options.html", {"status": STATUS}) as page:
            await until(page, "document.querySelector('#dump input')")
            await picture(page, album / f"options{end}.png", width=700, scale=1)
        async with chat(tabs, site, save=False, why_code="awaiting_second_sample") as (
            page,
            control,
        ):
            await control.until(".why", "(one) => one.textContent")
            await picture(page, album / f"control-waiting{end}.png", width=640, height=330)
        async with chat(tabs, site) as (page, control):
            await control.until(".save", "(one) => !one.disabled")
            assert (await control.part(".save"))["text"] == {"en": "Save", "ja": "保存"}[language]
            await picture(page, album / f"control{end}.png", width=640, height=330)
            await picture(
                page, album / f"control-dark{end}.png", width=640, height=330, scheme="dark"
            )
        async with chat(tabs, site, save=False, force=True, why_code="stabilization_timeout") as (
            page,
            control,
        ):
            await control.until(".force", "(one) => !one.hidden")
            await control.click(".force")
            await control.until(".ask", "(one) => !one.hidden")
            await picture(page, album / f"control-force{end}.png", width=640, height=330)
