"""Stored conversations with branches, written by the lab's speakers from a little chance."""

import json
import uuid

from monitor.wire import HEX, UUID
from tabwire.lab.speak import chatgpt as speak_chatgpt
from tabwire.lab.speak import gemini as speak_gemini
from tabwire.lab.speak import grok as speak_grok
from tabwire.lab.speak import x as speak_x

X_ID = "2013295305467240001"
SITES_SPOKEN = ("chatgpt", "gemini", "grok", "x")
ODD = [
    "",
    "Why?",
    "𝄞 ﷽ مرحبا",
    "a\u202eb",
    "```\ncode\n```",
    "\ud83d",
    "line\r\n\tline",
    "\x00",
    "x" * 300,
]


def _name(*parts):
    return str(uuid.uuid5(uuid.NAMESPACE_OID, " ".join(map(str, parts))))


def words(chance):
    return chance.choice(ODD) + str(chance.randrange(1000))


def spoken(kind, chance):
    """(site, conversation id, [(url, body)]) of one stored conversation."""
    return {"chatgpt": _chatgpt, "gemini": _gemini, "grok": _grok, "x": _x}[kind](chance)


def _chatgpt(chance):
    turns = [
        speak_chatgpt.SpokenTurn(
            words(chance),
            words(chance),
            thoughts=("Hm.",) if chance.random() < 0.4 else (),
            ids=speak_chatgpt.Ids(*(_name(part, n) for part in "uta")),
            at=1.79e9 + n,
        )
        for n in range(chance.randint(1, 4))
    ]
    body = json.loads(speak_chatgpt.speak_conversation(UUID, turns, "Blue"))
    mapping = body["mapping"]
    answers = [key for key, node in mapping.items() if node["parent"] and node["message"]]
    for n in range(chance.randint(0, 2)):  # an answer that was asked for once more
        twin = json.loads(json.dumps(mapping[chance.choice(answers)]))
        twin["id"] = twin["message"]["id"] = _name("twin", n)
        twin["children"] = []
        twin["message"]["content"] = {"content_type": "text", "parts": [words(chance)]}
        mapping[twin["id"]] = twin
        mapping[twin["parent"]]["children"].append(twin["id"])
    url = f"https://chatgpt.com/backend-api/conversation/{UUID}"
    return "chatgpt", UUID, [(url, json.dumps(body).encode())]


def _gemini(chance):
    exchanges = [
        speak_gemini.SpokenExchange(
            f"r_{n}",
            "Q" + words(chance),
            tuple(
                speak_gemini.SpokenAnswer(f"rc_{n}_{m}", "A" + words(chance))
                for m in range(chance.randint(1, 3))
            ),
            model="3 Pro",
            seconds=1790000000 + n,
        )
        for n in range(chance.randint(1, 4))
    ]
    url = "https://gemini.google.com/_/BardChatUi/data/batchexecute?rpcids=hNvQHb"
    raw = speak_gemini.speak_history(HEX, exchanges)
    return "gemini", HEX, [(f"{url}&source-path=%2Fapp%2F{HEX}", raw)]


def _grok(chance):
    said, parent = [], None
    for n in range(chance.randint(1, 4)):
        at = speak_grok.ASKED_AT + 100 * n
        asked = speak_grok.SpokenResponse(
            _name("q", n), "Q" + words(chance), speak_grok.HUMAN, parent, at
        )
        said.append(asked)
        for m in range(chance.randint(1, 2)):
            parent = _name("a", n, m)
            said.append(
                speak_grok.SpokenResponse(
                    parent, "A" + words(chance), speak_grok.ASSISTANT, asked.id, at + 1 + m
                )
            )
    base = "https://grok.com/rest/app-chat"
    half = len(said) // 2
    about = speak_grok.speak_about(speak_grok.SpokenChat(UUID, "Blue"))
    bodies = [
        (f"{base}/conversations_v2/{UUID}", about),
        (f"{base}/conversations/{UUID}/response-node", speak_grok.speak_nodes(said)),
        (f"{base}/conversations/{UUID}/load-responses", speak_grok.speak_responses(said[:half])),
        (f"{base}/conversations/{UUID}/load-responses", speak_grok.speak_responses(said[half:])),
    ]
    return "grok", UUID, bodies


def _x(chance):
    items = []
    for n in range(chance.randint(1, 3)):
        at = speak_grok.ASKED_AT + 10 * n
        items.append(speak_x.SpokenItem(f"20132953054672401{n}0", "Q" + words(chance), "User", at))
        items.append(
            speak_x.SpokenItem(f"20132953054672401{n}1", "A" + words(chance), "Agent", at + 1)
        )
    variables = f"%7B%22restId%22%3A%22{X_ID}%22%7D"
    url = f"https://x.com/i/api/graphql/abc/GrokConversationItemsByRestId?variables={variables}"
    return "grok", X_ID, [(url, speak_x.speak_items(items))]
