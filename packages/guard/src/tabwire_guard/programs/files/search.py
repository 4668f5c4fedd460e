"""Programs that search: in text, and for files."""

import re

from tabwire_guard.call import Call
from tabwire_guard.programs.registry import program, words
from tabwire_guard.values import ANY, CLASS, HOLE, STAR, Value

_GREP_TAKES = words(
    "-e -f -A -B -C -m -d -D --include --exclude --exclude-dir --context --after-context "
    "--before-context --max-count --regexp --file --color --colour --binary-files --label "
    "-g -t -T -j -M -r --glob --iglob --type --type-not --type-add --max-depth --threads "
    "--max-columns --max-filesize --sort --sortr --replace --pre --pre-glob --hostname-bin "
    "--engine --colors --path-separator --ignore-file --encoding -E --pager --ignore -G -p"
)


@program("grep egrep fgrep zgrep rg ripgrep ag ack pcregrep pcre2grep ggrep")
def grep(call: Call) -> None:
    """Lines in which something is found."""
    takes = _GREP_TAKES
    if call.name not in ("rg", "ripgrep"):
        takes = takes - {"-g", "-t", "-T", "-j", "-M", "-r", "-E", "-G", "-p"}
    elif call.name in ("rg", "ripgrep"):
        takes = takes - {"-p", "-G", "-d", "-D"}
    said = call.options(takes)
    for option in ("--pre", "--hostname-bin", "--pager"):
        for one in said.values(option):
            if one.text not in ("cat", "less", "less -R", "less -r"):
                call.deny("run.option", f"`{call.name} {option}` runs a program")
                call.script_of(one, option)
    for one in said.values("-f", "--file"):
        call.reads(one)
    paths = (
        said.operands
        if said.has("-e", "-f", "--regexp", "--file", "--files")
        else said.operands[1:]
    )
    deep = call.name in ("rg", "ripgrep", "ag", "ack") or said.has(
        "-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories"
    )
    for one in paths:
        call.reads(one, deep=deep)
    if said.has("-l", "--files-with-matches", "--files", "-L"):
        roots = [one.text for one in paths] or ["."]
        call.output = call.output._replace(items=tuple(f"{one}/{HOLE}" for one in roots))
    if not paths and deep and not call.stdin.piped:
        call.taint("project")
    elif not paths and not said.has("-o", "--only-matching", "-c", "--count", "-r", "--replace"):
        call.passes_names()


_FILTERS = words(
    "-name -iname -path -ipath -regex -iregex -wholename -newer -mtime -mmin -atime -ctime -size "
    "-user -group -perm -empty -amin -cmin -inum -links -samefile -lname -newermt -nouser"
)
_PLAIN = words(
    "-type -xtype -maxdepth -mindepth -print -print0 -printf -prune -not -o -or -a -and -ls -depth "
    "-mount -xdev -follow -quit -true -false -regextype -daystart -noleaf -readable -writable "
    "-executable -fstype -used -d -H -L -P -E -X -s -nowarn -warn -ignore_readdir_race -O1 -O2 -O3"
)
_ONE_VALUE = words(
    "-name -iname -path -ipath -regex -iregex -wholename -newer -mtime -mmin -atime -ctime -size "
    "-user -group -perm -amin -cmin -inum -links -samefile -lname -newermt -type -xtype -maxdepth "
    "-mindepth -printf -regextype -fstype -used"
)


_ACTIVE = str.maketrans({"*": STAR, "?": ANY, "[": CLASS})
_CHOICES = words("-o -or ! -not ,")
"""With these, what is found may have another name than the one that is said."""


@program("find", "gfind", "bfs")
def find(call: Call) -> None:
    """Files by their names and ages; it can also delete them and run programs."""
    args = list(call.args)
    roots: list[Value] = []
    while args and (
        args[0].text in ("-H", "-L", "-P") or not args[0].text.startswith(("-", "(", "!"))
    ):
        if not args[0].text.startswith("-"):
            roots.append(args[0])
        args.pop(0)
    roots = roots or [Value(".")]
    filtered = any(one.text in _FILTERS for one in args)
    wanted = [
        args[at + 1].text for at, one in enumerate(args[:-1]) if one.text in ("-name", "-iname")
    ]
    # One name is what will be found, however deep; of several nobody knows which.
    sure = len(wanted) == 1 and _CHOICES.isdisjoint(call.texts)
    ending = f"{HOLE}/{wanted[0].translate(_ACTIVE)}" if sure else HOLE
    found = [one._replace(text=f"{one.text.rstrip('/')}/{ending}") for one in roots]
    call.output = call.output._replace(items=tuple(one.text for one in found))
    call.names(roots)
    while args:
        text = args.pop(0).text
        if text in _ONE_VALUE:
            args = args[1:]
        elif text == "-delete":
            for one in found if filtered else roots:
                call.deletes(one, deep=True)
        elif text in ("-exec", "-execdir", "-ok", "-okdir"):
            end = next((at for at, one in enumerate(args) if one.text in (";", "+")), len(args))
            inner, args = args[:end], args[end + 1 :]
            kept = call.output
            for one in found:
                call.runs([_put(word, one) for word in inner], f"find {text}")
            call.output = kept._replace(taints=kept.taints | call.output.taints)
        elif text in ("-fprint", "-fprint0", "-fls", "-fprintf"):
            for one in args[:1]:
                call.writes(one)
            args = args[2:] if text == "-fprintf" else args[1:]
        elif text not in _PLAIN and text not in _FILTERS and text not in ("(", ")", "!", ","):
            call.ask("unknown.option", f"`find {Value(text).shown}` is not known")


def _put(word: Value, found: Value) -> Value:
    if "{}" not in word.text:
        return word
    return Value(word.text.replace("{}", found.text), word.taints | found.taints, word.quoted)


@program("fd", "fdfind")
def fd(call: Call) -> None:
    """Files by name; `-x` and `-X` run a program on each."""
    args = list(call.args)
    for at, one in enumerate(args):
        name, equals, value = one.text.partition("=")
        if name in ("--exec", "--exec-batch") or re.fullmatch(r"-[A-Za-z]*[xX]", one.text):
            inner = [one._replace(text=value)] if equals else []
            inner += args[at + 1 :]
            args = args[:at]
            root = Value(f"./{HOLE}")
            if any(word.text.startswith(("/", "~", "..")) for word in args):
                root = Value(f"/{HOLE}")
            if not any("{" in word.text for word in inner):
                inner = [*inner, root]
            call.runs([_put(word, root) for word in inner], "fd -x")
            break
    outside = [one for one in args if one.text.startswith(("/", "~", "..")) or one.holed]
    call.names(outside)
    roots = [one.text for one in outside] or ["."]
    call.output = call.output._replace(items=tuple(f"{one}/{HOLE}" for one in roots))


MAX_ITEMS = 12
"""Lines that are gone through one by one."""


@program("parallel")
def parallel(call: Call) -> None:
    """Runs a command line for each of its arguments."""
    said = call.options(words("-j --jobs -N -n -a --delay --timeout --retries"), first=True)
    known = words(
        "-j --jobs -N -n -a --delay --timeout --retries -k --keep-order -0 --bar --eta -v"
    )
    if unknown := said.unlike(known):
        call.ask("unknown.option", f"`parallel {unknown}` is not known")
    line: list[str] = []
    given: list[Value] = []
    for at, one in enumerate(said.operands):
        if one.text in (":::", "::::", ":::+"):
            given = said.operands[at + 1 :] if one.text == ":::" else [Value(HOLE)]
            break
        line.append(one.text)
    given = given or [Value(one, call.stdin.taints) for one in call.stdin.items or (HOLE,)]
    if "{=" in " ".join(line) or len(given) > MAX_ITEMS:
        call.ask("run.inline", "parallel runs too many commands")
    for item in given[:MAX_ITEMS]:
        text = " ".join(line)
        text = text.replace("{}", item.text) if "{}" in text else f"{text} {item.text}"
        call.script_of(Value(text.strip(), item.taints), "parallel")


@program("fzf", "sk", "peco")
def chooser(call: Call) -> None:
    """Lets a person choose; options of it run programs."""
    call.ask("run.option", "waits for interactive input, and can run programs to show things")
