"""Files are checked before anything is touched, and sent only when the page has them."""

import asyncio
import json
from pathlib import Path

import pytest

from asking.choosing import HOMES, at
from tabwire.asking import uploads as files_room
from tabwire.asking.uploads import check_files, give_files, standing_files, take_back_files
from tabwire.lab.ledger import Deed
from tabwire.model.ask_errors import BadAsk, DialogInTheWay, UploadRefused
from tabwire.sites.known import SITES

FAST = "lab: pieces=4 every=0.005 first=0.01"
CHIPS = "document.querySelectorAll('[data-state] progress, [data-state=done], [data-state=failed]')"


# --- before any browser ------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "notes.txt").write_text("some words")
    (tmp_path / "日本 2.md").write_text("more")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "setup.EXE").write_bytes(b"MZ")
    (tmp_path / "big.png").write_bytes(b"")
    with (tmp_path / "big.png").open("r+b") as big:
        big.truncate(120_000_000)
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "notes.txt").write_text("other words")
    for number in range(25):
        (tmp_path / f"{number}.txt").write_text("x")
    return tmp_path


REFUSED = [
    # site, names, the error, some of its words
    ("chatgpt", ["none.txt"], BadAsk, "file not found"),
    ("chatgpt", ["again"], BadAsk, "is a folder"),
    ("chatgpt", ["notes.txt", "again/notes.txt"], BadAsk, "two files are named notes.txt"),
    ("chatgpt", ["a\0b"], BadAsk, "cannot be read"),
    ("gemini", ["notes.txt", "empty.txt"], UploadRefused, "did not accept empty.txt: it is empty"),
    ("grok", ["setup.EXE"], UploadRefused, "it does not accept .exe files"),
    ("chatgpt", ["big.png"], UploadRefused, "it is 120.0 MB; the maximum is 20 MB"),
    ("gemini", ["big.png"], UploadRefused, "the maximum is 100 MB"),
    ("grok", ["big.png"], UploadRefused, "the maximum is 48 MB"),
    ("gemini", [f"{n}.txt" for n in range(11)], UploadRefused, "accepts 10 files per question"),
    ("chatgpt", [f"{n}.txt" for n in range(21)], UploadRefused, "accepts 20 files per question"),
]


@pytest.mark.parametrize("site, names, error, words", REFUSED)
def test_a_file_that_cannot_be_sent_is_said_before_anything_is_done(
    folder, site, names, error, words
):
    with pytest.raises(error, match=words):
        check_files(SITES[site], [str(folder / name) for name in names])


def test_a_file_nobody_may_read_is_said(folder, monkeypatch):
    def refuse(*_args, **_more):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(BadAsk, match="cannot be read: Permission denied"):
        check_files(SITES["grok"], [str(folder / "notes.txt")])


@pytest.mark.parametrize("site", SITES)
def test_files_that_can_be_sent_come_back_as_paths(folder, site):
    names = ["notes.txt", "日本 2.md"]
    assert check_files(SITES[site], [str(folder / name) for name in names]) == tuple(
        folder / name for name in names
    )
    assert check_files(SITES[site], []) == ()


# --- in the page -------------------------------------------------------------------------------


CHANGED = """new Promise((done) => {
  const watch = new MutationObserver(() => { watch.disconnect(); done(); });
  watch.observe(document, { subtree: true, childList: true, attributes: true });
})"""


async def give(asking, *paths, seconds=20.0):
    """Give them; the page itself tells when it changed."""

    async def changed():
        await asking.person.finds(CHANGED)

    await give_files(*asking.given, paths, seconds=seconds, changed=changed)


@pytest.mark.asyncio
@pytest.mark.parametrize("layout", HOMES)
@pytest.mark.rows(1, first=2)
async def test_two_files_are_uploaded_and_go_with_the_prompt(lab, lab_tab, folder, layout):
    asking = await at(lab_tab, layout, "upload_seconds:0.6")
    names = (f"{layout} notes.txt", f"{layout} 日本 2.md")
    for name in names:
        (folder / name).write_text(f"words of {name}")
    paths = check_files(asking.site, [str(folder / name) for name in names])
    await give(asking, *paths)
    uploads = [one for one in lab.ledger.of(Deed.UPLOAD) if one.files[0] in names]
    assert sorted(one.files[0] for one in uploads) == sorted(names)
    prompt = f"Read these, {layout}\n{FAST}"
    await asking.ask(prompt)
    (entry,) = [one for one in lab.ledger.asked() if one.prompt == prompt]
    assert sorted(entry.files) == sorted(names)
    assert all(one.number < entry.number for one in uploads)
    assert asking.site.files_in_request(asking.asked.bodies[0]) == 2


@pytest.mark.asyncio
@pytest.mark.parametrize("layout", HOMES)
@pytest.mark.rows(1, first=2)
async def test_a_slow_upload_is_waited_for(lab, lab_tab, folder, layout):
    """Scenario att-not-ready: that Send can be pressed is no proof."""
    asking = await at(lab_tab, layout, "upload_seconds:3")
    path = folder / f"{layout} slow.txt"
    path.write_text("slow words")
    async with asyncio.TaskGroup() as tasks:
        giving = tasks.create_task(give(asking, path))
        await asking.person.sees("document.querySelector('[data-state=going] progress')")
        assert not giving.done()
    assert await asking.person.counts("[data-state=done]") == 1
    assert [one for one in lab.ledger.of(Deed.UPLOAD) if one.files == (path.name,)]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "layout, lang, words",
    [*((one, "en", "Upload failed") for one in HOMES), ("turn_key", "ar", "فشل التحميل")],
)
@pytest.mark.rows(2)
async def test_an_upload_that_fails_is_refused_and_taken_back(lab_tab, folder, layout, lang, words):
    asking = await at(lab_tab, layout, "upload_fails:on", f"lang:{lang}")
    with pytest.raises(UploadRefused, match=rf"did not accept notes\.txt: {words}") as refused:
        await give(asking, folder / "notes.txt")
    assert refused.value.name == "notes.txt"
    await take_back_files(*asking.given)
    assert await asking.person.finds(f"{CHIPS}.length") == 0
    assert asking.asked.bodies == []


@pytest.mark.asyncio
async def test_an_upload_that_never_ends_is_refused_in_time(lab_tab, folder):
    asking = await at(lab_tab, "grok.com", "upload_seconds:60")
    with pytest.raises(UploadRefused, match=r"notes\.txt: the upload did not finish within 0\.5 s"):
        await give(asking, folder / "notes.txt", seconds=0.5)
    await take_back_files(*asking.given)
    assert await asking.person.finds(f"{CHIPS}.length") == 0


@pytest.mark.asyncio
async def test_a_file_deleted_after_the_check_is_refused(lab_tab, folder):
    asking = await at(lab_tab, "turn_key")
    paths = check_files(asking.site, [str(folder / "日本 2.md"), str(folder / "notes.txt")])
    paths[1].unlink()
    with pytest.raises(UploadRefused, match=r"notes\.txt: it is no longer there"):
        await give(asking, *paths)
    assert await asking.person.finds(f"{CHIPS}.length") == 0


@pytest.mark.asyncio
@pytest.mark.parametrize("layout", HOMES)
@pytest.mark.rows(1, first=2)
async def test_files_of_somebody_else_are_neither_sent_nor_taken_back(lab_tab, folder, layout):
    """The same name as ours changes nothing: who gave it counts."""
    asking = await at(lab_tab, layout)
    await give(asking, folder / "notes.txt")
    assert await standing_files(*asking.given) == ()  # ours
    for name in ("日本 2.md", "notes.txt"):
        with pytest.raises(UploadRefused, match=r"already contains another file \(notes\.txt"):
            await give(asking, folder / name)
        await take_back_files(*asking.given)
    assert "notes.txt" in (await standing_files(*asking.given))[0]
    assert await asking.person.finds(f"{CHIPS}.length") == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("layout", HOMES)
async def test_an_empty_composer_has_no_files(lab_tab, layout):
    asking = await at(lab_tab, layout)
    assert await standing_files(*asking.given) == ()


@pytest.mark.asyncio
async def test_tools_beside_the_composer_are_no_files(lab_tab):
    asking = await at(lab_tab, "turn_key")
    tools = (
        "<div role=group aria-label='Tools v2.md'><button aria-label=Search>GPT-5.5</button>"
        "<button>notes.txt</button></div><p>made with care.</p>"
    )
    form = "document.querySelector('form[data-chatgpt-composer]')"
    await asking.person.finds(f"{form}.insertAdjacentHTML('afterbegin', {json.dumps(tools)})")
    assert await standing_files(*asking.given) == ()


@pytest.mark.asyncio
@pytest.mark.parametrize("layout", HOMES)
@pytest.mark.rows(1)
async def test_without_any_input_files_are_pasted(lab, lab_tab, folder, layout):
    """The input is gone, as after a rebuild: the composer takes files all the same."""
    asking = await at(lab_tab, layout)
    await asking.person.finds(
        "{ for (const one of document.querySelectorAll('input[type=file], .upload-card-button')) "
        "one.remove(); }"
    )
    path = folder / f"{layout} pasted.txt"
    path.write_text("pasted words")
    await give(asking, path)
    (upload,) = [one for one in lab.ledger.of(Deed.UPLOAD) if one.files == (path.name,)]
    assert upload.bytes == len("pasted words")


OTHERWISE = [
    # id, how a page of other make shows a file: going, then done; {} is its name
    ("aria-busy", "<li aria-busy=true>{}</li>", "<li>{}</li>"),
    ("a progress bar", "<li>{}<b role=progressbar>1</b></li>", "<li>{}</li>"),
    ("a class", "<li>{}<b class='upload-spinner'>o</b></li>", "<li>{}<b class='x'>o</b></li>"),
    ("only a label", "<li><img alt='{}' width=9 height=9><progress></li>", "<li title='{}'>T</li>"),
    ("cut in the middle", "<li>no…txt<progress></li>", "<li>not…es.txt</li>"),
    ("numbered", "<li>notes(1).txt<progress></li>", "<li>notes (1).txt</li>"),
    ("something turns", "<li>{}<b style='animation:t 1s infinite'>o</b></li>", "<li>{}</li>"),
    ("shown bare at first", "<li>{}</li>|<li>{}<progress></li>", "<li>{}</li>"),
]
OTHER_PAGE = """<style>@keyframes t { to { opacity: 0 } } li { display: block }</style>
<ul><li>notes.txt of an old message</li></ul>
<form class=query-bar-form><div class=query-bar><ul id=chips></ul>
<div class="tiptap ProseMirror" contenteditable=true>x</div>
<input type=file name=files multiple hidden><button type=submit>Send</button></div></form>"""


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "going, done", [one[1:] for one in OTHERWISE], ids=[o[0] for o in OTHERWISE]
)
@pytest.mark.rows(2, first=1)
async def test_a_page_of_other_make_is_read_by_what_it_shows(lab_tab, folder, going, done):
    """Send stands there all the while. Each step is taken only when the last was looked at."""
    asking = await at(lab_tab, "grok.com")
    steps = [*going.split("|"), done]
    html = [step.replace("{}", "notes.txt") for step in steps]
    await asking.person.finds(f"document.body.innerHTML = {json.dumps(OTHER_PAGE)}, 1")
    await asking.person.finds(
        "document.querySelector('input').addEventListener('change', () => "
        f"{{ document.querySelector('#chips').innerHTML = {json.dumps(html[0])}; }}), 1"
    )
    shown = html[1:]

    async def changed():
        assert shown, "it is done, and was waited for"
        step = shown.pop(0)
        await asking.person.finds(
            f"document.querySelector('#chips').innerHTML = {json.dumps(step)}, 1"
        )

    if "|" in going:  # begins to turn while we look whether it stays done
        await asking.person.finds(
            "new MutationObserver((_, watch) => { watch.disconnect(); setTimeout(() => { "
            f"document.querySelector('#chips').innerHTML = {json.dumps(shown.pop(0))}; }}, 60); }})"
            ".observe(document.querySelector('#chips'), { childList: true }), 1"
        )
    await give_files(*asking.given, [folder / "notes.txt"], seconds=20, changed=changed)
    assert shown == []


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "html, words",
    [
        ("<li>notes.txt</li>", r'the page removed it again: "notes.txt is too large"'),
        ("", r'the page does not show the file: "notes.txt is too large"'),
    ],
    ids=["removed", "never shown"],
)
async def test_a_page_that_only_says_no_is_quoted(lab_tab, folder, monkeypatch, html, words):
    monkeypatch.setattr(files_room, "GLANCE_SECONDS", 0.05)
    asking = await at(lab_tab, "grok.com")
    await asking.person.finds(f"document.body.innerHTML = {json.dumps(OTHER_PAGE)}, 1")
    chips = html.replace("</li>", "<progress></li>")
    await asking.person.finds(
        "document.querySelector('input').addEventListener('change', () => "
        f"{{ document.querySelector('#chips').innerHTML = {json.dumps(chips)}; }}), 1"
    )

    async def changed():
        await asking.person.finds(
            "document.querySelector('#chips').innerHTML = '', "
            "document.querySelector('[role=alert]') || document.body.insertAdjacentHTML("
            "'beforeend', '<p role=alert>notes.txt is too large')"
        )

    with pytest.raises(UploadRefused, match=words):
        await give_files(*asking.given, [folder / "notes.txt"], seconds=20, changed=changed)


@pytest.mark.asyncio
async def test_a_dialog_over_the_upload_button_is_told(lab_tab, folder):
    """Gemini's input stands in the page only after its menu was used: the button is needed."""
    asking = await at(lab_tab, "app", "overlay:upsell")
    with pytest.raises(DialogInTheWay):
        await give(asking, folder / "notes.txt")
