"""Frame by frame: the fields our speaker writes are fields the real site was seen to write.

Each kind of frame is compared with the recordings of the same kind, by the paths of its JSON.
What was never recorded is listed with its reason; a path that leaves that list by being
recorded, or by not being spoken any more, must leave it here too.
"""

import json

from tabwire.lab.speak.chatgpt import (
    Ids,
    Recap,
    Speaker,
    SpokenTurn,
    Style,
    Thoughts,
    speak_conversation,
)
from tabwire.lab.speak.chatgpt.frames import SOCKET
from tabwire.lab.stories.steps import Tool
from tabwire.wire.sse import SseDecoder

ID = "5f0c6a1e-1111-4222-8333-0123456789ab"
IDS = Ids("u", "t", "a")
TEXT = "Known\ue200cite\ue202turn0search1\ue202turn0view2\ue201."

SOURCE = ("title", "url", "pub_date", "snippet", "attribution", "refs")
SOURCE += ("refs/turn_index", "refs/ref_type", "refs/ref_index")

# From facts/wire-formats.md (sections 1.4 and 1.6) and nowhere in the recordings. What a
# reference holds is from stored conversations people have published, of 2025-05 to 2026-04.
NOT_RECORDED = {
    "user text": {
        "/metadata/attachments",
        "/metadata/attachments/id",
        "/metadata/attachments/name",
    },
    "assistant text": {
        f"/metadata/content_references/{path}"
        for path in (
            *("start_idx", "type", "safe_urls", "refs", "items", "fallback_items", "status"),
            *("error", "style", "has_images", "sources"),
            *("sources/title", "sources/url", "sources/attribution"),
            *(f"items/{field}" for field in SOURCE),
            "items/supporting_websites",
            *(f"items/supporting_websites/{field}" for field in SOURCE),
        )
    },
}
KINDS_NOT_RECORDED = {"tool text", "tool execution_output", "type stream_handoff", "type error"}
# of a turn, and written into every message alike
OF_A_TURN = {"/metadata/request_id", "/metadata/turn_exchange_id", "/metadata/parent_id"}
OF_A_TURN |= {"/metadata/model_switcher_deny", "/metadata/resolved_model_slug"}
OPERATIONS_NOT_RECORDED = {
    ("/message/content/thoughts", "append"),
    ("/message/content/thoughts/0/content", "append"),
    ("/message/content/thoughts/0/finished", "replace"),
    ("/message/content/text", "append"),
    ("/message/metadata/content_references", "append"),
    ("/message/metadata/content_references/0", "replace"),
}


def paths(value, at=""):
    """Every path of a JSON value; the places in a list are one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{at}/{key}"
            yield from paths(inner, f"{at}/{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, at)


def frames(body):
    for name, data in SseDecoder().feed_pairs(body):
        if data.startswith(b"{"):
            yield name, json.loads(data)


def note(found, kind, value):
    found.setdefault(kind, set()).update(paths(value))


def note_message(found, message):
    note(found, f"{message['author']['role']} {message['content']['content_type']}", message)


def fields(bodies, trees=()):
    """By kind of frame: its paths. And the operations of deltas, with their places."""
    found, operations = {}, set()
    for body in bodies:
        for _, value in frames(body):
            if isinstance(value.get("v"), dict) and "message" in value["v"]:
                note_message(found, value["v"]["message"])
                note(found, "holder", {**value, "v": {**value["v"], "message": None}})
            elif "input_message" in value:
                note_message(found, value["input_message"])
                note(found, "type input_message", {**value, "input_message": None})
            elif "type" in value:
                note(found, f"type {value['type']}", value)
            elif "error" in value:
                note(found, "type error", value)
            else:
                patch = isinstance(value["v"], list) and "p" in value["v"][0]
                for step in value["v"] if patch else [value]:
                    if "p" in step and "o" in step:
                        operations.add((step["p"], step["o"]))
    for tree in trees:
        for node in tree["mapping"].values():
            if node.get("message"):
                note_message(found, node["message"])
    return found, operations


def ours():
    bodies = []
    for style in Style:
        speaker = Speaker(ID, ids=IDS, style=style, title="T", files=["a.txt"], exhausted="")
        events = speaker.opening() + speaker.thought("hm") + speaker.tool(Tool())
        events += speaker.tool(Tool("python", "1", "1")) + speaker.text(TEXT) + speaker.text("!")
        events += [*speaker.hint(), speaker.handoff(SOCKET, "t"), *speaker.ending()]
        bodies.append(b"".join([*events, *speaker.failed("no", "x")]))
    turn = SpokenTurn("Q", TEXT, ids=IDS, steps=(Thoughts(("hm",)), Tool(), Recap()))
    return fields(bodies, [json.loads(speak_conversation(ID, [turn]))])


def recorded(shared):
    folder = shared / "recordings" / "chatgpt"
    bodies = [path.read_bytes() for path in sorted(folder.glob("*.sse"))]
    names = (
        "structure_only_canonical_reasoning_nodes_2026-04",
        "blackiya_sample_chatgpt_conversation",
    )
    return fields(bodies, [json.loads((folder / f"{name}.json").read_text()) for name in names])


def test_every_field_we_speak_was_seen_on_the_real_wire(shared):
    spoken, _ = ours()
    seen, _ = recorded(shared)
    assert {kind for kind in spoken if kind not in seen} == KINDS_NOT_RECORDED
    for kind in spoken.keys() - KINDS_NOT_RECORDED:
        invented = spoken[kind] - seen[kind] - OF_A_TURN
        assert invented == NOT_RECORDED.get(kind, set()), kind


def test_every_operation_we_speak_was_seen_on_the_real_wire(shared):
    _, spoken = ours()
    _, seen = recorded(shared)
    assert spoken - seen == OPERATIONS_NOT_RECORDED
