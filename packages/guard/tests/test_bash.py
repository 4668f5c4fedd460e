"""bash text -> tree: our own parser, held against bash itself."""

import contextlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire_guard.bash import parser as bash
from tabwire_guard.judgement import judge
from tabwire_guard.script import (
    Block,
    Function,
    Glob,
    Home,
    Lit,
    Opaque,
    Pipeline,
    Script,
    Simple,
    Sub,
    Unknown,
    Unparsable,
    Var,
    Word,
)

BASH = shutil.which("bash")
TABLES = Path(__file__).parent / "tables"


def told(node: object) -> object:
    """A tree in a form short enough for a table."""
    match node:
        case Script(nodes):
            return [told(one) for one in nodes]
        case Simple(words, assigns, redirects):
            said: list[object] = [f"{one.name}={word_of(one.value)}" for one in assigns]
            said += [word_of(one) for one in words]
            said += [f"{one.number}{one.op}{word_of(one.target)}" for one in redirects]
            return " ".join(str(one) for one in said)
        case Pipeline(parts):
            return {"|": [told(one) for one in parts]}
        case Block(kind, scripts, words, name):
            head = " ".join([kind, name, *(word_of(one) for one in words)]).strip()
            return {" ".join(head.split()): [told(one) for one in scripts]}
        case Function(name, body):
            return {f"{name}()": told(body)}
        case Opaque(reason):
            return f"opaque: {reason}"
    raise TypeError(node)


def word_of(word: Word) -> str:
    """A word: quoted letters as they are, marks by name, substitutions as trees."""
    out = ""
    for piece in word.pieces:
        match piece:
            case Lit(text):
                out += text
            case Glob():
                out += "‹glob›"
            case Var(name, fallback=fallback):
                out += f"‹{name}›" if fallback is None else f"‹{name}:{word_of(fallback)}›"
            case Sub(script, as_file=as_file):
                out += f"‹{'file ' if as_file else ''}{told(script)}›"
            case Home(user):
                out += f"‹home{user}›"
            case Unknown(_, scripts):
                out += f"‹?{''.join(str(told(one)) for one in scripts)}›"
    return out


CASES = [
    # text, tree
    ("ls -la", ["ls -la"]),
    ("a; b & c && d || e", ["a", "b", "c", "d", "e"]),
    ("a | b |& c", [{"|": ["a", "b", "c"]}]),
    ("! a", ["a"]),
    ("time -p make", ["make"]),
    ("X=1 Y=$Z cmd", ["X=1 Y=‹Z› cmd"]),
    ("X+=a", ["X=a"]),
    ("A=(one 'two three')", ["A=one two three "]),
    ("'a b'\"c $D\"e\\ f", ["a bc ‹D›e f"]),
    ("$'\\x72\\155'", ["rm"]),
    ('$"hi"', ["hi"]),
    ("${X:-/}", ["‹X:/›"]),
    ('${X:-"}"}', ["‹X:}›"]),
    ("${#X} ${!X} ${X%.py} ${X@P}", ["‹?› ‹?› ‹X› ‹?›"]),
    ("$(a $(b))", ["‹[\"a ‹['b']›\"]›"]),
    ("`a \\`b\\``", ["‹[\"a ‹['b']›\"]›"]),
    ("echo $((1 + $(id -u)))", ["echo ‹?['id -u']›"]),
    ("diff <(a) <(b)", ["diff ‹file ['a']› ‹file ['b']›"]),
    ("ls *.py file? [a-z]*", ["ls ‹glob›.py file‹glob› ‹glob›‹glob›"]),
    ("[ -f x ]", ["[ -f x ]"]),
    ("cd ~ ~bob/x ~+ a~", ["cd ‹home› ‹homebob›/x ‹PWD› a~"]),
    ("{rm,-rf,/}", ["rm -rf /"]),
    ("a{1..3}b {x..z} {,a}", ["a1b a2b a3b x y z  a"]),
    ("find . -exec rm {} +", ["find . -exec rm {} +"]),
    ("echo {a b}", ["echo {a b}"]),
    ("a > f 2>> g < h 2>&1 &> i >| j <> k", ["a >f 2>>g <h 2>&1 &>i >|j <>k"]),
    ("cat <<< word", ["cat <<<word"]),
    ("cat <<EOF\nx $Y\nEOF\nls", ["cat <<x ‹Y›\n", "ls"]),
    ("cat <<'EOF'\n$(rm)\nEOF", ["cat <<$(rm)\n"]),
    ("cat <<EOF\n$(rm)\nEOF", ["cat <<‹['rm']›\n"]),
    ("cat <<-E\n\tx\n\tE\n", ["cat <<-x\n"]),
    ("cat <<A <<B; ls\na\nA\nb\nB\nid", ["cat <<a\n <<b\n", "ls", "id"]),
    ('x="$(cat <<E\nq\nE\n)"; y', ["x=‹['cat <<q\\n']›", "y"]),
    ("# rm -rf /", []),
    ("ls # rm", ["ls"]),
    ("echo a#b", ["echo a#b"]),
    ("ls\r\nrm x\r\n", ["ls", "rm x"]),
    ("a \\\n b", ["a b"]),
    ("(a; b) > f", [{"subshell": [["a", "b"]]}]),
    ("{ a; b; }", [{"group": [["a", "b"]]}]),
    ("if a; then b; elif c; then d; else e; fi", [{"if": [["a"], ["b"], ["c"], ["d"], ["e"]]}]),
    ("while a; do b; done", [{"while": [["a"], ["b"]]}]),
    ("until a; do b; done", [{"while": [["a"], ["b"]]}]),
    ("for f in a *; do b; done", [{"for f a ‹glob›": [["b"]]}]),
    ("for f; do b; done", [{"for f": [["b"]]}]),
    ("for ((i=0; i<$(n); i++)); do b; done", [{"for": [["n"], ["b"]]}]),
    ("case $x in a|b) c;; *) d;; esac", [{"case ‹x› a b ‹glob›": [["c"], ["d"]]}]),
    ("f() { a; }", [{"f()": [{"group": [["a"]]}]}]),
    ("function f { a; }; f", [{"f()": [{"group": [["a"]]}]}, "f"]),
    (":(){ :|:& };:", [{":()": [{"group": [[{"|": [":", ":"]}]]}]}, ":"]),
    ("[[ -f $x && a < b ]] && c", [{"test -f ‹x› a b": []}, "c"]),
    ("(( x++ ))", [{"sum": []}]),
    ("coproc { a; }", [{"coproc": [[{"group": [["a"]]}]]}]),
    ("a && # why\n b", ["a", "b"]),
    ("echo 日本語 für", ["echo 日本語 für"]),
]


@pytest.mark.parametrize("text, tree", CASES, ids=[repr(case[0])[:40] for case in CASES])
def test_a_command_line_becomes_its_tree(text, tree):
    assert told(bash.parse(text)) == tree


NO_SCRIPTS = [
    "echo 'a", 'echo "a', "echo `a", "echo $(a", "(a", "{ a;", "if a; then b", "a |", "a &&",
    "cat <<EOF\nx", "cat <<EOF", "for", "case x in", "a >", ")", "fi", "a ; ) b", "echo ${",
    "@(a|b)", "a (b)", "a;& b", "a;;b", "! ;& a", "time ;&",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_SCRIPTS)
def test_what_is_no_script_is_said_so(text):
    with pytest.raises(Unparsable):
        bash.parse(text)


def labelled() -> list[str]:
    """Every bash command of our own tables."""
    return [
        one["cmd"]
        for path in sorted(TABLES.glob("*.json"))
        for one in json.loads(path.read_text(encoding="utf-8"))
        if one["shell"] == "bash"
    ]


READS = """while IFS= read -r -d "" one; do
    out=$(printf %s "$one" | bash $HOW /dev/stdin 2>/dev/null)
    printf '%s\\0%s\\0' $? "$out"
done"""
"""What bash says of each text of its input; none of them is run."""


def _prints() -> bool:
    """Whether this bash prints what it has parsed; it runs nothing of it (5.2 and later)."""
    if BASH is None:
        return False
    asked = [BASH, "--pretty-print", "/dev/stdin"]
    done = subprocess.run(asked, input="a&&b", capture_output=True, text=True, check=False)
    return done.stdout.split() == ["a", "&&", "b"]


PRINTS = _prints()


@pytest.fixture(scope="module")
def read_by_bash() -> dict[str, tuple[bool, str]]:
    """Of every command of ours: whether bash takes it for a script, and how it prints it again.

    One process starts the many, as small as they are: starting each from here takes ten times
    as long.
    """
    texts = list(dict.fromkeys(labelled()))
    done = subprocess.run(
        [BASH, "-c", READS],
        input=b"".join(one.encode() + b"\0" for one in texts),
        capture_output=True,
        check=True,
        env={**os.environ, "HOW": "--pretty-print" if PRINTS else "-n"},
    )
    told = done.stdout.decode().split("\0")[:-1]
    assert len(told) == 2 * len(texts)
    return {one: (told[2 * at] == "0", told[2 * at + 1]) for at, one in enumerate(texts)}


@pytest.mark.skipif(BASH is None, reason="there is no bash on this machine")
def test_bash_takes_for_a_script_what_we_do(read_by_bash):
    differing = [text for text, (taken, _) in read_by_bash.items() if taken != _parses(text)]
    assert differing == []


def _parses(text: str) -> bool:
    try:
        bash.parse(text)
    except Unparsable:
        return False
    return True


@pytest.mark.skipif(not PRINTS, reason="there is no bash that prints what it has parsed")
def test_a_command_as_bash_prints_it_again_is_judged_alike(read_by_bash):
    """bash's own parse says the same in other letters. Nothing is run: it only prints."""
    texts = [one for one in read_by_bash if len(one) < 3000 and "coproc" not in one]
    compared = 0
    for text in texts:
        taken, again = read_by_bash[text]
        if not taken or not again.strip():
            continue
        compared += 1
        assert judge(again).verdict is judge(text).verdict, (text, again, judge(again).reason)
    assert compared > len(texts) * 0.8


@given(st.text(alphabet="abr m-/~*?[]{},;&|<>()$`'\"\\\n\t#!=:@x0", max_size=60))
def test_any_text_is_parsed_or_refused(text):
    with contextlib.suppress(Unparsable):
        bash.parse(text)
