"""pip, uv, poetry and their kin."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.programs.packages.sources import (
    CACHE,
    INSTALL,
    LOGIN,
    PUBLISH,
    REGISTRY,
    REMOVE,
    SETTINGS,
    TRUSTED,
    UPGRADE,
    fetch_and_run,
    interpreter,
    registries,
    registry,
    run_here,
)
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    ask,
    deny,
    has,
    host,
    is_url,
    loads,
    own,
)
from tabwire_guard.values import Value

_INDEXES = """-i --index-url --index --default-index --extra-index-url --pypi-url -f --find-links
    --index-servers --trusted-host --allow-insecure-host --proxy --pip-args"""


def _pip_install(call: Call, args: list[Value]) -> None:
    """Names, files of names, folders, URLs."""
    INSTALL.of(call, f"{call.said} install:")
    wanted = words(_INDEXES)
    for name, value in options(args, wanted).said:
        if name in ("--trusted-host", "--allow-insecure-host"):
            call.deny(REGISTRY, f"{call.said} would not verify {value and value.shown}")
        elif name in ("-f", "--find-links") and value is not None and not is_url(value.text):
            continue
        elif name in wanted and value is not None:
            registry(call, value)
    for one in args:
        if (
            re.match(r"(?:git\+)?http://|https?://\d+\.\d+", one.text)
            and host(one.text) not in TRUSTED
        ):
            call.deny(
                "run.remote", f"{call.said} installs {one.shown} over an unverified connection"
            )


def _pip_set(call: Call, args: list[Value]) -> None:
    text = " ".join(one.text for one in args)
    if re.search(r"index|trusted|find-links|proxy|cert|repositor|token|http-basic|source", text):
        call.deny(REGISTRY, f"{call.said} would take packages from elsewhere from now on")
    else:
        SETTINGS.of(call, f"{call.said} config:")


def _shows(call: Call, args: list[Value]) -> None:
    """`config NAME` shows, `config NAME VALUE` sets."""
    if len(options(args).operands) > 1 or has(args, ("--unset", "--add", "--append", "--set")):
        _pip_set(call, args)
    elif any(re.search(r"token|password|http-basic", one.text) for one in args):
        call.deny("package.token", f"{call.said} prints a token")


_PIP = Verbs(
    [
        (PASS, """list show freeze check search index/versions debug inspect hash completion
            config/{list,get,debug} cache/{dir,info,list}"""),
        (_pip_install, "install download wheel lock"),
        (REMOVE, "uninstall"),
        (_pip_set, "config/set"),
        (SETTINGS, "config/{edit,unset}"),
        (CACHE, "cache/{purge,remove}"),
    ],
    takes="--proxy --log --timeout --retries --python --cert --cache-dir",
    files=True,
    quiet="-r --requirement -c --constraint --log --log-file --local-log --report --python",
    flags="-q --quiet -v --verbose --no-input --no-color --disable-pip-version-check --isolated",
)  # fmt: skip
_PIPX = Verbs(
    [
        (PASS, "list environment"),
        (fetch_and_run, "run"),
        (_pip_install, "install inject upgrade upgrade-all reinstall reinstall-all install-all"),
        (REMOVE, "uninstall uninstall-all uninject"),
        (UPGRADE, "ensurepath runpip interpreter"),
    ]
)
_UV_RUN_TAKES = words(
    """--with --with-editable --with-requirements --python -p --extra --group --only-group --project
    --directory --env-file --package --no-group --no-extra --index --index-url --default-index
    --extra-index-url -i -f --find-links --config-file --cache-dir --refresh-package -m --module"""
)


_UV_RUN_FLAGS = words(
    """--frozen --locked --no-sync --isolated --no-project --all-extras --no-dev --dev --only-dev
    --exact --offline -q --quiet -v --verbose --no-cache -n --active --all-groups
    --all-packages --refresh -s --upgrade -U --reinstall --no-editable --script --no-config
    --no-progress --no-env-file"""
)


def _uv_run(call: Call, args: list[Value]) -> None:
    """Runs a command in the project's environment."""
    said = options(args, _UV_RUN_TAKES, first=True)
    registries(
        call, args[: len(args) - len(said.operands)], "--index --index-url -i --default-index"
    )
    for one in said.values("--with", "--with-editable", "--with-requirements"):
        call.ask("package.install", f"uv run installs {one.shown} first")
    for one in said.values("--project", "--directory", "--env-file", "--config-file"):
        loads(call, one, "settings of uv:")
    for one in said.values("--python", "-p"):
        interpreter(call, one)
    if unknown := said.unlike(_UV_RUN_TAKES | _UV_RUN_FLAGS):
        call.ask("unknown.option", f"the effect of uv run {unknown} is unknown")
    for at, one in enumerate(args):
        if one.text in ("-m", "--module"):
            call.runs([Value("python"), Value("-m"), *args[at + 1 :]], "run by uv")
            return
        if one is (said.operands[0] if said.operands else None):
            break
    if not said.operands:
        return
    first = said.operands[0].text
    if is_url(first) or first == "-":
        call.deny("run.remote", f"uv runs code straight from {said.operands[0].shown}")
    elif first.endswith((".py", ".pyw")) or said.has("--script", "-s"):
        call.runs([Value("python"), *said.operands], "run by uv")
    else:
        call.runs(said.operands, "run by uv")


def _uv_writes(call: Call, args: list[Value]) -> None:
    """Writes a file or a folder: that which an option names, or an operand."""
    out = words("-o --output-file --out-dir")
    said = options(args, out | words("-p --python --extra --group --index-url --prompt --name"))
    places = [*said.values(*out)]
    if call.texts[:1] in (["venv"], ["init"]):
        places += said.operands[:1]
    elif call.texts[:1] == ["build"]:
        for one in said.operands[:1]:
            loads(call, one, "build scripts of")
    for one in places:
        if not own(call, one):
            call.writes(one)


_SYNC_KNOWN = words(
    """--offline --frozen --locked --all-extras --all-groups --no-dev --dev --only-dev --group
    --extra --no-group --only-group --no-default-groups --no-install-project --inexact --exact
    --active -q --quiet -v --verbose --no-progress --all-packages --package --no-editable"""
)


def _uv_sync(call: Call, args: list[Value]) -> None:
    """Installs what the lock file names; from what is here already, where it is told so."""
    said = options(args, words("--group --extra --no-group --only-group --package"))
    here = said.has("--offline") and said.has("--frozen", "--locked")
    if not here or said.unlike(_SYNC_KNOWN) or said.operands:
        _pip_install(call, args)


_UV = Verbs(
    [
        (_uv_run, "run"),
        (fetch_and_run, "tool/run x"),
        (_uv_writes, "export build venv init pip/compile"),
        (PASS, """tree version format help generate-shell-completion
            pip/{list,show,freeze,check,tree} python/{list,find,dir} tool/{list,dir}
            cache/{dir,size} self/version workspace/{list,dir,metadata}"""),
        (_uv_sync, "sync"),
        (_pip_install, "pip/{install,sync,download} add tool/{install,upgrade}"),
        (INSTALL, "lock"),
        (REMOVE, "pip/uninstall remove tool/uninstall python/uninstall"),
        (UPGRADE, "python/{install,upgrade,pin} self/update tool/update-shell"),
        (CACHE, "cache/{clean,prune}"),
        (PUBLISH, "publish"),
        (LOGIN, "auth/{login,logout,token,dir}"),
    ],
    takes="--project --directory --config-file --cache-dir --color --python -p",
    flags="-q --quiet -v --verbose --offline --no-cache -n --no-config --no-progress",
    files=True,
    quiet="-r -c -o --output-file -p --python --project --directory",
    options={"--allow-insecure-host": deny(REGISTRY, "would not verify the server")},
    dry="--dry-run --check",
)  # fmt: skip


def _runs(call: Call, args: list[Value]) -> None:
    """`poetry run command`: its words are the command's."""
    if args:
        call.runs(args, f"run by {call.said}")


def _task_or_command(call: Call, args: list[Value]) -> None:
    """`pdm run test`, `hatch run test:cov`: a script of the project, or a command."""
    said = options(args, words("-p --project -e --env -s --site-packages -i -x"), first=True)
    if not said.operands:
        return
    name = said.operands[0]
    env, colon, inner = name.text.rpartition(":")
    if colon and inner and re.fullmatch(r"[\w.+-]+", env):
        # A script of an environment; should there be none, a program of that name.
        run_here(call, [name._replace(text=inner), *said.operands[1:]])
        return
    if re.fullmatch(
        r"(?:py)?test|lint|fmt|format|types?|typing|check|build|docs?|cov|start|dev", name.text
    ):
        return
    call.runs([name, *said.operands[1:]], f"run by {call.said}")


_POETRY = Verbs(
    [
        (_runs, "run"),
        (PASS, """show check about search build new init env/{info,list,activate} export list
            source/show self/show version debug/info help cache/list"""),
        (INSTALL, "install add update sync lock self/{add,install,lock,sync}"),
        (REMOVE, "remove self/remove env/remove"),
        (UPGRADE, "self/update python/{install,remove} env/use"),
        (_shows, "config"),
        (deny(REGISTRY, "takes packages from elsewhere from now on"), "source/{add,remove}"),
        (PUBLISH, "publish"),
        (CACHE, "cache/clear"),
        (ask("run.typed", "opens a shell"), "shell"),
    ],
    takes="-C --directory -P --project",
    flags="-q --quiet -v -vv -vvv --no-interaction -n --ansi --no-ansi --no-plugins --no-cache",
    dry="--dry-run --check",
    files=True,
)  # fmt: skip
_PDM = Verbs(
    [
        (_task_or_command, "run"),
        (PASS, "list show info build search outdated export init venv/list python/list completion"),
        (INSTALL, "install add update sync lock import fix use python/install venv/create"),
        (REMOVE, "remove venv/{remove,purge} python/remove"),
        (UPGRADE, "self plugin"),
        (_shows, "config"),
        (PUBLISH, "publish"),
        (CACHE, "cache"),
    ],
    takes="-p --project -c --config",
    flags="-q --quiet -v -n --non-interactive",
    other=_task_or_command,
    dry="--dry-run --check",
    files=True,
)
_HATCH = Verbs(
    [
        (_task_or_command, "run"),
        (PASS, """test fmt build status version env/{show,find} dep/{show,hash} project/metadata
            config/{show,find} new python/{show,find}"""),
        (INSTALL, "env/create python/{install,update} self"),
        (REMOVE, "env/{remove,prune} clean python/remove"),
        (SETTINGS, "config/{set,restore,explore}"),
        (PUBLISH, "publish"),
        (ask("run.typed", "opens a shell"), "shell"),
    ],
    takes="-e --env -p --project --cache-dir --data-dir --config",
    flags="-q --quiet -v --verbose --no-interactive --no-color",
    files=True,
)  # fmt: skip


_PIPENV = Verbs(
    [
        (_runs, "run"),
        (PASS, "graph check requirements verify scripts"),
        (INSTALL, "install update sync lock upgrade"),
        (REMOVE, "uninstall clean"),
        (ask("run.typed", "opens a shell"), "shell open"),
    ],
    flags="--venv --where --py --envs",
)


def _at_home(call: Call, names: str) -> None:
    """Look at options before the verb that name another project."""
    takes = words(names)
    for one in options(call.args, takes, first=True).values(*takes):
        loads(call, one, "its settings:")


_PIP_FILES = words("--python --log --log-file --local-log --report")


@program("pip", "pip3", "pip2", runs_project=True)
def pip(call: Call) -> None:
    """pip; `python -m pip` is the same."""
    said = options(call.args, _PIP_FILES | words("--proxy --timeout --cert --cache-dir -r -c"))
    for one in said.values("--python"):
        interpreter(call, one)
    for one in said.values("--log", "--log-file", "--local-log", "--report"):
        if one.text != "-":
            call.writes(one)
    _PIP(call)


@program("pipx", runs_project=True)
def pipx(call: Call) -> None:
    """Installs and runs Python programs."""
    _PIPX(call)


@program("uv", runs_project=True)
def uv(call: Call) -> None:
    """uv: projects, environments, tools."""
    if call.texts[:1] != ["run"]:
        for one in options(call.args, ("--python", "-p"), first=False).values("--python", "-p"):
            interpreter(call, one)
    _at_home(call, "--project --directory --config-file")
    _UV(call)


@program("uvx", runs_project=True)
def uvx(call: Call) -> None:
    """Downloads and runs a Python program."""
    if call.texts != ["--version"]:
        fetch_and_run(call, call.args)


@program("poetry", runs_project=True)
def poetry(call: Call) -> None:
    """Poetry."""
    _at_home(call, "-C --directory -P --project")
    _POETRY(call)


@program("pdm", runs_project=True)
def pdm(call: Call) -> None:
    """PDM."""
    _at_home(call, "-p --project -c --config")
    _PDM(call)


@program("hatch", runs_project=True)
def hatch(call: Call) -> None:
    """Hatch."""
    _HATCH(call)


@program("pipenv", runs_project=True)
def pipenv(call: Call) -> None:
    """Pipenv."""
    _PIPENV(call)


@program("rye", runs_project=True)
def rye(call: Call) -> None:
    """Rye, as PDM speaks."""
    _PDM(call)
