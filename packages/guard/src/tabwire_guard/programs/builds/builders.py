"""Builders: make and those after it. They run what the project says, by the names it gives."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.paths import Place
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.packages.languages import CLEAN
from tabwire_guard.programs.packages.sources import INSTALL, PUBLISH, registries
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
    outside,
    own,
    script,
)
from tabwire_guard.values import Value

# make

_MAKE_TAKES = words(
    """-f --file --makefile -C --directory -I --include-dir -o --old-file --assume-old -W --what-if
    --new-file --assume-new -E --eval"""
)
_MAKE_FLAGS = words(
    """-j --jobs -k --keep-going -S --no-keep-going --stop -n --just-print --dry-run --recon -q
    --question -s --silent --quiet --no-silent -B --always-make -i --ignore-errors -l --load-average
    --max-load -p --print-data-base -r --no-builtin-rules -R --no-builtin-variables -t --touch -v
    --version -w --print-directory --no-print-directory -O --output-sync --trace -d --debug
    --warn-undefined-variables -e --environment-overrides -h --help -L --check-symlink-times
    --shuffle --jobserver-style -b -m"""
)
_STEERS = pattern(
    r"(?:SHELL|\.SHELLFLAGS|\.RECIPEPREFIX|MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS|MAKEOVERRIDES"
    r"|COMSPEC|MAKE|LD_\w+|DYLD_\w+|PATH|BASH_ENV|ENV"
    r"|NODE_OPTIONS|PYTHON\w+|PERL5\w+|GIT_\w+)\s*[:?+]?=",
)
_PLAIN_TOOL = pattern(
    r"(?:CC|CXX|LD|AR|AS|CPP|FC|OBJC|LEX|YACC|TEX|PYTHON\d?|GO|NODE|NPM|CARGO|RUSTC|JAVAC|RM"
    r"|INSTALL|\w*_?(?:CMD|COMMAND|BIN|EXE|TOOL|COMPILER|LAUNCHER|WRAPPER))\s*[:?+]?=(.*)",
    re.DOTALL,
)
_SETS = pattern(r"[\w.-]+\s*[:?+!]{0,3}=(.*)", re.DOTALL)
_FOLDERS = pattern(r"(?:PREFIX|DESTDIR|\w*_?(?:prefix|PREFIX)|O|V)\s*[:?+]?=")
_COMPILES = pattern(
    r"-(?:wrapper|fplugin|fpass-plugin|specs|-specs|load|plugin|-plugin|Xclang|fuse-ld=/|B\S)"
)
_SHELLY = pattern(r"[;&|`$<>\n]")


@program("make gmake mingw32-make bmake nmake remake", runs_project=True)
def make(call: Call) -> None:
    """make: targets by name, variables, and the many ways to slip in a recipe."""
    counted = re.compile(r"(-\w*?[jlO])[\d.\ufdd0]+|(-O)\w+")  # `-j8`: the number is no letter
    args = [
        one._replace(text=found[1] or found[2]) if (found := counted.fullmatch(one.text)) else one
        for one in call.args
    ]
    said = options(args, _MAKE_TAKES)
    for name, value in said.said:
        if name in ("-E", "--eval") or name.startswith("--ev"):
            call.deny("make.recipe", f"make would run a recipe from its own arguments: {name}")
        elif name not in _MAKE_TAKES | _MAKE_FLAGS:
            call.ask("unknown.option", f"the effect of {call.said} {name} is unknown")
        elif value is None:
            continue
        elif name in ("-f", "--file", "--makefile") and value.text in ("-", "/dev/stdin"):
            call.deny("make.recipe", "make would run recipes from standard input")
        elif name in ("-f", "--file", "--makefile", "-I", "--include-dir", "-C", "--directory"):
            loads(call, value, "recipes of")
    targets = []
    for one in said.operands:
        if _SETS.match(one.text):
            _variable(call, one)
        elif call.name == "nmake" and one.text.startswith("/"):
            call.ask("unknown.option", f"the effect of nmake {one.shown} is unknown")
        else:
            targets.append(one)
    if not said.has("-n", "--just-print", "--dry-run", "--recon", "-q", "--question"):
        _targets(call, targets)


def _variable(call: Call, one: Value) -> None:
    tool = _PLAIN_TOOL.match(one.text)
    _shelly(call, one)
    if _STEERS.match(one.text) or "$(" in one.text or "${" in one.text or "!=" in one.text:
        call.deny("make.recipe", f"{one.shown} makes make run something else")
    elif tool and not re.fullmatch(r"[\w.+-]+", tool[1]):
        call.ask("option.code", f"{one.shown} names a program that {call.said} runs")
    elif _COMPILES.search(one.text):
        call.ask("option.code", f"{one.shown} makes the compiler load or run something else")
    elif not _FOLDERS.match(one.text) and (path := outside(call, one)) is not None:
        call.ask("option.elsewhere", f"{path.shown} does not belong to the project")
    elif one.holed and one.text.find("=") > one.text.find("\ufdd0"):
        call.ask("script.unknown", "it is unknown which variable is set")


def _shelly(call: Call, one: Value) -> None:
    """Recipes paste values into the text of a command: what stands there may be another one."""
    found = _SETS.match(one.text)
    text = found[1] if found else one.text
    if _SHELLY.search(text):
        call.ask("make.recipe", f"{one.shown} would become part of a command")
        call.script_of(one._replace(text=f": {text}"), f"pasted into a recipe of {call.said}")


def _targets(call: Call, targets: list[Value]) -> None:
    for one in targets:
        script(call, one)


@program("just", runs_project=True)
def just(call: Call) -> None:
    """just: recipes by name."""
    takes = words(
        "-f --justfile -d --working-directory --set --shell --shell-arg --chooser --dotenv-path"
    )
    said = options([*before_dashes(call.args)], takes)
    for one in said.values("-f", "--justfile", "-d", "--working-directory"):
        loads(call, one, "recipes of")
    if said.has("--shell", "--shell-arg", "--chooser", "--dotenv-path"):
        call.ask("option.code", "changes what just runs its recipes with")
    for at, one in enumerate(call.args):
        if one.text in ("-c", "--command"):
            call.runs(call.args[at + 1 :], "run by just")
            return
    if not said.has(
        "-l", "--list", "--summary", "--show", "-s", "--dump", "-n", "--dry-run", "--evaluate"
    ):
        for one in said.operands:
            _shelly(call, one)
        _targets(call, [one for one in said.operands[:1] if "=" not in one.text])


@program("task go-task invoke inv poe taskipy mage gulp grunt jake duty", runs_project=True)
def tasks(call: Call) -> None:
    """Tasks by name."""
    takes = words(
        "-t --taskfile -d --dir -f --gulpfile --gruntfile -C --root -c --collection -r --require"
    )
    said = options([*before_dashes(call.args)], takes)
    for one in said.values(*takes):
        loads(call, one, "tasks of")
    elsewhere(call, call.args, takes)
    if not said.has(
        "-l", "--list", "-a", "--list-all", "--tasks", "-T", "--dry", "--summary", "-n"
    ):
        for one in said.operands:
            _shelly(call, one)
        _targets(call, [one for one in said.operands if "=" not in one.text])


@program("rake", runs_project=True)
def rake(call: Call) -> None:
    """Tasks by name; those of Rails change databases."""
    takes = words(
        "-f --rakefile -r --require -R --rakelibdir -e --execute -p --execute-print -E -I -C"
    )
    said = options(call.args, takes)
    for name, value in said.said:
        if name in ("-e", "--execute", "-p", "--execute-print", "-E"):
            call.ask("run.inline", "rake runs code given in its arguments")
        elif name in takes and value is not None:
            loads(call, value, "tasks of")
    if said.has("-T", "--tasks", "-P", "-W", "-n", "--dry-run", "-D", "--describe"):
        return
    for one in said.operands:
        if re.match(r"db:(?:drop|reset|purge|migrate:reset|truncate)|db:schema:load", one.text):
            call.deny("database.drop", f"rake {one.shown} drops the database")
        elif one.text.startswith("db:") and one.text not in ("db:migrate:status", "db:version"):
            call.ask("database.write", f"rake {one.shown} changes the database")
        elif "=" not in one.text:
            script(call, one)


# C and C++, and the big ones


def _cmake_tool(call: Call, args: list[Value]) -> None:
    """`cmake -E`: small commands of its own."""
    if not args:
        return
    name = args[0].text
    same = {"rm": "rm", "remove": "rm", "remove_directory": "rm", "copy": "cp", "rename": "mv",
            "copy_directory": "cp", "make_directory": "mkdir", "touch": "touch", "env": "env",
            "time": "time", "cat": "cat", "create_symlink": "ln", "tar": "tar", "echo": "echo",
            "compare_files": "cmp", "sha256sum": "sha256sum", "md5sum": "md5sum", "sleep": "sleep",
            "copy_if_different": "cp", "create_hardlink": "ln"}.get(name)  # fmt: skip
    if same:
        deep = [Value("-r")] if name in ("remove_directory", "copy_directory") else []
        call.runs([Value(same), *deep, *args[1:]], "run by cmake -E")
    elif name not in ("capabilities", "true", "false", "environment", "server"):
        call.ask("unknown.verb", f"the effect of cmake -E {args[0].shown} is unknown")


_CMAKE_CODE = pattern(
    r"\w*(?:_LAUNCHER|RULE_LAUNCH\w*|TOOLCHAIN_FILE|PROJECT_\w*INCLUDE\w*|_COMPILER|MAKE_PROGRAM"
    r"|_EXECUTABLE|_LINKER|CROSSCOMPILING_EMULATOR|MODULE_PATH|RULES_OVERRIDE|SOURCE_DIR\w*"
    r"|_COMMAND|_CLANG_TIDY|_CPPCHECK|_CPPLINT|_INCLUDE_WHAT_YOU_USE)(?::\w+)?=(.*)",
    re.DOTALL,
)
_CMAKE_FINDS = pattern(r"\w+_(?:DIR|ROOT|PATH)(?::\w+)?=")
"""Where packages are found, each with a build script of its own."""
_CMAKE_MILD = words("-B --build -D -U -G -A -T -I -L --install-prefix --prefix")


def _temporary(call: Call, one: Value) -> Value | None:
    """A folder in a value that anybody may have written to."""
    found = (one._replace(text=text) for text in one.text.partition("=")[2].split(";"))
    return next((path for path in found if call.place(path) is Place.TEMP), None)


@program("cmake", runs_project=True)
def cmake(call: Call) -> None:
    """CMake: configures, builds, and runs small commands."""
    texts = call.texts
    if "-E" in texts:
        _cmake_tool(call, call.args[texts.index("-E") + 1 :])
        return
    if has(call.args, ("-P", "--open", "--install")):
        call.ask("run.file", "cmake runs a script, installs or opens another program")
    takes = words(
        "-S -B -C -G -T -A -D -U --build --target -t --config -j --parallel --preset --toolchain"
    )
    said = options(call.args, takes)
    for one in said.values("-S", "-C", "--toolchain"):
        loads(call, one, "build scripts of")
    for one in said.values("-B", "--build"):
        if not own(call, one) and call.place(one) is not Place.TEMP:
            call.ask("option.elsewhere", f"cmake builds in {one.shown}, outside the project")
    elsewhere(call, call.args, _CMAKE_MILD)
    for one in said.values("-D"):
        code = _CMAKE_CODE.match(one.text)
        if code and re.search(r"[\s;]", code[1].strip()):  # a list: a program and its arguments
            call.ask("option.code", f"{one.shown} makes the build run something else")
            call.script_of(one._replace(text=code[1].replace(";", " ")), "run by the build")
        elif code and not re.fullmatch(r"[\w.+-]+", code[1]):
            loads(call, one._replace(text=code[1]), "what the build runs:")
        elif _COMPILES.search(one.text) or _SHELLY.search(one.text):
            call.ask("option.code", f"{one.shown} may make the build run something else")
        elif _CMAKE_FINDS.match(one.text) and (path := _temporary(call, one)) is not None:
            call.ask("option.code", f"build scripts are looked for in {path.shown}")
    if said.has("--build"):
        if native := after_dashes(call.args):
            call.runs([Value("make"), *native], "run by cmake --build")
        _targets(call, [*said.values("--target", "-t")])
        if said.has("--clean-first") and said.has("--target"):
            CLEAN.of(call, "cmake --clean-first:")


@program("ctest", runs_project=True)
def ctest(call: Call) -> None:
    """Runs the tests of a CMake build."""
    table = {
        "-S --script -SP --script-new-process": ask("run.file", "runs a script"),
        "-D --dashboard -T --test-action -M --submit-index": ask(
            "network.report", "may submit results"
        ),
        "--build-and-test": ask("run.file", "builds and runs another project"),
    }  # fmt: skip
    flagged(call, call.args, each(table))
    out = words("-O --output-log --output-junit")
    said = options(call.args, out | {"--test-dir"})
    for one in said.values("--test-dir"):
        loads(call, one, "tests of")
    for one in said.values(*out):
        call.writes(one)
    elsewhere(call, call.args, out | {"--test-dir"})


@program("ninja samu scons waf premake5 xmake", runs_project=True)
def ninja(call: Call) -> None:
    """Builds what a generator wrote down."""
    said = options(call.args, words("-C -f -j -k -l -t -d -w --file --directory"))
    for one in said.values("-f", "--file", "-C", "--directory"):
        if not (said.has("-C") and call.place(one) is Place.TEMP):
            loads(call, one, "build rules of")
    if call.name == "ninja" and any(one.text.startswith("clean") for one in said.values("-t")):
        CLEAN.of(call, "ninja -t clean:")
    elsewhere(call, call.args, words("-C -f --file --directory"))
    for one in said.operands:
        if _SETS.match(one.text):
            _variable(call, one)
        elif one.text in ("lua", "l", "plugin", "macro") and call.name == "xmake":
            call.ask("run.inline", f"xmake {one.text} runs a script")
        else:
            _targets(call, [one])


def _meson_setup(call: Call, args: list[Value]) -> None:
    for one in options(args, words("-D --prefix --buildtype --backend -C")).operands:
        if not own(call, one) and call.place(one) is not Place.TEMP:
            call.ask("option.elsewhere", f"meson works in {one.shown}, outside the project")
        elif call.place(one) is Place.TEMP and one.text is not args[-1].text:
            loads(call, one, "build scripts of")


_MESON = Verbs(
    [
        (_meson_setup, "setup configure"),
        (PASS, "compile test introspect format fmt rewrite env2mfile"),
        (INSTALL, "install wrap subprojects"),
        (PUBLISH, "dist"),
        (ask("run.typed", "runs a command with the build's variables"), "devenv runpython"),
        (PASS, "init"),
    ],
    options={
        "--wrapper --native-file --cross-file --gdb-path": ask(
            "option.code", "names a program to run"
        )
    },
    files=True,
    quiet="--prefix --libdir --bindir",
)


@program("meson", runs_project=True)
def meson(call: Call) -> None:
    """Meson."""
    _MESON(call)


_BAZEL_ENV = words("--action_env --host_action_env --repo_env --test_env --client_env")


def _bazel_build(call: Call, args: list[Value]) -> None:
    for one in options(args, _BAZEL_ENV).values(*_BAZEL_ENV):
        name, equals, value = one.text.partition("=")
        if equals:
            call.sets(name, one._replace(text=value))
    registries(call, args, "--registry")
    for one in options(args).operands:
        if any(mark in one.text for mark in ("deploy", "push", "publish", "release")):
            script(call, one)


_BAZEL = Verbs(
    [
        (_bazel_build, "build test coverage run"),
        (PASS, """query cquery aquery info version mod/{graph,deps,show_repo,path} help
            analyze-profile"""),
        (INSTALL, "fetch sync vendor mod/tidy mobile-install"),
        (CLEAN, "clean shutdown"),
    ],
    takes="--output_user_root --output_base",
    options={
        "--run_under --workspace_status_command --script_path": deny(
            "option.code", "runs another program"
        ),
        "--bazelrc --override_repository --override_module --host_jvm_args --server_javabase "
        "--experimental_remote_downloader --remote_executor --remote_cache --bes_backend":
            ask("option.code", "changes the settings of the build, or where it sends data"),
        "--shell_executable --extra_toolchains --java_runtime": ask(
            "option.code", "names a program to run"
        ),
    },
    files=True,
)  # fmt: skip


@program("bazel bazelisk buck2 pants please", runs_project=True)
def bazel(call: Call) -> None:
    """Bazel and its kin."""
    _BAZEL(call)
