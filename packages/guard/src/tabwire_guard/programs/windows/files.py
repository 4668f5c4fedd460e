"""cmd's own commands, and Windows' programs for files."""

import re
from string import ascii_lowercase

from tabwire_guard.call import Call
from tabwire_guard.flow.environment import poisoned
from tabwire_guard.paths import Place, absolute
from tabwire_guard.programs.cmdlets.parameters import far, writes_far
from tabwire_guard.programs.registry import CMD, CMDLETS, PROGRAMS, program
from tabwire_guard.programs.windows.switches import path, switches
from tabwire_guard.values import HOLE, SECRET, Flow, Value

_INSIDE = (Place.INSIDE, Place.TEMP, Place.TOUCHY)


@program("cls", "ver", "vol", "title", "color", "pause", "exit", "setlocal", "endlocal", "shift",
         "verify", "break", "prompt", "chcp", "timeout", "choice", "where", "tree", "help", "goto",
         "rem", table=CMD)  # fmt: skip
def harmless(call: Call) -> None:
    """Shows something, or waits."""
    call.output = Flow("" if call.name in _SILENT else None, call.output.taints, True)


_SILENT = frozenset("break rem setlocal endlocal shift goto exit title color verify prompt".split())
"""What they print is nothing: `break > f` empties the file."""


@program("dir", table=CMD)
def listing(call: Call) -> None:
    """Lists; what is listed may be looped over."""
    said = switches(call)
    names = [path(one) for one in said.operands] or [Value(".")]
    for one in names:
        far(call, one)
    call.output = Flow(None, call.output.taints, True, tuple(_inside(one.text) for one in names))


def _inside(text: str) -> str:
    return text.rstrip("\\/") + "\\" + HOLE


@program("echo", table=CMD)
def echo(call: Call) -> None:
    """Prints."""
    if any(SECRET in one.taints for one in call.args):
        call.ask("secret.environment", "prints a variable whose name suggests a secret")
    if not call.args:  # `echo.` prints an empty line, `echo` whether it is on
        call.gives("\n")
    elif call.args and all(one.known for one in call.args):
        call.gives(" ".join(call.texts).strip() + "\n")
    elif call.args and call.args[0].text.strip(f"{HOLE} "):
        call.output = Flow(None, call.output.taints, True, (call.args[0].text.strip(),))


@program("type", "more", table=CMD)
def reads(call: Call) -> None:
    """Reads files."""
    said = switches(call)
    for one in said.operands:
        far(call, one)
        call.reads(path(one))
        full = absolute(one.text, call.state)
        if len(said.operands) == 1 and full in call.state.files:
            call.gives(call.state.files[full])
        if call.state.downloaded(full):
            call.taint("remote")
    if said.operands and all(call.nothing(one) for one in said.operands):
        call.gives("")
    if not said.operands:
        call.output = call.stdin


@program("fc", table=CMD)
def compares(call: Call) -> None:
    """Compares files."""
    for one in switches(call).operands:
        call.reads(path(one))


@program("sort", "find", table=CMD)
def filters(call: Call) -> None:
    """Sorts lines, or finds those with a text."""
    said = switches(call, "o output")
    for one in said.values("o", "output"):
        call.writes(one)
    for one in said.operands[0 if call.name == "sort" else 1 :]:
        call.reads(path(one))


program("find", table=CMDLETS)(filters)  # PowerShell starts the program of that name


@program("expand", table=CMD)
def expands(call: Call) -> None:
    """Unpacks files."""
    said = switches(call, dashes=True)
    if said.has("?", "d"):
        return
    for one in said.operands:
        call.reads(path(one))
    for one in said.operands[1:][-1:] or [Value(".")]:
        writes_far(call, one)
        call.writes(path(one))
    call.ask("archive.unpack", "unpacks files over those that are there")


@program("print", table=CMD)
def prints(call: Call) -> None:
    """Sends files to a printer, or whatever has its name."""
    for one in switches(call).operands:
        call.reads(path(one))
    call.ask("network.print", "sends files to a printer")


@program("convert", table=CMD)
def converts(call: Call) -> None:
    """Gives a disk another file system."""
    call.deny("disk.erase", "changes the file system of a disk")


@program("reset", "change", "mode", "write", table=CMD)
def sessions(call: Call) -> None:
    """Sessions and devices."""
    if call.name != "mode" or (call.args and call.texts[0].lower().rstrip(":") != "con"):
        call.ask("system.change", f"{call.said} changes a session or a device")


for _name, _handler in (("expand", expands), ("print", prints), ("convert", converts),
                        ("reset", sessions), ("change", sessions), ("mode", sessions)):  # fmt: skip
    CMDLETS[_name] = _handler


@program("findstr")
def findstr(call: Call) -> None:
    """Finds lines in files."""
    said = switches(call)
    patterned = said.has("c", "g")
    for one in said.values("g", "f"):
        call.reads(one)
    for one in said.operands[0 if patterned else 1 :]:
        call.reads(path(one), deep=said.has("s"))


@program("cd", "chdir", "pushd", table=CMD)
def changes_folder(call: Call) -> None:
    """Goes to another folder."""
    said = switches(call)
    if not said.operands:
        if call.state.cwd is not None and call.name != "pushd":
            call.output = Flow(None, call.output.taints, True, (call.state.cwd,))
        return
    text = " ".join(one.text for one in said.operands)  # `cd` needs no quotes around blanks
    known = all(one.known for one in said.operands)
    call.gives("")
    call.state.cwd = absolute(text, call.state) if known else None
    where = Value(HOLE if call.state.cwd is None else call.state.cwd)
    call.state.variables["cd"] = call.state.variables["pwd"] = where


@program("popd", table=CMD)
def goes_back(call: Call) -> None:
    """Goes back: nobody keeps count where to."""
    call.gives("")
    call.state.cwd = None
    call.state.variables["cd"] = Value(HOLE)


@program(*(f"{letter}:" for letter in ascii_lowercase), table=CMD)
def changes_drive(call: Call) -> None:
    """`D:`: where one stands on another drive nobody knows."""
    cwd = call.state.cwd
    if cwd is None or cwd[:2].lower() != call.name:
        call.state.cwd = f"{call.name}/"
        call.state.variables["cd"] = Value(call.state.cwd)


@program("md", "mkdir", table=CMD)
def makes_folder(call: Call) -> None:
    """Makes folders."""
    for one in switches(call).operands:
        call.writes(one)


@program("del", "erase", "rd", "rmdir", table=CMD)
def deletes(call: Call) -> None:
    """Deletes files, or folders with all in them."""
    said = switches(call)
    deep = said.has("s") or call.name in ("rd", "rmdir")
    names = said.operands
    if not names and not said.has("?"):
        call.ask("delete.unknown", "deletes something that is not named")
    cut = [one for one in names[1:] if re.match(r"(?![a-z]:|\.|\\)[^\\]+\\", one.text, re.I)]
    if cut and not all(one.quoted for one in names):
        call.deny("delete.blank", "an unquoted space splits a path in two")
    for one in names:
        call.deletes(path(one), deep=deep)


@program("copy", table=CMD)
def copies(call: Call) -> None:
    """Copies files."""
    said = switches(call)
    *sources, target = said.operands if len(said.operands) > 1 else [*said.operands, Value(".")]
    fetched = False
    names = [one for one in sources if one.text != "+"]
    empty = bool(names) and all(
        call.nothing(one._replace(text=name)) for one in names for name in one.text.split("+")
    )
    for one in sources:
        far(call, one)
        for name in one.text.split("+"):
            if name.lower() not in ("con", "nul"):
                call.reads(path(one._replace(text=name)))
                fetched = fetched or call.state.downloaded(absolute(name, call.state))
    _to(call, target, sources, text="" if empty else None)
    if fetched and (full := absolute(target.text, call.state)):
        call.state.downloads.add(full)


def _to(call: Call, target: Value, sources: list[Value], *, text: str | None) -> None:
    """A copy in a folder has the name it had."""
    if target.text in (".", ".\\", "./"):
        for one in sources:
            call.writes(Value(re.split(r"[\\/]", one.text)[-1] or "."))
    else:
        writes_far(call, target)
        call.writes(path(target), text=text)


@program("move", "ren", "rename", table=CMD)
def moves(call: Call) -> None:
    """Moves: what was there is gone."""
    said = switches(call)
    call.ask("move", "moves files")
    for one in said.operands[:-1]:
        call.deletes(path(one), deep=True)
    if call.name == "move" and len(said.operands) > 1:
        call.writes(path(said.operands[-1]))


@program("xcopy", "robocopy", "replace")
def copies_trees(call: Call) -> None:
    """Copies folders; `/mir` makes the target the same, which deletes there."""
    said = switches(call)
    if said.has("?"):
        return
    names = [path(one) for one in said.operands]
    if said.has("l"):  # only lists
        return
    for one in names[:1]:
        call.reads(one, deep=True)
        if said.has("mov", "move"):
            call.deletes(one, deep=True)
    for one in names[1:2]:
        writes_far(call, one)
        call.writes(one, text="" if call.nothing(names[0]) else None)
        if said.has("mir", "purge"):
            call.deletes(one, deep=True)
    if said.has("log", "log+", "unilog", "job", "save"):
        call.ask("write.log", "also writes a file")


@program("mklink", table=CMD)
def links(call: Call) -> None:
    """Makes a link."""
    call.ask("link", "creates a link: what is written there is written elsewhere")
    for one in switches(call).operands[:1]:
        call.writes(one)


@program("set", table=CMD)
def shows_variables(call: Call) -> None:
    """Prints the environment, where tokens are kept; setting is an assignment."""
    text = " ".join(call.texts).strip().lower()
    if not re.fullmatch(r"path\w*|temp|tmp|os|user\w*|home\w*|node_env|java_home|comspec", text):
        call.taint(SECRET)
        call.ask("secret.environment", "prints the environment, where tokens are kept")


@program("path", table=CMD)
def path_command(call: Call) -> None:
    """Where programs are looked for."""
    if call.args:
        fault = poisoned("path", Value(" ".join(call.texts)), call.state)
        say = call.ask if fault is not None and not fault.deny else call.deny
        say("environment.path", "changes which programs are found")


@program("setx")
def setx(call: Call) -> None:
    """Sets a variable for good."""
    said = switches(call, "k f s u p")
    names = said.operands
    call.ask("environment.lasting", "sets a variable permanently")
    if said.has("m", "s"):
        call.deny("environment.machine", "sets a variable for all users of the machine")
    if len(names) > 1:
        call.sets(names[0].text.lower(), names[1])


@program("assoc", "ftype", table=CMD)
def file_types(call: Call) -> None:
    """What opens which file."""
    if len(call.args) > 1 or any("=" in one for one in call.texts):
        call.deny("system.types", "changes which program opens a kind of file")


@program("date", "time", table=CMD)
def clock(call: Call) -> None:
    """Shows the time, or sets it."""
    if not switches(call).has("t"):
        call.ask("system.clock", "sets the clock")


@program("attrib", "icacls", "cacls", "takeown", "xcacls", "subinacl", "compact")
def permissions(call: Call) -> None:
    """Shows or changes who may do what with files."""
    said = switches(call, "f" if call.name == "takeown" else "grant deny remove setowner save")
    names = [*said.values("f")] if call.name == "takeown" else said.operands[:1]
    if call.name == "attrib":
        names = [one for one in said.operands if one.text[:1] not in "+-"]
        changed = len(names) != len(said.operands)
    elif call.name == "takeown":
        changed = True
    else:
        changed = bool(set(said.said) - {"c", "l", "q", "t", "?", "verify", "findsid"})
    if not changed:
        return
    inside = names and all(call.place(path(one)) in _INSIDE for one in names)
    say = call.ask if inside else call.deny
    say("permission", f"{call.said} changes file permissions")


@program("cipher", "fsutil", "format", "diskpart", "diskshadow", "chkdsk", "defrag", "label",
         "subst", "manage-bde", "mountvol", "diskraid", "recover")  # fmt: skip
def disks(call: Call) -> None:
    """Disks, and what is on them whatever the files say."""
    said = switches(call)
    verbs = " ".join(one.text.lower() for one in said.operands[:2])
    if said.has("?") or (call.name == "cipher" and not said.said and not said.operands):
        return
    if call.name == "fsutil" and re.match(
        r"fsinfo|volume (?:diskfree|querycluster)|file (?:query|layout)|behavior query|dirty query"
        r"|reparsepoint query|hardlink list|usn (?:query|read)|sparse query|objectid query",
        verbs,
    ):
        return
    if call.name in ("chkdsk", "defrag") and not said.said.keys() & {"f", "r", "x", "b", "spotfix"}:
        return
    if call.name == "manage-bde" and "-status" in verbs:
        return
    if (call.name == "fsutil" and verbs == "file createnew") or call.name == "subst":
        call.ask("disk.change", f"{call.said} changes a disk")
        return
    if call.name == "cipher" and not said.has("w", "e", "d", "r", "k", "x"):
        return
    call.deny("disk.erase", f"{call.said} can destroy what is on a disk")


PROGRAMS.setdefault("where", harmless)
