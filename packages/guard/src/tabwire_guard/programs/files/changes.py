"""Programs that make, copy, move and delete files."""

import re

from tabwire_guard import secret_paths
from tabwire_guard.call import PROTECTED, Call
from tabwire_guard.paths import Place
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.registry import program
from tabwire_guard.values import Value

_OURS = (Place.INSIDE, Place.TEMP, Place.NOWHERE)


@program("rm grm unlink rmdir shred srm wipe trash trash-put rimraf del-cli rip")
def rm(call: Call) -> None:
    """Deletes."""
    said = call.options(("-n", "--iterations", "-s", "--size") if call.name == "shred" else ())
    if said.has("--no-preserve-root"):
        call.deny("delete.lost", "turns off the protection of / in rm")
    deep = said.has("-r", "-R", "--recursive") or call.name in ("rimraf", "trash", "srm", "del-cli")
    if call.texts in (["--help"], ["--version"]):  # behind a file, some take it for another
        return
    for one in said.operands:
        call.deletes(one, deep=deep)
    if not said.operands:
        call.ask("delete.unknown", "deletes something that is not named")


@program("cp gcp install ditto cpio pax")
def cp(call: Call) -> None:
    """Copies."""
    installs = ("-m", "-o", "-g", "--mode", "--owner", "--group") if call.name == "install" else ()
    said = call.options(("-t", "--target-directory", "-S", *installs))
    targets = list(said.values("-t", "--target-directory"))
    sources = list(said.operands)
    if call.name in ("cpio", "pax"):
        call.ask("archive.unpack", f"{call.name} writes files whose names are not given")
    if call.name == "install" and said.has("-d"):
        for one in sources:
            call.writes(one, append=True)
        return
    if not targets and len(sources) > 1:
        targets = [sources.pop()]
    if not targets:
        call.ask("unknown.form", "a copy in an unknown form")
    deep = said.has("-r", "-R", "-a", "--recursive", "--archive") or call.name == "ditto"
    for one in sources:
        call.reads(one, deep=deep)
    for target in targets:
        for one in sources:
            _arrives(call, one, target)


def _arrives(call: Call, source: Value, target: Value) -> None:
    """A file is written to a place, or into a folder there."""
    name = source.text.rstrip("/").rsplit("/", 1)[-1]
    folder = target.text.endswith(("/", "/.")) or target.text in (".", "..")
    if folder or call.place(target) is Place.WORKSPACE:
        target = target._replace(text=f"{target.text.rstrip('/')}/{name}")
    if call.place(target) is Place.WORKSPACE:
        return
    empty = "" if source.text == "/dev/null" else None
    call.writes(target, append=call.place(target) is Place.HOME and source.text == "", text=empty)


@program("mv", "gmv", "rename", "mmv")
def mv(call: Call) -> None:
    """Moves."""
    said = call.options(("-t", "--target-directory", "-S"))
    operands = list(said.operands)
    targets = list(said.values("-t", "--target-directory")) or operands[-1:]
    sources = operands if said.has("-t", "--target-directory") else operands[:-1]
    if call.name in ("rename", "mmv"):
        call.ask("move", "renames files by a pattern")
        return
    for one in sources:
        where = call.place(one)
        if where not in (*_OURS, Place.UNKNOWN, Place.SECRETS, Place.TOUCHY):
            call.deny("move.lost", f"moves {one.shown}: {where.value}")
    for target in targets:
        if call.place(target) in (Place.NOWHERE, Place.DEVICE):
            call.deny("move.lost", f"moves files to {target.shown}, where they are lost")
        for one in sources:
            _arrives(call, one, target)
    call.ask("move", "moves files of the workspace")


@program("ln", "gln", "link")
def ln(call: Call) -> None:
    """Links."""
    said = call.options(("-t", "--target-directory", "-S"))
    paths = said.operands
    if len(paths) < 2:
        paths = [*paths, Value("./" + (paths[0].text.rsplit("/", 1)[-1] if paths else ""))]
    for one in paths[:-1]:
        call.reads(one)
        if call.place(one) not in (*_OURS, Place.WORKSPACE):
            call.ask("link.outside", f"links to {one.shown}, outside the workspace")
    _arrives(call, paths[0], paths[-1])
    if said.has("-f", "--force"):
        call.ask("delete.workspace", "a link that replaces a file")


@program("mkdir", "touch", "mkfifo", "gmkdir")
def mkdir(call: Call) -> None:
    """Makes folders and empty files."""
    takes = (
        ("-r", "--reference", "-d", "--date", "-t") if call.name == "touch" else ("-m", "--mode")
    )
    said = call.options(takes)
    for one in said.operands:
        if call.place(one) in (Place.WORKSPACE, Place.ABOVE) and call.name == "mkdir":
            continue
        call.writes(one, append=True)


_SETUID = pattern(r"0?[24-7][0-7]{3}|(?:.*,)?[ugoa]*[+=][rwxX]*s.*")


_MODE_LETTERS = frozenset("-r -w -x -X -s -t".split())
"""`chmod -w file`: a mode that looks like an option."""


@program("chmod chown chgrp gchmod chattr setfacl xattr chflags")
def chmod(call: Call) -> None:
    """Rights and owners."""
    modes = call.name in ("chmod", "gchmod")
    said = call.options(("--reference",) if modes else ("--reference", "-m", "-x"))
    operands = list(said.operands)
    taken = modes and not _MODE_LETTERS.isdisjoint(said.names())
    moded = call.name not in ("setfacl", "xattr") and not said.has("--reference") and not taken
    mode = operands.pop(0).text if operands and moded else ""
    deep = said.has("-R", "--recursive", *(() if modes else ("-r",)))
    if call.name in ("xattr",) and not said.has("-d", "-w", "-c", "-r"):
        return
    if "chmod" in call.name and _SETUID.fullmatch(mode):
        call.deny("privilege.setuid", f"chmod {mode} lets a program run as its owner")
    for one in operands:
        where = call.place(one)
        if where in (*_OURS, Place.UNKNOWN, Place.TOUCHY, Place.SECRETS, Place.WORKSPACE):
            loose = mode in ("777", "0777", "a+rwx", "666", "a+w", "o+w", "ugo+rwx", "000", "0000")
            if "chmod" not in call.name or loose or deep or where not in (*_OURS, Place.TOUCHY):
                call.ask("rights.change", f"changes permissions or owners of {one.shown}")
        else:
            call.deny("rights.outside", f"changes permissions of {one.shown}: {where.value}")


@program("truncate", "fallocate")
def truncate(call: Call) -> None:
    """Cuts a file."""
    said = call.options(("-s", "--size", "-r", "--reference", "-l", "-o"))
    for one in said.operands:
        where = call.place(one)
        if where is Place.TEMP or (where is Place.INSIDE and call.name == "fallocate"):
            continue
        call.deletes(one)


@program("dd", "gdd", "dcfldd", "pv")
def dd(call: Call) -> None:
    """Copies bytes."""
    if call.name == "pv":
        for one in call.options(("-s", "-L", "-N", "-i")).operands:
            call.reads(one)
        return
    for one in call.args:
        name, _, value = one.text.partition("=")
        if name == "if":
            call.reads(one._replace(text=value))
        elif name == "of":
            where = call.place(one._replace(text=value))
            call.writes(one._replace(text=value))
            if where is Place.INSIDE:
                call.ask("write.over", f"dd writes over {value}")


def opened(call: Call, path: Value) -> None:
    """An editor opens a file: what a system obeys, or where keys are, is not to be changed so."""
    if call.place(path) in PROTECTED or secret_paths.secret(path.text, call.state) == "key":
        call.writes(path)


@program("patch", "ed", "red")
def patch(call: Call) -> None:
    """Changes files by a list of changes."""
    if "--dry-run" in call.texts:
        return
    if call.name == "ed":
        if call.stdin.text and re.search(
            r"^!|^[\d,$%]*[rwe] !|^w /|^[\d,]*w ~", call.stdin.text, re.M
        ):
            call.deny("run.inline", "an ed script that runs a command or writes elsewhere")
        for one in call.options(("-p",)).operands:
            if one.text.startswith("!"):
                call.deny("run.inline", "ed runs a command")
                call.script_of(one._replace(text=one.text[1:]), "in ed", shell="sh")
            else:
                opened(call, one)
    call.ask("write.patch", "changes files by applying a patch")


@program("sync")
def nothing(_call: Call) -> None:
    """Nothing that lasts."""


@program("ranger", "nnn", "lf")
def interactive(call: Call) -> None:
    """A person is needed in it."""
    call.ask("interactive", f"{call.name} waits for interactive input")
