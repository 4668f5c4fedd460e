"""chatgpt.com and chat.openai.com.

Answers stream as SSE with `delta_encoding v1` (frames of whole messages before that);
stored conversations are trees. requests, stream (with stream_messages, parts and frames),
history (with messages and standing), page and choices, as for every site; cites and
citing: what the private marks in its texts stand for.

choices.py          what one can choose there, and how its names go together
cites.py            what the private marks in its texts stand for
citing.py           the references of an answer that is being written
classic.py          ChatGPT, for the profile `classic`
frames.py           the frames between the deltas, and what their fields mean
history.py          stored bodies to conversations
messages.py         one message object, as streams and stored conversations both hold it
names.py            what a stream calls its conversation, its title and its model
page.py             chatgpt.com as a page
parts.py            what one message of a stream is to the reader of an answer
requests.py         which request is what
standing.py         whether the newest answer is over, and whether it is whole
stream.py           the bytes of an answer to signals, as they arrive
stream_messages.py  the messages of one stream, by id and by channel
"""

from tabwire.sites.chatgpt import history, requests
from tabwire.sites.chatgpt.choices import CHOICES
from tabwire.sites.chatgpt.cites import MARKS
from tabwire.sites.chatgpt.page import PAGE
from tabwire.sites.chatgpt.stream import ChatGptStream
from tabwire.sites.site import Site

SITE = Site(
    name=history.NAME,
    hosts=requests.HOSTS,
    sort_request=requests.sort_request,
    conversation_in_url=requests.conversation_in_url,
    open_stream=ChatGptStream,
    read_body=history.read_body,
    owns_body=history.owns_body,
    prompt_in_request=requests.prompt_in_request,
    page=PAGE,
    is_conversation_id=lambda said: requests.conversation_id(said) is not None,
    asks_for_rest=requests.asks_for_rest,
    files_in_request=requests.files_in_request,
    is_temporary=requests.is_temporary,
    effort_in_request=requests.effort_in_request,
    question_in_request=requests.question_in_request,
    is_writing=requests.is_writing,
    choices=CHOICES,
    marks=MARKS,
    tells_stops=True,
)
