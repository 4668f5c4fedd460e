"""Editors, debuggers and runtimes: programs whose options and input can run anything."""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.files.changes import opened
from tabwire_guard.programs.inline.code import look_into_strings, runs_inside
from tabwire_guard.programs.registry import program


@program(
    "vim vi nvim ex view vimdiff nvimdiff gvim mvim rvim vimx mg ne emacs emacsclient nano "
    "pico micro helix hx kak joe gdb lldb pdb jdb dc bc m4 sqlplus mysqlsh puppet irb pry ghci "
    "java javaw kotlin mono wine wish latex pdflatex xelatex lualatex gs convert magick ffplay"
)
def opens(call: Call) -> None:
    """Editors, debuggers and runtimes, whose options can run anything."""
    text = " ".join(call.texts)
    if call.texts[:1] in (["--version"], ["-version"], ["-v"], ["--help"], ["-V"]):
        return
    if call.name in _EDITORS:
        for one in call.args:
            if one.text[:1] not in "-+":
                opened(call, one)
    if call.name == "bc":
        return
    if call.name in ("pdflatex", "latex", "xelatex", "lualatex") and _sets_a_document(call):
        return
    if call.name in ("convert", "magick") and not re.search(
        r"https?:|\||ephemeral:|msl:|@|/etc/|~", text
    ):
        if call.args:
            call.writes(call.args[-1])
        return
    if re.search(
        r"!|\bsystem\b|\bshell\b|:py|\bcall\b|shell-command|call-process|delete-(?:file"
        r"|directory)|writefile|:w\b|delete\(|execute|esyscmd|syscmd|shell-escape",
        text,
    ):
        call.deny("run.inline", f"{call.name} runs a command given in its options")
        for one in call.args:
            inner = re.sub(r"^[+:]*(?:silent\s*)?!+|^\W*shell\s+|^[+:]", "", one.text)
            if " " in inner:
                call.script(inner, f"in {call.name}", shell="sh")
    if (
        call.stdin.piped
        and call.name in ("gdb", "lldb", "m4", "dc", "ex", "vim", "vi")
        and re.search(r"!|shell|system|syscmd", call.stdin.text or "!")
    ):
        call.deny("run.piped", f"{call.name} runs what is piped in")
    look_into_strings(call, text)
    call.ask("interactive", f"{call.name} waits for interactive input, or runs what is not known")


@program("sudoedit")
def sudoedit(call: Call) -> None:
    """An editor with the rights of somebody else."""
    call.ask("privilege", "sudoedit changes a file as another user")
    for one in call.options(("-u", "-g", "-p", "-C", "-T")).operands:
        opened(call, one)


_EDITORS = frozenset(
    "vim vi nvim ex view vimdiff nvimdiff gvim mvim rvim vimx mg ne emacs emacsclient nano pico "
    "micro helix hx kak joe".split()
)
_LATEX = pattern(
    r"--?(?:interaction=\w+|halt-on-error|file-line-error|synctex=-?\d+|draftmode|no-shell-escape"
    r"|recorder|8bit|version|help|output-format=\w+|jobname=[\w.-]+|output-dir(?:ectory)?=.*)"
)


def _sets_a_document(call: Call) -> bool:
    """Whether a document of the project is set, with options that are known."""
    for one in call.args:
        if one.text.startswith("-"):
            if not _LATEX.fullmatch(one.text):
                return False
            if "output-dir" in one.text:
                call.writes(one._replace(text=one.text.partition("=")[2]))
        elif not re.fullmatch(r"[\w./ -]+", one.text):
            return False
        else:
            runs_inside(call, one)
    return True
