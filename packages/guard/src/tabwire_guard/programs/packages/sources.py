"""What fetches packages and runs them, and where they come from: for npm, bun, pip and others."""

import re
from collections.abc import Sequence
from importlib import import_module

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.programs import known_program
from tabwire_guard.programs.registry import words
from tabwire_guard.programs.verbs import (
    LOCAL,
    after_dashes,
    ask,
    deny,
    each,
    flagged,
    host,
    is_url,
    loads,
    script,
)
from tabwire_guard.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")

INSTALL = ask("package.install", "installs third-party code and runs its install scripts")
FETCH = ask("package.install", "downloads third-party code")
REMOVE = ask("package.remove", "removes packages")
PUBLISH = ask("package.publish", "publishes")
LOGIN = deny("package.token", "handles tokens that open the registry")
CREATE = ask("package.create", "downloads a template and runs it")
SETTINGS = ask("package.settings", "changes settings of the package manager")
UPGRADE = ask("package.upgrade", "replaces tools on this machine")
CACHE = ask("package.cache", "empties the cache")
CODE = deny("option.code", "makes it run something else")
REGISTRY = "package.registry"

NPM_CODE = {
    "--script-shell --node-options --onload-script --shell --shell-emulator --pnpmfile": CODE,
    "--git --editor --viewer --browser --init-module --node-gyp --global-pnpmfile --hooks-dir": ask(
        "option.code", "names a program to run"
    ),
    "--unsafe-perm --no-strict-ssl": ask("option.unsafe", "loosens checks"),
}

_PUBLIC = {
    "org": "registry.npmjs pypi test.pypi upload.pypi files.pythonhosted download.pytorch rubygems "
    "proxy.golang repo.maven.apache repo1.maven packagist repo.packagist api.nuget",
    "com": "registry.yarnpkg npm.pkg.github registry.npmmirror",
    "io": "npm.jsr crates index.crates",
    "pm": "hex",
}
TRUSTED = LOCAL | {f"{name}.{end}" for end, names in _PUBLIC.items() for name in names.split()}
"""Where packages come from unless somebody says otherwise."""

_TOOL_ROOMS = (
    "checkers.javascript",
    "checkers.python",
    "checkers.special",
    "databases.migrations",
    "builds.runners",
)
"""Each adds the tools it knows to the two lists below."""


def _loaded(tools: "T") -> "T":
    """A list of tools, with every room imported that adds to it."""
    for room in _TOOL_ROOMS:
        import_module(f"tabwire_guard.programs.{room}")
    return tools


PYTHON_TOOLS: set[str] = set()
"""What `uvx` and `pipx run` may download and run: well-known checkers."""
LOCAL_TOOLS: dict[str, str] = {
    "@biomejs/biome": "biome",
    "@angular/cli": "ng",
    "@playwright/test": "playwright",
    "@changesets/cli": "changeset",
    "typescript": "tsc",
    "storybook": "storybook",
}
"""What a project usually has among its dependencies: `npx eslint` is eslint. Others add to it."""


def registry(call: Call, url: Value) -> None:
    """It takes packages from there."""
    if host(url.text) not in TRUSTED or not url.known:
        call.deny(REGISTRY, f"packages would come from {url.shown}, not from the known registry")


def registries(call: Call, args: Sequence[Value], names: str) -> None:
    """Look at the options that name a registry."""
    wanted = words(names)
    for value in options(args, wanted).values(*wanted):
        registry(call, value)


def tool_at(text: str, runner: str) -> str:
    """The program in `eslint`, `eslint@9`, `ruff==0.9`; empty where nobody knows it."""
    name = re.sub(r"(?<=.)(?:@|==)[\w.^~*-]+$", "", text)
    if runner in ("uv", "uvx", "pipx"):
        return name if name in _loaded(PYTHON_TOOLS) else ""
    return _loaded(LOCAL_TOOLS).get(name, "")


_FETCH_TAKES = words(
    """-p --package -c --call -w --workspace --userconfig --cache --registry --shell --node-options
    --from --spec --with --python --filter -F --index-url --index --extra-index-url -i"""
)


_FETCH_FLAGS = words(
    """-y --yes --no --no-install --quiet -q -s --silent --offline --prefer-offline --bun -b
    --isolated --ignore-existing --no-cache --workspaces --verbose -v --version --help -h
    --refresh --latest"""
)


def fetch_and_run(call: Call, args: list[Value]) -> None:
    """`npx`, `bunx`, `uvx`, `pipx run`: what is not here yet is downloaded and run."""
    said = options(args, _FETCH_TAKES, first=True)
    head = args[: len(args) - len(said.operands)]
    flagged(call, head, each(NPM_CODE))
    for one in said.values("--python", *(("-p",) if call.name in ("uv", "uvx") else ())):
        interpreter(call, one)
    for one in said.values("--userconfig", "--cache"):
        loads(call, one, "its settings:")
    if unknown := said.unlike(_FETCH_TAKES | _FETCH_FLAGS):
        call.ask("unknown.option", f"the effect of {call.said} {unknown} is unknown")
    registries(call, head, "--registry --index-url --index --extra-index-url -i")
    for text in said.values("-c", "--call"):
        call.script_of(text, f"run by {call.said}")
    packages = ("--package", "--from", "--spec", "--with")
    foreign = [*said.values(*packages, *(() if call.name in ("uv", "uvx") else ("-p",)))]
    named = [*foreign, *said.operands[:1]]
    for name in named:
        if is_url(name.text) or re.fullmatch(r"[\w.-]+/[\w.-]+(?:#.*)?", name.text):
            call.deny("run.remote", f"{call.said} runs code straight from {name.shown}")
        elif not name.known:
            call.ask("run.unknown", f"it is unknown what {call.said} runs")
        elif not tool_at(name.text, call.name):
            call.ask("package.run", f"{call.said} downloads {name.shown} if necessary, and runs it")
    if said.operands and (tool := tool_at(said.operands[0].text, call.name)):
        call.runs([Value(tool), *said.operands[1:]], f"run by {call.said}")


def interpreter(call: Call, value: Value) -> None:
    """A version, the name of an interpreter, or a file that is run as one."""
    if not re.fullmatch(r"[\w.+@<>=~!,-]+", value.text):
        loads(call, value, "the interpreter")


def runs_after(call: Call, args: list[Value]) -> None:
    """A wrapper: `exec -- command`, `run command`."""
    said = options(args, ("-C", "--dir", "--filter", "-F", "--resume-from"), first=True)
    command = after_dashes(args) or said.operands
    if said.has("-c", "--shell-mode"):
        for one in command:
            call.script_of(one, f"run by {call.said}")
    elif command:
        call.runs(command, f"run by {call.said}")


def run_script(call: Call, args: list[Value]) -> None:
    """`run NAME`: without a name it lists them."""
    said = options(args, ("-w", "--workspace", "--filter", "-F", "--cwd", "--prefix", "-C"))
    if said.operands:
        script(call, said.operands[0], args)


def run_here(call: Call, args: list[Value]) -> None:
    """`yarn build`, `pnpm eslint .`: a script of the project, or a tool it depends on."""
    name = args[0]
    if tool := _loaded(LOCAL_TOOLS).get(name.text):
        call.runs([Value(tool), *args[1:]], f"run by {call.said}")
    elif _is_program(name.text) and (name.text not in _USUAL or _wraps(args)):
        call.runs(args, f"run by {call.said}")
    else:
        script(call, name, args[1:])


_USUAL = words(
    """test start build dev lint format check watch serve clean docs type types install link compile
    preview bench storybook fmt time env release deploy run stop print info size sync validate"""
)
"""Scripts that are called like programs of the system."""


def _wraps(args: Sequence[Value]) -> bool:
    """`pnpm watch rm x`: should no script be called so, it runs what follows."""
    return args[0].text in ("watch", "time", "env") and bool(options(args[1:]).operands)


def _is_program(name: str) -> bool:
    """What is no script of the project is looked for among the programs of the machine."""
    base = re.split(r"[/\\]", name)[-1].lower().removesuffix(".exe")
    return known_program(base, "bash") is not None


def file(call: Call, name: Value) -> None:
    """It runs a file of source code."""
    if is_url(name.text):
        call.deny("run.remote", f"{call.said} runs code straight from {name.shown}")
    else:
        call.ask("run.file", f"{call.said} runs {name.shown}, whose effect is unknown")
