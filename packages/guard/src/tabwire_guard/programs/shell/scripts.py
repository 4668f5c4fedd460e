"""Shells: a script in an argument, in a file, or piped in."""

from tabwire_guard.call import Call
from tabwire_guard.dialects import NAMES
from tabwire_guard.paths import Place, absolute
from tabwire_guard.programs.registry import program
from tabwire_guard.values import Value


@program(
    "sh bash zsh dash ash hush ksh mksh ksh93 oksh pdksh lksh yash rbash fish csh tcsh elvish "
    "xonsh nu oil osh git-bash"
)
def shell(call: Call) -> None:
    """Runs a script."""
    args = list(call.args)
    letters = ""
    while args and args[0].text.startswith(("-", "+")) and args[0].text not in ("-", "--"):
        text = args.pop(0).text
        if text in ("--rcfile", "--init-file"):
            call.deny("run.option", f"`{call.name} {text}` runs a file first")
            args = args[1:]
        elif text.startswith("--"):
            if text in ("--version", "--help") and len(call.args) == 1:
                return
            if text in ("--command", "--init-command"):
                letters += "c"
        else:
            letters += text[1:]
            if text in ("-o", "+o", "-O", "+O"):
                args = args[1:]
    if args and args[0].text in ("-", "--"):
        args.pop(0)
    if "c" in letters:
        _given(call, args)
    elif args and "s" not in letters:
        script_file(call, args[0], only_checked="n" in letters)
    elif call.stdin.piped:
        piped(call)
    elif "V" not in letters and "v" not in letters:
        call.ask("interactive", f"{call.name} waits for interactive input")


def _given(call: Call, args: list[Value]) -> None:
    if not args:
        call.ask("unknown.form", f"{call.name} -c without a command")
        return
    for at, one in enumerate(args[1:10]):
        call.state.variables[str(at)] = one
    call.state.variables["@"] = Value(" ".join(one.text for one in args[2:]))
    word = args[0]
    if "decoded" in word.taints:
        call.deny("run.hidden", "runs text that was encoded")
    if call.name in ("fish", "csh", "tcsh", "elvish", "xonsh", "nu"):
        call.ask("run.shell", f"{call.name} is read as if it were bash")
    call.script_of(word, f"{call.name} -c", shell=_read_as(call))


def _read_as(call: Call) -> str:
    return NAMES.get(call.name, "login")


def script_file(call: Call, file: Value, *, only_checked: bool = False) -> None:
    """A file that is run."""
    full = absolute(file.text, call.state)
    if only_checked:
        call.reads(file)
    elif "remote" in file.taints or call.state.downloaded(full) or call.far(file):
        call.deny("download.run", "runs what comes over the network")
    elif full in call.state.files:
        call.script(
            call.state.files[full], f"{file.shown}, as it was just written", shell=_read_as(call)
        )
        call.ask("run.written", f"runs {file.shown}, which it has just written")
    elif file.text.startswith("/dev/"):
        if file.text == "/dev/stdin":
            piped(call)
        else:
            call.deny("run.hidden", "runs text that is made as it runs")
    elif call.place(file) in (Place.TEMP, Place.TEMPS, Place.HOME, Place.STARTUP, Place.OUTSIDE):
        call.ask("run.outside", f"runs {file.shown}, from outside the workspace")
    else:
        call.ask("run.script", f"runs the script {file.shown}, whose content is not known")


def piped(call: Call, *, shell: str = "") -> None:
    """What is piped in is run."""
    text, taints = call.stdin.text, call.stdin.taints
    if "remote" in taints:
        call.deny("download.run", "runs what comes over the network")
    elif text is None:
        call.deny("run.piped", "runs what is piped in, unreviewed")
    else:
        if "decoded" in taints:
            call.deny("run.hidden", "runs text that was encoded")
        call.ask("run.piped", "runs text that is piped in")
        call.script(text, "piped in", shell=shell or _read_as(call))
