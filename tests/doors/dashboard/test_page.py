"""The dashboard in a real browser: what it shows, what its buttons do, and what cannot get in."""

import asyncio
import re
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from kit.dashboard import LIVE, press, tab_at, text_of, ticket_of, until
from kit.extension import value_of
from kit.relay_hub import relay_hub
from kit.relay_peer import SentAway
from tabwire import __version__
from tabwire.hub.relay import diagnosis as relay_why
from tabwire.model.ask import AskRequest, Phase
from tabwire.model.errors import Retry
from tabwire.model.job import Asker, Door
from tabwire.model.phases import PHASE_WORDS, QUEUED

pytestmark = pytest.mark.xdist_group("browser")

FOLDER = Path(__file__).resolve().parents[3] / "src" / "tabwire" / "doors" / "dashboard"
SECONDS = 100.0
ME = Asker("me", Door.CLI)


@pytest_asyncio.fixture
async def hub(tmp_path, monkeypatch):
    async with asyncio.timeout(SECONDS), relay_hub(tmp_path, monkeypatch) as hub:
        yield hub


@asynccontextmanager
async def opened(browser_url, hub):
    """The page, as a person has it after `tabwire dashboard`."""
    async with tab_at(browser_url, await ticket_of(hub.door)) as page:
        await until(page, LIVE)
        yield page


async def key(page, name, code):
    """A key, as a person presses it."""
    about = {"key": name, "code": name, "windowsVirtualKeyCode": code}
    if name == "Enter":
        about["text"] = "\r"
    for kind in ("keyDown", "keyUp"):
        await page.call("Input.dispatchKeyEvent", {"type": kind, **about})


@pytest.mark.asyncio
async def test_a_ticket_leads_to_the_page_and_stands_nowhere_in_it(hub, browser_url):
    async with opened(browser_url, hub) as page:
        assert await value_of(page, "location.href") == f"http://127.0.0.1:{hub.port}/dashboard/"
        key = await value_of(page, "localStorage.getItem('key')")
        assert len(key) == 43
        seen = await value_of(page, "document.documentElement.outerHTML + document.cookie")
        assert hub.door.token not in seen
        assert key not in seen
        assert "tabwire_" not in await value_of(page, "document.cookie")
        assert await value_of(page, "document.referrer") == ""
        assert __version__ in await text_of(page, "#hub")
        assert "No extension has been paired." in await text_of(page, "#extension_state")
        codes = "[...document.querySelectorAll('#extension_todo code')].map((one) => one.innerText)"
        assert await value_of(page, codes) == ["tabwire extension path", "tabwire extension pair"]


HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    "<svg onload=\"document.title='owned'\"></svg>"
)


@pytest.mark.asyncio
async def test_t30_what_others_wrote_is_only_ever_text(hub, browser_url):
    jobs = hub.door.jobs
    bad = "javascript:document.title='owned'"
    asker = Asker(HOSTILE, Door.MCP, HOSTILE)
    done, failed, working = await jobs.submit(
        [AskRequest("grok", f"{number} {HOSTILE}") for number in range(3)], asker
    )
    await jobs.answer(done.id, HOSTILE)
    await jobs.happens(done.id, None, url=bad)
    await jobs.fail(failed.id, HOSTILE, Retry.NO)
    await jobs.happens(working.id, None, note=HOSTILE, phase=Phase.ANSWERING)
    async with opened(browser_url, hub) as page:
        await until(page, "document.querySelectorAll('#last > li').length === 2")
        shown = await value_of(page, "document.querySelector('main').innerText")
        assert shown.count("<script>") >= 5, "seen as it was written"
        inside = "document.querySelectorAll('main img, main svg, main script, main a[href]').length"
        assert await value_of(page, inside) == 0
        assert await value_of(page, "document.title") == "Tabwire"


@pytest.mark.asyncio
async def test_t30_even_what_we_forgot_could_not_become_a_part_of_the_page(hub, browser_url):
    async with opened(browser_url, hub) as page:
        tries = """(async () => {
          const told = {};
          const attempt = (name, act) => { try { act(); told[name] = "done"; } catch { told[name] = "refused"; } };
          attempt("html", () => { document.body.innerHTML = "<b>x</b>"; });
          const script = document.createElement("script");
          attempt("text", () => { script.textContent = "document.title = 'owned'"; document.body.append(script); });
          const image = new Image();
          told.image = await new Promise((done) => {
            Object.assign(image, { onload: () => done("done"), onerror: () => done("refused"), src: "data:image/gif;base64,R0lGODlhAQABAAAAACw=" });
          });
          told.fetch = await fetch("https://example.org/").then(() => "done", () => "refused");
          return told;
        })()"""  # noqa: E501
        told = await value_of(page, tries)
        assert set(told.values()) == {"refused"}, told
        how = {"expression": "(0, eval)('1')", "allowUnsafeEvalBlockedByCSP": False}
        assert "exceptionDetails" in await page.call("Runtime.evaluate", how)
        assert await value_of(page, "document.title") == "Tabwire"


@pytest.mark.asyncio
async def test_a_code_is_shown_counted_down_and_told_when_it_was_typed(hub, browser_url):
    async with opened(browser_url, hub) as page:
        await press(page, "#pair")
        code = await until(page, "document.querySelector('#code').textContent")
        assert code == hub.pairing.code.shown
        assert re.match(r"[45]:\d\d left\.", await text_of(page, "#time_left"))
        peer = hub.peer()
        await peer.dial()
        with pytest.raises(SentAway):
            await peer.pair("ABCD-EFGH")
        await until(
            page, "/The code is wrong/i.test(document.querySelector('#pair_said').innerText)"
        )
        assert await value_of(page, "document.querySelector('#code').checkVisibility()")
        await peer.dial()
        await peer.pair(code)
        said = await until(page, "document.querySelector('#pair_said[data-tone=good]')?.innerText")
        name = (await hub.relays.status()).used.name
        assert said == f"Paired with {name}."
        await until(
            page, f"document.querySelector('#extension_words').innerText.includes('{name}')"
        )
        assert not await value_of(page, "document.querySelector('#code').checkVisibility()")
        assert await value_of(page, "document.querySelector('#code').textContent") == ""
        await peer.close()


@pytest.mark.asyncio
async def test_a_code_that_another_asks_for_makes_this_one_void(hub, browser_url):
    async with opened(browser_url, hub) as page:
        await press(page, "#pair")
        await until(page, "document.querySelector('#code').textContent")
        await hub.relays.pair()  # in a terminal
        said = await until(page, "document.querySelector('#pair_said[data-tone=bad]')?.innerText")
        assert "no longer valid" in said
        await press(page, "#pair")
        code = await until(page, "document.querySelector('#code').textContent")
        assert code == hub.pairing.code.shown


@pytest.mark.asyncio
async def test_that_nobody_can_be_paired_now_is_said(hub, browser_url):
    hub.pairing._locked_until = hub.pairing._clock() + 600
    async with opened(browser_url, hub) as page:
        await press(page, "#pair")
        said = await until(page, "document.querySelector('#pair_said[data-tone=bad]')?.innerText")
        assert "pairing is locked for 10 min" in said


@pytest.mark.asyncio
async def test_a_second_browser_is_named_asked_about_used_and_forgotten(hub, browser_url):
    peer = await hub.paired(install="aaaa-first")
    second = hub.peer(install="bbbb-second", chrome="157")
    await second.dial()
    code = (await hub.relays.pair()).code
    with pytest.raises(SentAway, match="busy"):
        await second.pair(code)
    async with opened(browser_url, hub) as page:
        asked = await until(page, "document.querySelector('#asking li')?.innerText")
        assert "chrome-bbbb (Chrome 157) also wants to connect." in asked
        await press(page, "#asking [data-name=keep]")
        assert await value_of(page, "document.querySelectorAll('#asking li').length") == 0
        assert hub.pairing.chosen is None, "left as it is"
        row = "[data-key='is chrome-bbbb']"
        await press(page, f"#installs {row} [data-name=use]")
        await peer.hung_up()
        await second.resume()
        await until(
            page, "/chrome-bbbb/.test(document.querySelector('#extension_words').innerText)"
        )
        await press(page, f"#installs {row} [data-name=forget]")
        assert "Forget chrome-bbbb?" in await text_of(page, "#sure")
        await key(page, "Escape", 27)
        await until(page, "!document.querySelector('#sure').open")
        assert len(hub.pairing.known) == 2, "Escape is no"
        await press(page, f"#installs {row} [data-name=forget]")
        await press(page, "#sure_yes")
        await second.hung_up()
        await until(page, "document.querySelectorAll('#installs li').length === 1")
        assert [one.name for one in hub.pairing.known] == ["chrome-aaaa"]


@pytest.mark.asyncio
async def test_keys_reach_every_button_and_what_changes_does_not_take_them_away(hub, browser_url):
    peer = await hub.paired(install="aaaa-first")
    async with opened(browser_url, hub) as page:
        await page.call("Emulation.setFocusEmulationEnabled", {"enabled": True})
        await until(page, "document.querySelector('#installs button')")
        names, here = [], ""
        while here != "forget":
            await key(page, "Tab", 9)
            here = await value_of(
                page, "document.activeElement.dataset.name ?? document.activeElement.id"
            )
            names.append(here)
            assert len(names) < 10
        assert names == ["pair", "forget"]
        await peer.say({"on": "switched", "enabled": False, "sites": {}})
        await until(page, "document.querySelector('#extension_state').dataset.tone === 'busy'")
        await hub.relays.pair()
        hub.pairing.seen("aaaa-first", "0.9.9", "158")  # its row is drawn anew
        await hub.relays.use("chrome-aaaa")
        await until(page, "/158/.test(document.querySelector('#installs').innerText)")
        assert await value_of(page, "document.activeElement.dataset.name") == "forget"
        await value_of(page, "document.querySelector('#pair').focus()")
        await key(page, "Enter", 13)
        await until(page, "document.querySelector('#code').textContent")
        assert await value_of(page, "document.activeElement.id") == "copy"
        unnamed = """[...document.querySelectorAll('button, a, output, section, dialog')]
          .filter((one) => one.matches('section, dialog') ? !one.getAttribute('aria-labelledby')
            : !(one.getAttribute('aria-label') || one.textContent)).length"""
        assert await value_of(page, unnamed) == 0
    await peer.close()


@pytest.mark.asyncio
async def test_a_second_tab_needs_no_second_ticket_and_a_second_ticket_harms_no_tab(
    hub, browser_url
):
    async with opened(browser_url, hub) as page:
        place = f"http://127.0.0.1:{hub.port}/dashboard/"
        async with tab_at(browser_url, place) as second:
            await until(second, LIVE)
        async with opened(browser_url, hub):
            await press(page, "#pair")
            await until(page, "document.querySelector('#code').textContent")


@pytest.mark.asyncio
async def test_it_says_when_it_may_not_look_any_more(hub, browser_url, monkeypatch):
    async with opened(browser_url, hub) as page:
        monkeypatch.setattr("tabwire.doors.http.visits.Visits.opens", lambda *_: False)
        await hub.relays.pair()  # something happens, which it is not told
        await until(page, "document.body.dataset.state === 'over'")
        assert "tabwire dashboard" in await text_of(page, "#banner")
        monkeypatch.undo()


@pytest.mark.asyncio
async def test_it_says_that_the_hub_is_away(tmp_path, monkeypatch, browser_url):
    async with asyncio.timeout(SECONDS):
        async with relay_hub(tmp_path, monkeypatch) as hub:
            opening = opened(browser_url, hub)
            page = await opening.__aenter__()
        await until(page, "document.body.dataset.state === 'away'")
        assert "does not respond" in await text_of(page, "#banner")
        assert await text_of(page, "#hub_words") == "The hub is not running"
        await opening.__aexit__(None, None, None)


@pytest.mark.asyncio
async def test_a_refusal_of_before_is_not_told_of_a_new_code(hub, browser_url):
    async with hub.peer() as peer:
        await hub.relays.pair()
        with pytest.raises(SentAway):
            await peer.pair("ABCD-EFGH")
    assert relay_why.RECENT_SECONDS > 60
    async with opened(browser_url, hub) as page:
        await press(page, "#pair")
        await until(page, "document.querySelector('#code').textContent")
        await hub.door.jobs.submit([AskRequest("grok", "a change")], ME)
        await until(page, "document.querySelector('#working .prompt')")
        assert await text_of(page, "#pair_said") == ""


# --- texts ---------------------------------------------------------------------------------------


def texts():
    """Both languages, by name."""
    code = (FOLDER / "texts.js").read_text("utf-8")
    found = []
    for name in ("EN", "JA"):
        block = re.search(rf"const {name} = {{\n(.*?)\n}};", code, re.S)[1]
        found.append(dict(re.findall(r'^  (\w+): "(.*)",$', block, re.M)))
        assert len(found[-1]) == len(block.splitlines())
    return found


def test_both_languages_have_the_same_texts_with_the_same_places():
    english, japanese = texts()
    assert list(english) == list(japanese)
    for name, text in english.items():
        places = sorted(re.findall(r"\$\d", text))
        assert places == sorted(re.findall(r"\$\d", japanese[name])), name
    same = {name for name, text in english.items() if text == japanese[name]}
    assert same == {"title", "site_chatgpt", "site_gemini", "site_grok"}


def test_the_dashboard_names_a_phase_as_every_other_door_does():
    english, _ = texts()
    assert english["phase_waiting"] == QUEUED
    assert {f"phase_{phase}": words for phase, words in PHASE_WORDS.items()}.items() <= (
        english.items()
    )


def test_every_text_is_named_and_every_name_has_a_text():
    used, begun = set(), set()
    for path in [*FOLDER.glob("*.js"), *FOLDER.glob("*.html")]:
        code = path.read_text("utf-8")
        used |= set(re.findall(r'(?:say|over)\((?:over \? )?"([a-z_]+)"', code))
        used |= set(re.findall(r'[?:] "((?:pair|banner)_[a-z_]+)"', code))
        used |= set(re.findall(r'data-(?:text|label)="([a-z_]+)"', code))
        begun |= set(re.findall(r"say\(`([a-z]+_)\$", code))
    known = set(texts()[0])
    assert used <= known
    assert {name for name in known - used if not name.startswith(tuple(begun))} == set()
    autopilot = {"card_", "switch_", "verdict_"}
    assert begun == {"site_", "state_", "job_", "phase_", "way_", *autopilot}


def test_every_state_and_phase_has_a_text():
    from tabwire.autopilot.rules import ASKING
    from tabwire.model.autopilot import Switch
    from tabwire.model.job import JobState

    known = set(texts()[0])
    assert {f"phase_{one}" for one in Phase} | {f"job_{one}" for one in JobState} <= known
    assert {f"switch_{one}" for one in Switch} | {f"card_{one}" for one in ASKING} <= known


def test_no_text_is_written_into_the_page_and_none_is_ever_read_as_html():
    html = (FOLDER / "index.html").read_text("utf-8")
    assert re.sub(r"<[^>]*>", "", html).split() == ["Tabwire"], "its title, until texts are there"
    assert re.findall(r"<script(?![^>]*src=)|\son\w+=|\sstyle=", html) == []
    for path in FOLDER.glob("*.js"):
        code = path.read_text("utf-8")
        found = re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", code)
        assert found == [], path.name
