"""Where a person writes in the lab's Gemini: the editor, files and the mode."""

import json

import pytest

from lab.replicas.gemini.reader import COMPOSER, FAST, LAYOUT, QUESTION, SEND, over
from tabwire.lab.ledger import Deed

pytestmark = pytest.mark.asyncio

OFF = "document.querySelector('.send-button').ariaDisabled === 'true'"
OPTION = "[data-test-id='bard-mode-option-{}']"
PICKER = LAYOUT.model_picker[0].css


def sent(lab, prompt):
    (entry,) = [one for one in lab.ledger.asked("gemini") if one.prompt == prompt]
    return entry


async def test_what_a_script_writes_into_the_box_is_not_written(gemini, lab):
    reader = await gemini()
    box = f"document.querySelector({json.dumps(COMPOSER)})"
    assert await reader.person.finds(OFF)
    await reader.person.finds(f"({box}.innerText = 'Gemini is not asked', 1)")
    await reader.person.finds(f"{box}.dispatchEvent(new InputEvent('input', {{ bubbles: true }}))")
    assert await reader.person.finds(OFF)
    await reader.person.clicks(SEND)
    assert await reader.counts(QUESTION) == 0
    assert "Gemini is not asked" not in lab.ledger.prompts("gemini")


async def choose(reader, kind, *files):
    """Open the site's file chooser and choose, as a browser's own dialog would."""
    await reader.session.call("Page.setInterceptFileChooserDialog", {"enabled": True})
    with reader.session.subscribe(["Page.fileChooserOpened"]) as opened:
        await reader.person.clicks(f"button[aria-label='{LAYOUT.upload[2].css[19:-2]}']")
        await reader.person.clicks(f"[data-test-id='local-images-files-uploader-{kind}']")
        event = (await anext(aiter(opened))).read()
    where = {"backendNodeId": event["backendNodeId"], "files": [str(one) for one in files]}
    await reader.session.call("DOM.setFileInputFiles", where)


async def test_files_are_uploaded_shown_and_go_with_the_prompt(gemini, lab, tmp_path):
    prompt = f"Gemini, read this\n{FAST}"
    notes, picture = tmp_path / "notes 日本.txt", tmp_path / "dot.png"
    notes.write_text("some words")
    picture.write_bytes(b"\x89PNG" * 500)
    reader = await gemini(upload_seconds=0.4)
    await choose(reader, "files", notes, picture)
    await reader.person.writes(COMPOSER, prompt)
    assert await reader.person.finds(OFF)  # while it is under way nothing can be sent
    chips = "document.querySelectorAll('.text-input-field .file-preview-chip[data-state=done]')"
    await reader.person.sees(f"{chips}.length === 2")
    await reader.person.clicks(SEND)
    await reader.sees(over())
    assert sent(lab, prompt).files == (notes.name, "dot.png")
    uploads = {one.files: one.bytes for one in lab.ledger.of(Deed.UPLOAD)}
    assert uploads[(notes.name,)] == 10
    assert uploads[("dot.png",)] == 2000
    (shown, _) = await reader.finds("user-query-content .file-preview-chip")
    assert shown == notes.name
    assert await reader.person.counts(".text-input-field .file-preview-chip") == 0


async def test_an_upload_that_fails_says_so_and_stays_behind(gemini, lab, tmp_path):
    prompt = f"Gemini, without it\n{FAST}"
    (tmp_path / "lost.txt").write_text("x")
    reader = await gemini(upload_fails="on")
    await choose(reader, "files", tmp_path / "lost.txt")
    await reader.person.sees("document.querySelector('.file-preview-chip [role=alert]')")
    await reader.asks(prompt)
    await reader.sees(over())
    assert sent(lab, prompt).files == ()


async def test_the_mode_is_picked_from_nested_menus(gemini, lab):
    prompt = f"Gemini, in another mode\n{FAST}"
    reader = await gemini()
    await reader.person.clicks(PICKER)
    await reader.person.clicks(OPTION.format("deep-think"))
    assert await reader.person.counts(OPTION.format("deep-think")) == 1  # switched off: stays open
    await reader.person.clicks(OPTION.format("older"))
    await reader.person.clicks(OPTION.format("2.5-flash"))
    assert await reader.person.counts("[data-test-id^='bard-mode-option-']") == 0
    assert await reader.finds(PICKER) == ["2.5 Flash"]
    await reader.asks(prompt)
    await reader.sees(over())
    chat = lab.room.chat("gemini", sent(lab, prompt).conversation_id)
    assert chat.exchanges[0].plan.model == "2.5 Flash"


async def test_a_tier_that_is_used_up_is_switched_off(gemini):
    reader = await gemini(tier_exhausted="on")
    assert await reader.finds(PICKER) == ["Fast"]
    await reader.person.clicks(PICKER)
    await reader.person.clicks(OPTION.format("pro"))
    row = f"document.querySelector({json.dumps(OPTION.format('pro'))})"
    assert await reader.person.finds(f"{row}.ariaDisabled") == "true"
    assert "Limit reached" in await reader.person.finds(f"{row}.innerText")
