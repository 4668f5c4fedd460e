"""The memory it takes to read a ChatGPT data export of 200 MB."""

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.table import Row, row

SIZE = 200_000_000
LIMIT_MB = 400
SEED = 20261115
WORDS = tuple(
    "wire tab answer 言葉 stream frame 😀 naïve table of contents for the lantern".split()
)
PEAK = Path(__file__).with_name("peak.py")


def measure() -> list[Row]:
    """Peak memory of `tabwire parse --json` in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        export = Path(folder) / "conversations.json"
        write_export(export, SIZE)
        command = [sys.executable, "-m", "tabwire", "parse", "--json", str(export)]
        done = subprocess.run(
            [sys.executable, str(PEAK), *command], capture_output=True, text=True, check=True
        )
    report = json.loads(done.stdout)
    if report["code"] != 0:
        raise RuntimeError(f"tabwire parse left with {report['code']}: {done.stderr[-2000:]}")
    name = f"memory for an export of {SIZE // 1_000_000} MB ({report['seconds']:.0f} s)"
    return [row(name, report["peak_mb"], "MB", None, f"<= {LIMIT_MB}")]


def write_export(path: Path, size: int) -> None:
    """An export of at least `size` bytes, the same every time, written piece by piece."""
    rng = random.Random(SEED)
    written = 0
    with path.open("wb") as file:
        file.write(b"[")
        for number in range(size):
            text = json.dumps(conversation(number, rng), ensure_ascii=False).encode()
            file.write(b",\n" + text if number else text)
            written += len(text)
            if written >= size:
                break
        file.write(b"]")


def conversation(number: int, rng: random.Random) -> dict[str, Any]:
    """A chat of a few turns in the export's shape: a mapping of nodes, newest named last."""
    began = 1_760_000_000.0 + number
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None}}
    parent = "root"
    for position, role in enumerate(("user", "assistant") * rng.randint(2, 8)):
        node = f"{number:08x}-0000-4000-8000-{position:012x}"
        mapping[parent]["children"] = [node]
        mapping[node] = {
            "id": node,
            "parent": parent,
            "children": [],
            "message": message(node, role, began + position, rng),
        }
        parent = node
    return {
        "conversation_id": f"{number:08x}-1111-4111-8111-111111111111",
        "title": f"Lantern {number}",
        "create_time": began,
        "update_time": began + 60,
        "current_node": parent,
        "mapping": mapping,
    }


def message(node: str, role: str, at: float, rng: random.Random) -> dict[str, Any]:
    """One message with up to a few thousand characters of text."""
    text = " ".join(words(rng, rng.randint(20, 800)))
    return {
        "id": node,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "end_turn": role == "assistant" or None,
        "weight": 1.0,
        "metadata": {"model_slug": "model-of-the-bench"} if role == "assistant" else {},
        "recipient": "all",
        "channel": None,
    }


def words(rng: random.Random, count: int) -> Iterator[str]:
    """Seeded words, some of them outside ASCII."""
    return (rng.choice(WORDS) for _ in range(count))
