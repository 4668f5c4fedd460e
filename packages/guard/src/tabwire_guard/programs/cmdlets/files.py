"""PowerShell's commands for files, and for what it shows as if it were files."""

from tabwire_guard.call import Call
from tabwire_guard.paths import absolute
from tabwire_guard.programs.cmdlets.parameters import (
    Given,
    drive,
    far,
    given,
    path,
    paths_of,
    piped_paths,
    writes_far,
)
from tabwire_guard.programs.network.transfers import downloaded
from tabwire_guard.programs.registry import CMDLETS, program
from tabwire_guard.programs.windows.registry import (
    changes_registry,
    reads_registry,
    removes_registry,
)
from tabwire_guard.values import HOLE, PRIVATE, REMOTE, SECRET, Flow, Value

_SAME = "lp=literalpath pspath=literalpath"


def changes(call: Call, target: Value, text: str | None = None, *, append: bool = False) -> None:
    """Something is written, to a file or to what looks like one."""
    kind = drive(target)
    if kind == "registry":
        changes_registry(call, target)
    elif kind == "env":
        name = target.text.partition(":")[2].strip(":\\/")
        value = Value(HOLE if text is None else text)
        call.sets(name, value)
        call.state.variables[name.lower()] = value
    elif kind == "variable":
        call.state.variables["$" + target.text.partition(":")[2].strip("\\/").lower()] = Value(HOLE)
    elif kind:
        call.deny("shadow", f"changes {target.shown}, and so what later commands do")
    else:
        writes_far(call, target)
        call.writes(target, append=append, text=text)


def _known(call: Call, values: list[Value]) -> str | None:
    """The text that will be written, if that is known."""
    if values:
        return "\n".join(one.text for one in values) if all(v.known for v in values) else None
    return call.stdin.text


def _came_from_elsewhere(call: Call, target: Value, values: list[Value]) -> None:
    if REMOTE in call.stdin.taints or any(REMOTE in one.taints for one in values):
        downloaded(call, target)


# Reading


@program("get-content", "gc", "cat", "type", table=CMDLETS)
def get_content(call: Call) -> None:
    """Reads files."""
    found = given(
        call,
        "path literalpath totalcount first head tail encoding delimiter readcount stream filter "
        "include exclude credential",
        "raw wait force asbytestream",
        same=_SAME,
    )
    read = list(paths_of(found))
    read += [path(one) for more in found.loose[1:] for one in more]
    if not read:
        read = piped_paths(call)
        if not read and PRIVATE in call.stdin.taints:
            call.ask("read.unknown", "reads what is piped in: files outside the workspace")
    for one in read:
        far(call, one)
        kind = drive(one)
        if kind == "env":
            _environment(call, one)
        elif not kind:
            call.reads(one)
            full = absolute(one.text, call.state)
            if call.state.downloaded(full):
                call.taint(REMOTE)
            if len(read) == 1 and call.nothing(one):
                call.gives("")
            elif (
                len(read) == 1 and full in call.state.files and not found.has("totalcount", "tail")
            ):
                call.gives(call.state.files[full])


def _environment(call: Call, target: Value) -> None:
    harmless = """path home userprofile username temp tmp os processor_architecture node_env
        java_home computername systemroot programfiles appdata localappdata pathext comspec
        number_of_processors virtual_env goroot gopath ci""".split()
    name = target.text.partition(":")[2].strip("\\/:").lower()
    if name not in harmless:
        call.taint(SECRET)
        call.ask("secret.environment", "prints the environment, where tokens are kept")


@program("get-childitem", "gci", "ls", "dir", "get-item", "gi", table=CMDLETS)
def get_child_item(call: Call) -> None:
    """Lists; what is listed may be piped on to be deleted."""
    found = given(
        call,
        "path literalpath filter include exclude depth attributes credential stream",
        "recurse s force name file af directory ad d hidden h ah readonly ar system as "
        "followsymlink",
        same=_SAME + " s=recurse",
    )
    listed = list(paths_of(found)) or [Value(".")]
    single = call.name in ("get-item", "gi")
    items: list[str] = []
    for one in listed:
        far(call, one)
        if drive(one) == "env":
            _environment(call, one)
        elif drive(one) == "registry":
            reads_registry(call, one, deep=found.has("recurse"))
        itself = single or one.globbed  # what a pattern names is listed, where it is a file
        items.append(one.text if itself else one.text.rstrip("\\/") + "\\" + HOLE)
    call.output = Flow(None, call.output.taints, True, tuple(items))
    call.names(listed)


@program("select-string", "sls", table=CMDLETS)
def select_string(call: Call) -> None:
    """Searches text."""
    found = given(
        call,
        "pattern path literalpath include exclude encoding context inputobject culture",
        "simplematch casesensitive quiet list notmatch allmatches raw noemphasis",
        same=_SAME,
    )
    searched = [*found.values("literalpath"), *map(path, found.values("path"))]
    for more in found.loose[0 if found.has("pattern") else 1 :]:
        searched += map(path, more)
    for one in searched or [Value(one) for one in call.stdin.items]:
        far(call, one)
        call.reads(one, deep=one.globbed)


@program("import-csv", "ipcsv", "get-filehash", "import-powershelldatafile", "format-hex", "fhx",
         "get-authenticodesignature", "import-clixml", "select-xml", table=CMDLETS)  # fmt: skip
def reads_files(call: Call) -> None:
    """Reads files and makes something of them."""
    found = given(
        call,
        "path literalpath delimiter encoding header algorithm xpath namespace inputstream count "
        "offset filepath",
        "useculture",
        same=_SAME,
    )
    for one in [*paths_of(found), *found.values("filepath")]:
        call.reads(one)


# Writing


@program("set-content", "add-content", "ac", table=CMDLETS)
def set_content(call: Call) -> None:
    """Writes a file."""
    found = given(
        call,
        "path literalpath value encoding filter include exclude stream credential",
        "force nonewline passthru asbytestream",
        same=_SAME,
    )
    _written(call, found, append=call.name in ("add-content", "ac"), at=1)


@program("out-file", "tee-object", "tee", "export-csv", "epcsv", "export-clixml",
         "start-transcript", "export-formatdata", table=CMDLETS)  # fmt: skip
def out_file(call: Call) -> None:
    """Writes what is piped in to a file."""
    found = given(
        call,
        "filepath path literalpath encoding width inputobject delimiter variable depth "
        "outputdirectory usequotes quotefields",
        "append force noclobber nonewline notypeinformation nti useculture includeinvocationheader "
        "includetypeinformation noheader",
        same=_SAME + " filepath=path",
    )
    text = call.stdin.text if call.name in ("out-file", "tee-object", "tee") else None
    for one in found.values("variable"):
        if not one.known:
            call.ask("variable.hidden", "sets an unknown variable")
        call.state.variables[f"${one.text.lower()}"] = Value(HOLE, call.stdin.taints)
    _written(call, found, append=found.has("append"), at=9, text=text)
    if call.name in ("tee-object", "tee"):
        call.output = call.stdin


def _written(call: Call, found: Given, *, append: bool, at: int, text: str | None = None) -> None:
    if found.dry:
        return
    if found.strange:
        call.ask("unknown.option", f"{call.said} {found.strange}: this option is not known")
    loose = found.loose
    values = found.values("value", "inputobject")
    named = found.has("path", "literalpath")
    if not values and at <= len(loose):
        values = [one for more in loose[0 if named else at :] for one in more]
    targets = list(paths_of(found))
    known = text if text is not None else _known(call, values)
    if not targets and not found.has("variable"):
        call.ask("write.unknown", "writes an unknown file")
    for one in targets:
        changes(call, one, known, append=append)
        _came_from_elsewhere(call, one, values)


@program("new-item", "ni", "mkdir", "md", table=CMDLETS)
def new_item(call: Call) -> None:
    """Makes files, folders, links and keys of the registry."""
    found = given(
        call,
        "path name itemtype type value target credential options propertytype",
        "force",
        same="type=itemtype target=value",
    )
    if found.dry:
        return
    kind = found.text("itemtype")
    if kind in ("symboliclink", "junction", "hardlink"):
        call.ask("link", "creates a link: what is written there is written elsewhere")
    if found.strange and not (call.name in ("mkdir", "md") and found.strange == "-p"):
        call.ask("unknown.option", f"{call.said} {found.strange}: this option is not known")
    text = _known(call, found.values("value")) if found.has("value") else None
    if found.has("force") and not found.has("value"):
        text = ""  # one that is there is made anew
    folders = found.first("path") or [Value(".")]
    names = found.values("name")
    made = [Value(f"{one.text}\\{name.text}") for one in folders for name in names] or folders
    for extra in found.loose[1:] if call.name in ("mkdir", "md") else []:
        made += extra
    for one in made:
        folder = kind.startswith("d") or call.name in ("mkdir", "md")
        changes(call, one, None if folder else text)


@program("copy-item", "copy", "cp", "cpi", table=CMDLETS)
def copy_item(call: Call) -> None:
    """Copies."""
    found = given(
        call,
        "path literalpath destination filter include exclude credential tosession fromsession",
        "recurse container force passthru",
        same=_SAME,
    )
    if found.dry:
        return
    if found.has("tosession", "fromsession"):
        call.ask("network.send", "copies to or from another machine")
    _source_and_target(call, found)
    if len(found.loose) + found.has("path", "literalpath") + found.has("destination") > 2:
        call.ask("unknown.form", "more paths than it takes: one may be split at a space")


def _source_and_target(call: Call, found: Given) -> None:
    if found.strange and found.strange not in ("-r", "-rf"):
        call.ask("unknown.option", f"{call.said} {found.strange}: this option is not known")
    sources = list(paths_of(found)) or piped_paths(call)
    for one in sources:
        far(call, one)
        call.reads(one, deep=found.has("recurse"))
    named = found.has("path", "literalpath") or call.stdin.piped
    empty = "" if sources and all(call.nothing(one) for one in sources) else None
    for one in found.first("destination", at=0 if named else 1):
        changes(call, path(one), empty)
        if any(call.state.downloaded(absolute(s.text, call.state)) for s in sources):
            downloaded(call, one)


@program("move-item", "move", "mv", "mi", "rename-item", "ren", "rni", table=CMDLETS)
def move_item(call: Call) -> None:
    """Moves: what was there is gone."""
    found = given(
        call,
        "path literalpath destination newname filter include exclude credential",
        "force passthru",
        same=_SAME + " newname=destination",
    )
    if found.dry:
        return
    call.ask("move", "moves files")
    sources = list(paths_of(found)) or piped_paths(call)
    for one in sources:
        if drive(one):
            changes(call, one)
        else:
            call.deletes(one, deep=True)
    if call.name in ("move-item", "move", "mv", "mi"):
        named = found.has("path", "literalpath")
        for one in found.first("destination", at=0 if named else 1):
            changes(call, path(one))


# Deleting


@program("remove-item", "ri", "rm", "rmdir", "rd", "del", "erase", "clear-content", "clc",
         "clear-item", "cli", "clear-itemproperty", "remove-itemproperty", "rp",
         table=CMDLETS)  # fmt: skip
def remove_item(call: Call) -> None:
    """Deletes, or empties."""
    found = given(
        call,
        "path literalpath filter include exclude credential stream name",
        "recurse force",
        same=_SAME,
    )
    if found.dry:
        return
    targets = list(paths_of(found))
    deep = found.has("recurse") or bool(found.strange)
    named = found.has("path", "literalpath")
    if len(found.loose) + named > 1 and not found.strange:
        call.deny("delete.blank", "more than one path: an unquoted space splits a path in two")
    for one in [more for extra in found.loose[0 if named else 1 :] for more in extra]:
        call.deletes(path(one), deep=deep)
    for one in targets:
        kind = drive(one)
        if kind == "registry":
            removes_registry(call, one)
        elif kind in ("env", "variable"):
            call.ask("environment.remove", f"removes {one.shown}")
        elif kind:
            call.deny("shadow", f"removes {one.shown}")
        else:
            call.deletes(one, deep=deep)
    if targets:
        return
    piped = piped_paths(call)
    for one in piped:
        call.deletes(one, deep=deep)
    if call.stdin.piped and not piped:
        say = call.deny if {"private", SECRET, REMOTE} & call.stdin.taints else call.ask
        say("delete.piped", "deletes whatever is piped in, unreviewed")
    if not call.stdin.piped:
        call.ask("delete.unknown", "deletes something that is not named")


@program("set-itemproperty", "sp", "new-itemproperty", "set-item", "si", "rename-itemproperty",
         "copy-itemproperty", "move-itemproperty", table=CMDLETS)  # fmt: skip
def set_item_property(call: Call) -> None:
    """Changes the registry, the environment, or a file's properties."""
    found = given(
        call,
        "path literalpath name value type propertytype inputobject filter include exclude "
        "destination newname credential",
        "force passthru",
        same=_SAME,
    )
    if found.dry:
        return
    names = found.first("name", at=1)
    values = found.values("value") or (found.loose[-1] if found.loose else [])
    for one in paths_of(found):
        if drive(one) == "registry":
            changes_registry(call, one, names[0].text if names else "")
        elif drive(one):
            changes(call, one, _known(call, values))
        else:
            call.ask("property.write", f"changes properties of {one.shown}")
            changes(call, one)
