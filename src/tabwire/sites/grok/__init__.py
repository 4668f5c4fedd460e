"""Grok, on grok.com and on x.com: NDJSON answers, conversations that come in pieces.

requests.py   which request is what; ids in URLs; the prompt in a request
stream.py     an answer's bytes -> signals
history.py    stored bodies, whole or cut -> Conversation; original.py: the same as one object
page.py       the page of grok.com (data)
choices.py    models and files, and where the page has them (data)

Behind them: intake.py takes one record of either, frames.py one step of an answer,
cards.py keeps tool calls apart from words, responses.py and chat.py hold what is known
of a conversation, graphql.py reads x.com, refusals.py the records that say no,
fields.py single fields, shapes.py what a frame is,
cites.py what the tags in a text stand for.
"""

from tabwire.sites.grok import history, original, requests
from tabwire.sites.grok.chat import NAME
from tabwire.sites.grok.choices import CHOICES
from tabwire.sites.grok.cites import MARKS
from tabwire.sites.grok.page import PAGE
from tabwire.sites.grok.stream import GrokStream
from tabwire.sites.site import Site

SITE = Site(
    name=NAME,
    hosts=(*requests.GROK_HOSTS, *requests.X_HOSTS),
    sort_request=requests.sort_request,
    conversation_in_url=requests.conversation_in_url,
    open_stream=GrokStream,
    read_body=history.read_body,
    owns_body=history.owns_body,
    prompt_in_request=requests.prompt_in_request,
    page=PAGE,
    is_conversation_id=requests.is_conversation_id,
    files_in_request=requests.files_in_request,
    is_temporary=requests.is_temporary,
    choices=CHOICES,
    marks=MARKS,
    in_parts=True,
    unwrap=original.unwrap,
)
