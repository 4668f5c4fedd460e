"""The chats that were there before anybody came."""

from tabwire.lab.replicas.gemini.past import LONG, WELCOME, past_chats
from tabwire.lab.room import Standing


def test_there_is_a_welcome_and_a_long_chat_always_the_same():
    chats, again = past_chats(60), past_chats(60)
    assert list(chats) == [WELCOME, LONG]
    assert [len(chat.exchanges) for chat in chats.values()] == [1, 60]
    for one, other in zip(chats[LONG].exchanges, again[LONG].exchanges, strict=True):
        assert (one.id, one.text, one.asked_at) == (other.id, other.text, other.asked_at)
        assert one.standing is Standing.WHOLE


def test_its_turns_are_in_order_and_each_is_another():
    exchanges = past_chats(7)[LONG].exchanges
    assert [one.prompt for one in exchanges] == [f"Question {n} of 7" for n in range(1, 8)]
    assert sorted(one.asked_at for one in exchanges) == [one.asked_at for one in exchanges]
    assert len({one.text for one in exchanges}) == len({one.id for one in exchanges}) == 7
