"""PowerShell's commands for where one stands, and for paths as text."""

from tabwire_guard.call import Call
from tabwire_guard.paths import absolute
from tabwire_guard.programs.cmdlets.parameters import drive, given, paths_of
from tabwire_guard.programs.registry import CMDLETS, program
from tabwire_guard.values import HOLE, Flow, Value

_SAME = "lp=literalpath pspath=literalpath"


@program("set-location", "cd", "sl", "chdir", "push-location", "pushd", table=CMDLETS)
def set_location(call: Call) -> None:
    """Goes to another folder."""
    found = given(call, "path literalpath stackname", "passthru", same=_SAME)
    targets = list(paths_of(found))
    if not targets:
        if call.name in ("push-location", "pushd"):
            return
        call.state.cwd = call.state.home
        return
    (target, *_) = targets
    kind = drive(target)
    call.state.cwd = None if kind or not target.known else absolute(target.text, call.state)
    if call.state.cwd is not None:
        call.state.variables["pwd"] = call.state.variables["cd"] = Value(call.state.cwd)
    else:
        call.state.variables["pwd"] = call.state.variables["cd"] = Value(HOLE)


@program("pop-location", "popd", table=CMDLETS)
def pop_location(call: Call) -> None:
    """Goes back: nobody keeps count where to."""
    call.state.cwd = None


@program("get-location", "gl", "pwd", table=CMDLETS)
def get_location(call: Call) -> None:
    """Where one stands."""
    if call.state.cwd is not None:
        call.output = Flow(None, call.output.taints, True, (call.state.cwd,))


@program("join-path", table=CMDLETS)
def join_path(call: Call) -> None:
    """Puts a path together."""
    found = given(call, "path childpath additionalchildpath credential", "resolve")
    parts = [one for more in found.loose for one in more]
    parts = [*found.values("path"), *found.values("childpath"), *parts]
    parts += found.values("additionalchildpath")
    text = "\\".join(one.text.strip("\\/") if at else one.text.rstrip("\\/")
                     for at, one in enumerate(parts))  # fmt: skip
    call.output = Flow(None, call.output.taints, True, (text,) if parts else ())
    if all(one.known for one in parts):
        call.gives(text)


@program("resolve-path", "rvpa", "convert-path", "cvpa", table=CMDLETS)
def resolve_path(call: Call) -> None:
    """A path in full."""
    found = given(call, "path literalpath relativebasepath", "relative force", same=_SAME)
    items = tuple(one.text for one in paths_of(found))
    call.output = Flow(None, call.output.taints, True, items)
