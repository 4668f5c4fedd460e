"""Conda, and what builds and uploads Python packages."""

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.programs.packages.sources import (
    CACHE,
    INSTALL,
    PUBLISH,
    REGISTRY,
    REMOVE,
    registry,
)
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import PASS, Verbs, elsewhere, has, loads, own
from tabwire_guard.values import Value


def _conda_run(call: Call, args: list[Value]) -> None:
    command = options(args, words("-n --name -p --prefix --cwd"), first=True).operands
    if command:
        call.runs(command, f"run by {call.said}")


def _conda_config(call: Call, args: list[Value]) -> None:
    if has(args, words("--add --set --append --prepend --remove --remove-key --stdin")):
        call.deny(REGISTRY, f"{call.said} config changes where packages come from")


_CONDA = Verbs(
    [
        (PASS, """list info search env/{list,export} activate deactivate package compare doctor
            repoquery notices export"""),
        (_conda_run, "run"),
        (_conda_config, "config"),
        (INSTALL, "install create update upgrade env/{create,update} init build"),
        (REMOVE, "remove uninstall env/remove rename"),
        (CACHE, "clean"),
    ],
    dry="--dry-run -d",
    files=True,
)  # fmt: skip


@program("conda", "mamba", "micromamba")
def conda(call: Call) -> None:
    """Conda and its faster twins."""
    _CONDA(call)


@program("twine")
def twine(call: Call) -> None:
    """Uploads Python packages."""
    said = options(call.args, words("--repository-url -r --repository -u --username -p --password"))
    for one in said.values("--repository-url"):
        registry(call, one)
    if said.operands and said.operands[0].text != "check":
        PUBLISH.of(call, f"twine {said.operands[0].shown}:")


@program("flit", "pyproject-build", "maturin", "setuptools-scm")
def builds(call: Call) -> None:
    """Builders of Python packages."""
    first = call.texts[:1]
    if first and first[0] in ("publish", "upload", "install", "develop"):
        (PUBLISH if first[0] in ("publish", "upload") else INSTALL).of(
            call, f"{call.said} {first[0]}:"
        )
    elif call.name == "flit" and first not in (["build"], ["--version"], ["init"]):
        call.ask("unknown.verb", f"the effect of flit {''.join(first)} is unknown")
    out = words("-o --outdir --out")
    said = options(call.args, out | words("-C --config-setting -i --interpreter -m"))
    for one in said.values(*out):
        if not own(call, one):
            call.writes(one)
    elsewhere(call, call.args, out)
    for one in said.operands[:1] if call.name == "pyproject-build" else ():
        loads(call, one, "build scripts of")
