"""Python tools that make environments and run the project's checks in them."""

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.programs.packages.sources import (
    CACHE,
)
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    after_dashes,
    ask,
    is_url,
    loads,
    own,
    script,
)


@program("tox", "nox", runs_project=True)
def sessions(call: Call) -> None:
    """Runs the project's tests in fresh environments."""
    takes = words(
        """-c --conf -f --noxfile -s --session --sessions -e -k -t --tags --workdir --root --rootdir
        --envdir -x --override -p --python --pythons --parallel -m --result-json --installpkg"""
    )
    said = options(call.args, takes)
    for one in said.values("-c", "--conf", "-f", "--noxfile", "--root", "--rootdir", "--workdir"):
        loads(call, one, "what it runs:")
    for one in said.values("-x", "--override"):
        call.ask("option.code", f"{one.shown} overrides what tox runs")
    if call.name == "tox" and call.texts[:1] == ["exec"] and (command := after_dashes(call.args)):
        call.runs(command, "run by tox")
    for one in said.values("-s", "--session", "--sessions", "-e"):
        if not (call.name == "nox" and one.text.startswith("-")):
            script(call, one)


_PRE_COMMIT = Verbs(
    [
        (PASS, "run validate-config validate-manifest sample-config"),
        (
            ask("package.hooks", "changes what git runs automatically"),
            "install uninstall init-templatedir",
        ),
        (ask("package.install", "downloads hooks"), "install-hooks autoupdate migrate-config"),
        (ask("package.run", "downloads hooks and runs them"), "try-repo"),
        (CACHE, "clean gc"),
    ],
)


@program("pre-commit", "prek", runs_project=True)
def pre_commit(call: Call) -> None:
    """Runs the project's checks."""
    for one in options(call.args, ("-c", "--config")).values("-c", "--config"):
        loads(call, one, "hooks of")
    if call.texts[:1] == ["try-repo"] and any(is_url(text) for text in call.texts):
        call.deny("run.remote", "pre-commit try-repo runs hooks straight from a repository")
    _PRE_COMMIT(call)


@program("virtualenv", runs_project=True)
def virtualenv(call: Call) -> None:
    """Makes an environment in a folder."""
    for one in options(call.args, words("-p --python --prompt --seeder --app-data")).operands:
        if not own(call, one):
            call.writes(one)
