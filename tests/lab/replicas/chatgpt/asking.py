"""The lab's ChatGPT called in-process, as its own page would call it."""

import json

from starlette.routing import Router

from lab.served import Served
from tabwire.lab.plan import Plan
from tabwire.lab.replicas.chatgpt.server import routes
from tabwire.sites.chatgpt import SITE
from tabwire.sites.memory import Memory

ORIGIN = "https://chatgpt.com"
API, GUEST = "/backend-api", "/backend-anon"
PAGE = {"authorization": "Bearer lab-x", "oai-device-id": "d"}  # what the page itself shows
TEXTS = ("Ein *Tab* ", "— 标签页 ", "😀\n\n", '</b> "x" \\ z ', "and ", "more ", "of ", "it ")
THOUGHTS = ("Zuerst ", "denken. ")


def planned(prompt):
    """The same answer to everything, at once; a prompt `story NAME` wants that story."""
    story = prompt.partition("story ")[2]
    return Plan((*TEXTS, prompt), THOUGHTS, 0.0, 0.0, title="Tabs", story=story, pace=1e6)


def serving(room, lab="", headers=PAGE, router=None):
    """The site's routes, for a page whose address ends with these words for the lab."""
    more = {"referer": f"{ORIGIN}/?lab={lab}"} if lab else {}
    return Served(router or Router(routes(room)), headers={**headers, **more})


def asking(prompt, **more):
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [prompt]}}
    return json.dumps({"action": "next", "messages": [message], **more}).encode()


async def ask(served, prompt, backend=API, **more):
    """The status, and the body of an answer."""
    return await served.body("POST", f"{backend}/f/conversation", asking(prompt, **more))


def read(*bodies):
    """The conversation and the signals of a stream."""
    stream = SITE.open_stream(f"{ORIGIN}{API}/f/conversation", Memory())
    signals = [signal for body in bodies for signal in stream.feed(body)] + stream.close()
    return stream.conversation(), signals


async def stored(served, named, backend=API):
    """What is stored under this id."""
    url = f"{backend}/conversation/{named}"
    _, body = await served.body("GET", url)
    (conversation,) = SITE.read_body(body, ORIGIN + url, Memory()).conversations
    return conversation


def of(signals, kind):
    return [signal for signal in signals if isinstance(signal, kind)]


def events(body):
    return body.split(b"\n\n")[:-1]


def frame(body, kind):
    """The first frame of a type."""
    said = f'"type": "{kind}"'.encode()
    found = next(event for event in events(body) if said in event)
    return json.loads(found.partition(b"data: ")[2])
