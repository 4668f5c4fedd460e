"""What bash does itself, where it is more than printing."""

import re

from tabwire_guard.call import Call
from tabwire_guard.paths import absolute
from tabwire_guard.programs.registry import program
from tabwire_guard.programs.shell.scripts import piped
from tabwire_guard.values import HOLE, Value


@program("cd pushd popd chdir z")
def cd(call: Call) -> None:
    """Goes elsewhere; from here on relative paths mean something else."""
    said = [one for one in call.args if not re.fullmatch(r"-[PLe@]+|--|/[dD]", one.text)]
    call.gives("")
    turned = call.name == "pushd" and (not said or re.fullmatch(r"[+-]\d+", said[0].text))
    if call.name in ("popd", "z") or turned or (said and said[0].text == "-"):
        call.state.cwd = None
        call.state.variables.pop("PWD", None)
        return
    target = said[0] if said else Value(call.state.home)
    call.state.cwd = absolute(target.text, call.state) if target.known else None
    if call.state.cwd is not None:
        call.state.variables["PWD"] = Value(call.state.cwd)
    else:
        call.state.variables.pop("PWD", None)


@program("set")
def set_(call: Call) -> None:
    """Switches of the shell, or its arguments."""
    texts = call.texts
    if not texts:
        call.taint("secret")
        call.ask("secret.environment", "prints all variables, where tokens may be")
        return
    for at, one in enumerate(texts):
        if one == "--":
            break
        named = texts[at + 1] if one in ("-o", "+o") and at + 1 < len(texts) else ""
        if re.fullmatch(r"[-+]\w*[kpPrT]\w*", one) or named in ("keyword", "privileged", "posix"):
            call.ask("shadow", f"`set {one}` changes how commands are read")
    rest = list(call.args)
    while rest and rest[0].text.startswith(("-", "+")):
        one = rest.pop(0).text
        if one in ("--", "-"):
            break
        if re.fullmatch(r"[-+]\w*o", one):
            rest = rest[1:]
    if not rest and "--" not in texts:
        return
    call.state.variables["@"] = Value(" ".join(one.text for one in rest), call.output.taints)
    call.state.variables |= {str(at): word for at, word in enumerate(rest[:9], 1)}


@program(
    "export declare typeset local readonly unset umask ulimit disown fg bg suspend unalias "
    "unsetopt setopt autoload zmodload"
)
def declares(call: Call) -> None:
    """Variables; what is assigned was looked at before."""
    call.gives("")
    if any(re.fullmatch(r"-\w*[ni]\w*", text) for text in call.texts) and call.name != "export":
        call.ask("run.hidden", "a variable that refers to another, or is evaluated as arithmetic")
    for one in call.args:
        name, equals, value = one.text.partition("=")
        if equals and re.fullmatch(r"\w+\+?", name):
            assigned = one._replace(text=value)
            call.sets(name.rstrip("+"), assigned)
            call.state.variables[name.rstrip("+")] = assigned
        elif "[" in name or "$(" in name or "`" in name:
            call.deny("run.hidden", "a variable's name that runs something")
        elif equals and HOLE in name:
            call.ask("run.hidden", "sets a variable that is known only at run time")
        elif call.name == "export" and (held := call.state.variables.get(name)) is not None:
            call.sets(name, held)  # from here on programs see it
    if call.name in ("export", "declare", "typeset") and (
        not call.args or all(text in ("-p", "-x", "-px") for text in call.texts)
    ):
        call.taint("secret")
        call.ask("secret.environment", "prints variables, where tokens may be")
    if call.name == "unset":
        for text in call.texts:
            call.state.variables.pop(text, None)
            if text.startswith("HIST"):
                call.deny("system.logs", "turns off the shell's history")


@program("alias", "abbr")
def alias(call: Call) -> None:
    """A name for a command line."""
    for one in call.args:
        name, equals, body = one.text.partition("=")
        if equals and one.known:
            call.script(body, f"alias {name}")
            call.state.aliases[name] = body
        elif equals:
            call.ask("run.unknown", "an alias that is known only at run time")
    call.gives("")


_MAPFILE = ("-d", "-n", "-O", "-s", "-u", "-C", "-c")


@program("read", "mapfile", "readarray")
def read(call: Call) -> None:
    """Puts what comes in into variables."""
    takes = ("-p", "-d", "-n", "-N", "-t", "-u", "-a", "-i") if call.name == "read" else _MAPFILE
    said = call.options(takes)
    for one in said.values("-C"):
        call.ask("run.option", "`mapfile -C` runs something for each line")
        call.script_of(one, "mapfile -C")
    names = [*said.operands, *(said.values("-a") if call.name == "read" else ())]
    items = call.stdin.items
    text = items[0] if len(items) == 1 else HOLE
    if call.stdin.text is not None and "\n" not in call.stdin.text.strip("\n"):
        text = call.stdin.text.strip()
    if len(names) > 1:
        text = HOLE  # how the line is cut is not followed
    for one in names or [Value("REPLY")]:
        if "$(" in one.text or "`" in one.text:
            call.deny("run.hidden", "a variable's name that runs something")
        call.assigns(one.text, Value(text, call.stdin.taints))
    call.gives("")


@program("eval")
def eval_(call: Call) -> None:
    """Its arguments once more, as a command line."""
    taints = frozenset(taint for one in call.args for taint in one.taints)
    text = " ".join(one.text for one in call.args)
    if {"remote", "secret", "decoded"} & taints and not text.strip(HOLE).strip():
        call.deny("run.remote", "runs text that comes from elsewhere")
    elif text.strip() == HOLE and "project" in taints:
        call.deny("run.hidden", "runs what a program or a file says")
    elif "decoded" in taints:
        call.deny("run.hidden", "runs text that was encoded")
        call.script(text, "eval")
    else:
        call.script_of(Value(text, taints), "eval")


@program("source", ".")
def source(call: Call) -> None:
    """A file as a script, in this very shell."""
    if not call.args:
        return
    file = call.args[0]
    full = absolute(file.text, call.state)
    if "remote" in file.taints or call.state.downloaded(full):
        call.deny("download.run", "runs what comes over the network")
    elif full in call.state.files:
        call.script(call.state.files[full], f"{file.shown}, as it was just written")
    elif file.text.endswith(("venv/bin/activate", "env/bin/activate")) and file.known:
        return
    elif file.text in ("/dev/stdin", "-"):
        piped(call)
    elif "decoded" in file.taints or file.text.startswith("/dev/fd/"):
        call.deny("run.hidden", "runs text that is made as it runs")
    else:
        call.ask("run.script", f"runs the script {file.shown}, whose content is not known")


@program("exec")
def exec_(call: Call) -> None:
    """Another program in the place of this shell; alone it only redirects."""
    said = call.options(("-a",), first=True)
    if said.operands:
        call.runs(said.operands, "exec")


@program("trap")
def trap(call: Call) -> None:
    """Something to run later, when a signal or the end comes."""
    said = call.options()
    if said.operands and not said.has("-p", "-l") and said.operands[0].text not in ("-", ""):
        # It runs later, when variables may hold something else.
        kept = dict(call.state.variables)
        call.state.forget(name for name in kept if name not in ("HOME", "PWD", "IFS"))
        call.script_of(said.operands[0], "trap")
        call.state.variables = kept


@program("let")
def let(call: Call) -> None:
    """A sum."""
    if any("$(" in one or "`" in one or "[" in one for one in call.texts):
        call.deny("run.hidden", "arithmetic that runs something")


@program("enable")
def enable(call: Call) -> None:
    """Commands of the shell itself."""
    if any(re.match(r"-\w*f", one) for one in call.texts):
        call.deny("run.option", "`enable -f` loads a library into the shell")
    elif any(one.startswith("-n") for one in call.texts):
        call.ask("shadow", "disables a shell builtin")


@program("bind", "complete", "hash")
def binds(call: Call) -> None:
    """Keys, completions and remembered places of programs."""
    if not call.args or all(one in ("-p", "-P", "-l", "-r", "-v") for one in call.texts):
        return
    if call.name == "hash" and not any(re.match(r"-\w*p", one) for one in call.texts):
        return
    call.deny("shadow", f"`{call.name}` makes a name or a key run something else")


@program("shift", "shopt")
def shift(call: Call) -> None:
    """Arguments move up; switches of bash."""
    call.gives("")
    if call.name == "shift":
        call.state.forget(("@", *map(str, range(1, 10))))
    elif any(one.startswith("-") and set(one) & set("su") for one in call.texts):
        harmless = {"nullglob", "globstar", "failglob", "dotglob", "nocaseglob", "checkwinsize"}
        if not {one for one in call.texts if not one.startswith("-")} <= harmless:
            call.ask("shadow", "changes how commands are read")


@program("jobs", "compgen")
def jobs(call: Call) -> None:
    """What runs beside; words that could be completed."""
    if call.name == "jobs" and "-x" in call.texts:
        call.runs(call.args[call.texts.index("-x") + 1 :], "jobs -x")
    elif call.name == "compgen" and any(re.match(r"-\w*[WCFPSGXo]", one) for one in call.texts):
        call.deny("run.option", "`compgen` runs code given in its options")


@program("command", "builtin")
def command(call: Call) -> None:
    """A program, not the function of that name."""
    args = list(call.args)
    while args and args[0].text in ("-p", "--"):
        args.pop(0)
    if args and args[0].text in ("-v", "-V"):
        return
    if args:
        call.runs(args, call.name)
