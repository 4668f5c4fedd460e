"""Inputs with known answers, beside the checkout: what `tabwire parse` must say of each.

`should_be` overrides a peer's answer. Binding are the conversation's id, role and text of
its messages, completeness, terminal, and the model where the body states it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabwire.hub import Kind, Report, read_files

SHARED = Path(__file__).resolve().parents[3] / "shared"
VECTORS = SHARED / "corpus" / "vectors"

# Where the peer's answer breaks our rules and no `should_be` says so: id -> the reason.
FACTS_WIN: dict[str, str] = {}


def vectors() -> Iterator[Any]:
    if not (VECTORS / "index.json").is_file():
        reason = "no shared/corpus/vectors beside the checkout"
        yield pytest.param(None, marks=pytest.mark.skip(reason=reason), id="absent")
        return
    for vector in json.loads((VECTORS / "index.json").read_text())["vectors"]:
        yield pytest.param(vector, id=vector["id"])


def calls(vector: dict[str, Any]) -> Iterator[list[Report]]:
    """The ways a person may call: addresses only; the site too; everything stated."""
    bodies = [*vector.get("setup", ()), vector]
    paths = [VECTORS / body["input"] for body in bodies]
    urls = [body["url"] for body in bodies]
    yield list(read_files(paths, urls=urls))
    yield list(read_files(paths, urls=urls, site=vector["platform"]))
    yield list(read_files(paths, urls=urls[-1:], site=vector["platform"]))
    if len(bodies) == 1:
        kind = Kind(vector["kind"])
        yield list(read_files(paths, urls=urls, site=vector["platform"], kind=kind))


@pytest.mark.parametrize("vector", list(vectors()))
def test_every_vector_gets_its_binding_answer(vector: dict[str, Any]) -> None:
    wanted = {**vector["expected"], **vector.get("should_be", {})}
    input_path = str(VECTORS / vector["input"])
    for reports in calls(vector):
        report = [found for found in reports if found.file == input_path][-1]
        assert (report.complete, report.terminal) == (wanted["ready"], wanted["terminal"])
        if vector["call"] == "readiness":
            continue
        assert report.conversation_id == wanted["conversation_id"]
        messages = [
            (message["role"], message["text"])
            for message in wanted["messages"]
            if message["role"] in ("user", "assistant") and message["text"].strip()
        ]
        assert [(str(m.role), m.text) for m in report.messages] == messages
        if not wanted.get("model_is_default"):
            assert report.model == wanted["model"]
