"""Bytes to signals: how fast, and how the cost grows with the answer's length."""

import json
import random
from collections.abc import Callable, Iterator

from bench.measure_export import message
from bench.race import pair_of
from bench.table import Row, row, speedup
from tabwire.lab.speak import chatgpt as speak_chatgpt
from tabwire.lab.speak import gemini as speak_gemini
from tabwire.lab.speak import grok as speak_grok
from tabwire.sites.known import SITES
from tabwire.sites.memory import Memory
from tabwire.wire.sse import SseDecoder

SEED = 20261115
ROUNDS = 9
PIECE = 4096
# The objects of a stored body are several times its size. Where the smaller one still fits into
# the processor's caches and the larger does not, doubling costs up to 2.4 times without any code
# of ours being to blame: 1 MB 2.37, 2 MB 2.24, 5 MB 2.15, 10 MB 2.03, 20 MB 1.95.
STORED_MB = 20
MB = 1_000_000
ID = "5f0c6a1e-1111-4222-8333-0123456789ab"
TOKENS = (" the", " answer", "\n\n", " is", "ing", ' "quoted"', " 日本", "😀", " loud and clear")


def measure() -> list[Row]:
    """All of it."""
    return [*against_a_plain_loop(), *growth(), *one_byte_chunks(), *repetitions()]


def tokens(rng: random.Random, size: int, per_token: int) -> list[str]:
    """Seeded growth; `per_token` is about what one costs on the wire."""
    return [rng.choice(TOKENS) for _ in range(max(size // per_token, 1))]


def chatgpt_body(size: int) -> bytes:
    """An answer of at least about `size` bytes, as small deltas."""
    texts = tokens(random.Random(SEED), size, 38)
    return b"".join(speak_chatgpt.speak_stream(texts, conversation_id=ID))


def grok_body(size: int) -> bytes:
    """The same for Grok: a line per token, the whole answer once more at the end."""
    texts = tokens(random.Random(SEED), size, 130)
    return b"".join(speak_grok.speak_stream(texts, conversation_id=ID))


def gemini_body(size: int, chunks: int = 50) -> bytes:
    """Gemini repeats the answer so far in every chunk."""
    length = 2 * size // chunks
    return b"".join(speak_gemini.speak_stream(cumulative(length, chunks), conversation_id="c1"))


def cumulative(length: int, chunks: int) -> list[str]:
    """An answer of about `length` bytes as it stands after each of `chunks` steps."""
    rng = random.Random(SEED)
    pieces: list[str] = []
    size = 0
    while size < length:
        token = rng.choice(TOKENS)
        pieces.append(token)
        size += len(token.encode())
    text = "".join(pieces)
    return [text[: len(text) * (step + 1) // chunks] for step in range(chunks)]


def reader(site: str, body: bytes, piece: int | None) -> Callable[[], object]:
    """Read a body through wire and site, whole or in pieces."""

    def read() -> int:
        stream = SITES[site].open_stream(None, Memory())
        count = 0
        for chunk in pieces_of(body, piece):
            count += len(stream.feed(chunk))
        return count + len(stream.close())

    return read


def pieces_of(body: bytes, piece: int | None) -> Iterator[bytes]:
    """The body cut into equal pieces."""
    if piece is None:
        yield body
        return
    for start in range(0, len(body), piece):
        yield body[start : start + piece]


def plain_loop(body: bytes) -> Callable[[], object]:
    """What a quick script does: split, decode, keep nothing."""

    def read() -> None:
        for block in body.split(b"\n\n"):
            at = block.find(b"data: ")
            if at >= 0 and not block.endswith(b"[DONE]"):
                json.loads(block[at + 6 :])

    return read


def against_a_plain_loop() -> list[Row]:
    """ChatGPT's deltas with the full decoder and its document, against split and loads."""
    body = chatgpt_body(5 * MB)
    small = chatgpt_body(5 * MB // 10)
    name = "chatgpt deltas to signals, 5 MB"
    whole = pair_of(ROUNDS, reader("chatgpt", body, None), plain_loop(body))
    cut = pair_of(ROUNDS, reader("chatgpt", body, PIECE), plain_loop(body))
    tenth = reader("chatgpt", small, PIECE)
    long, short = pair_of(
        ROUNDS, reader("chatgpt", body, PIECE), lambda: [tenth() for _ in range(10)]
    )
    events, few = body.count(b"\n\n"), 10 * small.count(b"\n\n")
    return [
        speedup(f"{name}, whole", *whole, ">= 1.3"),
        speedup(f"{name}, in 4 KB", *cut, ">= 1.3"),
        row(
            "cost per event at 5 MB against 0.5 MB",
            long / events * 1e6,
            "µs",
            short / few * 1e6,
            "<= 1.2",
        ),
    ]


BODIES: dict[str, Callable[[int], bytes]] = {
    "chatgpt": chatgpt_body,
    "gemini": gemini_body,
    "grok": grok_body,
}


def growth() -> list[Row]:
    """Twice the bytes may cost little more than twice the time."""
    rows = []
    for site, body in BODIES.items():
        short, long = body(5 * MB), body(10 * MB)
        twice, once = pair_of(ROUNDS, reader(site, long, PIECE), reader(site, short, PIECE))
        rows.append(row(f"{site}: 10 MB against 5 MB", twice, "s", once, "<= 2.2"))
    for name, (site, body, url) in STORED.items():
        short, long = body(STORED_MB * MB), body(2 * STORED_MB * MB)
        twice, once = pair_of(ROUNDS, stored(site, long, url), stored(site, short, url))
        which = f"{name}: {2 * STORED_MB} MB against {STORED_MB} MB"
        rows.append(row(which, twice, "s", once, "<= 2.2"))
    return rows


def stored_body(size: int) -> bytes:
    """A stored conversation of about `size` bytes, as the export has them."""
    rng = random.Random(SEED)
    mapping: dict[str, object] = {"root": {"id": "root", "message": None, "parent": None}}
    parent, written = "root", 0
    while written < size:
        node = f"{len(mapping):08x}"
        role = "user" if len(mapping) % 2 else "assistant"
        found = message(node, role, float(len(mapping)), rng)
        mapping[node] = {"id": node, "message": found, "parent": parent, "children": []}
        written += len(json.dumps(mapping[node], ensure_ascii=False).encode())
        parent = node
    tree = {"conversation_id": ID, "mapping": mapping, "current_node": parent}
    return json.dumps(tree, ensure_ascii=False).encode()


def words_of(rng: random.Random, size: int) -> str:
    """Text of about `size` bytes."""
    return "".join(tokens(rng, size, 7))


def batchexecute_body(size: int) -> bytes:
    """Gemini's stored chat of about `size` bytes."""
    rng = random.Random(SEED)
    exchanges = [
        speak_gemini.SpokenExchange(
            f"r_{number}",
            words_of(rng, 1000),
            (speak_gemini.SpokenAnswer(f"rc_{number}", words_of(rng, 9000)),),
        )
        for number in range(size // 10_500)
    ]
    return speak_gemini.speak_history("c1", exchanges)


def graphql_body(size: int) -> bytes:
    """Grok's stored chat on x.com of about `size` bytes."""
    rng = random.Random(SEED)
    items = [
        {
            "chat_item_id": str(10**18 + number),
            "created_at_ms": 1_760_000_000_000 + number,
            "sender_type": "Agent" if number % 2 else "User",
            "message": words_of(rng, 5000),
            "is_partial": False,
        }
        for number in range(size // 5200)
    ]
    found = {"data": {"grok_conversation_items_by_rest_id": {"items": items}}}
    return json.dumps(found, ensure_ascii=False).encode()


X_URL = (
    "https://x.com/i/api/graphql/q/GrokConversationItemsByRestId"
    "?variables=%7B%22restId%22%3A%222013295304527827227%22%7D"
)
STORED: dict[str, tuple[str, Callable[[int], bytes], str | None]] = {
    "chatgpt stored": ("chatgpt", stored_body, None),
    "gemini batchexecute": ("gemini", batchexecute_body, None),
    "grok x.com GraphQL": ("grok", graphql_body, X_URL),
}


def stored(site: str, body: bytes, url: str | None) -> Callable[[], object]:
    """Read a stored body; it must hold a conversation."""

    def read() -> None:
        (found,) = SITES[site].read_body(body, url, Memory()).conversations
        assert found.visible

    return read


def one_byte_chunks() -> list[Row]:
    """The worst cut there is, and one very long line of it."""
    rows = []
    for site, body in BODIES.items():
        short, long = body(100_000), body(200_000)
        twice, once = pair_of(ROUNDS, reader(site, long, 1), reader(site, short, 1))
        ratio_of_bytes = len(long) / len(short)
        name = f"{site}: one byte at a time, 200 KB against 100 KB ({ratio_of_bytes:.2f} x bytes)"
        rows.append(row(name, twice, "s", once, "<= 2.2"))
    short, long = long_line(46_500), long_line(93_000)
    twice, once = pair_of(ROUNDS, lambda: feed_bytes(long), lambda: feed_bytes(short))
    rows.append(row("one line of 93 KB against 46 KB, byte by byte", twice, "s", once, "<= 2.2"))
    return rows


def long_line(size: int) -> bytes:
    """One event whose data is one line."""
    return b"data: " + json.dumps("x" * size).encode() + b"\n\n"


def feed_bytes(body: bytes) -> None:
    """Through the SSE decoder alone."""
    decoder = SseDecoder()
    for index in range(len(body)):
        decoder.feed(body[index : index + 1])


def repetitions() -> list[Row]:
    """Gemini: 200 KB of answer in 500 chunks that each repeat it from the start."""
    body = b"".join(speak_gemini.speak_stream(cumulative(200_000, 500), conversation_id="c1"))

    def every_repetition() -> None:
        for line in body.split(b"\n"):
            if line.startswith(b"[["):
                record = json.loads(line)[0]
                if record[0] == "wrb.fr":
                    json.loads(record[2])

    ours, full = pair_of(ROUNDS, reader("gemini", body, 65536), every_repetition)
    name = f"gemini: 500 repetitions of 200 KB ({len(body) // MB} MB)"
    return [speedup(name, ours, full, ">= 2.0")]
