"""Stories in which something befalls the tab or its browser while the answer is told."""

from tabwire.lab.stories.steps import Befall, Fate, Pause, Say, Think
from tabwire.lab.stories.story import SITES, Outcome, Story


def _fate(
    name: str,
    about: str,
    fault: str,
    fate: Fate,
    outcome: Outcome,
    at: float,
    sites: tuple[str, ...] = SITES,
) -> Story:
    # the pause: what befalls the tab must not come after the answer's end
    script = (Think(), Say(at), Befall(fate), Pause(10.0), Say())
    faults = (fault,) if fault else ()
    return Story(name, about, faults, script, outcome=outcome, fate=fate, sites=sites)


LOST, COMPLETE, PARTIAL = Outcome.LOST, Outcome.COMPLETE, Outcome.PARTIAL

FATES = (
    _fate(
        "stopped",
        "The person presses Stop halfway.",
        "",
        Fate.STOP,
        Outcome.STOPPED,
        0.5,
        ("chatgpt", "grok"),
    ),
    # Which call Gemini's page makes is not known: what is seen is an answer that broke off.
    _fate(
        "stopped-unsaid",
        "The person presses Stop halfway, and no known signal reports it.",
        "",
        Fate.STOP,
        PARTIAL,
        0.5,
        ("gemini",),
    ),
    _fate("browser-killed", "The browser is killed.", "F01", Fate.KILL, LOST, 0.5),
    _fate("browser-closed", "The browser is closed.", "F02", Fate.QUIT, LOST, 0.5),
    _fate("tab-crashed", "The tab crashes.", "F03", Fate.CRASH, LOST, 0.5),
    _fate("tab-closed", "The tab is closed.", "F04", Fate.CLOSE, LOST, 0.5),
    _fate("reload-early", "The tab is reloaded at 5 %.", "F05", Fate.RELOAD, COMPLETE, 0.05),
    _fate("reload", "The tab is reloaded halfway.", "F05", Fate.RELOAD, COMPLETE, 0.5),
    _fate("reload-late", "The tab is reloaded at 95 %.", "F05", Fate.RELOAD, COMPLETE, 0.95),
    _fate("leave", "The person opens another chat in the tab.", "F06", Fate.LEAVE, PARTIAL, 0.5),
    _fate(
        "dialog",
        "The page shows an alert, and is blocked until it is answered.",
        "",
        Fate.DIALOG,
        COMPLETE,
        0.5,
    ),
    _fate("frozen", "The tab is frozen and wakes up again.", "F07", Fate.FREEZE, COMPLETE, 0.5),
)
