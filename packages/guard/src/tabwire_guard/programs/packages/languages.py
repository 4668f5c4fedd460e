"""The package managers of other languages, which mostly build and test as well."""

import re
from collections.abc import Sequence

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.packages.sources import (
    CACHE,
    INSTALL,
    LOGIN,
    PUBLISH,
    REGISTRY,
    REMOVE,
    SETTINGS,
    UPGRADE,
    registries,
)
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    after_dashes,
    ask,
    before_dashes,
    deny,
    each,
    elsewhere,
    flagged,
    has,
    loads,
    loads_in,
    own,
    script,
)
from tabwire_guard.values import Value

CLEAN = ask("delete.build", "deletes what was built")
YANK = deny("package.unpublish", "withdraws published versions for everyone")

# Rust

_CARGO_FILES = words("--manifest-path -C --lockfile-path")
_RUSTC_CODE = pattern(
    r"(?:-C|--codegen=?)?\s*(?:linker|link[-_]args?|codegen[-_]backend|llvm[-_]args)="
    r"|-Zcodegen[-_]backend"
)


def _cargo_build(call: Call, args: list[Value]) -> None:
    """Builds, tests or runs what is in the workspace."""
    out = words("--target-dir --out-dir --artifact-dir --output-path --output-dir")
    loading = words("--config-file --tool-config-file --archive-file --command")
    said = options([*before_dashes(args)], out | loading)
    for one in said.values(*out):
        if not own(call, one):
            call.writes(one)
    for one in said.values(*loading):
        loads(call, one, "what it runs:")
    elsewhere(call, args, out | loading | _CARGO_FILES)


def _cargo_rustc(call: Call, args: list[Value]) -> None:
    _cargo_build(call, args)
    rustc_code(call, after_dashes(args))


def rustc_code(call: Call, args: Sequence[Value]) -> None:
    """`-C linker=…` is a program the compiler runs."""
    for at, one in enumerate(args):
        text = (
            one.text
            if one.text not in ("-C", "--codegen")
            else "-C" + "".join(x.text for x in args[at + 1 : at + 2])
        )
        if _RUSTC_CODE.match(text):
            call.ask("option.code", f"the compiler would run {text.partition('=')[2]}")


def _cargo_watch(call: Call, args: list[Value]) -> None:
    said = options(
        args,
        words("-x --exec -s --shell -w --watch -i --ignore -C --workdir -B -d --delay -E --env"),
        first=True,
    )
    for one in said.values("-x", "--exec"):
        call.script_of(one._replace(text=f"cargo {one.text}"), "run by cargo watch")
    for one in said.values("-s", "--shell"):
        call.script_of(one, "run by cargo watch")
    if said.operands:
        call.runs(said.operands, "run by cargo watch")


def _named(call: Call, args: list[Value]) -> None:
    """`cargo xtask NAME`, `rake NAME`, `cargo make NAME`."""
    for one in options(args, words("-p --profile --env -e")).operands[:1]:
        script(call, one)


_CARGO = Verbs(
    [
        (_cargo_build, """build b check c test t bench run r doc d clippy fmt nextest package
            tarpaulin llvm-cov miri"""),
        (_cargo_rustc, "rustc rustdoc"),
        (PASS, """tree metadata search info locate-project pkgid version verify-project report
            read-manifest machete udeps deny audit outdated expand hack semver-checks new init help
            geiger bloat msrv fix sort spellcheck --list config/get insta"""),
        (_cargo_watch, "watch"),
        (_named, "xtask make"),
        (CLEAN, "clean"),
        (INSTALL, "install add update fetch generate-lockfile vendor binstall upgrade generate"),
        (REMOVE, "uninstall remove rm"),
        (PUBLISH, "publish release owner"),
        (YANK, "yank"),
        (LOGIN, "login logout"),
    ],
    takes="--manifest-path -C --color --target-dir",
    flags="""-q --quiet -v --verbose -vv --frozen --locked --offline --list
        +nightly +stable +beta""",
    options={
        "--config": deny("option.code", "may name a program that cargo runs"),
        "-Z": ask("option.unsafe", "enables unstable features"),
    },
    dry="--dry-run -n",
    files=True,
    quiet="--manifest-path -C --target-dir --out-dir --artifact-dir --path --output-path",
)  # fmt: skip


def _rustup_run(call: Call, args: list[Value]) -> None:
    command = options(args, first=True).operands[1:]
    if command:
        call.runs(command, "run by rustup")


_RUSTUP = Verbs(
    [
        (PASS, "show toolchain/list target/list component/list which check doc completions help"),
        (PASS, "override/list show/{active-toolchain,home,profile}"),
        (_rustup_run, "run"),
        (INSTALL, "update install default toolchain/{install,add,link} target/add component/add"),
        (REMOVE, "uninstall toolchain/{uninstall,remove} target/remove component/remove"),
        (UPGRADE, "self override/{set,add,unset} set"),
    ],
    flags="-v --verbose -q --quiet",
)


@program("cargo", runs_project=True)
def cargo(call: Call) -> None:
    """Cargo."""
    args = call.args
    if args and re.fullmatch(r"\+[\w.-]+", args[0].text):
        args = args[1:]
    loads_in(call, [*before_dashes(args)], _CARGO_FILES)
    registries(call, [*before_dashes(args)], "--index")
    _CARGO(call, args)


@program("rustup", runs_project=True)
def rustup(call: Call) -> None:
    """Installs compilers."""
    _RUSTUP(call)


# Ruby


def _gem_sources(call: Call, args: list[Value]) -> None:
    if has(args, words("-a --add -r --remove -c --clear-all")):
        call.deny(REGISTRY, "gem sources changes where packages come from")


def _bundle_exec(call: Call, args: list[Value]) -> None:
    command = options(args, first=True).operands
    if command:
        call.runs(command, "run by bundle")


def _bundle_config(call: Call, args: list[Value]) -> None:
    names = options(args).operands
    if any(re.search(r"mirror|rubygems|ssl|gem\.\w+|://", one.text) for one in names):
        call.deny(REGISTRY, "bundle config changes where packages come from")
    elif len(names) > 1 and names[0].text not in ("get", "list"):
        SETTINGS.of(call, "bundle config:")


_GEM = Verbs(
    [
        (PASS, """list environment env search info specification which contents dependency outdated
            query build help stale check"""),
        (INSTALL, "install i update fetch pristine unpack open"),
        (REMOVE, "uninstall cleanup"),
        (_gem_sources, "sources"),
        (PUBLISH, "push owner"),
        (YANK, "yank"),
        (LOGIN, "signin signout"),
    ]
)  # fmt: skip
_BUNDLE = Verbs(
    [
        (_bundle_exec, "exec e"),
        (PASS, "list show info check outdated audit licenses env platform doctor help viz version"),
        (_bundle_config, "config"),
        (INSTALL, "install update add lock cache package binstubs init plugin gem pristine"),
        (REMOVE, "remove clean"),
    ],
    bare=INSTALL,
)


@program("gem", runs_project=True)
def gem(call: Call) -> None:
    """RubyGems."""
    registries(call, call.args, "-s --source --host")
    _GEM(call)


@program("bundle", "bundler", runs_project=True)
def bundle(call: Call) -> None:
    """Bundler."""
    _BUNDLE(call)


# PHP


def _composer_config(call: Call, args: list[Value]) -> None:
    names = options(args).operands
    if has(args, ("--global", "-g", "--auth", "-a", "--unset")) or len(names) > 1:
        call.deny(REGISTRY, "composer config changes where packages come from or what may run")
    elif any(re.search("auth|token|basic", one.text) for one in names):
        call.deny("package.token", "composer config prints a token")


def _composer_script(call: Call, args: list[Value]) -> None:
    names = options(args, ("-d", "--working-dir", "--timeout"), first=True).operands
    if names:
        script(call, names[0], args)


def _composer_exec(call: Call, args: list[Value]) -> None:
    names = options(args, ("-d", "--working-dir"), first=True).operands
    if names:
        call.runs(names, "run by composer")


_COMPOSER = Verbs(
    [
        (PASS, """show info outdated validate audit licenses check-platform-reqs diagnose depends
            why why-not prohibits suggests status dump-autoload dumpautoload search fund about
            list test"""),
        (_composer_script, "run run-script"),
        (_composer_exec, "exec"),
        (_composer_config, "config"),
        (INSTALL, """install i update u upgrade require r global create-project reinstall init
            archive"""),
        (REMOVE, "remove rm uninstall"),
        (UPGRADE, "self-update selfupdate"),
        (CACHE, "clear-cache clearcache cc"),
    ],
    takes="-d --working-dir",
    flags="-q --quiet -n --no-interaction --ansi --no-ansi -v -vv -vvv --no-plugins --no-scripts",
    other=_composer_script,
    dry="--dry-run",
    files=True,
    quiet="-d --working-dir",
)  # fmt: skip


@program("composer", runs_project=True)
def composer(call: Call) -> None:
    """Composer."""
    for one in options(call.args, ("-d", "--working-dir")).values("-d", "--working-dir"):
        if not own(call, one):
            call.ask("option.elsewhere", f"composer works in {one.shown}, outside the project")
    _COMPOSER(call)


# Elixir, Haskell

_MIX = Verbs(
    [
        (PASS, """test compile format credo dialyzer deps deps.tree hex.info hex.outdated hex.audit
            phx.routes phx.server xref app.tree docs new help coveralls sobelow ecto.migrations
            hex.search loadpaths phx.digest gettext.extract"""),
        (INSTALL, """deps.get deps.update deps.unlock local.hex local.rebar archive.install
            escript.install"""),
        (CLEAN, "clean deps.clean phx.digest.clean"),
        (deny("database.drop", "drops the database"), "ecto.drop ecto.reset"),
        (ask("database.write", "changes the database"), """ecto.migrate ecto.rollback ecto.create
            ecto.setup"""),
        (PUBLISH, "hex.publish release"),
        (LOGIN, "hex.user hex.organization"),
        (deny(REGISTRY, "changes where packages come from"), "hex.repo hex.config"),
    ]
)  # fmt: skip
_HASKELL = Verbs(
    [
        (PASS, """build test bench check haddock run list info path ls outdated gen-bounds format
            freeze dot ide list-bin v2-build v2-test"""),
        (_bundle_exec, "exec"),
        (INSTALL, "install update setup upgrade get fetch unpack init new"),
        (CLEAN, "clean purge"),
        (PUBLISH, "upload sdist report"),
        (ask("run.typed", "runs whatever is typed into it"), "repl ghci script runghc eval"),
    ],
    files=True,
)  # fmt: skip


@program("mix", runs_project=True)
def mix(call: Call) -> None:
    """Mix."""
    loads_in(call, call.args, ("--require", "-r", "--config"))
    _MIX(call)


@program("cabal", "stack", runs_project=True)
def haskell(call: Call) -> None:
    """Cabal and Stack."""
    loads_in(call, call.args, words("--project-file --stack-yaml --config-file"))
    flagged(
        call,
        call.args,
        each({"--with-compiler --with-gcc --with-ld -w": ask("option.code", "names the compiler")}),
    )
    _HASKELL(call)
