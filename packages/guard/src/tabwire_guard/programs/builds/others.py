"""Builders and tools of smaller worlds, each by its verbs: OCaml, Erlang, Gleam, Nim, Lean, …"""

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.checkers.checker import (
    CLEARS,
    INSTALLS,
    PUBLISHES,
    REWRITES,
    SENDS,
    SERVES,
    Checker,
    register,
)
from tabwire_guard.programs.packages.languages import CLEAN
from tabwire_guard.programs.packages.sources import INSTALL, PUBLISH, REMOVE
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import PASS, Verbs, ask, elsewhere, script
from tabwire_guard.values import Value

_KEYS = ask("secret.keys", "makes or shows keys")
_TYPED = ask("run.typed", "runs whatever is typed into it")
_RUNS = ask("run.file", "runs a program that is named")


def _named(call: Call, args: list[Value]) -> None:
    """A script of the project, by its name."""
    for one in options(args, first=True).operands[:1]:
        script(call, one)


_SMALL = {
    "dune": Verbs(
        [
            (PASS, """build b test runtest fmt format describe show/{targets,rules,env}
                external-lib-deps installed-libraries printenv diagnostics
                promotion/list rules ocaml-merlin exec"""),
            (CLEAN, "clean cache/{clear,trim}"),
            (INSTALL, "install uninstall pkg build/@install"),
            (REWRITES, "promote promotion/apply init"),
            (_TYPED, "utop top toplevel"),
        ],
        files=True,
    ),
    "opam": Verbs(
        [
            (PASS, "list show search info switch/{list,show} var lint config/{list,var} env"),
            (INSTALL, "install update upgrade pin depext switch repository reinstall init source"),
            (REMOVE, "remove uninstall autoremove"),
            (CLEAN, "clean"),
            (PUBLISH, "publish"),
        ]
    ),
    "rebar3": Verbs(
        [
            (PASS, "compile eunit ct proper dialyzer xref tree deps fmt lint cover edoc version"),
            (INSTALL, "get-deps update upgrade new plugins"),
            (CLEAN, "clean unlock"),
            (PUBLISH, "hex release tar relup"),
            (_TYPED, "shell"),
        ],
        files=True,
    ),
    "gleam": Verbs(
        [
            (PASS, "build check test run format fix docs/build deps/list hex/--help help new"),
            (INSTALL, "add update deps/{download,update}"),
            (REMOVE, "remove"),
            (CLEAN, "clean"),
            (PUBLISH, "publish hex docs/publish"),
            (_TYPED, "shell"),
        ],
        files=True,
    ),
    "nimble": Verbs(
        [
            (PASS, "build test tasks check dump list search c cc js doc run path"),
            (INSTALL, "install refresh develop sync lock setup init upgrade"),
            (REMOVE, "uninstall"),
            (CLEAN, "clean"),
            (PUBLISH, "publish"),
        ],
        other=_named,
        files=True,
    ),
    "shards": Verbs(
        [
            (PASS, "build check list version outdated"),
            (INSTALL, "install update lock init"),
            (CLEAN, "prune"),
        ],
        files=True,
    ),
    "spago": Verbs(
        [
            (PASS, "build test run bundle docs ls graph bundle-app bundle-module"),
            (INSTALL, "install fetch upgrade upgrade-set init"),
            (PUBLISH, "publish"),
            (_TYPED, "repl"),
        ],
        files=True,
    ),
    "lake": Verbs(
        [
            (PASS, "build test lint check-build check-test env exe query help pack"),
            (INSTALL, "update init new upload cache"),
            (CLEAN, "clean"),
        ],
        files=True,
    ),
    "wasm-pack": Verbs(
        [
            (PASS, "build test pack"),
            (INSTALL, "new"),
            (PUBLISH, "publish login"),
        ],
        files=True,
    ),
    "trunk": Verbs(
        [(PASS, "build check config fmt show"), (CLEAN, "clean"), (SERVES, "serve watch")],
        files=True,
    ),
    "goreleaser": Verbs(
        [
            (PASS, "check healthcheck build jsonschema"),
            (PUBLISH, "release publish announce continue"),
            (INSTALL, "init"),
        ],
        files=True,
    ),
    "tinygo": Verbs(
        [
            (PASS, "build test version env info targets list"),
            (ask("device.flash", "writes to a device"), "flash gdb monitor"),
            (_RUNS, "run"),
            (CLEAN, "clean"),
        ],
        files=True,
    ),
    "templ": Verbs([(PASS, "generate fmt version info"), (SERVES, "lsp")], files=True),
    "typst": Verbs(
        [(PASS, "compile c fonts query eval watch w"), (INSTALL, "init update")], files=True
    ),
    "conan": Verbs(
        [
            (PASS, "list search inspect graph/{info,explain} profile/{show,list,path} version"),
            (INSTALL, "install download create build source remote new editable export cache"),
            (REMOVE, "remove"),
            (PUBLISH, "upload"),
        ],
        files=True,
    ),
    "vcpkg": Verbs(
        [
            (PASS, "list search version depend-info help"),
            (INSTALL, "install upgrade update integrate new add x-update-baseline"),
            (REMOVE, "remove"),
        ],
        files=True,
    ),
    "pixi": Verbs(
        [
            (PASS, "list info tree task/list project/version/get"),
            (_named, "run"),
            (INSTALL, "install add update global init upgrade lock self-update"),
            (REMOVE, "remove"),
            (CLEAN, "clean"),
        ],
        files=True,
    ),
    "symfony": Verbs(
        [
            (PASS, "check:requirements check:security local:php:list server:status server:log"),
            (SERVES, "serve server:start proxy:start"),
            (INSTALL, "new"),
        ]
    ),
    "k6": Verbs(
        [(PASS, "version inspect"), (ask("network.load", "sends many requests"), "run"),
         (SENDS, "cloud login")]
    ),
    "cosign": Verbs(
        [
            (PASS, "verify verify-blob verify-attestation tree triangulate version"),
            (PUBLISHES, "sign attest attach upload copy"),
            (_KEYS, "generate-key-pair import-key-pair public-key"),
        ]
    ),
}  # fmt: skip


@program(" ".join(_SMALL), runs_project=True)
def small(call: Call) -> None:
    """Builds, tests, fetches, by its first words."""
    _SMALL[call.name](call)


_READS = ask("option.code", "names code or a program to run")
register(
    {
        "autoconf automake autoreconf aclocal autoheader libtoolize": Checker(
            takes="-W --warnings -B --prepend-include -I --include", loads="", out="-o --output"
        ),
        "pkg-config pkgconf": Checker(loads=""),
        "ctags gtags cscope": Checker(
            takes="-R -L -I --languages --exclude --kinds-all",
            loads="--options",
            out="-f -o --output",
        ),
        "chktex lacheck texcount bibtex biber makeindex": Checker(
            loads="-l --localrc", out="-o --outputfile --output-file"
        ),
        "javap jdeps jps javadoc": Checker(
            takes="-cp -classpath --class-path --module-path -sourcepath --multi-release",
            loads="-doclet -docletpath -taglet -tagletpath",
            out="-d -dotoutput --generate-module-info",
            options={"-J": _READS},
            single=True,
        ),
        "xsltproc xmlstarlet htmlq pup html2text tidy": Checker(
            loads="--path", out="-o --output", options={"-m -modify --xinclude": _READS}
        ),
        "mmdc d2 marp asciidoctor": Checker(
            loads="-c --configFile -p --puppeteerConfigFile --layout --config-file --theme-set -r "
            "--require -T --template-dir -E --template-engine",
            out="-o --output --out-file -D --destination-dir",
            options={"-s --server --watch -w": SERVES},
        ),
        "nbstripout nbqa papermill": Checker(
            options={"--install --uninstall": INSTALLS}, runs=True
        ),
        "git-cliff": Checker(
            loads="-c --config",
            out="-o --output",
            options={"--exec": _READS, "-p --prepend": CLEARS},
        ),
        "cython cythonize": Checker(takes="-X --directive -I --include-dir", out="-o", runs=True),
        "flawfinder bear compiledb": Checker(options={"--": _READS}, rest="env", out="-o --output"),
    }
)


@program("cross", runs_project=True)
def cross(call: Call) -> None:
    """cargo, in a container."""
    call.runs([Value("cargo"), *call.args], "run by cross")


_LATEXMK = pattern(r"-(?:e|r|pdflatex|latex|xelatex|lualatex|usepretex|pvc|shell-escape|C|c)\b")


@program("latexmk", runs_project=True)
def latexmk(call: Call) -> None:
    """Sets a document, with as many rounds as it takes."""
    for one in call.args:
        if _LATEXMK.match(one.text) and one.text not in ("-xelatex", "-lualatex", "-pdflatex"):
            call.ask("option.code", f"latexmk {one.shown} runs code, deletes files or waits")
    elsewhere(call, call.args, words("-outdir -auxdir -output-directory"))
    for one in options(call.args, words("-outdir -auxdir -output-directory"), single=True).values(
        "-outdir", "-auxdir", "-output-directory"
    ):
        call.writes(one)


@program("xsv qsv csvlens", runs_project=True)
def tables(call: Call) -> None:
    """Rows and columns of a file."""
    said = options(call.args, words("-o --output -d --delimiter -s --select -n"))
    for one in said.values("-o", "--output"):
        call.writes(one)
    verb = said.operands[0].text if said.operands else ""
    if verb in words("py luau foreach apply fetch fetchpost to sqlp describegpt split partition"):
        call.ask("run.inline", f"{call.said} {verb} runs code, fetches or writes files")
    for one in said.operands[1:]:
        call.reads(one)


@program("qpdf pdfunite pdfseparate pdftk", runs_project=True)
def documents(call: Call) -> None:
    """Pages put together: the last name is where to."""
    names = options(call.args, words("--pages --password")).operands
    if any(
        one.text in ("--check", "--show-npages", "--json", "--requires-password")
        for one in call.args
    ):
        names = [*names, Value("-")]
    for one in names[:-1]:
        call.reads(one)
    for one in names[-1:]:
        if one.text != "-":
            call.writes(one)
