"""Files reach a page through its input, hidden or not, or through its chooser."""

import pytest

from browser.page.page_shown import show, value
from tabwire.browser.page import files as page_files
from tabwire.browser.page.errors import NoChooser, NotFound
from tabwire.model.errors import Unreadable

pytestmark = pytest.mark.asyncio

GOT = """<script>let got, changes = 0; document.addEventListener("change", (event) => {
  changes += 1;
  const files = [...event.target.files];
  event.target.value = "";  // as sites do, so that the same file can be chosen again
  got = Promise.all(files.map(async (file) => [file.name, await file.text()]));
}, true)</script>"""


@pytest.fixture
def two(tmp_path):
    paths = [tmp_path / "one.txt", tmp_path / "два 2.md"]
    for path in paths:
        path.write_text(f"text of {path.name}")
    return paths


@pytest.mark.parametrize(
    "html, how",
    [
        ("<input id=up type=file multiple>", "input"),
        ("<input id=up type=file multiple hidden>", "input"),
        ("<label id=up>Add<input type=file multiple hidden></label>", "input"),
        (
            "<button id=up onclick=\"const i = document.createElement('input'); i.type = 'file';"
            ' i.multiple = true; document.body.append(i); i.click()">Add</button>',
            "chooser",
        ),
    ],
    ids=["input", "hidden input", "label", "button"],
)
async def test_files_reach_the_page(blank, two, html, how):
    page = await show(blank, html + GOT)
    attached = await page.attach_files(("#none", "#up"), two)
    assert (attached.how, attached.names) == (how, tuple(path.name for path in two))
    wanted = [[path.name, path.read_text()] for path in two]
    assert await value(blank, "got") == wanted
    assert await value(blank, "changes") == 1


async def test_a_button_that_opens_no_chooser_is_said(blank, two, monkeypatch):
    monkeypatch.setattr(page_files, "CHOOSER_SECONDS", 0.3)
    page = await show(blank, "<button id=up>Menu</button>")
    with pytest.raises(NoChooser, match="upload control"):
        await page.attach_files("#up", two)


async def test_the_chooser_is_the_persons_again_afterwards(blank, two, monkeypatch):
    monkeypatch.setattr(page_files, "CHOOSER_SECONDS", 0.3)
    told = []
    page = await show(blank, "<button id=up>Menu</button>")
    real = blank.connection.send

    def send(method, params=None, **rest):
        told.append((method, params))
        real(method, params, **rest)

    monkeypatch.setattr(blank.connection, "send", send)
    with pytest.raises(NoChooser):
        await page.attach_files("#up", two)
    assert (page_files.INTERCEPT, {"enabled": False}) in told


async def test_what_is_no_file_is_said_before_anything_happens(blank, tmp_path):
    page = await show(blank, "<input id=up type=file>" + GOT)
    with pytest.raises(Unreadable, match=r"file not found: .*absent\.txt"):
        await page.attach_files("#up", [tmp_path / "absent.txt"])
    assert await value(blank, "changes") == 0


async def test_a_disabled_or_absent_input_is_not_found(blank, two):
    page = await show(blank, "<input id=up type=file disabled hidden>")
    with pytest.raises(NotFound, match=r"upload control not found .*disabled"):
        await page.attach_files("#up", two)


@pytest.mark.parametrize("button", [False, True])
async def test_an_input_of_one_gets_two_files_one_after_the_other(blank, two, button):
    html = "<input id=up type=file oninput='names.push(files.length, files[0].name)'>"
    if button:
        html = html.replace("id=up", "hidden") + "<button id=up>Add</button>"
        html += "<script>up.onclick = () => document.querySelector('input').click()</script>"
    page = await show(blank, "<script>const names = []</script>" + html)
    await page.attach_files("#up", two)
    assert await value(blank, "names") == [1, two[0].name, 1, two[1].name]
