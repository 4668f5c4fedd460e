"""Programs that name files: what they list, others read and delete."""

from tabwire_guard.call import Call
from tabwire_guard.paths import absolute
from tabwire_guard.programs.registry import program
from tabwire_guard.values import GLOBS, HOLE, Value


@program(
    "ls dir vdir tree du df stat file exa eza lsd basename dirname realpath readlink "
    "dust duf namei lsattr getfacl tre broot erd cygpath wslpath"
)
def lists(call: Call) -> None:
    """Names, sizes and dates; not what stands in files."""
    said = call.options(_LIST_TAKES.get(call.name, ()))
    if call.name == "tree":
        for one in said.values("-o"):
            call.writes(one)
    if call.name in ("file", "tree", "du", "wc") and said.has(
        "-f", "--fromfile", "--files0-from", "-m"
    ):
        for one in [*said.operands, *said.values("-f", "--files0-from", "-m", "--fromfile")]:
            call.reads(one)
    folders = [one.text for one in said.operands] or ["."]
    if call.name in ("cygpath", "wslpath"):
        for one in said.values("-f", "--file"):
            call.reads(one)
        call.names(said.operands)
        return
    if call.name in ("realpath", "readlink", "basename", "dirname"):
        _computes(call, said.operands)
        return
    # What a pattern names is listed itself, where it is a file.
    itself = said.has("-d", "--directory") and call.name in ("ls", "dir", "vdir", "exa", "eza")
    call.output = call.output._replace(
        items=tuple(
            one if itself or not GLOBS.isdisjoint(one) else f"{one}/{HOLE}" for one in folders
        )
    )
    call.names(said.operands)


_LIST_TAKES = {
    "tree": ("-L", "-I", "-P", "-o", "-H", "-T", "--filelimit", "--charset"),
    "ls": ("-I", "--ignore", "-w", "-T"),
    "file": ("-f", "--files-from", "-m", "-F", "-P", "-e"),
    "du": ("-d", "-B", "-X", "-t", "--files0-from"),
    "stat": ("-c", "--format", "--printf"),
    "basename": ("-s", "--suffix"),
    "cygpath": ("-f", "--file", "-t", "--type", "-C", "--codepage", "-F", "--folder"),
}
"""Options with a value; one too many would hide what is listed."""


def _computes(call: Call, names: list[Value]) -> None:
    """A path made of another one."""
    made: list[str] = []
    for one in names:
        text = one.text.rstrip("/") or "/"
        if call.name in ("realpath", "readlink"):
            made.append(absolute(one.text, call.state) or one.text)
        elif "/" not in text:
            made.append(text if call.name == "basename" else ".")
        else:
            folder, _, name = text.rpartition("/")
            made.append(name if call.name == "basename" else folder or "/")
    call.output = call.output._replace(items=tuple(made))
    call.names(names)
