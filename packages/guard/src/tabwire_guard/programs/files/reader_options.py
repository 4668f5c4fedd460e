"""Options of programs that only look: those that write, run, load or change something after all."""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.registry import words
from tabwire_guard.values import SECRET

_WRITERS = {
    name: words(options)
    for names, options in (
        ("less zless", "-o -O --log-file --LOG-FILE"),
        ("xmllint", "-o --output --c14n-out"),
        ("iconv sdiff", "-o --output"),
        ("exiftool", "-o -w -W -csv"),
        ("lipo", "-output -o"),
        ("identify", "-write"),
        ("ffprobe", "-o"),
        ("mediainfo", "--LogFile"),
    )
    for name in names.split()
}
"""Of readers, the options that name a file to write."""


def odd_options(call: Call) -> None:
    """What a reader's options do besides reading."""
    texts = call.texts
    if written := _WRITERS.get(call.name):
        for path in call.options(written).values(*written):
            call.writes(path)
    if call.name in ("less", "more", "most", "zless"):
        _first_commands(call)
    for one in texts:
        if call.name in ("bat", "batcat", "delta", "difft") and one.startswith("--pager"):
            value = one.partition("=")[2]
            if value not in ("cat", "less", "never", "less -R", "") or one == "--pager":
                call.deny("run.option", f"`{call.name} --pager` runs a program")
    if call.name in ("nm", "objdump") and call.options(("--plugin",)).has("--plugin"):
        call.ask("option.code", f"`{call.name} --plugin` loads code")
    if call.name == "xmllint" and any(
        one in ("--shell", "--load-trace", "--catalogs") for one in texts
    ):
        call.ask("run.option", "xmllint does more than read")
    if call.name == "exiftool" and any(
        "=" in one
        or one.startswith(("-config", "-execute", "-@", "-tagsfromfile", "-delete", "-if"))
        for one in texts
    ):
        call.ask("write.metadata", "changes files, or loads settings")
    if call.name == "dos2unix":
        for word in call.args:
            if not word.text.startswith("-"):
                call.writes(word)
    if call.name == "ldd" and texts:
        call.ask("run.option", "ldd can run the program it looks at")


_GOES = pattern(r"\+{1,2}(?:[FGgpNn]|\d*[gGp%]?|[/?&][^\n\r\x1b]*)")
"""Where a pager starts: at a line, at the end, at a text."""


def _first_commands(call: Call) -> None:
    """`less +F`: what a pager does first may be to run a command."""
    for one in call.args:
        text = one.text
        if re.match(r"-\w*[kT]|--(?:lesskey|tag)", text):
            call.ask("run.option", f"options of {call.name} can run commands")
        elif text.startswith("+") and not _GOES.fullmatch(text):
            call.ask("run.option", f"options of {call.name} can run commands")
            if found := re.search(r"[!|#v]\S*\s*(.*)", text, re.DOTALL):
                call.deny("run.inline", f"{call.name} runs a command given in its options")
                inner = (
                    re.sub(r"^\+*[^!|]*[!|]+", "", text) if re.search("[!|]", text) else found[1]
                )
                call.script_of(one._replace(text=inner), f"in {call.name}", shell="sh")


_BEYOND = pattern(r"\benv\b|\$ENV|strenv|input_filename|\binclude\b|\bimport\b|\bload")
_FILE = pattern(r"[\w./\\-]*\.(?:json[5lc]?|ya?ml|toml|xml|txt|csv|lock|ini|conf|props?)")


def looks_beyond(call: Call) -> None:
    """jq and its kin: programs in an argument, which can read the environment and other files.

    Which word is the program depends on how many values the options before it take, so each is
    looked at that is not plainly the name of a file.
    """
    said = [one.partition("=")[2] if one.startswith("--") else one for one in call.texts]
    if any(_BEYOND.search(one) and not _FILE.fullmatch(one) for one in said):
        call.taint(SECRET)
        call.ask("secret.environment", f"{call.name} reads more than the file")
    if call.name == "yq" and any(re.match(r"-\w*s|--split", one) for one in call.texts):
        call.ask("write.unknown", "`yq -s` writes files whose names come from the data")


_CHANGES = {
    "dmesg": (r"-\w*[cCDEn]|--(?:clear|read-clear|console\S*)", "system.logs",
        "changes what the kernel reports"),
    "lastlog": (r"-\w*[CS]|--(?:clear|set)", "system.logs", "changes the record of logins"),
    "ss": (r"-\w*K\w*|--kill", "process.kill", "ends connections"),
    "nvidia-smi": (
        r"-(?:r|pm|c|e|p|ac|rac|pl|sc|lgc|rgc|lmc|rmc|am|mig|acp|gom|caa|fdm|cc)(?:=.*)?"
        r"|--(?:gpu-reset|reset-\S+|lock-\S+|persistence-mode|compute-mode|ecc-config|power-limit"
        r"|applications-clocks|accounting-mode|multi-instance-gpu|gom|auto-boost\S*|driver-model"
        r"|clear-\S+|cuda-clocks|scope)(?:=.*)?|drain|clocks|mig|vgpu|boost-slider|conf-compute",
        "system.change", "changes the settings of the graphics card",
    ),
}  # fmt: skip


def changes_after_all(call: Call) -> None:
    """Programs that look around, with options that set, end or show what is not for everybody."""
    if call.name in _CHANGES:
        pattern, rule, reason = _CHANGES[call.name]
        if any(re.fullmatch(pattern, one) for one in call.texts):
            call.ask(rule, reason)
    if call.name == "getent" and any(one in ("shadow", "gshadow") for one in call.texts):
        call.taint(SECRET)
        call.deny("secret.read", "shows what passwords are checked against")
