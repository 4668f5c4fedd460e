"""Stories on the page: obstacles, decoys, late and changed parts."""

from tabwire.lab.stories.steps import Say, Think
from tabwire.lab.stories.story import Direction, Outcome, Story

CHATGPT = ("chatgpt",)

PAGES = (
    Story(
        "flicker",
        "Stop disappears and returns three times while the answer is written.",
        faults=("F24",),
        page=(Direction("flicker", at=30, seconds=0.7, times=3),),
    ),
    Story(
        "flash",
        "The action bar appears during the thinking and disappears again.",
        faults=("F24",),
        script=(Think(8), Say()),
        page=(Direction("flash", at=0, seconds=0.6),),
    ),
    Story(
        "read-aloud",
        "A read-aloud control labelled Stop stays after the end.",
        page=(Direction("aloud", at=30),),
        stage={"aloud": True},
    ),
    Story(
        "says-skip",
        "The answer itself says “Skip thinking”, “Answer now” and “is still generating”.",
        answer="skip",
    ),
    Story("echo", "The answer repeats the whole prompt before it answers.", answer="echo"),
    Story(
        "nameless-stop",
        "Stop has an unknown label.",
        faults=("F30",),
        page=(Direction("rename", at=0),),
    ),
    Story(
        "toast",
        "A notice with Retry appears over an answer that continues.",
        faults=("F26",),
        page=(Direction("toast", at=40),),
    ),
    Story(
        "shrink",
        "Most of the visible text disappears for a moment, as in background tabs.",
        page=(Direction("shrink", at=60, seconds=1.0),),
    ),
    Story(
        "unseen",
        "The page draws only while it is visible.",
        stage={"draw": "frame"},
    ),
    Story(
        "swallow",
        "The first click on Send does nothing.",
        faults=("F33",),
        stage={"swallow": 1},
    ),
    Story(
        "double",
        "Send stays enabled for a while after a click: a second click sends again.",
        faults=("F34",),
        stage={"slow_send": 1.5},
    ),
    Story(
        "overlay",
        "A cookie banner covers the page and its Send button.",
        faults=("F31",),
        stage={"overlay": "cookies"},
        asks=False,
        outcome=Outcome.NOTHING,
    ),
    Story(
        "upsell",
        "An upgrade offer covers the page.",
        faults=("F31",),
        stage={"overlay": "upsell"},
        asks=False,
        outcome=Outcome.NOTHING,
    ),
    Story(
        "update",
        "A request to reload the page covers it.",
        faults=("F31",),
        stage={"overlay": "update"},
        asks=False,
        outcome=Outcome.NOTHING,
    ),
    Story(
        "login-wall",
        "The page asks to log in and shows nothing else.",
        faults=("F28",),
        stage={"login": "wall"},
        asks=False,
        outcome=Outcome.LOGIN,
    ),
    Story(
        "login-pinned",
        "A page that is logged in also shows a login button.",
        stage={"login": "pinned"},
    ),
    Story(
        "challenge",
        "A page asks whether you are human.",
        faults=("F29",),
        stage={"challenge": True},
        asks=False,
        outcome=Outcome.CHALLENGE,
    ),
    Story(
        "late-page",
        "The page becomes interactive late; until then it has a placeholder for the composer.",
        stage={"hydrate": 1.5},
    ),
    Story(
        "late-address",
        "A new chat gets its URL late.",
        stage={"late_address": 2.0},
    ),
    Story(
        "transient-address",
        "A new chat first has a URL without an ID.",
        stage={"late_address": 2.0, "transient_address": True},
        sites=CHATGPT,
    ),
    Story(
        "late-message",
        "The page shows the person's message late.",
        stage={"late_message": 2.0},
    ),
    Story(
        "renamed-endpoint",
        "The request for the answer goes to an unknown URL.",
        faults=("F30",),
        stage={"endpoint": "renamed"},
        outcome=Outcome.PARTIAL,
    ),
    Story(
        "drift-cosmetic",
        "Classes, wrappers and attributes changed; everything that matters is the same.",
        faults=("F30",),
        stage={"drift": "cosmetic.1"},
    ),
    Story(
        "drift-structural",
        "Parts of the page have new names; some of their other attributes are unchanged.",
        faults=("F30",),
        stage={"drift": "structural.1"},
    ),
    Story(
        "drift-breaking",
        "A part of the page can no longer be recognised; the network traffic is the same.",
        faults=("F30",),
        stage={"drift": "breaking.1"},
    ),
    *(
        Story(
            f"in-{lang}",
            f"The page is in {words}.",
            faults=("F32",),
            stage={"lang": lang},
        )
        for lang, words in (
            ("ja", "Japanese"),
            ("de", "German"),
            ("fr", "French"),
            ("ar", "Arabic, right to left"),
            ("zh", "Chinese"),
        )
    ),
)
