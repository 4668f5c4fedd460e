"""What a reader sees of a conversation."""

from tabwire.model.conversation import Conversation, Message, Role, Standing, Turn

OPEN = Standing(False, False, "assistant-missing")


def chat(*turns: Turn, visible: tuple[str, ...] | None = None) -> Conversation:
    shown = tuple(turn.id for turn in turns) if visible is None else visible
    return Conversation("chatgpt", "id", OPEN, turns=turns, visible=shown)


def user(turn_id: str, text: str) -> Turn:
    return Turn(turn_id, Role.USER, text)


def answer(turn_id: str, text: str, thinking: str | None = None, *, hidden: bool = False) -> Turn:
    return Turn(turn_id, Role.ASSISTANT, text, thinking, hidden=hidden)


def test_only_the_visible_branch_is_told_oldest_first() -> None:
    found = chat(answer("b", "B"), user("u", "Q"), answer("a", "A"), visible=("u", "a"))
    assert [m.text for m in found.messages()] == ["Q", "A"]


def test_empty_hidden_and_foreign_turns_are_left_out() -> None:
    found = chat(
        user("u", "Q"),
        Turn("s", Role.SYSTEM, "rules"),
        Turn("t", Role.TOOL, "result"),
        answer("e", "  \n"),
        answer("h", "hidden", hidden=True),
        Turn("c", Role.ASSISTANT, "search()", is_message=False),
        answer("a", "A"),
    )
    assert [m.text for m in found.messages()] == ["Q", "A"]


def test_thoughts_fold_into_the_answer_they_led_to() -> None:
    found = chat(
        user("u", "Q"),
        answer("t", "", "one"),
        answer("a", "A", "two"),
        user("v", "R"),
        answer("b", "B"),
    )
    assert found.messages() == (
        Message(Role.USER, "Q"),
        Message(Role.ASSISTANT, "A", "one\n\ntwo"),
        Message(Role.USER, "R"),
        Message(Role.ASSISTANT, "B"),
    )


def test_thoughts_without_an_answer_do_not_leak_into_the_next_question() -> None:
    found = chat(answer("t", "", "lost"), user("u", "Q"), answer("a", "A"))
    assert found.messages()[-1].thinking is None


def test_hidden_thoughts_are_not_shown() -> None:
    found = chat(answer("t", "", "secret", hidden=True), answer("a", "A"))
    assert found.messages()[-1].thinking is None


def test_a_visible_id_without_a_turn_is_passed_over() -> None:
    assert [m.text for m in chat(user("u", "Q"), visible=("gone", "u")).messages()] == ["Q"]
