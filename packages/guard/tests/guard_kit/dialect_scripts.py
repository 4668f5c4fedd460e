"""Scripts that shells read differently, made from a seed, and the shells that run them.

A script hides a probe: a program that nobody knows, or a file outside the workspace that is
written to. What a shell did is seen by the file that the probe leaves behind.
"""

import contextlib
import os
import random
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROBE = "probe"
OUTSIDE = "../outside/hit"

SHELLS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # name: how it is started, under which names the guard is asked
    "dash": (("dash", "-c"), ("dash", "sh", "unix")),
    "bash": (("bash", "--norc", "--noprofile", "-c"), ("bash", "sh", "unix")),
    "bash as sh": (("bash", "--posix", "-c"), ("sh", "unix")),
    "busybox": (("busybox", "sh", "-c"), ("ash", "sh", "unix")),
    "zsh": (("zsh", "-f", "-c"), ("zsh", "unix")),
    "zsh as sh": (("zsh", "--emulate", "sh", "-f", "-c"), ("sh",)),
    "mksh": (("mksh", "-c"), ("ksh", "sh", "unix")),
    "ksh93": (("ksh93", "-c"), ("ksh", "sh", "unix")),
}
SECONDS = 20
"""That a script may take; one that loops is ended."""
DATA = f"a[$({PROBE})]\n"
"""What stands in the workspace's only file."""


def installed() -> dict[str, tuple[str, ...]]:
    """How to start the shells that are here; the guard's names are in SHELLS."""
    return {
        name: (found, *start[1:])
        for name, (start, _) in SHELLS.items()
        if (found := shutil.which(start[0]))
    }


HIDERS = [
    "(({p}))",
    "((1)) ; (( {p} ))",
    "(( x = 1 # {p}\n))",
    "[[ -n x || {p} ]]",
    "[[ -n x && {p} ]]",
    "[[ a > {o} ]]",
    "[[ a < b ; {p} ]]",
    "[[ ( a ) && {p} ]]",
    "[[ x =~ (a|{p}) ]]",
    "[[ x | {p} ]]",
    "echo $'x\\' ; {p} #'",
    "echo $'x\\' > {o} #'",
    'echo $"x" ; echo "$"\'x\'',
    "echo \"$'x\\' ; {p} #'\"",
    "echo $'a\\'b' $(echo 'c' ; echo $'\\' ; {p} #')",
    "echo >! {o}",
    "echo >>| {o}",
    "echo x >&! {o}",
    "echo x >>& {o}",
    "echo &> {o}",
    "echo x &>> {o}",
    "{{ echo }} always {{ {p} ; }}",
    "{{ echo a }} && {p} }} ; }}",
    "function f {{ {p} ; }}",
    "function f {{\n{p}\n}}",
    "select x in a; do {p}; break; done",
    "a=(x {p})",
    "a=(\n{p}\n)",
    "a+=({p})",
    "echo {{a,$(echo b)}} ; echo {{{p},}}",
    "{{{p},}}",
    "{{:,{p}}}",
    "echo a{{b,c}} > {{{o},x}}",
    ": <({p})",
    "cat <<< x ; {p}",
    "cat <<< $'x\\' ; {p} #'",
    "cat <<E\n$'\nE\n{p}\n'\nE\n",
    "cat <<'E'\n{p}\nE\n",
    "cat <<E\na\\\nE\n{p}\nE\n",
    "cat <<-E\n\tx\n\tE\n{p}\nE\n",
    "cat <<E'F'\nEF\n{p}\nEF",
    "cat <<$'E'\n$E\n{p}\nE\n",
    'cat <<"E"\n$({p})\nE\n',
    "cat << E # \\\nx\nE\n",
    "# \\\n{p}",
    "echo # \\\n{p}",
    "echo a#b ; echo '#' # {p}",
    "echo $((echo '$({p})'))",
    "echo $(( 1 + '$({p})' ))",
    'echo $(("$({p})"))',
    "(( '$({p})' ))",
    "echo $[ 1 ; {p} ]",
    "echo $[$({p})]",
    "echo ${{x/'/}} ; {p} #'}}",
    "echo \"${{x#'}}' ; {p} }}\"",
    "echo \"${{x:-'}}' ; {p} ; '}}\"",
    'echo "${{x%\'"}}" ; {p} # \'}}"',
    'echo "${{x:-"}} ; {p} #"}}"',
    "echo ${{x:-'}}' ; {p} #}}",
    "echo ${{x:+`{p}`}}",
    "x=1; echo ${{x:+$({p})}}",
    "echo ${{x:=a}} ${{x//a/$({p})}}",
    "x=a; echo ${{x/a/`{p}`}}",
    "echo ${{!x}} ${{x@P}}",
    "x='$({p})'; echo ${{x@P}}",
    "x='$({p})'; echo ${{(e)x}}",
    "x='`{p}`'; : ${{x@P}}",
    "x={p}; $=x",
    "x='a b'; set -- $x; {p}",
    "x='echo {p}'; $x",
    "x='{p} x'; $x",
    "x='{p}'; \"$x\"",
    "x='a[$({p})]'; echo $((x))",
    "x='a[$({p})]'; ((x))",
    "x='a[$({p})]'; ((y = x + 1))",
    "x='a[$({p})]'; let x",
    "x='a[$({p})]'; [[ x -eq 1 ]]",
    "x='a[$({p})]'; [[ $x -eq 1 ]]",
    "x='a[$({p})]'; test -v $x",
    "x='a[$({p})]'; [ -v \"$x\" ]",
    "x='a[$({p})]'; printf -v \"$x\" y",
    "x='a[$({p})]'; unset $x",
    "x='a[$({p})]'; read $x < data",
    "x='a[$({p})]'; declare -n y=$x; echo $y",
    "x='a[$({p})]'; for ((i = x; i < 1; i++)); do :; done",
    "x='a[$({p})]'; echo ${{y:x}}",
    "x='a[$({p})]'; echo ${{y[x]}}",
    "x='a[$({p})]'; y=abc; echo ${{y:x:1}}",
    "x='a[$({p})]'; y[x]=1",
    "x='a[$({p})]'; declare -i y=x",
    "x='a[$({p})]'; echo $[x]",
    "x='a[$({p})]'; shift $x",
    "x='a[$({p})]'; return $x",
    "x='a[$({p})]'; exit x",
    "x='a[$({p})]'; wait -p \"$x\"",
    "x='a[$({p})]'; (exit 0) & wait -n -p \"$x\"",
    "wait -p 'a[$({p})]'",
    "unset 'a[$({p})]'",
    "a=1; unset 'a[$({p})]'",
    "printf -v 'a[$({p})]' x",
    "[[ -v a[$({p})] ]]",
    "[[ -v 'a[$({p})]' ]]",
    "a=1; [[ -v 'a[$({p})]' ]]",
    "a=1; test -v 'a[$({p})]'",
    "a=1; [ -v 'a[$({p})]' ]",
    "read 'a[$({p})]' < data",
    "read -a 'a[$({p})]' < data",
    "mapfile 'a[$({p})]' < data",
    "getopts x 'a[$({p})]' -x",
    "let 'a[$({p})]'",
    "let x='a[$({p})]'",
    "declare 'a[$({p})]=1'",
    "export 'a[$({p})]=1'",
    "read x < data; ((x))",
    "read x < data; echo $((x))",
    "read x < data; echo $((x + 1))",
    "read x < data; echo $[x]",
    "read x < data; let x",
    "read x < data; let y=x",
    "read x < data; [[ x -gt 1 ]]",
    "read x < data; [[ $x -gt 1 ]]",
    "read x < data; test $x -gt 1",
    'read x < data; [ "$x" -gt 1 ]',
    "read x < data; for ((i = 0; i < x; i++)); do :; done",
    "read x < data; y=abc; echo ${{y:x}}",
    "read x < data; y=abc; echo ${{y:$x}}",
    "read x < data; a=(1 2); echo ${{a[x]}}",
    "read x < data; a=(1 2); echo ${{a[$x]}}",
    "read x < data; a[x]=1",
    "read x < data; declare -i y; y=$x",
    "read x < data; test -v $x",
    "read x < data; unset $x",
    "read x < data; printf -v $x y",
    "read x < data; printf '%d' $x",
    "read x < data; echo ${{x@P}}",
    "read x < data; echo ${{!x}}",
    "read x < data; declare -n y=$x; echo $y",
    "read x < data; echo {{1..$x}}",
    "read x < data; seq $x",
    "read x < data; shift $x",
    "read x < data; exit $x",
    "read x < data; return $x",
    "read x < data; sleep 0 $x",
    "x=$(cat data); ((x++))",
    "x=$(cat data); echo $((x * 2))",
    "x=$(cat data); echo $(($x * 2))",
    "for x in $(cat data); do ((x)); done",
    "while read x; do ((n += x)); done < data",
    "mapfile a < data; ((a))",
    "mapfile -t a < data; echo $((a[0]))",
    "set -- $(cat data); echo $(($1))",
    "f() {{ echo $(($1 + 1)); }}; f $(cat data)",
    "f() {{ ((n += $1)); }}; f 'a[$({p})]'",
    "typeset -i y; read y < data",
    "integer y; read y < data",
    "echo x | while read y; do ((y)); done",
    "printf 'a[$({p})]\\n' | while read y; do ((y)); done",
    "echo 'x\\n{p}' | cat",
    "eval \"$(echo 'echo x\\n{p}')\"",
    "eval \"$(echo ': \\\\c {p}')\"",
    "x=$(echo 'a\\073 {p}'); eval \"echo $x\"",
    "x=$(echo ': \\073 {p}'); eval $x",
    "alias e='echo '\ne x",
    "alias e='{p}'\ne",
    "alias -g G='; {p}'\necho G",
    "echo !({p})",
    "!({p})",
    "! ({p})",
    "echo @({p})",
    "echo ?({p})",
    "echo x(e:'{p}':)",
    "echo *(e:'{p}':)",
    "echo *(+{p})",
    "echo *.nothing(e:{p}:)",
    "for x ({p}) echo $x",
    "for x in a; {p}",
    "for x in a; {{ {p} }}",
    "for x in a\n{p}",
    "repeat 2 {p}",
    "foreach x (a) {p}; end",
    "if [[ a ]] {{ {p} }}",
    "if true; then echo; else if {p}; then :; fi; fi",
    "while (( 0 )) {{ {p} }}; {p}",
    "case x in x) echo ;& y) {p} ;; esac",
    "case x in x) echo ;;& *) {p} ;; esac",
    "case x in (x) {p} ;; esac",
    "case x {{ x) {p} ;; }}",
    "case '(' in '(') : ;; esac ; echo ')' #{p}",
    "case a in b) echo ';;' ;; esac # ) {p}",
    "noglob {p}",
    "- {p}",
    "builtin {p}",
    "command {p}",
    "exec {p}",
    "nocorrect {p}",
    "time {p}",
    "time -p {p}",
    "! {p}",
    "coproc {p}",
    "{p} |& cat",
    "echo x |& {p}",
    "echo x &| {p}",
    "echo x &! {p}",
    "=probe",
    "echo =({p})",
    "cat =(echo $'x\\' ; {p} #')",
    "echo ${{ {p}; }}",
    "echo ${{|{p};}}",
    "echo $( (echo a); {p} )",
    "echo $((echo a); {p})",
    "((echo a); {p})",
    "( (echo a); (echo $'\\' ; {p} #') )",
    "echo `echo \\`{p}\\``",
    'echo "`echo \\"x\\" ; {p}`"',
    'echo "`echo \\"; {p} ; echo \\"`"',
    "echo \"`echo '\\\"' ; {p} #'`\"",
    "echo `echo \\$'x\\\\' ; {p} #'`",
    "echo `# '` ; {p} # '",
    "echo $(# '\n) ; {p} # '",
    "echo $(case x in x) {p};; esac)",
    'echo "$(echo ")" ; {p})"',
    "echo <1-9> x",
    "echo {{fd}}> {o}",
    "echo 10> {o}",
    "echo x 2>&1 > {o}",
    "export x=$(echo 'a y={p}')",
    "x='1 PATH=.'; export y=$x; ls",
    "f() {p}\nf",
    "f () ( {p} )\nf",
    "f() {{ {p} }}\nf }}",
    "f-g() {{ {p}; }}\nf-g",
    "() {{ {p} }}",
    "function {{ {p} }}",
    "function f g {{ {p} }}; g",
    "trap '{p}' EXIT",
    "trap 'echo $'\\''x\\'\\'' ; {p} #'\\''' EXIT",
    "eval 'echo $'\\''x\\'\\'' ; {p} #'\\'''",
    "eval '((' {p} '))'",
    "eval '[[ x || {p} ]]'",
    "\\\n{p}",
    "ec\\\nho x ; {p}",
    "echo 'a\\\n' ; {p} #'",
    'echo "a\\\\" ; {p} #"',
    "echo \\' ; {p} #'",
    "echo ''' ; {p} #'",
    "echo 'a'' ; {p} #'",
    "echo a;;{p}",
    "echo a &;{p}",
    "echo x\r\n{p}",
    "echo x\v{p}",
    'echo "a!b" ; {p}',
    "echo ~+ ~- ~{p}",
    "[ -n x ] || {p}",
    "[ -n x -a {p} ]",
    "test a > {o}",
    "[ a > {o} ]",
    "[ a ] > {o}",
    "[ a \\> {o} ]",
    "let 'x = 1 > {o}'",
    "let x=1 > {o}",
    "(( 1 > {o} ))",
    "(( 1 > 2 )) > {o}",
    "declare x=1 > {o}",
    "local x > {o}",
    "source /dev/null > {o}",
    "typeset -f > {o}",
    "echo x >|{o}",
    "> {o} echo",
    "<> {o}",
    "{{ :; }} > {o}",
    "( : ) > {o}",
    "if :; then :; fi > {o}",
    "f() {{ :; }} > {o}\nf",
    "exec 3> {o}",
    "exec 33> {o}",
    "echo > {{{o},}}",
    "((1 + ${{|{p};}}))",
    "echo $((1 + ${{ {p}; }}))",
    "echo x | read x < data; a=(1 2); echo ${{a[x]}}",
    "echo x |& read x < data; unset $x",
    "true | x=$(echo ': \\073 {p}'); eval \"$x\"",
    "print -v 'a[$({p})]' x",
    "a=(1 2); read x < data; printf '%d' $x",
    "a=(1 2); read x < data; [ $x -eq 1 ]",
    "a=(1 2); read x < data; exit $x",
    "a=(1 2); read x < data; echo $((x))",
    "set - $(cat data); echo $(($1))",
    "set -e $(cat data); echo $(($1))",
    "a=(1 2); read x < data; printf '%d' $=~x",
    "echo *(N) | read x; echo $x",
]
"""Whole constructs; `{p}` is the probe, `{o}` the file outside."""

PIECES = [
    "{p}", "{p}", "{o}", ">", ">>", "<", "&>", ">&", ">!", ">|", "|&", "|", "||", "&&", ";", ";;",
    ";&", "&", "\n", " ", " ", " ", "'", "'", '"', '"', "`", "\\", "\\'", '\\"', "\\\n", "$'", '$"',
    "$(", ")", "(", "((", "))", "$((", "$[", "]", "[[", "]]", "[", "{{", "}}", "${{", "${{x", ":-",
    "#", "%", "//", "x=", "x", "$x", "a=(", "!", "!(", "@(", "=(", "<(", ">(", "<<<", "<<E\n",
    "\nE\n", "<<'E'\n", "echo ", "echo a", ": ", "true", "if ", "; then ", "; fi", "for x in a",
    "; do ", "; done", "while ", "case x in ", "x) ", " esac", "function f ", "f() ", "f",
    " always ", "time ", "eval ", "select x in a", "export x=", "let ", "test ", "data", "*", "~",
    "{{a,b}}", "-n", "-eq", "1", "=~", "in ", "do ",
]  # fmt: skip
"""What soups are made of: shells differ in what a stretch of these means."""


def scripts(seed: int) -> Iterator[str]:
    """Without end: constructs, constructs in others, and soups of pieces."""
    draw = random.Random(seed)
    fill = {"p": PROBE, "o": OUTSIDE}
    while True:
        kind = draw.random()
        if kind < 0.05:
            yield f"a=(1 2); {draw.choice(HIDERS).format(**fill)}"
        elif kind < 0.25:
            yield draw.choice(HIDERS).format(**fill)
        elif kind < 0.55:
            yield _joined(draw).format(**fill)
        elif kind < 0.75:
            yield _edited(draw, draw.choice(HIDERS)).format(**fill)
        else:
            count = draw.randint(3, 14)
            yield "".join(draw.choice(PIECES) for _ in range(count)).format(**fill)


def _joined(draw: random.Random) -> str:
    """One construct in another, or beside it."""
    outer, inner = draw.choice(HIDERS), draw.choice(HIDERS)
    form = draw.choice(["{0}; {1}", "{0} && {1}", "{0}\n{1}", "{0} | {1}", "( {0} )", "put"])
    if form == "put":
        return outer.replace("{p}", inner, 1)
    return form.replace("{0}", outer).replace("{1}", inner)


def _edited(draw: random.Random, text: str) -> str:
    """With pieces put in or left out."""
    for _ in range(draw.randint(1, 3)):
        cuts = [at for at in range(len(text) + 1) if not _in_field(text, at)]
        at = draw.choice(cuts)
        if draw.random() < 0.6 or at >= len(text) or text[at] in "{}":
            text = text[:at] + draw.choice(PIECES) + text[at:]
        else:
            text = text[:at] + text[at + 1 :]
    return text


def _in_field(text: str, at: int) -> bool:
    """Within `{p}`, `{o}` or a doubled brace."""
    around = text[max(0, at - 2) : at + 2]
    return any(one in around for one in ("{p", "{o", "p}", "o}", "{{", "}}")) and 0 < at < len(text)


@dataclass(frozen=True)
class Sandbox:
    """A workspace with nothing in it, and a probe beside it."""

    root: Path

    @classmethod
    def made(cls, root: Path) -> "Sandbox":
        """Folders, the probe, a few programs, and a file whose text runs where a sum names it."""
        box = cls(root)
        for name in ("workspace", "outside", "home", "bin"):
            (root / name).mkdir()
        probe = root / "bin" / PROBE
        probe.write_text(f"#!/bin/sh\n: > {root}/ran\n")
        probe.chmod(0o700)
        for name in ("cat", "true", "ls", "seq"):
            if found := shutil.which(name):
                (root / "bin" / name).symlink_to(found)
        box.tidied()
        return box

    @property
    def workspace(self) -> str:
        """Where scripts run."""
        return str(self.root / "workspace")

    def runs(self, start: tuple[str, ...], script: str) -> bool:
        """Whether that shell runs the probe, or writes outside the workspace."""
        seen = (self.root / "ran", self.root / "outside" / "hit")
        for one in seen:
            one.unlink(missing_ok=True)
        environment = {"PATH": str(self.root / "bin"), "HOME": str(self.root / "home")}
        process = subprocess.Popen(
            [*start, script], cwd=self.workspace, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:  # it loops
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.tidied()
        return any(one.exists() for one in seen)

    def tidied(self) -> None:
        """As it was made: what a script left in the workspace is gone."""
        for one in Path(self.workspace).iterdir():
            if one.is_dir() and not one.is_symlink():
                shutil.rmtree(one)
            elif one.name != "data":
                one.unlink()
        (self.root / "workspace" / "data").write_text(DATA)
