"""Stories on the wire: how an answer comes, and how it fails to."""

from tabwire.lab.stories.steps import (
    GiveUp,
    Mark,
    Pause,
    Preamble,
    Say,
    Silence,
    Think,
    Tool,
    Wire,
    Withhold,
)
from tabwire.lab.stories.story import Direction, Outcome, Refuse, Story

CHATGPT = ("chatgpt",)
GEMINI = ("gemini",)
GROK = ("grok",)

ANSWERS = (
    # -- pace ---------------------------------------------------------------------------
    Story(
        "pause",
        "The answer pauses in the middle, then continues.",
        script=(Think(), Say(0.5), Pause(25.0), Say()),
    ),
    Story(
        "stall",
        "The answer stops in the middle and nothing more arrives; the response stays open.",
        script=(Think(), Say(0.5), Silence()),
        outcome=Outcome.NOTHING,
    ),
    Story(
        "long-think",
        "The model thinks for 45 minutes without a word, and then answers.",
        faults=("F25",),
        script=(Think(1), Pause(2700.0), Say()),
    ),
    Story(
        "slow-start",
        "Nothing is shown for a while, then the answer arrives.",
        script=(Pause(14.0), Say()),
    ),
    Story(
        "late-words",
        "Nothing arrives for so long that the page drops its stream and requests the status.",
        script=(Pause(75.0), Say()),
        stage={"idle": 1.0},
        sites=CHATGPT,
    ),
    Story("instant", "The whole answer is one character and arrives at once.", answer="one"),
    Story(
        "gigantic",
        "The answer has five million characters in twenty thousand pieces.",
        faults=("F21",),
        answer="gigantic",
    ),
    Story(
        "odd-characters",
        "NUL, control codes, right-to-left text, combining characters, one very long line.",
        faults=("F19", "F22"),
        answer="odd",
    ),
    Story("cited", "The answer cites its sources.", answer="cited"),
    Story("rich", "Everything Markdown can do: code in code, tables, maths.", answer="rich"),
    # -- order --------------------------------------------------------------------------
    Story(
        "split",
        "Every byte of the answer arrives separately, which splits characters.",
        faults=("F19", "F20"),
        answer="scripts",
    ),
    Story(
        "duplicate",
        "Parts of the answer arrive twice.",
        faults=("F20",),
        script=(Think(), Say(0.3), Mark(Wire.AGAIN), Say(0.6), Mark(Wire.AGAIN), Say()),
        sites=("gemini", "grok"),
    ),
    Story(
        "reorder",
        "Two pieces of the answer arrive in the wrong order.",
        faults=("F20",),
        script=(Think(), Say(0.3), Mark(Wire.SWAP), Say(0.6), Mark(Wire.SWAP), Say()),
        sites=("gemini", "grok"),
    ),
    Story(
        "socket-duplicate",
        "The rest arrives over a WebSocket, some pieces twice.",
        faults=("F20",),
        script=(Say(0.2), Mark(Wire.TO_SOCKET), Say(0.5), Mark(Wire.AGAIN), Say()),
        sites=CHATGPT,
    ),
    Story(
        "socket-reorder",
        "The rest arrives over a WebSocket, some pieces in the wrong order.",
        faults=("F20",),
        script=(Say(0.2), Mark(Wire.TO_SOCKET), Say(0.5), Mark(Wire.SWAP), Say()),
        sites=CHATGPT,
    ),
    # -- thinking and false ends --------------------------------------------------------
    Story(
        "think",
        "A long thinking block with a button to skip it, then the answer.",
        script=(Think(8), Say()),
    ),
    Story(
        "tools",
        "The model searches, thinks again, and answers.",
        script=(Think(2), Tool(), Think(2), Tool("python", "1 + 1", "2"), Say()),
    ),
    Story(
        "preamble",
        "A finished preamble, a gap without Stop, long thinking, then the answer.",
        faults=("F24",),
        script=(Preamble(), Pause(4.0), Think(6), Pause(2.0), Say()),
        page=(Direction("flicker", at=40, seconds=4.0),),
        sites=("chatgpt", "grok"),
    ),
    Story(
        "early-hint",
        "Signs of the end appear in the middle of the answer.",
        faults=("F24",),
        script=(Think(), Say(0.4), Mark(Wire.HINT), Pause(1.0), Say()),
        page=(Direction("poll", at=20), Direction("flash", at=30, seconds=0.6)),
    ),
    # -- ends that are none -------------------------------------------------------------
    Story(
        "cut",
        "The connection breaks in the middle; the site continues and stores the answer.",
        faults=("F23",),
        script=(Think(), Say(0.5), Mark(Wire.CUT), Say()),
    ),
    Story(
        "cut-for-good",
        "The connection breaks in the middle, and the site itself never finishes.",
        faults=("F23",),
        script=(Think(), Say(0.5), Mark(Wire.CUT), Pause(1.0), GiveUp()),
        outcome=Outcome.PARTIAL,
    ),
    Story(
        "no-end",
        "The response ends properly and without the end of the turn; the rest is stored later.",
        faults=("F23",),
        script=(Think(), Say(0.5), Mark(Wire.END), Say()),
    ),
    Story(
        "no-end-for-good",
        "The response ends without the end of the turn, and nothing more is ever stored.",
        faults=("F23",),
        script=(Think(), Say(0.5), Mark(Wire.END), Pause(1.0), GiveUp()),
        outcome=Outcome.PARTIAL,
    ),
    Story(
        "stored-late",
        "Nothing of the answer is stored before its end.",
        script=(Think(), Say(0.3), Pause(60.0), Say()),
        sites=GEMINI,
    ),
    Story(
        "handoff-socket",
        "The stream ends early, and the rest arrives over a WebSocket.",
        script=(Think(), Say(0.3), Mark(Wire.TO_SOCKET), Say()),
        sites=CHATGPT,
    ),
    Story(
        "handoff-resume",
        "The stream ends early, and a second request returns the rest.",
        script=(Think(), Say(0.3), Mark(Wire.TO_RESUME), Say()),
        sites=("chatgpt", "grok"),
    ),
    Story(
        "handoff-poll",
        "The stream ends early, and only the stored conversation has the rest.",
        script=(Think(), Say(0.3), Mark(Wire.TO_NOWHERE), Pause(2.0), Say()),
        sites=CHATGPT,
    ),
    Story(
        "handoff-unheard",
        "The stream hands the answer off and the page does not follow it; it is stored soon.",
        script=(Think(), Say(0.3), Mark(Wire.TO_SOCKET), Say()),
        stage={"deaf": True},
        sites=CHATGPT,
        outcome=Outcome.NOTHING,
    ),
    Story(
        "unconfirmed",
        "The prompt arrives, but the request never gets a response.",
        faults=("F33",),
        script=(Withhold(), Silence()),
        outcome=Outcome.NOTHING,
    ),
    # -- refusals -----------------------------------------------------------------------
    Story(
        "error",
        "The site gives up in the middle of its answer and offers Retry.",
        faults=("F26",),
        script=(Think(), Say(0.4), Mark(Wire.ERROR)),
        outcome=Outcome.ERROR,
    ),
    Story(
        "fault",
        "The site answers the request with an error, and offers Retry.",
        faults=("F26",),
        refuse=Refuse.FAULT,
        outcome=Outcome.ERROR,
    ),
    Story(
        "limit",
        "A limit is reached; the site does not say when it resets.",
        faults=("F27",),
        refuse=Refuse.LIMIT,
        outcome=Outcome.LIMIT,
    ),
    Story(
        "limit-until",
        "A limit is reached, and the site says when it resets.",
        faults=("F27",),
        refuse=Refuse.LIMIT_UNTIL,
        outcome=Outcome.LIMIT,
    ),
    Story(
        "limit-asked",
        "A limit is reached; the site says when it resets only if the page requests it.",
        faults=("F27",),
        refuse=Refuse.LIMIT_ASKED,
        outcome=Outcome.LIMIT,
        sites=GROK,
    ),
    Story(
        "limit-midway",
        "A limit is reached in the middle of the answer.",
        faults=("F27",),
        script=(Say(0.3), Mark(Wire.LIMIT)),
        outcome=Outcome.LIMIT,
    ),
    Story(
        "session-over",
        "The page looks logged in, and the request is answered with 401.",
        faults=("F28",),
        refuse=Refuse.LOGIN,
        outcome=Outcome.LOGIN,
    ),
    Story(
        "challenged",
        "The request is answered with a page that asks whether you are human.",
        faults=("F29",),
        refuse=Refuse.CHALLENGE,
        outcome=Outcome.CHALLENGE,
    ),
    Story(
        "blocked",
        "The request is refused with 403.",
        refuse=Refuse.BLOCKED,
        outcome=Outcome.ERROR,
    ),
)
