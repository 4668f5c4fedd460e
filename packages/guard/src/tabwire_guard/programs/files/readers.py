"""Programs that look at files, text or the machine, and change nothing."""

import re

from tabwire_guard.bash.dollars import escaped
from tabwire_guard.call import Call
from tabwire_guard.paths import Place, absolute
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.files.reader_options import (
    changes_after_all,
    looks_beyond,
    odd_options,
)
from tabwire_guard.programs.registry import program, words
from tabwire_guard.values import HOLE, SECRET, Value


@program(
    "cat tac col colrm ul yq head tail wc nl cut paste column comm cmp diff diff3 sdiff "
    "colordiff fold fmt expand unexpand pr join look tsort od hexdump hd strings zcat bzcat "
    "xzcat zstdcat lz4cat gzcat md5sum md5 sha1sum sha224sum sha256sum sha384sum sha512sum "
    "shasum b2sum b3sum cksum sum crc32 bat batcat less more most xmllint jq gron "
    "tomlq xq csvlook csvcut csvstat pdftotext pdfinfo exiftool identify ffprobe "
    "mediainfo readelf objdump nm size ldd otool lipo zless iconv dos2unix jless glow mdcat "
    "difft delta icdiff wdiff numfmt hexyl addr2line c++filt"
)
def reads_files(call: Call) -> None:
    """Prints what stands in files.

    Which of its options take a value is not known, so every word may be a path.
    """
    said = call.options()
    for one in call.args:
        name, equals, value = one.text.partition("=")
        if equals and name.startswith("-") and "/" in value:
            call.reads(one._replace(text=value))
    odd_options(call)
    paths = said.operands
    if call.name == "pdftotext" and len(paths) > 1:
        call.writes(paths[-1])
    if call.name in ("jq", "yq", "gron", "tomlq", "xq"):
        looks_beyond(call)
        if not said.has("-f", "--from-file"):
            paths = paths[1:]
        if (
            any(re.fullmatch(r"-\w*i\w*|--in-?place", one) for one in call.texts)
            and call.name != "jq"
        ):
            for one in paths:
                call.writes(one)
    texts: list[str] = []
    for one in paths:
        if one.text == "-":
            continue
        call.reads(one)
        known = call.state.files.get(absolute(one.text, call.state) or "")
        known = "" if call.nothing(one) else known
        texts += [known] if known is not None else []
    none = call.name in ("head", "tail") and _NONE.search(" ".join(call.texts))
    if none or (paths and all(call.nothing(one) for one in paths)):
        call.gives("")
    elif call.name in ("cat", "bat") and not paths:
        call.gives(call.stdin.text)
    elif call.name in ("cat", "bat") and len(texts) == len(paths) and not said.said:
        call.gives("".join(texts))
    elif call.name == "tac" and call.stdin.text and not paths:
        call.gives("\n".join(reversed(call.stdin.text.rstrip("\n").split("\n"))) + "\n")
    if call.name in ("cat", "bat", "tac", "head", "tail", "less", "more"):
        call.passes_names()


_NONE = pattern(r"(?:^|\s)(?:-[cn]\s*0|--(?:bytes|lines)[= ]0|-0)(?:\s|$)")
"""No line, no byte: `head -c0`."""


@program(
    "pwd true false : seq expr uname arch nproc uptime whoami id groups who w users free "
    "vmstat iostat lscpu lsblk lsusb lspci ps pgrep pidof pstree type which whereis tty "
    "locale getconf sleep tput clear cal ncal factor dirs times wait apropos whatis "
    "tldr sw_vers system_profiler lsof fuser ss netstat lsns lsmod lshw lslocks "
    "last lastlog dmesg figlet cowsay toilet lolcat banner yes say "
    "htop btop getent logname caller return exit break continue "
    "getopts stty jot units ts pathchk errno ascii vm_stat nvidia-smi sensors acpi "
    "cpuid inxi hostid locate mdfind mdls lsb_release"
)
def looks_around(call: Call) -> None:
    """The machine, its processes, or nothing at all."""
    texts = call.texts
    if call.name in (":", "true", "false"):
        call.gives("")
    switches = call.name == "whoami" and call.state.windows
    if call.name not in _TAKE_PATHS and any(
        "~" in one or ("/" in one and not (switches and re.fullmatch(r"/[A-Za-z?]+", one)))
        for one in texts
    ):
        call.ask("unknown.option", f"{call.name} is given a file for an unknown purpose")
    changes_after_all(call)
    if call.name == "fuser" and any(one.startswith("-") and "k" in one for one in texts):
        call.ask("process.kill", "ends processes")
    if call.name == "ps" and any(_shows_environment(one) for one in texts):
        call.taint(SECRET)
        call.ask("secret.environment", "shows the environment of processes")
    if call.name == "locate" or call.name == "mdfind":
        call.output = call.output._replace(items=(f"/{HOLE}",))
        call.names([Value("/")])
    if call.name == "pwd" and call.state.cwd is not None:
        call.gives(call.state.cwd + "\n")
    elif call.name == "yes":
        call.gives(None)
    elif call.name in ("which", "type") and call.name == "which" and len(call.args) == 1:
        call.output = call.output._replace(items=(f"/usr/bin/{call.args[0].text}",))


_TAKE_PATHS = words(
    "lsof fuser which type whereis locate mdfind mdls pathchk test expr echo getent pgrep sleep"
)
"""Of those that look around, the ones for which a path is something to look at."""


def _shows_environment(text: str) -> bool:
    """`ps eww`, not `ps -e` and not `ps aux`."""
    return "e" in text and not text.startswith("-") and set(text) <= set("auxewf")


@program("date hostname nvidia-settings timedatectl hostnamectl localectl")
def may_set(call: Call) -> None:
    """Shows something, and with an argument sets it."""
    plain = [one for one in call.texts if not one.startswith(("-", "+"))]
    if call.name == "date":
        said = call.options(("-d", "--date", "-s", "--set", "-r", "--reference", "-f", "--file"))
        for one in said.values("-f", "--file"):
            call.reads(one)
        plain = [one.text for one in said.operands if not one.text.startswith("+")]
        if said.has("-s", "--set") or (plain and not said.has("-j", "-f")):
            call.ask("system.change", "sets the clock")
    elif plain and plain[0] not in ("status", "show", "list-timezones", "list-locales"):
        call.ask("system.change", f"changes settings of the machine: {plain[0]}")


_OCTAL = pattern(r"\\0([0-7]{1,3})")
"""`echo` has a zero before the digits."""


@program("echo", "print")
def echo(call: Call) -> None:
    """Prints its arguments."""
    args = list(call.args)
    escapes = newline = None
    while args and args[0].text in ("-n", "-e", "-E", "-ne", "-en"):
        option = args.pop(0).text
        escapes = "e" in option
        newline = "n" in option
    if any(SECRET in one.taints for one in args):
        call.ask("secret.environment", "prints a variable whose name suggests a secret")
    text = " ".join(one.text for one in args)
    if escapes is None and "echoes" in call.state.dialect.has:
        escapes = True
    if all(one.known for one in args):
        whole = text + ("" if newline else "\n")
        call.gives(escaped(_OCTAL.sub(r"\\\1", whole.split("\\c", 1)[0])) if escapes else whole)
    elif len(args) == 1:
        call.output = call.output._replace(items=(text,))


@program("printf")
def printf(call: Call) -> None:
    """Prints by a pattern; `-v` puts it into a variable."""
    args = list(call.args)
    name = ""
    if len(args) > 1 and args[0].text == "-v":
        name = args[1].text
        args = args[2:]
    elif args and args[0].text.startswith("-v"):
        name = args[0].text[2:]
        args = args[1:]
    if args and args[0].text == "--":
        args = args[1:]
    if not name and any(SECRET in one.taints for one in args):
        call.ask("secret.environment", "prints a variable whose name suggests a secret")
    text = _formatted(args) if args and all(one.known for one in args) else None
    if "[" in name or "$" in name or "`" in name:
        call.deny("run.hidden", "a variable's name that runs something")
    elif name:
        call.assigns(name, Value(HOLE if text is None else text, call.output.taints))
    else:
        call.gives(text)


def _formatted(args: list[Value]) -> str | None:
    """What printf makes of a pattern and words; None where that is hard to say."""
    pattern, rest = args[0].text, [one.text for one in args[1:]]
    out = ""
    while True:
        used = 0
        at = 0
        while at < len(pattern):
            if pattern[at] == "%" and at + 1 < len(pattern):
                kind = pattern[at + 1]
                if kind == "%":
                    out += "%"
                elif kind in "sbdicq":
                    value = rest.pop(0) if rest else ""
                    used += 1
                    out += escaped(value) if kind == "b" else value
                else:
                    return None
                at += 2
            elif pattern[at] == "\\":
                end = at + 2
                while end < min(len(pattern), at + 5) and pattern[end - 1] in "x01234567":
                    if pattern[end] not in "0123456789abcdefABCDEF":
                        break
                    end += 1
                out += escaped(pattern[at:end])
                at = end
            else:
                out += pattern[at]
                at += 1
        if not rest or not used:
            return out


@program("printenv")
def printenv(call: Call) -> None:
    """The environment, where tokens are kept."""
    harmless = words(
        "PATH HOME USER SHELL LANG LC_ALL TERM PWD TMPDIR EDITOR NODE_ENV JAVA_HOME GOPATH "
        "VIRTUAL_ENV CONDA_PREFIX CI PYTHONPATH DISPLAY HOSTNAME LOGNAME TZ GOROOT ANDROID_HOME"
    )
    if not call.args or not all(one in harmless for one in call.texts):
        call.taint(SECRET)
        call.ask("secret.environment", "prints the environment, where tokens are kept")


@program("test", "[")
def test(call: Call) -> None:
    """A condition."""
    if any("$(" in one or "`" in one for one in call.texts):
        call.deny("run.hidden", "a test that runs code in its text")


@program("man", "help")
def manual(call: Call) -> None:
    """A manual page; `-P` runs a program to show it."""
    said = call.options(("-P", "--pager", "-s", "-S", "-M", "-C", "-H", "--html"))
    for one in said.values("-P", "--pager", "-H", "--html"):
        if one.text not in ("cat", "less", "more", ""):
            call.deny("run.option", "`man -P` runs a program")
            call.script_of(one, "man -P")
    if said.has("-C"):
        call.ask("run.option", "reads its settings from another file")


@program("uniq")
def uniq(call: Call) -> None:
    """Reads one file, writes the other."""
    said = call.options(("-f", "-s", "-w"))
    for one in said.operands[:1]:
        call.reads(one)
    for one in said.operands[1:]:
        call.writes(one)
    if not said.has("-c", "--count"):
        call.passes_names()


@program("sort", "shuf", "gsort")
def sort(call: Call) -> None:
    """Sorts; two of its options write or run."""
    said = call.options(
        (
            "-k",
            "-t",
            "-o",
            "--output",
            "-S",
            "-T",
            "-n" if call.name == "shuf" else "--key",
            "--compress-program",
            "--files0-from",
            "--field-separator",
            "--parallel",
            *(("-i",) if call.name == "shuf" else ()),
        )
    )
    for one in said.values("--compress-program"):
        call.deny("run.option", "`sort --compress-program` runs a program")
        call.script_of(one, "sort --compress-program")
    for one in said.values("-o", "--output"):
        call.writes(one)
    for one in said.operands:
        call.reads(one)
    call.passes_names()


@program("split", "csplit")
def split(call: Call) -> None:
    """Cuts a file into pieces beside it."""
    takes = ("-f", "-b", "-n") if call.name == "csplit" else ("-l", "-b", "-n", "-a", "-C", "-t")
    said = call.options((*takes, "--filter"))
    for one in said.values("--filter"):
        call.script_of(one, "split --filter")
        call.ask("run.option", "`split --filter` runs a program")
    for one in said.operands[:1]:
        call.reads(one)
    for one in [*said.values("-f")] if call.name == "csplit" else said.operands[1:]:
        call.writes(one)


@program("tee", "sponge")
def tee(call: Call) -> None:
    """Passes on what comes in, and writes it to files."""
    said = call.options()
    append = said.has("-a", "--append")
    for one in said.operands:
        call.writes(one, append=append, text=call.stdin.text)
        full = absolute(one.text, call.state)
        if full and "remote" in call.stdin.taints:
            call.state.downloads.add(full)
    call.output = call.stdin._replace(piped=True)


@program("mktemp")
def mktemp(call: Call) -> None:
    """A new temporary file or folder, and its name."""
    said = call.options(("-p", "--tmpdir", "--suffix", "-t"))
    where = [*said.values("-p"), *said.operands]
    if any(
        call.place(one)
        not in (Place.TEMP, Place.TEMPS, Place.INSIDE, Place.UNKNOWN, Place.WORKSPACE)
        for one in where
    ):
        call.ask("write.outside", "makes a file outside the workspace")
    call.output = call.output._replace(items=(f"/tmp/tmp.{HOLE}",))


@program("history", "fc")
def history(call: Call) -> None:
    """What was typed before, passwords included."""
    call.taint(SECRET)
    if any(one in ("-c", "-w", "-d") for one in call.texts):
        call.deny("system.logs", "removes traces")
    call.ask("secret.history", "shows earlier input, passwords included")
