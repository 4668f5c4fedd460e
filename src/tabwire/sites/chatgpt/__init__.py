"""chatgpt.com and chat.openai.com.

Answers stream as SSE with `delta_encoding v1` (frames of whole messages before that);
stored conversations are trees. requests, stream (with stream_messages, parts and frames),
history (with messages and standing), page and choices, as for every site; cites and
citing: what the private marks in its texts stand for.
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
