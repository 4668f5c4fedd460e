"""From a page's messages to captures and what the person is told: stories, no browser."""

import pytest

from capture.pages import NO_TITLE, Page, chat_url, two_turns
from monitor.wire import HOME, ID, PIECES, PROMPT, TEXT, pieces, stored
from tabwire.capture.rebuild import rebuild
from tabwire.lab.speak import chatgpt as speak_chatgpt
from tabwire.lab.speak import gemini as speak_gemini
from tabwire.lab.speak import grok as speak_grok
from tabwire.model.captured import CaptureSource, Fidelity, Origin, Title, TitleFrom, Wholeness
from tabwire.sites.known import SITES

EVERY_SITE = pytest.mark.parametrize("site", SITES)
OTHER = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"


def said(captured):
    """Who said what in a capture, as it is rebuilt from what is kept."""
    found = rebuild(SITES[captured.site], captured.conversation_id, captured.bodies)
    return [(str(one.role), one.text) for one in found.messages()]


@EVERY_SITE
def test_the_badge_tells_before_the_conversation_is_known(site):
    page = Page(site)
    assert (page.shown.life, page.shown.readiness) == ("idle", None)
    name = page.prompt()
    assert page.shown.life == "prompt-sent"
    assert page.shown.conversation is None
    assert page.shown.attempt == name
    page.say(kind="head", attempt=name, status=200, at=page.at)
    for seq, chunk in enumerate(pieces(site, complete=False)):
        page.piece(name, seq, chunk)
    assert page.shown.life == "streaming"


@EVERY_SITE
def test_the_end_of_the_stream_alone_never_enables_save(site):
    """Seed 003, 4: a completion hint is advisory."""
    page = Page(site)
    page.answer()
    assert page.shown.life == "completed"
    assert page.shown.readiness == "awaiting_stabilization"
    assert not page.shown.save
    assert not page.shown.force
    assert page.shown.why_code == "no_canonical_data"
    assert page.last.source is CaptureSource.STREAM
    assert page.last.fidelity is Fidelity.DEGRADED
    assert page.last.completeness is Wholeness.PARTIAL
    assert page.last.origin is Origin.EXTENSION
    assert said(page.last) == [("user", PROMPT), ("assistant", TEXT)]


@EVERY_SITE
def test_two_equal_readings_apart_in_time_enable_save(site):
    page = Page(site)
    page.answer()
    page.move(chat_url(site))
    page.load()
    assert not page.shown.save
    assert page.shown.why_code == "awaiting_second_sample"
    assert page.last.source is CaptureSource.CANONICAL
    assert not page.last.ready
    page.time[0] += 0.2
    page.load()
    assert not page.shown.save, "too soon after the first"
    page.wait(1.2)
    assert page.wanted[-1][0] == ID[site]
    page.load()
    assert page.shown.save
    assert page.shown.readiness == "canonical_ready"
    assert page.last.ready
    assert (page.last.fidelity, page.last.completeness) == (Fidelity.HIGH, Wholeness.COMPLETE)
    assert said(page.last) == [("user", PROMPT), ("assistant", TEXT)]


@EVERY_SITE
def test_save_waits_for_the_disk(site):
    """Promise keep: nobody is told before it is written."""
    page = Page(site, chat_url(site))
    page.load()
    page.wait(1.2)
    page.load()
    assert page.last.ready
    before = page.page.shown(None)
    assert (before.save, before.why_code, before.readiness) == (
        False,
        "storing",
        "awaiting_stabilization",
    )
    assert page.page.shown(page.last.digest).save


@EVERY_SITE
def test_a_conversation_that_changes_between_readings_is_not_ready(site):
    page = Page(site, chat_url(site))
    page.load("Half of it")
    page.wait(1.2)
    page.load()
    assert not page.shown.save
    assert page.shown.why_code == "content_hash_changed"
    page.wait(1.2)
    page.load()
    assert page.shown.save


@EVERY_SITE
def test_one_that_was_merely_opened_is_read_again_and_the_badge_stays_idle(site):
    page = Page(site, chat_url(site))
    page.load()
    assert page.shown.life == "idle"
    assert page.shown.readiness == "awaiting_stabilization"
    page.wait(1.2)
    assert [conversation for conversation, _ in page.wanted] == [ID[site]]
    page.load()
    assert page.shown.save


@EVERY_SITE
@pytest.mark.parametrize("late", [False, True], ids=["known before", "known after"])
def test_one_that_is_kept_as_ready_and_reads_the_same_is_ready_at_once(site, late):
    before = Page(site, chat_url(site))
    before.load()
    before.wait(1.2)
    before.load()
    page = Page(site, chat_url(site))
    if not late:
        page.know(before.last)
    page.load()
    if late:
        assert not page.last.ready
        page.know(before.last)
    assert page.last.ready
    assert page.page.shown(before.last.digest).save
    page.wait(30)
    assert page.wanted == [], "nothing has to be read again"


@EVERY_SITE
def test_one_that_is_kept_and_reads_differently_is_not_ready(site):
    before = Page(site, chat_url(site))
    before.load()
    page = Page(site, chat_url(site))
    page.know(before.last)
    page.load(raw=two_turns(site))
    assert not page.shown.save
    assert not page.last.ready


@EVERY_SITE
def test_a_ready_conversation_that_grows_is_not_ready_until_it_is_steady_again(site):
    page = Page(site, chat_url(site))
    page.load()
    page.wait(1.2)
    page.load()
    assert page.shown.save
    page.load(raw=two_turns(site))
    assert not page.shown.save
    assert not page.last.ready
    page.wait(1.2)
    page.load(raw=two_turns(site))
    assert page.shown.save
    assert len(said(page.last)) == 4


@EVERY_SITE
def test_a_new_question_in_a_ready_conversation_takes_save_away_at_once(site):
    page = Page(site, chat_url(site))
    page.load()
    page.wait(1.2)
    page.load()
    assert page.shown.save
    page.prompt()
    assert page.shown.life == "prompt-sent"
    assert not page.shown.save


@EVERY_SITE
def test_without_the_sites_record_the_person_may_insist(site):
    page = Page(site)
    page.answer()
    page.wait(10)
    assert page.shown.readiness == "degraded_manual_only"
    assert page.shown.force
    assert not page.shown.save
    assert page.shown.degraded
    page.move(chat_url(site))
    page.load()
    page.wait(1.2)
    page.load()
    assert page.shown.save
    assert not page.shown.force
    assert not page.shown.degraded, "the record has taken its place"
    assert said(page.last) == [("user", PROMPT), ("assistant", TEXT)]


@EVERY_SITE
def test_a_cut_answer_is_kept_as_a_part(site):
    page = Page(site)
    name = page.prompt()
    page.respond(name, pieces(site, complete=False), how="failed")
    page.wait(10)
    assert page.shown.force
    assert not page.last.ready
    assert said(page.last)[-1] == ("assistant", TEXT)


def test_what_was_given_up_while_nobody_looked_is_tried_again_when_somebody_does():
    page = Page("chatgpt", chat_url("chatgpt"))
    page.load()
    page.wait(10)
    assert page.shown.readiness == "degraded_manual_only"
    wanted = len(page.wanted)
    page.say(kind="visible", on=True)
    assert page.shown.readiness == "awaiting_stabilization"
    page.wait(1.2)
    assert len(page.wanted) == wanted + 1
    page.load()
    assert page.shown.save


def test_what_only_the_stream_told_stands_behind_the_sites_record():
    page = Page("chatgpt", chat_url("chatgpt"))
    ids = speak_chatgpt.Ids("m-user-0", "m-thoughts-0", "m-answer-0")
    turn = speak_chatgpt.SpokenTurn(PROMPT, "The first answer.", ids=ids)
    page.load(raw=speak_chatgpt.speak_conversation(ID["chatgpt"], [turn]))
    page.answer()
    assert [text for _, text in said(page.last)] == [PROMPT, "The first answer.", PROMPT, TEXT]
    assert page.last.source is CaptureSource.STREAM
    page.load(raw=two_turns("chatgpt"))
    assert len(said(page.last)) == 4
    assert page.last.source is CaptureSource.CANONICAL


def test_what_the_site_has_only_half_written_is_told_by_the_stream():
    page = Page("chatgpt")
    page.answer()
    page.move(chat_url("chatgpt"))
    half = speak_chatgpt.SpokenTurn(PROMPT, TEXT[:5], status=speak_chatgpt.RUNNING)
    page.load(raw=speak_chatgpt.speak_conversation(ID["chatgpt"], [half]))
    assert said(page.last) == [("user", PROMPT), ("assistant", TEXT)]
    assert page.last.source is CaptureSource.STREAM


def test_a_temporary_chat_is_not_recorded():
    page = Page("grok")
    raw = b'{"message": "Why?", "modelName": "grok-4", "temporary": true}'
    page.respond(page.send(raw=raw), pieces("grok"))
    assert page.shown.life == "completed"
    assert page.captured == []


# --- seed 003, section 7: navigation ---------------------------------------------------------


@EVERY_SITE
def test_a_new_chat_that_gets_its_address_keeps_the_running_attempt(site):
    page = Page(site)
    name = page.prompt()
    page.say(kind="head", attempt=name, status=200, at=page.at)
    chunks = pieces(site)
    page.piece(name, 0, chunks[0])
    page.move(chat_url(site))
    assert page.shown.attempt == name
    assert page.shown.life in ("prompt-sent", "streaming")
    for seq, chunk in enumerate(chunks[1:], 1):
        page.piece(name, seq, chunk)
    page.say(kind="ended", attempt=name, how="whole", at=page.at, seqs=len(chunks))
    assert page.shown.life == "completed"
    assert page.shown.conversation == ID[site]


@EVERY_SITE
def test_switching_to_another_conversation_disposes_what_ran(site):
    page = Page(site, chat_url(site))
    name = page.prompt()
    page.say(kind="head", attempt=name, status=200, at=page.at)
    page.piece(name, 0, pieces(site)[0])
    page.move(chat_url(site).replace(ID[site], OTHER if site != "gemini" else "ffff00001111"))
    assert (page.shown.life, page.shown.readiness) == ("idle", None)
    page.move(chat_url(site))
    assert page.shown.life == "idle"


def test_going_to_a_new_chat_shows_nothing_of_the_old_one():
    page = Page("chatgpt", chat_url("chatgpt"))
    page.load()
    page.wait(1.2)
    page.load()
    assert page.shown.save
    page.move(HOME["chatgpt"])
    assert (page.shown.save, page.shown.conversation, page.shown.life) == (False, None, "idle")


def test_a_conversation_the_page_only_looks_ahead_at_is_kept_and_not_read_again():
    page = Page("chatgpt", f"https://chatgpt.com/c/{OTHER}")
    page.load()
    assert page.last.conversation_id == ID["chatgpt"]
    page.wait(30)
    assert page.wanted == []


# --- a site whose record comes in several bodies ----------------------------------------------

NODES = f"https://grok.com/rest/app-chat/conversations/{ID['grok']}/response-node"
ABOUT = f"https://grok.com/rest/app-chat/conversations_v2/{ID['grok']}"


def grok_nodes():
    spoken = speak_grok.SpokenResponse
    one, two = speak_grok.USER_RESPONSE, speak_grok.ANSWER_RESPONSE
    return speak_grok.speak_nodes(
        [spoken(one, PROMPT, speak_grok.HUMAN), spoken(two, TEXT, speak_grok.ASSISTANT, one)]
    )


def get(page, url, raw):
    page.respond(page.send(url, "GET"), [raw])


def test_a_body_that_repeats_only_what_we_knew_is_no_second_sample():
    page = Page("grok", chat_url("grok"))
    page.load()
    page.wait(1.2)
    get(page, NODES, grok_nodes())
    assert not page.shown.save
    page.load()
    assert page.shown.save


def test_all_bodies_that_add_something_are_kept_and_no_other():
    page = Page("grok", chat_url("grok"))
    for _ in range(3):
        get(page, ABOUT, speak_grok.speak_about(speak_grok.SpokenChat(ID["grok"], "Blue skies")))
        get(page, NODES, grok_nodes())
        page.load()
        page.wait(1.2)
    assert page.last.title == Title("Blue skies", TitleFrom.SITE)
    assert len(page.last.bodies) <= 3
    found = rebuild(SITES["grok"], ID["grok"], page.last.bodies)
    assert [one.text for one in found.messages()] == [PROMPT, TEXT]


def test_a_record_that_begins_in_the_middle_is_ready_and_not_complete():
    page = Page("gemini", chat_url("gemini"))
    answer = speak_gemini.SpokenAnswer("rc_1", TEXT)
    payload = speak_gemini.history_payload(
        ID["gemini"], [speak_gemini.SpokenExchange("r_1", PROMPT, (answer,))], cursor="older=="
    )
    raw = speak_gemini.speak_call("hNvQHb", payload)
    page.load(raw=raw)
    page.wait(1.2)
    page.load(raw=raw)
    assert page.last.ready
    assert page.last.completeness is Wholeness.PARTIAL


# --- titles ----------------------------------------------------------------------------------


def test_titles_follow_their_precedence_and_stay():
    page = Page("chatgpt", chat_url("chatgpt"))
    page.load()
    assert page.last.title == Title(PROMPT, TitleFrom.PROMPT)
    page.say(kind="named", title="Why the sky is blue - ChatGPT", at=page.at)
    assert page.last.title == Title("Why the sky is blue", TitleFrom.PAGE)
    raw = speak_chatgpt.speak_stored(
        TEXT, conversation_id=ID["chatgpt"], prompt=PROMPT, title="Blue"
    )
    page.load(raw=raw)
    assert page.last.title == Title("Blue", TitleFrom.SITE)
    page.say(kind="named", title="New chat", at=page.at)
    page.load(
        raw=speak_chatgpt.speak_stored(
            TEXT, conversation_id=ID["chatgpt"], prompt=PROMPT, title="New chat"
        )
    )
    assert page.last.title == Title("Blue", TitleFrom.SITE)
    assert page.shown.title == "Blue"


def test_a_title_that_is_kept_stays_when_the_page_tells_a_generic_one():
    before = Page("chatgpt", chat_url("chatgpt"))
    before.load()
    page = Page("chatgpt", chat_url("chatgpt"))
    page.know(before.last, title=Title("Blue", TitleFrom.SITE))
    page.load()
    assert page.last.title == Title("Blue", TitleFrom.SITE)


# --- several tabs of one conversation ---------------------------------------------------------


@EVERY_SITE
def test_what_another_tab_loads_counts_here_too(site):
    clock = [100.0]
    page = Page(site, chat_url(site), clock=clock)
    other = Page(
        site, chat_url(site), clock=clock, heard_body=lambda body: page.page.recorder.overhear(body)
    )
    page.load()
    page.wait(1.2)
    other.load()
    assert page.shown.save


@EVERY_SITE
def test_what_another_tab_asked_for_before_the_prompt_left_is_no_witness(site):
    """Promise truth: it tells of the turn before."""
    clock = [100.0]
    page = Page(site, chat_url(site), clock=clock)
    other = Page(
        site, chat_url(site), clock=clock, heard_body=lambda b: page.page.recorder.overhear(b)
    )
    url, method, raw = stored(site, "The answer of the turn before.")
    early = other.send(url, method)
    clock[0] += 1
    page.respond(page.prompt(), pieces(site))
    other.respond(early, [raw])
    assert page.shown.why_code == "no_canonical_data"


def test_the_stream_told_in_any_cut_gives_the_same_capture():
    whole = b"".join(pieces("chatgpt", texts=PIECES))
    seen = set()
    for size in (1, 7, 100, len(whole)):
        page = Page("chatgpt")
        chunks = [whole[at : at + size] for at in range(0, len(whole), size)]
        page.respond(page.prompt(), chunks)
        seen.add(page.last.digest)
    assert len(seen) == 1
    assert NO_TITLE.text == ""
