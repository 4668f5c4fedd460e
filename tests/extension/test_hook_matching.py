"""matching.js, with hosts.js, and sites/*/requests.py agree on what every request is."""

import itertools
import json
from pathlib import Path

import pytest

from extension.page_lab import value_of
from tabwire.sites.chatgpt import requests as chatgpt
from tabwire.sites.gemini import requests as gemini
from tabwire.sites.grok import requests as grok
from tabwire.sites.site import RequestKind

pytestmark = pytest.mark.xdist_group("pages")  # one browser for all of them

EXTENSION = Path(__file__).resolve().parents[2] / "extension"
ID = "01234567-89AB-cdef-0123-456789abcdef"
SORTED = (chatgpt.sort_request, gemini.sort_request, grok.sort_request)
UNSAID = {RequestKind.IGNORED, RequestKind.FOREIGN}

WORDS = {
    "chatgpt.com": (
        "backend-api backend-anon f conversation conversations resume stop_conversation "
        f"stream_status gen_title sentinel prepare {ID} not-an-id"
    ).split(),
    "grok.com": (
        "rest app-chat rate-limits conversations conversations_v2 new responses load-responses "
        f"response-node inflight-response reconnect-response-v2 stop-inflight-responses {ID}"
    ).split(),
}
GEMINI = [
    f"https://gemini.google.com{account}/_/BardChatUi/data/{tail}"
    for account in ("", "/u/0", "/u/12", "/u/x", "/v/0")
    for tail in (
        "assistant.lamda.BardFrontendService/StreamGenerate",
        "assistant.lamda.BardFrontendService/Other",
        "other/StreamGenerate",
        "batchexecute",
        "batchexecute/more",
        "batchexecute?rpcids=hNvQHb",
        "batchexecute?rpcids=MaZiqc%2CESY5D",
        "batchexecute?rpcids=%20hNvQHb&rpcids=x",
        "batchexecute?rpcids=ESY5D&source-path=%2Fapp%2Fc_abc123",
        "batchexecute?rpcids=ESY5D&source-path=%2Fu%2F1%2Fgem%2Fx%2Fabc",
        "batchexecute?rpcids=ESY5D&source-path=%2Fapp%2Fc_",
        "batchexecute?rpcids=ESY5D&source-path=%2Fapp",
        "batchexecute?rpcids=ESY5D",
    )
]
ODD = [
    "https://ws.chatgpt.com/x", "wss://ws.chatgpt.com/p4", "ftp://ws.chatgpt.com/x",
    f"https://chat.openai.com/backend-api/conversation/{ID}",
    "https://www.chatgpt.com./backend-alt/f/conversation?x=1#y",
    f"https://evil.example/backend-api/conversation/{ID}",
    "https://chatgpt.com.evil.example/backend-api/conversations",
    "https://gemini.google.com/app/x", "https://www.grok.com/rest/app-chat/conversations",
    "https://chatgpt.com//backend-api//conversations/", "https://chatgpt.com/", "about:blank",
]  # fmt: skip


def addresses() -> list[str]:
    found = [*GEMINI, *ODD]
    for host, words in WORDS.items():
        first = words[:2] if host == "chatgpt.com" else ["rest"]
        for start in first:
            for count in range(4 if host == "chatgpt.com" else 5):
                pool = words if count < 3 else words[1:]
                for rest in itertools.product(pool, repeat=min(count, 3)):
                    more = ("app-chat", *rest) if host == "grok.com" else rest
                    found.append(f"https://{host}/{'/'.join((start, *more))}")
    found.append("https://grok.com/rest/rate-limits")
    found.append(f"https://grok.com/rest/app-chat/conversations/{ID}/inflight-response/{ID}")
    return sorted(set(found))


@pytest.mark.asyncio
async def test_both_agree_on_every_kind(tabs, site):
    asked = [(how, one) for one in addresses() for how in ("GET", "post", "DELETE")]
    names = ("page/natives.js", "hosts.js", "page/matching.js")
    scripts = [(EXTENSION / name).read_text("utf-8") for name in names]
    page = await tabs.open()
    await value_of(page, f"{'; '.join(scripts)}; 0")
    said = await value_of(
        page,
        f"""{json.dumps(asked)}.map(([how, one]) => tabwire.matching.kindOf(how, new URL(one)))""",
    )
    for (how, one), kind in zip(asked, said, strict=True):
        kinds = {sort(how, one) for sort in SORTED} - UNSAID
        assert {kind} - {None} == {found.value for found in kinds}, (how, one)
    assert len({kind for kind in said if kind}) == len(set(RequestKind) - UNSAID)
