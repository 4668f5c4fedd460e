"""Programs that run other programs: what they run is judged, and they themselves too."""

import re

from tabwire_guard.call import Call
from tabwire_guard.paths import absolute
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.shell.scripts import piped
from tabwire_guard.values import Value

_PLAIN = {
    # takes a value, stands alone
    "nice": ("-n --adjustment", ""),
    "ionice": ("-c -n", "-t"),
    "nohup": ("", ""),
    "time": ("-f -o --format --output", "-p -v -a -q -l -h"),
    "gtime": ("-f -o --format --output", "-p -v -a -q"),
    "stdbuf": ("-i -o -e --input --output --error", ""),
    "setsid": ("", "-c -f -w --wait --fork"),
    "chronic": ("", "-v -e"),
    "unbuffer": ("", "-p"),
    "caffeinate": ("-t -w", "-d -i -m -s -u"),
    "taskset": ("", "-c --cpu-list"),
    "xvfb-run": ("-n -s -w -f -e -p", "-a -l --auto-servernum"),
    "winpty": ("", ""),
    "noglob": ("", ""),
    "nocorrect": ("", ""),
    "valgrind": ("", "-q -v --leak-check --track-origins --error-exitcode --quiet"),
    "strace": ("-e -o -s -u -E -P", "-f -ff -t -tt -r -T -c -v -y -q -C -x"),
    "ltrace": ("-e -o -s -u", "-f -t -r -T -c -S"),
    "timeout": ("-s -k --signal --kill-after", "-v --foreground --preserve-status --verbose"),
    "gtimeout": ("-s -k --signal --kill-after", "-v --foreground --preserve-status --verbose"),
    "chrt": ("-T -P -D", "-b -f -i -o -r -d -R -v --batch --fifo --idle --other --rr --deadline"),
    "numactl": ("-C -N -m -i -p --cpunodebind --membind --interleave --physcpubind", "-l -a"),
    "cpulimit": ("-l -e -p -P --limit", "-z -i -v -f"),
    "choom": ("-n --adjust", ""),
    "prlimit": ("", "--nofile --nproc --core --as --data --fsize --stack --memlock --cpu --rss"),
    "faketime": ("", "-f -m"),
    "eatmydata": ("", ""),
    "linux32": ("", "-R -B -L -X"),
    "linux64": ("", "-R -B -L -X"),
}
_FIRST_IS_OURS = {"timeout", "gtimeout", "taskset", "chrt", "faketime"}
"""Their first operand is theirs: seconds, a mask."""


@program(*_PLAIN)
def wrapper(call: Call) -> None:
    """Runs a command in some way that does not matter here."""
    takes, flags = (one.split() for one in _PLAIN[call.name])
    said = call.options(takes, first=True)
    unknown = said.unlike({*takes, *flags, "--help", "--version"})
    if unknown and not (call.name == "nice" and unknown[1:].isdigit()):
        # It may take a value, so nobody knows where the command begins.
        call.ask("unknown.option", f"`{call.name} {unknown}` is not known")
    for one in said.values("-o", "--output"):
        if call.name == "stdbuf":
            continue
        if one.text.startswith(("|", "!")):
            call.deny("run.option", f"`{call.name} -o` runs a program")
        call.writes(one)
    rest = said.operands
    if call.name in _FIRST_IS_OURS:
        rest = rest[1:]
    if rest:
        call.runs(rest, call.name)
    elif not said.has("--help", "--version"):
        call.ask("unknown.form", f"{call.name} without a command")


_SHELLS = words("sh bash zsh dash ash ksh fish")


@program("sudo doas pkexec gosu su-exec run0 dzdo")
def sudo(call: Call) -> None:
    """Runs a command as somebody else, mostly root."""
    said = call.options(
        ("-u", "-g", "-p", "-C", "-h", "-r", "-t", "-T", "-U", "-D", "-R", "--user", "--group"),
        first=True,
    )
    call.ask("privilege.elevate", f"{call.name} runs it as another user")
    rest = list(said.operands)
    if call.name in ("gosu", "su-exec"):
        rest = rest[1:]
    while rest and re.fullmatch(r"[A-Za-z_]\w*=.*", rest[0].text):
        _assigned(call, rest.pop(0))
    if said.has("-e", "--edit"):
        for one in rest:
            call.writes(one)
    elif rest and not (rest[0].text.rsplit("/", 1)[-1] in _SHELLS and len(rest) == 1):
        call.runs(rest, call.name)
    elif rest or said.has("-i", "-s", "--login", "--shell"):
        call.deny("privilege.shell", f"{call.name} opens a root shell")
        if call.stdin.piped:
            call.deny("run.piped", "runs what is piped in, as root")


@program("su", "runuser", "sg", "newgrp")
def su(call: Call) -> None:
    """Becomes somebody else."""
    said = call.options(("-c", "--command", "-s", "--shell", "-g", "-G", "-w", "-u"))
    call.ask("privilege.elevate", f"{call.name} runs it as another user")
    inner = list(said.values("-c", "--command"))
    for one in inner:
        call.script_of(one, call.name)
    if call.name == "runuser" and said.has("-u") and said.operands:
        call.runs(said.operands, call.name)
    elif not inner:
        call.deny("privilege.shell", f"{call.name} opens another user's shell")


def _assigned(call: Call, word: Value) -> None:
    name, _, value = word.text.partition("=")
    call.sets(name, word._replace(text=value))


@program("env", "genv")
def env(call: Call) -> None:
    """Runs a command with other variables; alone it prints all of them."""
    args = list(call.args)
    while args:
        text = args[0].text
        if text in ("-i", "-", "--ignore-environment", "-0", "--null", "-v", "--debug", "--"):
            args.pop(0)
        elif text in ("-C", "--chdir") or text.startswith(("--chdir=", "-C")):
            apart = text in ("-C", "--chdir")
            folder = (
                args[1]
                if apart and len(args) > 1
                else args[0]._replace(text=text.removeprefix("--chdir=").removeprefix("-C"))
            )
            del args[: 2 if apart else 1]
            before = call.state.cwd
            call.state.cwd = absolute(folder.text, call.state) if folder.known else None
            if args:
                call.runs(args, "env -C")
            call.state.cwd = before
            return
        elif text in ("-u", "--unset"):
            del args[:2]
        elif text.startswith(("-u", "--unset=")):
            args.pop(0)
        elif text in ("-S", "--split-string") or text.startswith(("-S", "--split-string=")):
            word = args[1] if text in ("-S", "--split-string") and len(args) > 1 else None
            line = word.text if word else text.removeprefix("--split-string=").removeprefix("-S")
            rest = " ".join(one.text for one in args[2 if word else 1 :])
            call.script(f"env {line} {rest}", "env -S", shell="bash")
            return
        elif re.fullmatch(r"[A-Za-z_]\w*=.*", text, re.DOTALL):
            _assigned(call, args.pop(0))
        else:
            break
    if args and args[0].text.startswith("-"):
        call.ask("unknown.option", f"`env {args[0].shown}` is not known")
    elif args:
        call.runs(args, "env")
    else:
        call.taint("secret")
        call.ask("secret.environment", "prints the environment, where tokens are kept")


@program("busybox", "toybox", "coreutils", "gnubin")
def busybox(call: Call) -> None:
    """Many programs in one."""
    if call.args and not call.texts[0].startswith("-"):
        call.runs(call.args, call.name)
    elif call.texts and call.texts[0] not in ("--list", "--help"):
        call.ask("unknown.option", f"{call.name} {call.texts[0]}")


@program("watch viddy fswatch inotifywait")
def watch(call: Call) -> None:
    """Runs a command again and again, or waits for a change."""
    if call.name in ("fswatch", "inotifywait"):
        if any(one.startswith(("-o", "--outfile", "-d", "--daemon")) for one in call.texts):
            call.ask("unknown.option", f"{call.name} writes a file, or keeps running")
        return
    takes = ("-n", "--interval", "-q", "--equexit")
    said = call.options(takes, first=True)
    flags = words("-d -t -b -e -g -c -x -p -w --differences --no-title --color --errexit --chgexit")
    if unknown := said.unlike(flags | set(takes)):
        call.ask("unknown.option", f"`{call.name} {unknown}` is not known")
    if said.operands:
        line = Value(" ".join(one.text for one in said.operands), _all(said.operands))
        call.script_of(line, call.name)


def _all(values: list[Value]) -> frozenset[str]:
    return frozenset(taint for one in values for taint in one.taints)


@program(
    "script flock scriptreplay unshare nsenter chroot setpriv capsh proot bwrap firejail "
    "fakeroot systemd-run systemd-nspawn schroot lxc-attach runcon start-stop-daemon "
    "daemonize dtach abduco expect screen tmux zellij byobu at batch ssh-agent dbus-launch "
    "xterm gnome-terminal konsole kitty alacritty torsocks proxychains proxychains4 tsocks"
)
def around(call: Call) -> None:
    """Runs commands elsewhere: another terminal, another root, later."""
    said = call.options(_AROUND_TAKES.get(call.name, ()), first=True)
    if call.name == "expect":
        for one in said.values("-c"):
            for inner in re.findall(r"(?:spawn|exec|system)\s+([^;\n]+)", one.text):
                call.script(inner, "expect", shell="sh")
    for one in said.values("-c", "--command"):
        if call.name in ("script", "flock", "capsh"):
            call.script_of(one, f"{call.name} -c")
    rest = said.operands
    if call.name == "flock":
        for one in rest[:1]:
            call.writes(one, append=True)
        rest = rest[1:]
        if said.has("-c"):
            return
        if rest and rest[0].text == "-c":
            call.script_of(Value(" ".join(one.text for one in rest[1:])), "flock -c")
        elif rest:
            call.runs(rest, "flock")
        return
    if call.name in ("tmux", "screen", "zellij", "byobu"):
        _multiplexer(call)
        return
    if call.name in ("at", "batch"):
        if any(one in ("-l", "-V") for one in call.texts):
            return
        call.deny("persist.schedule", "runs it later, unattended")
        if call.stdin.text is not None:
            call.script(call.stdin.text, "later")
        return
    if call.name in ("chroot", "schroot"):
        rest = rest[1:]
    if call.name in ("nsenter", "systemd-nspawn", "lxc-attach", "chroot"):
        call.deny("privilege.namespace", f"{call.name} enters another root or namespace")
    elif call.name in ("systemd-run", "start-stop-daemon", "daemonize"):
        call.ask("persist.service", f"{call.name} leaves a program running")
    elif call.name != "script":
        call.ask("run.elsewhere", f"{call.name} runs it in another place")
    if call.name == "capsh":
        if any(text.startswith("--") for text in call.texts):
            call.ask("privilege.namespace", "changes a program's permissions")
        rest = []
    if rest and call.name not in ("script", "expect", "ssh-agent"):
        call.runs(rest, call.name)
    elif call.name == "script":
        for one in [*rest[:1], *said.values("-O", "-I", "-B", "-T", "--log-out")]:
            call.writes(one)
        if len(rest) > 1:  # as macOS has it: the file, then the command
            call.runs(rest[1:], "script")
        elif call.stdin.piped and not said.has("-c", "--command"):
            piped(call)
        elif not said.has("-c", "--command"):
            call.ask("interactive", "script waits for interactive input")


_AROUND_TAKES = {
    "script": ("-c", "--command", "-O", "-I", "-B", "-T", "-E", "-m", "-o"),
    "flock": ("-c", "--command", "-w", "--timeout", "-E"),
    "systemd-run": (
        "-p",
        "--property",
        "--unit",
        "-u",
        "-E",
        "--slice",
        "--uid",
        "--gid",
        "--on-calendar",
        "--on-active",
        "-M",
        "--description",
        "--working-directory",
    ),
    "unshare": ("--map-user", "--map-group", "-S", "-G", "-R", "-w"),
    "nsenter": ("-t", "--target", "-S", "-G", "-r", "-w"),
    "setpriv": ("--reuid", "--regid", "--groups", "--inh-caps", "--bounding-set", "--ambient-caps"),
    "bwrap": ("--setenv", "--unsetenv"),
    "fakeroot": ("-l", "-s", "-i", "-b"),
    "expect": ("-c", "-f"),
    "xterm": ("-T", "-e"),
    "runcon": ("-t", "-u", "-r", "-l"),
    "capsh": ("-c",),
}
_MUX_READ = words(
    "ls list list-sessions lsw list-windows lsp list-panes info has has-session -V -ls "
    "capture-pane capturep display-message show-options"
)


def _multiplexer(call: Call) -> None:
    if any(one in (";", "\\;") or "#(" in one for one in call.texts):
        call.deny("run.option", f"{call.name} runs more than one thing")
    verb = next((one for one in call.texts if not one.startswith("-") or one in ("-ls", "-V")), "")
    if verb in _MUX_READ or "-ls" in call.texts:
        return
    call.ask("run.elsewhere", f"{call.name} runs it out of sight")
    for one in call.args:
        if " " in one.text and not one.text.startswith("-"):
            typed = re.sub(r"(?:\\+[nr]|\\+01[25]|\^[MJ])", "\n", one.text)
            call.script_of(one._replace(text=typed), call.name)
    if "-dm" in call.texts or "-dmS" in call.texts or "-d" in call.texts:
        rest = [one for one in call.args if not one.text.startswith("-")]
        names = 2 if "-dmS" in call.texts else 1
        inner = rest[names - 1 :] if call.name == "screen" else []
        if inner:
            call.runs(inner, call.name)
