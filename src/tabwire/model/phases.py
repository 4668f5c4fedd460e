"""The phases of an ask in words. Every door uses these, and adds times or counts of its own.

The dashboard has them in several languages (doors/dashboard/texts.js); a test holds its English
to this table.
"""

from collections.abc import Mapping
from types import MappingProxyType

from tabwire.model.ask import Phase

QUEUED = "waiting for its turn"  # no phase has begun

PHASE_WORDS: Mapping[Phase, str] = MappingProxyType(
    {
        Phase.CONNECT: "connecting to the browser",
        Phase.NAVIGATE: "opening the page",
        Phase.WAIT_INPUT: "waiting for the page",
        Phase.CHOOSE: "choosing the model",
        Phase.UPLOAD: "uploading files",
        Phase.INPUT: "entering the question",
        Phase.SEND: "sending",
        Phase.WAIT_RESPONSE: "waiting for the answer",
        Phase.THINKING: "thinking",
        Phase.ANSWERING: "answering",
        Phase.RECOVERING: "looking for the answer",
        Phase.FINISHED: "finished",
    }
)
