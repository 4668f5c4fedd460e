"""gemini.google.com.

Answers stream as framed JSON with the whole text in every chunk; stored conversations
and titles come from batchexecute calls in the same framing. Besides the five names every
site has: envelope and candidate are the layout both share, fields how an array message is
read, shortcut how a repeated answer is not read again, refusals how Gemini says no,
original a stored conversation as one object, cites the sources an answer names.

candidate.py  one candidate answer, laid out alike in streams and in stored conversations
choices.py    what one can choose there, and how its names go together
cites.py      gemini
classic.py    gemini the classic way
envelope.py   the envelope both kinds of answers come in
fields.py     google's array messages
history.py    stored bodies (batchexecute) to conversations and titles
original.py   a stored conversation as one JSON object
page.py       selectors, notices and timings of the page
refusals.py   how Gemini says no
requests.py   which requests matter, and what they say before they are answered
said.py       what was said so far of a text that is stated anew each time
shortcut.py   read only what is new of a chunk that repeats the whole answer
stream.py     the bytes of an answer to signals, as they arrive
"""

from tabwire.sites.gemini.choices import CHOICES
from tabwire.sites.gemini.cites import MARKS
from tabwire.sites.gemini.history import owns_body, read_body
from tabwire.sites.gemini.original import unwrap
from tabwire.sites.gemini.page import PAGE
from tabwire.sites.gemini.requests import (
    HOST,
    NAME,
    conversation_in_url,
    files_in_request,
    is_conversation_id,
    is_temporary,
    prompt_in_request,
    sort_request,
)
from tabwire.sites.gemini.stream import GeminiStream
from tabwire.sites.site import Site

SITE = Site(
    name=NAME,
    hosts=(HOST,),
    sort_request=sort_request,
    conversation_in_url=conversation_in_url,
    open_stream=GeminiStream,
    read_body=read_body,
    owns_body=owns_body,
    prompt_in_request=prompt_in_request,
    page=PAGE,
    is_conversation_id=is_conversation_id,
    files_in_request=files_in_request,
    is_temporary=is_temporary,
    choices=CHOICES,
    marks=MARKS,
    unwrap=unwrap,
)
