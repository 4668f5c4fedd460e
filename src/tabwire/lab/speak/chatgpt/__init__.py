"""Speak as chatgpt.com does: answers as SSE events of `delta_encoding v1`, and what is stored.

`Speaker` writes one answer event by event, for a server that does not know its end yet;
`speak_stream`, `speak_stored` and `speak_conversation` write whole ones. The counterpart of
`sites/chatgpt`; `decode(speak(x)) == x` is a test.

frames.py     server-sent events of chatgpt.com
messages.py   messages as chatgpt.com writes them, in its streams and in what it stores alike
names.py      what the messages of one exchange are called, and the words the site uses for its
              states
speaker.py    one answer as chatgpt.com streams it, event by event
stored.py     what chatgpt.com has stored
"""

from tabwire.lab.speak.chatgpt.names import (
    FAILED,
    FIRST,
    MODEL,
    ROOT,
    RUNNING,
    STOPPED,
    WHOLE,
    Ids,
    Recap,
    SpokenTurn,
    Step,
    Thoughts,
)
from tabwire.lab.speak.chatgpt.speaker import Speaker, Style, speak_stream
from tabwire.lab.speak.chatgpt.stored import speak_conversation, speak_list, speak_stored

__all__ = [
    "FAILED",
    "FIRST",
    "MODEL",
    "ROOT",
    "RUNNING",
    "STOPPED",
    "WHOLE",
    "Ids",
    "Recap",
    "Speaker",
    "SpokenTurn",
    "Step",
    "Style",
    "Thoughts",
    "speak_conversation",
    "speak_list",
    "speak_stored",
    "speak_stream",
]
