"""What was asked or answered is found by its words, in any language."""

import pytest

from store.asked import ME, answer, ask

pytestmark = pytest.mark.asyncio

ASKED = [
    ("sky", "Why is the Sky blue?", "Because of Rayleigh scattering: it's 50% physics_101."),
    ("tokyo", "東京の天気はどうですか", "今日は晴れです。気温は二十度"),
    ("strasse", "Wie heißt die Straße?", "ÄRGERLICH: unbekannt"),
    ("quote", 'Say "hello" AND (nothing) NEAR *', "hello"),
    ("open", "An open question", None),
    ("wide", "ＦＵＬＬ width", "ok"),
]


async def filled(store):
    ids = {}
    for name, question, said in ASKED:
        row, _ = await store.begin(ask(question, "grok" if name == "sky" else "chatgpt"), ME, 1.0)
        if said is not None:
            await store.keep(row.id, answer(row.id, said, prompt=question), 2.0)
        ids[row.id] = name
    return ids


FOUND = [
    # id, words, which are found, newest first
    ("a word of the question", "blue", ["sky"]),
    ("a word of the answer", "rayleigh", ["sky"]),
    ("of both, in any order", "SCATTERING sky", ["sky"]),
    ("a part of a word", "catter", ["sky"]),
    ("not all of them", "blue green", []),
    ("japanese", "天気", ["tokyo"]),
    ("longer japanese", "気温は二十", ["tokyo"]),
    ("one character", "晴", ["tokyo"]),
    ("short and long", "is blue", ["sky"]),
    ("sharp s", "STRASSE", ["strasse"]),
    ("capital umlauts", "ärgerlich", ["strasse"]),
    ("letters of full width", "full", ["wide"]),
    ("what an index would read as its own words", "AND", ["quote"]),
    ("quotes and stars", '"hello" *', ["quote"]),
    ("a sign LIKE would read as its own", "0%", ["sky"]),
    ("another such sign", "s_", ["sky"]),
    ("no answer yet", "open", ["open"]),
    ("nothing", "nowhere", []),
    ("no words at all", "  ", ["wide", "open", "quote", "strasse", "tokyo", "sky"]),
    ("odd characters", "\x00\ud800", []),
    ("odd and long", "\x00\ud800abc", []),
]


@pytest.mark.parametrize("words, names", [c[1:] for c in FOUND], ids=[c[0] for c in FOUND])
async def test_found_by_words(store, words, names):
    ids = await filled(store)
    assert [ids[row.id] for row in await store.search(words)] == names


async def test_by_site_and_only_so_many(store):
    ids = await filled(store)
    assert [ids[row.id] for row in await store.search("", site="grok")] == ["sky"]
    assert [ids[row.id] for row in await store.search("", limit=2)] == ["wide", "open"]


async def test_a_later_answer_takes_the_place_of_the_words_before(store):
    row, _ = await store.begin(ask(), ME, 1.0)
    await store.keep(row.id, answer(row.id, "first draft"), 2.0)
    await store.keep(row.id, answer(row.id, "second version"), 3.0)
    assert await store.search("draft") == []
    assert [one.id for one in await store.search("version")] == [row.id]


async def test_what_was_undone_is_not_found(store):
    with pytest.raises(KeyError):
        await store.keep("nothing", answer("nothing", "vanished"), 2.0)
    assert await store.search("vanished") == []
