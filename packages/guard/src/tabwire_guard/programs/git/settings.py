"""Git's settings: which are harmless, which run programs."""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.values import Value

_HARMLESS = pattern(
    r"color\.[\w.]+|advice\.\w+|core\.(?:quotepath|autocrlf|safecrlf|ignorecase|filemode|abbrev|eol"
    r"|precomposeunicode|longpaths|symlinks|bare|logallrefupdates|whitespace|commentchar)"
    r"|column\.\w+"
    r"|log\.\w+|diff\.(?!external|tool|guitool)\w+|merge\.(?:conflictstyle|ff|renames"
    r"|renamelimit|stat)"
    r"|init\.defaultbranch|commit\.(?:gpgsign|verbose)|tag\.gpgsign|user\.(?:name|email)|pull\.\w+"
    r"|push\.\w+|fetch\.\w+|rebase\.\w+|blame\.\w+|status\.\w+|branch\.[\w./-]+|format\.pretty"
    r"|rerere\.\w+|gc\.auto|feature\.\w+|pack\.\w+|index\.\w+|grep\.\w+|help\.\w+|i18n\.\w+"
    r"|versionsort\.\w+"
    r"|author\.\w+|committer\.\w+|submodule\.recurse",
    re.IGNORECASE,
)
_PAGERS = pattern(
    r"(?:core\.pager|pager\.\w+)=(?:cat|less(?: -\w+)*|more|false|true|)", re.IGNORECASE
)
_LOCAL = pattern(
    r"user\.(?:name|email)|core\.(?:autocrlf|filemode|eol|ignorecase|longpaths"
    r"|quotepath)"
    r"|pull\.(?:rebase|ff)|init\.defaultbranch|color\.\w+"
    r"|branch\.[\w./-]+\.(?:remote|merge|rebase)"
    r"|commit\.gpgsign|push\.default|push\.autosetupremote|rerere\.enabled"
    r"|diff\.algorithm"
    r"|merge\.conflictstyle|advice\.\w+",
    re.IGNORECASE,
)


def once(call: Call, word: Value) -> None:
    """`git -c name=value`: for this command only."""
    if word.known and (
        _PAGERS.fullmatch(word.text) or _HARMLESS.fullmatch(word.text.partition("=")[0])
    ):
        return
    name, _, value = word.text.partition("=")
    _runs(call, name, word._replace(text=value))


def kept(call: Call, name: str, value: Value, *, everywhere: bool) -> None:
    """`git config name value`: from now on."""
    if _LOCAL.fullmatch(name):
        if everywhere:
            call.ask("git.settings", f"changes {name} for all repositories")
        return
    if _HARMLESS.fullmatch(name):
        call.ask("git.settings", f"changes {name}")
        return
    _runs(call, name, value)


def _runs(call: Call, name: str, value: Value) -> None:
    call.deny("git.settings", f"the setting {name} can run programs or send data elsewhere")
    text = value.text.removeprefix("!")
    if " " in text and not text.startswith("http"):
        call.script_of(value._replace(text=text), f"git's {name}", shell="sh")
