"""tar, zip and their like."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.paths import DANGEROUS, Place, absolute
from tabwire_guard.programs.registry import program, words
from tabwire_guard.values import REMOTE, Value

_TAR_LETTERS = "fCTXbIFLNVHKg"
"""Those with a value."""
_TAR_TAKES = words(
    """--file --directory --files-from --exclude --exclude-from --strip-components --transform
    --xform --checkpoint-action --to-command --rsh-command --use-compress-program --info-script
    --new-volume-script --index-file --owner --group --mode --format --newer --mtime --sort
    --warning --rmt-command --volno-file --add-file --listed-incremental --level --label --suffix
    --newer-mtime --after-date --starting-file --tape-length --blocking-factor --record-size
    --quoting-style --pax-option --owner-map --group-map --hole-detection --exclude-ignore
    --exclude-tag --xattrs-include --xattrs-exclude --set-mtime-command"""
)
_TAR_FLAGS = words(
    """--create --extract --get --list --append --update --verbose --gzip --gunzip --ungzip --bzip2
    --xz --zstd --lzma --lzip --lzop --compress --auto-compress --no-auto-compress --to-stdout
    --absolute-names --remove-files --keep-old-files --keep-newer-files --skip-old-files --overwrite
    --preserve-permissions --same-permissions --same-owner --no-same-owner --no-same-permissions
    --dereference --hard-dereference --exclude-vcs --exclude-vcs-ignores --exclude-backups
    --exclude-caches --one-file-system --numeric-owner --wildcards --no-wildcards --anchored
    --no-anchored --ignore-case --totals --checkpoint --version --help --null --sparse --acls
    --xattrs --selinux --verify --show-transformed-names --utc --full-time --block-number --touch
    --no-recursion --recursion --unlink-first --recursive-unlink --ignore-failed-read --interactive
    --one-top-level --posix --old-archive --no-xattrs --no-acls --no-selinux --no-mac-metadata
    --delay-directory-restore --occurrence --multi-volume --force-local --same-order
    --preserve-order --ignore-zeros --check-links --verbatim-files-from --atime-preserve
    --mtime --clamp-mtime --no-overwrite-dir --overwrite-dir --no-unquote --unquote --seek"""
)
_TAR_RUNS = words(
    "--checkpoint-action --to-command --rsh-command --use-compress-program --info-script "
    "--new-volume-script --rmt-command --set-mtime-command"
)
_SAME = {
    "-f": "--file", "-C": "--directory", "-T": "--files-from", "-I": "--use-compress-program",
    "-F": "--info-script", "-g": "--listed-incremental", "-c": "--create", "-x": "--extract",
    "-t": "--list", "-r": "--append", "-u": "--update", "-O": "--to-stdout",
    "-P": "--absolute-names", "--get": "--extract",
}  # fmt: skip
_COMPRESSORS = words("gzip bzip2 xz zstd lz4 pigz pbzip2 lzma lzip brotli pixz zstdmt pzstd")


def _in_order(call: Call) -> list[tuple[str, Value | None]]:
    """Options by their long names, and operands without one, as they stand there.

    The letters of an old-style first word (`tar cfI x.tar prog`) take their values one after the
    other from the words that follow.
    """
    rest, said = list(call.args), list[tuple[str, Value | None]]()

    def take() -> Value:
        return rest.pop(0) if rest else Value("")

    def letters(text: str, word: Value, *, old: bool) -> None:
        for at, letter in enumerate(text):
            name = _SAME.get(f"-{letter}", f"-{letter}")
            if letter not in _TAR_LETTERS:
                said.append((name, None))
            elif old or not text[at + 1 :]:
                said.append((name, take()))
            else:
                said.append((name, word._replace(text=text[at + 1 :])))
                return

    if rest and rest[0].text and rest[0].text[0] != "-":
        word = rest.pop(0)
        letters(word.text, word, old=True)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.text.partition("=")
        if word.text == "--":
            said += [("", one) for one in rest]
            break
        if word.text.startswith("--"):
            name = _whole(call, name)
            if equals:
                said.append((name, word._replace(text=value)))
            else:
                said.append((name, take() if name in _TAR_TAKES else None))
        elif word.text.startswith("-") and word.text != "-":
            letters(word.text[1:], word, old=False)
        else:
            said.append(("", word))
    return said


def _whole(call: Call, name: str) -> str:
    """The option that a beginning means: the one that does most, where several are meant."""
    if name in _TAR_TAKES | _TAR_FLAGS:
        return _SAME.get(name, name)
    meant = sorted(one for one in _TAR_TAKES | _TAR_FLAGS if one.startswith(name))
    if not meant:
        call.ask("unknown.option", f"the effect of tar {name} is unknown")
        return name
    found = next((one for one in meant if one in _TAR_RUNS), meant[0])
    return _SAME.get(found, found)


def _tar_runs(call: Call, name: str, one: Value) -> None:
    text = one.text
    plain = re.fullmatch(r"\w+(?: -[\w=-]+)*", text)
    if name == "--use-compress-program" and plain and text.split(" ")[0] in _COMPRESSORS:
        return
    if name == "--checkpoint-action" and re.match(
        r"(?:dot|\.|echo|bell|totals|ttyout|sleep)", text
    ):
        return
    call.deny("run.option", f"`tar {name}` runs a program")
    call.script_of(one._replace(text=text.removeprefix("exec=")), f"tar {name}")


@program("tar", "gtar", "bsdtar")
def tar(call: Call) -> None:
    """Packs, lists, unpacks."""
    said = _in_order(call)
    names = {name for name, _ in said}
    files: list[Value] = []
    for name, one in said:
        if one is None:
            continue
        if name in _TAR_RUNS:
            _tar_runs(call, name, one)
        elif name in ("--index-file", "--listed-incremental", "--volno-file"):
            call.writes(one)
        elif name == "--files-from":
            _names_from(call, one)
        elif name == "--file":
            files.append(one)
            if ":" in one.text and one.text[1:3] != ":\\" and "--force-local" not in names:
                call.ask("network.remote", "an archive on another machine")
    archives = [one for one in files if one.text != "-"]
    if "--extract" in names:
        _unpacks(call, said, archives)
    elif "--list" in names:
        for one in archives:
            call.reads(one)
    elif names & {"--create", "--append", "--update"}:
        for one in archives:
            call.writes(one)
        _packs(call, said)
    elif not names & {"--version", "--help"}:
        call.ask("unknown.form", "tar in an unknown form")


def _names_from(call: Call, one: Value) -> None:
    """A list of files: a line with a dash is an option."""
    full = absolute(one.text, call.state)
    text = call.stdin.text if one.text == "-" else call.state.files.get(full or "")
    if text is not None and re.search(r"^\s*-", text, re.M):
        call.deny("run.option", "the list of files contains options")
    elif one.text != "-":
        call.reads(one)


def _unpacks(call: Call, said: list[tuple[str, Value | None]], archives: list[Value]) -> None:
    names = {name for name, _ in said}
    for one in archives:
        call.reads(one)
    if "--to-stdout" not in names:
        folders = [one for name, one in said if one and name in ("--directory", "--one-top-level")]
        for folder in folders:
            if call.place(folder) in DANGEROUS:
                call.deny("archive.outside", f"unpacks into {folder.shown}")
            call.writes(folder._replace(text=f"{folder.text}/x"))
        _keeps_origin(call, archives, folders)
        call.ask("archive.unpack", "unpacks files over those that are there")
    if "--absolute-names" in names:
        call.deny("archive.absolute", "unpacks files to wherever the archive says")


def _keeps_origin(call: Call, archives: list[Value], folders: list[Value]) -> None:
    """What is unpacked from a download is a download."""
    fetched = any(call.state.downloaded(absolute(one.text, call.state)) for one in archives)
    if fetched or (not archives and REMOTE in call.stdin.taints):
        for one in folders or [Value(".")]:
            if full := absolute(one.text, call.state):
                call.state.downloads.add(full)


def _packs(call: Call, said: list[tuple[str, Value | None]]) -> None:
    """Each `-C` holds for the operands after it, and counts from the one before."""
    base = ""
    for name, one in said:
        if one is None:
            continue
        if name == "--directory":
            base = one.text if not base or re.match(r"[/~]|\w:", one.text) else f"{base}/{one.text}"
        elif name in ("", "--add-file"):
            path = one._replace(
                text=one.text.removeprefix("@") if call.name == "bsdtar" else one.text
            )
            if base and not re.match(r"[/~]|\w:", path.text):
                path = path._replace(text=f"{base}/{path.text}")
            call.reads(path, deep=True)
    if "--remove-files" in {name for name, _ in said}:
        call.ask("delete.workspace", "deletes what it has packed")


@program("zip 7z 7za 7zz rar")
def zips(call: Call) -> None:
    """Packs; 7z and rar also unpack."""
    said = call.options(("-x", "-i", "-TT", "--unzip-command", "-P", "-b", "-n", "-t", "-O"))
    operands = list(said.operands)
    if call.name == "zip":
        if any(re.match(r"-\w*TT|--unz", text) for text in call.texts):
            call.deny("run.option", "`zip -TT` runs a program")
        if said.has("-m", "--move"):
            call.ask("delete.workspace", "deletes what it has packed")
        for at, text in enumerate(call.texts):
            found = re.match(
                r"(?:-lf|-O|--out\w*|--output-file|--log\w*|--log-file)(?:=|$)(.*)", text
            )
            if found and (found[1] or call.args[at + 1 :]):
                word = call.args[at]._replace(text=found[1]) if found[1] else call.args[at + 1]
                call.writes(word)
    else:
        verb = operands.pop(0).text if operands else ""
        for one in call.args:
            if re.match(r"-[ow].", one.text):
                call.writes(one._replace(text=f"{one.text[2:]}/x"))
            elif re.match(r"-(?:sdel|df|dw)\b", one.text, re.I):
                call.ask("delete.workspace", "deletes what it has packed")
        if verb in ("l", "t", "i", "h"):
            return
        if verb not in ("a", "u"):
            _keeps_origin(call, operands[:1], [])
            call.ask("archive.unpack", "unpacks files over those that are there")
    for one in operands[:1]:
        if one.text != "-":
            call.writes(one)
    for one in operands[1:]:
        call.reads(one, deep=call.name != "zip" or said.has("-r", "-R", "--recurse-paths"))


@program("jar")
def jar(call: Call) -> None:
    """Java's archives: the letters of the first word take their values in order."""
    first = call.texts[0] if call.args else ""
    letters = "" if first.startswith("--") else first.lstrip("-")
    rest, files = list(call.args[1:]), list[Value]()
    for letter in letters:
        if letter in "fme" and rest:
            value = rest.pop(0)
            files += [value] if letter == "f" else []
            if letter == "m":
                call.reads(value)
    said = options(rest, words("-f --file -m --manifest -e --main-class --dir --hash-modules"))
    files += said.values("-f", "--file")
    for one in said.values("-m", "--manifest"):
        call.reads(one)
    for one in call.args:
        found = re.match(r"--(?:file|generate-index)=(.*)", one.text)
        files += [one._replace(text=found[1])] if found else []
        if re.match(r"@|-J", one.text):
            call.ask("option.unknown", f"jar reads options from {one.shown}")
    verb = "".join(
        re.findall(r"--(create|update|extract|list|generate-index)", " ".join(call.texts))
    )
    what = (verb or letters)[:1]
    if first in ("--version", "--help") or what == "t" or verb.startswith("list"):
        for one in files:
            call.reads(one)
    elif what in ("c", "u", "i", "g"):
        for one in files or (rest[:1] if what == "i" else []):
            call.writes(one)
        for at, one in enumerate(rest):
            if one.text == "-C" and rest[at + 2 :]:
                call.reads(one._replace(text=f"{rest[at + 1].text}/{rest[at + 2].text}"), deep=True)
            elif not one.text.startswith("-") and one not in files:
                call.reads(one, deep=True)
    else:
        call.ask("archive.unpack", "unpacks files over those that are there")


@program("unzip", "unrar", "unar")
def unzip(call: Call) -> None:
    """Unpacks, or lists."""
    said = call.options(("-d", "-x", "-P"))
    if said.has("-l", "-v", "-t", "-Z", "-p", "-c", "-z") or call.texts[:1] in (["l"], ["lb"]):
        return
    _keeps_origin(call, said.operands[:1], list(said.values("-d")))
    for one in said.values("-d"):
        if call.place(one) in DANGEROUS:
            call.deny("archive.outside", f"unpacks into {one.shown}")
        elif call.place(one) not in (Place.INSIDE, Place.TEMP, Place.WORKSPACE):
            call.writes(one._replace(text=f"{one.text}/x"))
    call.ask("archive.unpack", "unpacks files over those that are there")


@program("zipinfo lsar zipgrep zdiff zcmp")
def lists(call: Call) -> None:
    """Lists what is in an archive."""
    for one in call.options().operands:
        call.reads(one)
