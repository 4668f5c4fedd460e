"""What the lab speaks, the parser reads: `decode(speak(x)) == x`."""

from hypothesis import given
from hypothesis import strategies as st

from tabwire.lab.speak.grok import speak_stream
from tabwire.model.conversation import Role
from tabwire.sites.grok import SITE
from tabwire.sites.memory import Memory
from tabwire.sites.titles import is_generic

CHAT = "99999999-2222-4333-8444-555555555555"
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
VISIBLE = WORDS.filter(str.strip)


def heard(lines: list[bytes]):
    stream = SITE.open_stream(None, Memory())
    for line in lines:
        stream.feed(line)
    stream.close()
    return stream.conversation()


@given(
    texts=st.lists(WORDS, min_size=1).filter(lambda texts: "".join(texts).strip()),
    thoughts=st.lists(VISIBLE),
    prompt=VISIBLE,
    title=st.none() | VISIBLE,
    model=st.none() | VISIBLE,
)
def test_a_spoken_answer_is_heard_as_it_was_written(texts, thoughts, prompt, title, model):
    lines = speak_stream(
        texts, conversation_id=CHAT, prompt=prompt, thoughts=thoughts, title=title, model=model
    )
    conversation = heard(lines)
    question, answer = conversation.messages()
    assert (conversation.id, conversation.model) == (CHAT, model)
    assert conversation.title == (None if is_generic(title) else title)
    assert (question.role, question.text) == (Role.USER, prompt)
    assert (answer.text, answer.thinking) == ("".join(texts), "".join(thoughts) or None)
    assert conversation.standing.complete


@given(texts=st.lists(VISIBLE, min_size=1))
def test_an_answer_that_breaks_off_is_heard_as_unfinished(texts):
    conversation = heard(speak_stream(texts, conversation_id=CHAT, complete=False))
    assert conversation.messages()[-1].text == "".join(texts)
    assert (conversation.standing.complete, conversation.standing.terminal) == (False, False)


def test_half_a_character_survives_speaking():
    conversation = heard(speak_stream(["\ud83d", "\ude04"], conversation_id=CHAT))
    assert conversation.messages()[-1].text == "\U0001f604"
