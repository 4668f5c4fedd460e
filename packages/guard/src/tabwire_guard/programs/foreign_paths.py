"""Paths out of the project among the words of programs that run what they find there.

The tables know the options of each program; this is the net beneath them. A builder, a test
runner, a generator or a checker with plugins obeys the files of whatever folder it is pointed at,
be it by an operand, by an option nobody has written down, or by the target of another.
"""

import re
from collections.abc import Iterator

from tabwire_guard.call import Call
from tabwire_guard.paths import Place, place
from tabwire_guard.pattern import pattern
from tabwire_guard.values import HOLE, PROJECT, Value

_READERS = frozenset(
    """
    shellcheck shfmt bashate checkbashisms hadolint yamllint actionlint jsonlint taplo dotenv-linter
    editorconfig-checker ec kubeval kubeconform kube-linter kube-score dockle checkmake gitlint
    trivy grype syft gitleaks detect-secrets trufflehog osv-scanner gofmt goimports gofumpt golines
    gci misspell rustfmt clang-format cpplint astyle uncrustify indent cloc tokei scc loc gocloc
    sloccount pygount onefetch black ruff isort pycodestyle pydocstyle pyflakes autopep8 yapf
    codespell typos proselint vale mdl luacheck stylua selene lua-format nixfmt alejandra statix
    deadnix nixpkgs-fmt elm-format ormolu fourmolu hlint terraform-docs buildifier cmake-format
    cmake-lint fprettify dartfmt ocamlformat swiftformat swift-format dot neato fdp sfdp twopi
    circo plantuml dtc gs pdoc radon vulture interrogate bandit parallel-lint jscpd htmlhint
    mkdirp copyfiles cpy ncp cpx wait-on rimraf virtualenv sphinx-build sass lessc
    """.split()
)
"""They run nothing of what they are pointed at, or the tables look at each of their words."""
_WRITES = pattern(
    r"-[oO]|--?(?:[\w-]+[-._])?(?:out\w*|output|report\w*|junit\w*|xml|html|json|csv|sarif|log\w*"
    r"|cache\w*|coverage\w*|cover\w*|results?|dest\w*|target-dir|dir-out|profile|trace|metrics"
    r"|artifacts?|archive|cpuprofile|memprofile|derivedDataPath|resultBundlePath|archivePath|basetemp|temp\w*|tmp\w*|install-prefix"
    r")(?:[-._](?:file|dir|path|directory|location|to|folder|root|format|report|junit\w*|out))?",
    re.IGNORECASE,
)
"""Options whose path is written to: the tables say of it what is to be said."""
_TEXTS = pattern(
    r"-[UWkmtg]|-D.*|(?i:--?(?:run|bench|skip|grep|filter|testNamePattern|base|base-href|href|url|host"
    r"|public-\w+|route\w*|path-prefix|mount-path|ignore\w*|exclude\w*|libdir|bindir"
    r"|message|name|tags?|\w*(?:pattern|regex|match)\w*|args?|define|ldflags|gcflags))"
)
"""Options whose value is a text, a place in a URL, or a folder that is only looked through."""
_LOOKED_THROUGH = {
    name: frozenset(options.split())
    for names, options in (
        ("cmake meson xmake waf scons premake5", "--prefix --install-prefix"),
        ("protoc clang-tidy verilator iverilog cppcheck buf", "-I -L"),
    )
    for name in names.split()
}
"""Folders that are installed to, or in which files are only looked up."""
_LABELS = frozenset("bazel bazelisk buck2 pants please".split())
"""They name what they build as `//folder:name`."""
_SCRIPTS = frozenset("npm pnpm yarn bun".split())
_TESTS = pattern(r"(?:test|t|tst|spec|e2e|unit|integration|jest|vitest|mocha)(?![\w-])")
"""Scripts that run the files they are handed behind `--`."""
_PATH = pattern(r"(?:file:)?(?:/|~|\.\.(?:[/\\]|$)|[A-Za-z]:[\\/]|\\\\)")
_SWITCH = pattern(r"/[A-Za-z?][\w-]*(?::.*)?", re.DOTALL)
"""`/p:Configuration=Release`, as Windows' programs have it."""
_FOREIGN = frozenset(
    (
        Place.ROOT, Place.SYSTEM, Place.HOMES, Place.HOME, Place.STARTUP, Place.ABOVE,
        Place.OUTSIDE, Place.MAYBE_ROOT, Place.TEMP, Place.TEMPS, Place.NETWORK,
    )
)  # fmt: skip


def foreign(call: Call) -> None:
    """Ask where a program that runs code is pointed at what is not the project's."""
    if call.name in _READERS:
        return
    mild = _LOOKED_THROUGH.get(call.name, frozenset())
    for option, one in _named(call):
        if option and (option in mild or _WRITES.fullmatch(option) or _TEXTS.fullmatch(option)):
            continue
        text = one.text.removeprefix("file://")
        if text.startswith("//") and call.name in _LABELS:
            continue
        if text == ".." and call.name == "cmake":  # as it stands in a build folder
            continue
        if _PATH.match(text) and place(text, call.state) in _FOREIGN:
            call.ask("run.elsewhere", f"{call.said} would run what is in {one.shown}")
            return
        files = _FOLDERS.fullmatch(option) if option else call.name in _RUN_FILES
        if files and one.holed and unknown(call, one):
            call.ask("run.elsewhere", f"it is unknown what {call.said} runs")
            return


def unknown(call: Call, path: Value) -> bool:
    """Whether nobody knows where a path leads; what the project's own files say is its own.

    A function that is only being defined has no words yet: it is judged where it is called.
    """
    if PROJECT in path.taints or call.state.variables.get("@") == Value(HOLE):
        return False
    return place(path.text, call.state) in _NOWHERE_KNOWN


_NOWHERE_KNOWN = frozenset((Place.UNKNOWN, Place.MAYBE_ROOT))
_FOLDERS = pattern(
    r"-[CfcpS]|--?(?:directory|cwd|dir|prefix|root\w*|project(?:-dir|-directory|-root)?|file|config\w*"
    r"|config-(?:file|path|dir)|manifest-path|package-path|working-dir\w*|workdir|require|import"
    r"|preload|plugin\w*|spec|noxfile|justfile|taskfile|rakefile|makefile|build-file|settings)",
    re.IGNORECASE,
)
"""Options that say where the code is."""
_RUN_FILES = frozenset(
    """pytest py.test mix go jest vitest mocha ava tap jasmine karma rspec cucumber phpunit pest
    paratest behat codecept playwright cypress flutter dart deno bun dotnet gotestsum ginkgo wdio
    testcafe""".split()
)
"""Those whose operands are files that they run."""


def _named(call: Call) -> Iterator[tuple[str, Value]]:
    """Each word, with the option it may belong to."""
    after = ""
    for at, one in enumerate(call.args):
        text = one.text
        if text == "--":
            if call.name in _SCRIPTS and any(map(_TESTS.match, call.texts[:at])):
                yield from (("", more) for more in call.args[at + 1 :] if more.text[:1] != "-")
            return
        if call.state.windows and _SWITCH.fullmatch(text):
            after = ""
            continue
        if len(text) > 1 and text[0] == "-":
            name, equals, value = text.partition("=")
            after = "" if equals else name
            if equals:
                yield name, one._replace(text=value)
            elif text[1] != "-" and _PATH.match(text[2:]):
                yield text[:2], one._replace(text=text[2:])
            continue
        yield after, one
        after = ""
