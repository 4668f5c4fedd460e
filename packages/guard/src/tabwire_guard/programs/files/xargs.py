"""xargs: what comes in, cut as it cuts it, is the arguments of another command."""

import re
import shlex
from collections.abc import Iterator

from tabwire_guard.call import Call
from tabwire_guard.options import Options
from tabwire_guard.paths import absolute
from tabwire_guard.programs.registry import program, words
from tabwire_guard.values import HOLE, LISTED, Value

MAX_INPUT = 4_000
"""Characters of known input that are taken apart."""
MAX_ITEMS = 12
"""Commands that are gone through one by one."""

_ENDS = {"\\n": "\n", "\\0": "\0", "\\t": "\t", "\\r": "\r"}


@program("xargs", "gxargs")
def xargs(call: Call) -> None:
    """Runs a program with what comes in as its arguments."""
    said = call.options(
        words("-I -n -P -L -s -d -a -E --max-args --max-procs --max-chars --delimiter --arg-file")
        | words("--max-lines --eof"),
        first=True,
    )
    known = words(
        "-I -n -P -L -d -a -0 -r -t -p -x -o -i --null --no-run-if-empty --verbose --exit "
        "--max-args --max-procs --delimiter --arg-file --replace --interactive --max-lines"
    )
    if unknown := said.unlike(known):
        call.ask(
            "unknown.option", f"`xargs {unknown}` is unknown, or changes how the input is split"
        )
    for one in said.values("-a", "--arg-file"):
        call.reads(one)
    inner = said.operands or [Value("echo")]
    mark = next((one.text for one in said.values("-I", "--replace")), "")
    mark = mark or ("{}" if said.has("-i", "--replace") else "")
    lines = _lines(call, said)
    if lines is None:
        given = () if said.has("-a", "--arg-file") else call.stdin.items
        groups = [[one] for one in given or (HOLE,)]
        if not mark:
            groups = [[one for group in groups for one in group]]
    elif mark:
        groups = [[" ".join(line)] for line in lines]
    else:
        groups = list(_groups(lines, said))
    if len(groups) > MAX_ITEMS:
        call.ask("too-much", "too many lines")
    for group in groups[:MAX_ITEMS]:
        read = call.stdin.taints if lines is not None else call.stdin.taints | {LISTED}
        items = [Value(one, read) for one in group]
        if mark:
            call.runs([_marked(one, mark, items[0]) for one in inner], "xargs")
        else:
            call.runs([*inner, *items], "xargs")


def _lines(call: Call, said: Options) -> list[list[str]] | None:
    """What comes in, by lines and their words; None where that is not known."""
    text = call.stdin.text
    for one in said.values("-a", "--arg-file"):
        text = call.state.files.get(absolute(one.text, call.state) or "")
    ends = [_ENDS.get(one.text, one.text) for one in said.values("-d", "--delimiter")]
    end = "\0" if said.has("-0", "--null") else ends[-1] if ends else ""
    if text is None or len(text) > MAX_INPUT or len(end) > 1 or HOLE in end:
        return None
    if end:  # no quotes then, and blanks are part of it
        return [[one] for one in text.removesuffix(end).split(end)]
    try:
        return [found for line in text.split("\n") if (found := _words(line))]
    except ValueError:  # a quote without end, or one that goes over a line
        return None


def _words(line: str) -> list[str]:
    """Words of a line; quotes hold, and a backslash outside of them."""
    reader = shlex.shlex(line, posix=True, punctuation_chars=False)
    reader.whitespace_split = True
    reader.commenters = reader.escapedquotes = ""
    return list(reader)


def _groups(lines: list[list[str]], said: Options) -> Iterator[list[str]]:
    """What each command gets: all of it, so many words, or so many lines."""
    units = lines
    count = next(said.values("-L", "--max-lines"), None)
    if words_each := next(said.values("-n", "--max-args"), None):
        units = [[word] for line in lines for word in line]
        count = words_each
    size = len(units) or 1
    if count is not None:
        size = int(count.text) if re.fullmatch(r"[1-9]\d{0,5}", count.text) else 1
    for at in range(0, max(len(units), 1), size):
        yield [word for unit in units[at : at + size] for word in unit]


def _marked(word: Value, mark: str, item: Value) -> Value:
    if mark not in word.text:
        return word
    return Value(word.text.replace(mark, item.text), word.taints | item.taints, word.quoted)
