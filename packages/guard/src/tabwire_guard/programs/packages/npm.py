"""npm and its kin: what installs, what publishes, what runs the project's own scripts."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.packages.sources import (
    CACHE,
    CREATE,
    INSTALL,
    LOGIN,
    NPM_CODE,
    PUBLISH,
    REGISTRY,
    REMOVE,
    SETTINGS,
    UPGRADE,
    fetch_and_run,
    registries,
    run_here,
    run_script,
    runs_after,
)
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    after_dashes,
    ask,
    deny,
    flag,
    loads_in,
    own,
)
from tabwire_guard.values import Value

_KEYS = pattern(r"_auth|token|password|_password|secret", re.I)
_STEERING = pattern(
    r"registry|script-shell|shell|node-options|proxy|strict-ssl|cafile|^ca$|ignore-scripts|prefix"
    r"|git|editor|npmRegistryServer|unsafe|yarnPath|plugins|onload-script",
    re.I,
)


def _set(call: Call, args: list[Value]) -> None:
    """`config set KEY VALUE`, `config set KEY=VALUE`."""
    names = [one for one in args if not one.text.startswith("-")]
    text = " ".join(one.text for one in names)
    if _KEYS.search(text):
        call.deny("package.token", f"{call.said} stores a token: {names[0].shown}")
    elif any(_STEERING.search(one.text.partition("=")[0]) for one in names[:1]):
        call.deny(REGISTRY, f"{names[0].shown} affects all later installs")
    else:
        SETTINGS.of(call, f"{call.said} config set:")


def _pkg_set(call: Call, args: list[Value]) -> None:
    """Writes package.json: a script set here runs with the next `npm test`."""
    SETTINGS.of(call, "npm pkg set:")
    for one in options(args).operands:
        name, _, text = one.text.partition("=")
        if name.startswith("scripts") and text:
            call.script_of(one._replace(text=text), "a script of package.json")


def _get(call: Call, args: list[Value]) -> None:
    if any(_KEYS.search(one.text) for one in args):
        call.deny("package.token", f"{call.said} prints a token")


def _audit(call: Call, args: list[Value]) -> None:
    if flag(args, ("fix", "--fix")):
        INSTALL.of(call, f"{call.said} audit fix:")


def _version(call: Call, args: list[Value]) -> None:
    if options(args).operands:
        call.ask("package.version", f"{call.said} version writes a new version, commits and tags")


def _in_workspace(call: Call, args: list[Value]) -> None:
    """`yarn workspace NAME verb`."""
    if len(args) > 1:
        _YARN(call, args[1:])


def _run_everywhere(call: Call, args: list[Value]) -> None:
    """`yarn workspaces foreach -A run build`."""
    said = options(args, ("--from", "--include", "--exclude", "-j", "--jobs"), first=True)
    if said.operands:
        _YARN(call, said.operands)


def _dashed(one: Value) -> Value:
    """npm takes `-script-shell` and `--script_shell` for `--script-shell`."""
    if not re.match(r"-+[A-Za-z][\w-]{3,}", one.text):
        return one
    name, equals, value = one.text.lstrip("-").partition("=")
    return one._replace(text=f"--{name.replace('_', '-')}{equals}{value}")


def npm_like(call: Call, verbs: Verbs) -> None:
    """What all of them have in common: registries, other folders."""
    at = len(call.args) - len(after_dashes(call.args))
    call.args = [*map(_dashed, call.args[:at]), *call.args[at:]]
    head = call.args[: len(call.args) - len(after_dashes(call.args))]
    registries(call, head, "--registry --npm-registry-server")
    wanted = words(
        """--prefix -C --cwd --dir --userconfig --globalconfig --use-yarnrc --modules-dir --cache
        --logs-dir --virtual-store-dir --store-dir --lockfile-dir --pack-destination --out-file
        --cache-folder --modules-folder"""
    )
    for value in options(head, wanted).values(*wanted):
        if not own(call, value):
            call.ask("option.elsewhere", f"{call.said} works in {value.shown}, not in the project")
    verbs(call)


_NPM = Verbs(
    [
        (loads_in, "test t tst start restart"),
        (PASS, """ls list la ll outdated view info show v explain why
            doctor ping search find s se prefix root bin fund query pack whoami completion diff sbom
            cache/{ls,verify} pkg/get config/{list,ls} licenses help-search dist-tag/{ls,list}
            owner/ls"""),
        (run_script, "run run-script rum urn stop"),
        (fetch_and_run, "exec x"),
        (_audit, "audit"),
        (_version, "version verison"),
        (_set, "config/set set c/set"),
        (_get, "config/get get c/get"),
        (SETTINGS, "config/{edit,delete,fix} pkg/{delete,fix}"),
        (_pkg_set, "pkg/set set-script"),
        (INSTALL, """install i in ins inst insta instal isnt isnta isntal add ci clean-install ic
            install-clean isntall-clean install-test it install-ci-test cit update up upgrade udpate
            link ln dedupe ddp rebuild rb shrinkwrap"""),
        (REMOVE, "uninstall unlink remove rm r un prune"),
        (CREATE, "init create innit"),
        (PUBLISH, "publish deprecate undeprecate dist-tag/{add,rm} star unstar owner/{add,rm}"),
        (deny("package.unpublish", "withdraws published versions for everyone"), "unpublish"),
        (LOGIN, "login adduser add-user logout token profile access team org hook"),
        (CACHE, "cache/{clean,clear,rm,add}"),
    ],
    takes="--prefix -C -w --workspace --loglevel --registry --userconfig --cache",
    flags="""-s --silent -q --quiet -d --verbose --workspaces -ws --include-workspace-root --json
        --no-color --color --offline --prefer-offline --if-present --no-audit --no-fund -g""",
    options=NPM_CODE,
    dry="--dry-run",
)  # fmt: skip
_YARN = Verbs(
    [
        (PASS, """list info why outdated audit versions version-check bin licenses check owner/list
            config/{list,current} workspaces/{info,list} node/-v help cache/{list,dir} explain
            npm/{audit,info,whoami} constraints/query pack dedupe/--check"""),
        (run_script, "run"),
        (_version, "version"),
        (runs_after, "exec"),
        (fetch_and_run, "dlx"),
        (_set, "config/set"),
        (_get, "config/get"),
        (SETTINGS, "config/{delete,unset} set policies plugin/{import,remove} set/{version}"),
        (INSTALL, """install add upgrade up upgrade-interactive link import dedupe rebuild
            install-test workspaces/focus patch patch-commit unplug global/{add,upgrade}
            autoclean"""),
        (REMOVE, "remove unlink global/remove"),
        (CREATE, "create init"),
        (PUBLISH, "publish npm/publish npm/tag tag"),
        (LOGIN, "login logout npm/{login,logout} owner team"),
        (CACHE, "cache/{clean,clear}"),
        (_in_workspace, "workspace"),
        (_run_everywhere, "workspaces/{foreach,run}"),
    ],
    takes="--cwd --registry --use-yarnrc",
    flags="-s --silent --verbose --offline --json --no-progress --non-interactive --immutable",
    options=NPM_CODE,
    other=run_here,
    bare=INSTALL,
    dry="--dry-run -n",
)  # fmt: skip
_PNPM = Verbs(
    [
        (loads_in, "test t tst start"),
        (PASS, """ls list la ll outdated why audit licenses root bin store/{path,status}
            config/list view info show env/list cat-file find-hash pack doctor licenses/list search
            whoami ping help"""),
        (run_script, "run run-script stop restart"),
        (runs_after, "exec"),
        (fetch_and_run, "dlx"),
        (_version, "version"),
        (_set, "config/set set c/set"),
        (_get, "config/get get c/get"),
        (SETTINGS, "config/delete"),
        (INSTALL, """install i add ci update up upgrade link ln import rebuild rb dedupe fetch
            install-test it env/{use,add} patch patch-commit approve-builds self-update deploy
            setup"""),
        (REMOVE, "remove rm uninstall un unlink prune store/prune env/remove patch-remove"),
        (CREATE, "create init"),
        (PUBLISH, "publish"),
        (LOGIN, "login logout token"),
        (CACHE, "cache/delete"),
        (ask("package.server", "starts or stops the store server"), "server"),
    ],
    takes="-C --dir --filter -F --loglevel --registry --reporter --workspace-concurrency",
    flags="""-r --recursive -s --silent -w --workspace-root --parallel --stream --if-present --json
        --offline --no-color --color --aggregate-output --no-bail --bail -q --sequential""",
    options=NPM_CODE,
    other=run_here,
    dry="--dry-run",
)  # fmt: skip


@program("npm", runs_project=True)
def npm(call: Call) -> None:
    """npm."""
    npm_like(call, _NPM)


@program("yarn", "yarnpkg", runs_project=True)
def yarn(call: Call) -> None:
    """Yarn, old and new."""
    npm_like(call, _YARN)


@program("pnpm", "pn", runs_project=True)
def pnpm(call: Call) -> None:
    """pnpm."""
    npm_like(call, _PNPM)


@program("npx", "bunx", "pnpx", "dlx", runs_project=True)
def npx(call: Call) -> None:
    """Runs what is here, or downloads it and runs it."""
    if call.texts != ["--version"]:
        fetch_and_run(call, call.args)


@program("corepack", runs_project=True)
def corepack(call: Call) -> None:
    """Stands in for yarn and pnpm, or installs them."""
    first = call.args[0] if call.args else Value("--version")
    name = first.text.partition("@")[0]
    if name in ("yarn", "pnpm", "npm", "npx", "yarnpkg", "pnpx"):
        call.runs([Value(name), *call.args[1:]], "run by corepack")
    elif first.text not in ("--version", "--help", "-v"):
        UPGRADE.of(call, f"corepack {first.shown}:")
