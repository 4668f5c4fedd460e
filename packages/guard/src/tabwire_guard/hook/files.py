"""The verdict on files a tool names: by where they are, not by what is written into them.

Unlike the judgement of a command this looks at the disk: a path is also judged by where its
links lead, so a link in the project to a key outside it is seen.
"""

import os
import re

from tabwire_guard.flow.state import State
from tabwire_guard.hook.toolcall import ASK, DENY, NO_DECISION, Decision
from tabwire_guard.paths import Place, absolute, place
from tabwire_guard.secret_paths import holds_keys, secret, settings
from tabwire_guard.values import MARKS

_NEVER = frozenset(
    (
        Place.ROOT, Place.SYSTEM, Place.HOMES, Place.STARTUP, Place.DEVICE, Place.NETWORK,
        Place.GIT,
    )
)  # fmt: skip
"""Where no file tool writes."""
_CAREFUL = frozenset((Place.GUARDED, Place.TOUCHY, Place.SECRETS))
"""In the project, and yet not to be written without the person."""
_FREELY = frozenset((Place.INSIDE, Place.TEMP, Place.NOWHERE))
"""Where a write is left to the assistant's own permissions."""

_HOOKS = (
    r"(?:^|/)(?:\.(?:claude|gemini)/settings(?:\.local)?\.json|\.(?:codex|cursor)/hooks\.json"
    r"|\.codex/config\.toml|\.(?:claude|codex|cursor|gemini)/hooks/.*|\.tabwire(?:/.*)?"
    r"|\.mcp\.json|\.(?:cursor|gemini)/mcp\.json|\.husky(?:/.*)?|\.githooks(?:/.*)?"
    r"|\.git-hooks(?:/.*)?)$"
)
"""Settings of the project that decide what runs, and what the guard may stop."""
_NOTES = (
    r"/\.(?:claude/(?:plans|projects/[^/]+/memory)|cursor/plans|gemini/tmp)/(?:[^/]+/)*[^/]+\.md"
)
"""Where assistants keep their own plans and notes, which nothing runs."""


def judge_write(path: str, state: State) -> Decision:
    """Whether a tool may write, change or delete that file."""
    decision = _valid(path)
    for form in _forms(path, state) if decision.verdict != DENY else ():
        decision = decision.worse(_write(form, path, state))
    return decision


def judge_read(path: str, state: State, *, deep: bool = False) -> Decision:
    """Whether a tool may read that file; `deep`: and all that is beneath."""
    decision = _valid(path)
    for form in _forms(path, state) if decision.verdict != DENY else ():
        decision = decision.worse(_read(form, path, state, deep=deep))
    return decision


def _valid(path: str) -> Decision:
    if not path or "\0" in path or not MARKS.isdisjoint(path):
        return Decision(DENY, f"{path!r} is not a valid path", "parse", path)
    return Decision(NO_DECISION)


def _forms(path: str, state: State) -> list[str]:
    """A path as it was said, with `~` as a tool may read it, and where its links lead."""
    forms = [path]
    if path.startswith("~"):
        forms.append(state.home + path[1:])
    if not state.windows or os.name == "nt":
        for form in tuple(forms):
            real = os.path.realpath(os.path.join(state.cwd or "", form))
            said = os.path.abspath(os.path.join(state.cwd or "", form))
            if real != said:
                forms.append(_home_form(real, state))
    return forms


def _home_form(real: str, state: State) -> str:
    """A resolved path, with the project and the home named as the assistant names them.

    Where the project itself lies behind a link (`/tmp` on macOS), what is in it is still in it.
    """
    for named in (state.workspace, state.home):
        folder = os.path.realpath(named)
        if real == folder or real.startswith(folder.rstrip("/\\") + os.sep):
            return named + real[len(folder) :]
    return real


def _write(form: str, path: str, state: State) -> Decision:
    where = place(form, state)
    what = f"writes {path}: {where.value}"
    slashed = absolute(form.replace("\\", "/"), state) or form
    if secret(form, state) == "key":
        return Decision(DENY, f"writes {path}, where keys are kept", "write.protected", path)
    if where is Place.STARTUP and re.search(_NOTES, slashed):
        return Decision(NO_DECISION)
    if re.search(_HOOKS, slashed, re.IGNORECASE):
        what = f"writes {path}, which decides what runs or what is stopped"
        return Decision(DENY, what, "write.protected", path)
    if where in _NEVER:
        return Decision(DENY, what, "write.protected", path)
    if where in _FREELY:
        return Decision(NO_DECISION)
    return Decision(ASK, what, "write.protected" if where in _CAREFUL else "write.outside", path)


def _read(form: str, path: str, state: State, *, deep: bool) -> Decision:
    kind, where = secret(form, state), place(form, state)
    if kind == "key":
        return Decision(DENY, f"{path} contains keys or passwords", "secret.read", path)
    if kind == "project":
        return Decision(ASK, f"{path} may contain the project's secrets", "secret.project", path)
    if settings(form, state):
        return Decision(ASK, f"{path} may contain a personal token", "secret.settings", path)
    if deep and (where in (Place.ROOT, Place.HOMES) or holds_keys(form, state)):
        return Decision(ASK, f"searches {path}, where keys are kept", "secret.search", path)
    if where is Place.DEVICE:
        return Decision(ASK, f"reads the device {path}", "read.device", path)
    return Decision(NO_DECISION)
