"""Tabwire: ask ChatGPT, Gemini and Grok in your own browser, from Python.

    import tabwire

    answer = await tabwire.ask("What is a tab?", to="chatgpt")

The names in `__all__` are defined in library.py and loaded when they are first used, so importing
the package is cheap, also for `tabwire mcp`, which must start quickly.
"""

# ruff: noqa: F403, F405 (the names of `__all__` are library.py's)

__version__ = "0.1.0"

__all__ = [
    "AgentCallbacks",
    "Amended", "Answer", "Answered", "AskError", "AskEvent", "AskRequest", "Asked", "Befell",
    "Completeness", "ConversationKnown", "Failed", "Grew", "Hub", "Judged", "Judgement", "Listed",
    "LocalHub", "Moved", "Named", "PageNotice", "Phase", "PhaseBegan", "PromptLeft", "Ready",
    "RemoteHub", "RequestTold", "Retry", "Rewritten", "Sighting", "Snapshot",
    "StateMoved", "StillWaiting", "Stored", "TabwireError", "TextCame",
    "Timings", "Unheard", "Waiting", "Watching", "Witnessed",
    "ask", "ask_many", "follow_agent", "judge", "run", "snapshot", "stream", "watch",
]  # fmt: skip

TYPE_CHECKING = False  # importing `typing` for it would cost more than all of this file
if TYPE_CHECKING:
    from tabwire.library import *
else:
    from tabwire.model.lazy import lazy_names

    __getattr__ = lazy_names(__name__, {"tabwire.library": " ".join(__all__)})


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
