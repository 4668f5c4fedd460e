"""Small programs that run others: several at once, with other variables, again on every change."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.programs.packages.sources import LOCAL_TOOLS, file
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    after_dashes,
    ask,
    before_dashes,
    elsewhere,
    has,
    loads,
    loads_in,
    own,
    script,
)
from tabwire_guard.values import Value

LOCAL_TOOLS |= {
    name: name
    for name in words(
        """concurrently cross-env cross-env-shell dotenv dotenvx env-cmd nodemon rimraf del-cli shx
        npm-run-all npm-run-all2 run-p run-s wait-on start-server-and-test lint-staged mkdirp tsx
        ts-node ts-node-dev tsnd vite-node esno jiti babel-node swc-node lefthook husky changeset
        copyfiles cpy ncp onchange chokidar semantic-release release-it np standard-version
        gh-pages patch-package ncu npm-check-updates pm2 forever"""
    )
}

_FILES = words(
    """-r --require -P --project --tsconfig -O --compiler-options --cwd --import --loader --ignore
    --watch -w -e --ext --delay -x --exec --signal --config --env-file --cwd-mode --ignore-watch"""
)


@program("tsx ts-node ts-node-esm ts-node-dev tsnd vite-node esno esmo", runs_project=True)
@program("jiti babel-node swc-node ts-node-script zx pm2 forever", runs_project=True)
def source(call: Call) -> None:
    """Runs a file of source code."""
    if has(call.args, words("-e --eval -p --print -pe -i --interactive")):
        call.ask("run.inline", f"{call.said} runs code given in its arguments")
    loads_in(call, call.args, words("-r --require --import --loader --project -P --tsconfig"))
    names = options(call.args, _FILES - {"-e", "-w", "--watch"}, first=True).operands
    if names and names[0].text == "watch" and call.name == "tsx":
        names = options(names[1:], _FILES - {"-e", "-w", "--watch"}, first=True).operands
    if (
        call.name in ("pm2", "forever")
        and names
        and names[0].text in ("list", "ls", "status", "logs")
    ):
        return
    if names:
        file(call, names[0])
    elif not call.args:
        call.ask("run.typed", f"{call.said} runs whatever is typed into it")


@program("nodemon", runs_project=True)
def nodemon(call: Call) -> None:
    """Runs a command again on every change."""
    said = options(call.args, _FILES, first=True)
    commands = [*said.values("-x", "--exec")]
    for one in commands:
        call.script_of(one, "run by nodemon")
    loads_in(call, call.args, words("-r --require --config"))
    if said.operands and not commands:
        file(call, said.operands[0])


_WATCHERS: dict[str, tuple[str, str, str]] = {
    # options with a value; without one; whose value is a command
    "entr": ("", "-a -c -cc -d -dd -h -n -p -r -s -x -z", ""),
    "watchexec": (
        """-w --watch -W --watch-non-recursive -e --exts -f --filter -i --ignore -d --debounce -s
        --signal --stop-signal --stop-timeout --shell -E --env --ignore-file --filter-file
        --project-origin --workdir --on-busy-update -o --timeout --poll --delay-run --color
        --fs-events --log-file --emit-events-to --map-signal --wrap-process""",
        """-r --restart -c --clear -p --postpone -n -N --notify -q --quiet -v --verbose -1
        --no-vcs-ignore --no-project-ignore --no-global-ignore --no-default-ignore
        --no-discover-ignore --ignore-nothing --bell --timings --no-meta --print-events -I
        --stdin-quit --exit-on-error --no-process-group""",
        "",
    ),
    "chokidar": (
        "-d --debounce -t --throttle -i --ignore --polling-interval --poll-interval",
        "-p --polling -s --follow-symlinks --silent --initial --verbose --concurrent",
        "-c --command",
    ),
    "onchange": (
        "-e --exclude -f --filter -d --delay -j --jobs -p --poll --exclude-path",
        "-i --initial -a --add -k --kill -v --verbose --await-write-finish --no-exclude -w --wait",
        "-o --outpipe",
    ),
    "reflex": (
        "-r --regex -R --inverse-regex -g --glob -G --inverse-glob -c --config -d --decoration"
        " --substitute -t --shutdown-timeout",
        "-s --start-service -e --sequential -v --verbose --all --only-files --only-dirs",
        "",
    ),
    "air": ("-c", "-d -v init", "--build.cmd --build.bin --build.full_bin"),
    "cargo-watch": (
        "-w --watch -i --ignore -C --workdir -B -d --delay -E --env --env-file --features -L",
        "-c --clear -q --quiet --poll --postpone --why -N --notify --no-vcs-ignores --debug "
        "--ignore-nothing --no-restart --no-dot-ignores",
        "-x --exec -s --shell",
    ),
}


@program(" ".join(_WATCHERS), runs_project=True)
def on_change(call: Call) -> None:
    """Runs a command again on every change."""
    with_value, plain, commands = map(words, _WATCHERS[call.name])
    args = call.args
    if call.name == "cargo-watch" and args[:1] and args[0].text == "watch":
        args = args[1:]
    if call.name == "air":
        args = [one._replace(text=re.sub(r"^-(?=\w\w)", "--", one.text)) for one in args]
        named = (one.text.partition("=")[0] for one in args)
        commands |= {name for name in named if re.match(r"--build\..*(?:cmd|bin)$", name)}
    patterns = call.name in ("onchange", "chokidar", "air")  # operands are no command
    said = options(
        [*before_dashes(args)] if patterns else args, with_value | commands, first=not patterns
    )
    unknown = said.unlike(with_value | plain | commands)
    if unknown and not (call.name == "air" and re.match(r"--\w+\.\w+$", unknown)):
        call.ask("unknown.option", f"the effect of {call.said} {unknown} is unknown")
    elsewhere(call, args if patterns else args[: len(args) - len(said.operands)])
    for name, value in said.said:
        if name not in commands or value is None:
            continue
        text = value._replace(text=f"cargo {value.text}") if name in ("-x", "--exec") else value
        call.script_of(text, f"run by {call.said}")
    for value in said.values("-E", "--env"):
        call.runs([Value("env"), value, Value("true")], f"run by {call.said}")
    for value in said.values("-c", "--config") if call.name in ("reflex", "air") else ():
        loads(call, value, "commands of")
    for value in said.values("--shell") if call.name == "watchexec" else ():
        if value.text not in ("none", "sh", "bash", "zsh", "fish", "pwsh", "powershell", "cmd"):
            call.ask("option.code", f"watchexec runs its command with {value.shown}")
    command = said.operands
    if patterns:
        command = after_dashes(args) if call.name == "onchange" else []
    if not command:
        return
    bare = said.has("-n") or any(one.text == "none" for one in said.values("--shell"))
    if call.name == "watchexec" and not bare:
        call.script_of(_joined(command), "run by watchexec")
    elif call.name == "entr" and said.has("-s"):
        call.script_of(command[0], "run by entr")
    else:
        call.runs(command, f"run by {call.said}")


def _joined(words_of: list[Value]) -> Value:
    """The words as one text, as a shell is handed them."""
    taints = frozenset(taint for one in words_of for taint in one.taints)
    return Value(" ".join(one.text for one in words_of), taints)


@program("concurrently", "conc", runs_project=True)
def concurrently(call: Call) -> None:
    """Runs several commands, each one argument."""
    takes = words(
        """-n --names -c --prefix-colors -p --prefix -l --prefix-length -m --max-processes
        -t --timestamp-format --restart-tries --restart-after -s --success --name-separator --hide
        --default-input-target --kill-signal --handle-input-target"""
    )
    said = options(call.args, takes | {"--teardown"})
    for one in [*said.operands, *said.values("--teardown")]:
        runner, colon, name = one.text.partition(":")
        if colon and re.fullmatch(r"npm|yarn|pnpm|bun|node|deno", runner):
            script(call, one._replace(text=name))
        else:
            call.script_of(one, "run by concurrently")


@program("npm-run-all", "npm-run-all2", "run-p", "run-s", runs_project=True)
def run_all(call: Call) -> None:
    """Runs several scripts of package.json."""
    said = options(call.args, words("--npm-path --max-parallel"))
    for one in said.values("--npm-path"):
        call.ask("option.code", f"{call.said} runs {one.shown} instead of npm")
    for one in said.operands:
        # `build:*` is the script's own pattern, whatever the shell makes of it.
        script(call, one if one.holed else Value(one.shown))


@program("start-server-and-test", "server-test", "start-test", runs_project=True)
def server_test(call: Call) -> None:
    """Starts one script, waits, runs another."""
    for one in options(call.args, words("--expect")).operands:
        if " " in one.text:
            call.script_of(one, f"run by {call.said}")
        elif not re.match(r"https?-?(?:get)?://|\d+$|:\d+", one.text):
            script(call, one)


@program("cross-env", "env-cmd", runs_project=True)
def cross_env(call: Call) -> None:
    """Runs a command with other variables: `env` in other words."""
    said = options(call.args, words("-f --file -e --environments -r --rc-file"), first=True)
    for one in said.values("-f", "--file", "-r", "--rc-file"):
        loads(call, one, "variables of")
    if said.operands and said.has("--use-shell"):
        call.script_of(_joined(said.operands), f"run by {call.said}")
    elif said.operands:
        call.runs([Value("env"), *said.operands], f"run by {call.said}")


@program("cross-env-shell", runs_project=True)
def cross_env_shell(call: Call) -> None:
    """The same, through a shell."""
    for one in call.args:
        if not re.match(r"\w+=", one.text):
            call.script_of(one, f"run by {call.said}")


@program("dotenv", "dotenvx", "with-env", "dotenv-cli", runs_project=True)
def dotenv(call: Call) -> None:
    """Runs a command with the variables of a file."""
    takes = words("-e -f -c -v -p --file --env --env-file -o")
    said = options(call.args, takes, first=True)
    if any(not own(call, one) for one in said.values("-e", "-f", "--file", "--env-file")):
        call.ask("option.elsewhere", f"{call.said} takes variables from outside the project")
    command = after_dashes(call.args) or said.operands
    if said.has("-o", "-c", "-p") and said.operands and not after_dashes(call.args):
        call.ask("unknown.form", f"what {call.said} runs depends on its version")
    for one in said.values("-v"):
        if "=" in one.text:
            call.runs([Value("env"), one, Value("true")], f"run by {call.said}")
    if command and command[0].text == "run" and command is not after_dashes(call.args):
        command = options(command[1:], takes, first=True).operands
    if command and command[0].text in ("get", "set", "list", "encrypt", "decrypt", "keypair"):
        call.ask("secret.project", f"{call.said} {command[0].text} prints or changes secrets")
    elif command:
        call.runs(command, f"run by {call.said}")
    else:
        call.ask("secret.project", f"{call.said} without a command prints secrets")


@program("doppler infisical op chamber aws-vault teller envchain summon", runs_project=True)
def with_secrets(call: Call) -> None:
    """Hands secrets to a command, or prints them."""
    command = after_dashes(call.args)
    if call.texts in (["--version"], ["--help"], ["help"], ["list"]):
        return
    if command:
        call.ask("secret.hand", f"{call.said} passes secrets to {command[0].shown}")
        call.runs(command, f"run by {call.said}")
    elif has(call.args, words("secrets read get item export print env history document signin")):
        call.deny("secret.read", f"{call.said} prints secrets")
    else:
        call.ask("unknown.verb", f"{call.said} handles secrets")


def _direnv_exec(call: Call, args: list[Value]) -> None:
    if args and not own(call, args[0]):
        call.ask("option.elsewhere", f"direnv loads {args[0].shown}, outside the project")
    if args[1:]:
        call.runs(args[1:], "run by direnv")


_DIRENV = Verbs(
    [
        (PASS, "status version"),
        (_direnv_exec, "exec"),
        (
            ask("package.trust", "lets a file of variables run automatically"),
            "allow permit grant edit",
        ),
        (PASS, "deny block revoke hook export"),
    ]
)


@program("direnv", runs_project=True)
def direnv(call: Call) -> None:
    """Loads variables when a folder is entered."""
    _DIRENV(call)


@program("shx", runs_project=True)
def shx(call: Call) -> None:
    """Unix commands for Windows."""
    if call.args:
        call.runs(call.args, "run by shx")


@program("copyfiles cpy ncp cpx mkdirp", runs_project=True)
def copies(call: Call) -> None:
    """Copies files: the last name is where to."""
    takes = words("-u --up -e --exclude -m --mode --rename --cwd")
    elsewhere(call, call.args)
    names = options(call.args, takes).operands
    for one in names[:-1] if call.name != "mkdirp" else []:
        call.reads(one)
    for one in names[-1:] if call.name != "mkdirp" else names:
        call.writes(one)


_CHANGESET = Verbs(
    [
        (PASS, "status"),
        (ask("package.publish", "publishes"), "publish tag"),
        (ask("package.version", "writes new versions"), "version"),
        (PASS, "add init"),
    ]
)


@program("changeset", runs_project=True)
def changeset(call: Call) -> None:
    """Notes of changes, and releases made of them."""
    _CHANGESET(call)


@program(
    "semantic-release release-it np standard-version gh-pages release-please", runs_project=True
)
def releases(call: Call) -> None:
    """Tools whose whole purpose is to publish."""
    dry = words("--dry-run --help --version") | (
        {"-d"} if call.name == "semantic-release" else set()
    )
    if not has(call.args, dry):
        call.ask("package.publish", f"{call.said} publishes")


@program("ncu", "npm-check-updates", runs_project=True)
def updates(call: Call) -> None:
    """Says which dependencies are old; with -u it writes package.json."""
    if has(call.args, words("-u --upgrade -i --interactive -x --packageManager")) or any(
        re.match(r"-\w*[ui]", text) for text in call.texts
    ):
        call.ask("package.install", f"{call.said} changes the versions in package.json")


@program("husky", "lefthook", "patch-package", "simple-git-hooks", runs_project=True)
def hooks(call: Call) -> None:
    """Scripts that git runs by itself."""
    first = call.texts[:1]
    if call.name == "lefthook" and first in (["run"], ["version"], ["validate"], ["dump"]):
        return
    call.ask("package.hooks", f"{call.said} changes what runs automatically")


@program("lint-staged", "wait-on", runs_project=True)
def staged(call: Call) -> None:
    """Runs the checks the project has named; waits for a port."""
    if call.name == "lint-staged":
        loads_in(call, call.args, words("-c --config --cwd --shell"))
        if has(call.args, words("-c --config")) and "-" in call.texts:
            call.ask("run.unknown", "lint-staged reads its commands from standard input")
    else:
        loads_in(call, call.args, words("-c --config"))
