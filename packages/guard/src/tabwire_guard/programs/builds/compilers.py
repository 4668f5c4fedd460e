"""Compilers: what they read and write, what they load, and those that run what they compile."""

import re
from collections.abc import Callable

from tabwire_guard.call import Call
from tabwire_guard.paths import Place
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.checkers.checker import INSTALLS
from tabwire_guard.programs.packages.languages import rustc_code
from tabwire_guard.programs.packages.sources import file
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import ask, deny, each, flagged, has, loads, outside, own
from tabwire_guard.values import Value

_TOOLS = ask("option.code", "names the tools it runs")
_GCC = each(
    {
        "-wrapper": deny("option.code", "makes the compiler run another program"),
        "-fplugin -specs --specs -load -fpass-plugin -plugin --plugin --em-config --use-port "
        "--config -cc1 -ivfsoverlay": ask("option.code", "loads code or settings into it"),
        "-B -fuse-ld -ld-path --ld-path -Xclang -mllvm -ccbin --compiler-bindir -arbin "
        "--archiver-binary --gcc-toolchain -gcc-toolchain --gcc-install-dir --sysroot-bin "
        "-optf --options-file -Xcompiler --compiler-options --dotnet-root -conf": _TOOLS,
        "-run --run": ask("run.file", "runs what it has just compiled, unreviewed"),
    }
)  # fmt: skip
_LOADS = pattern(r"-B.|-{1,2}plug|-run\b|-fplugin|/B[12x]|/link", re.IGNORECASE)
_GCC_TAKES = words(
    """-o -I -L -D -U -x -std -include -isystem -MF -MT -MQ -arch -target -T -isysroot -iquote
    -idirafter -imacros -F -framework -l -e -u -z -m -soname -rpath -dynamic-linker -h -Map -odir
    --output-directory -dumpdir -dumpbase -aux-info --output -Xlinker -Xassembler -Xpreprocessor
    -keep-dir --keep-dir -f -dynamic-linker --param -fmodules-cache-path"""
)
_OUT = words(
    """-o --output -of= -of -od -MF -Map -Map= -odir --output-directory -dumpdir -aux-info
    --out-implib --dependency-file -MJ -Z -keep-dir --keep-dir -Fo -Fe -Fa -Fd -Fp -FR -Fi -Fm
    /Fo /Fe /Fa /Fd /Fp /FR /Fi /Fm /out: -out: /doc: -doc:"""
)
_QUIET = pattern(
    r"-(?:I|L|D|U|l|std|isystem|iquote|idirafter|isysroot|-?sysroot|F|rpath|target|MT|MQ|framework"
    r"|ffile-prefix-map|fdebug-prefix-map|fmacro-prefix-map|dynamic-linker|soname|e|u|z|W(?![lap],)"
    r"|arch|cp|classpath|-class-path|sourcepath|-release|source|O\w*$|g\w*$)"
)


@program("gcc g++ cc c++ clang clang++ tcc icc emcc em++ gfortran")
@program("nvcc gdc ldc2 dmd nasm yasm as ld lld cpp clang-cl cl")
def gcc(call: Call) -> None:
    """Compilers of C and its kin."""
    for one in call.args:
        said = _GCC.get(one.text.partition("=")[0])
        if said is None and _LOADS.match(one.text):
            said = _GCC["-B"]
        if said is not None:
            said.of(call, one.shown)
    _sources(call, _GCC_TAKES)


def _sources(call: Call, takes: frozenset[str], out: frozenset[str] = _OUT) -> None:
    """Reads sources, writes what it makes of them; an option's value may stand beside its name."""
    rest = _apart(call.args)
    while rest:
        one = rest.pop(0)
        text = one.text
        name, mark, given = text.partition("=")
        beside = max((each for each in out if text.startswith(each)), key=len, default="")
        if text.startswith("@"):
            call.ask("option.unknown", f"{call.said} takes more options from {text[1:]}")
        elif text in takes or (text in out and not text.endswith(("=", ":"))):
            value = rest.pop(0) if rest else Value("")
            _valued(call, text, value, out)
        elif mark and name in out:
            _written(call, one._replace(text=given))
        elif beside and not _QUIET.match(text):
            _written(call, one._replace(text=text[len(beside) :].lstrip("=:")))
        elif text.startswith("-") and len(text) > 1:
            if not _QUIET.match(text) and outside(call, _value_in(one)) is not None:
                call.ask("option.elsewhere", f"{one.shown} does not belong to the project")
        elif text not in ("-", "") and not (call.name in ("cl", "clang-cl") and text[0] == "/"):
            call.reads(one)


def _apart(args: list[Value]) -> list[Value]:
    """`-Wl,-Map=x,-o,y` as the options it hands on; `-Xlinker` as nothing before its word."""
    found: list[Value] = []
    for one in args:
        handing = False
        if re.match(r"-W[lap],", one.text):
            for text in one.text[4:].split(","):
                if text[:1] == "-" or not found or not handing:
                    found.append(one._replace(text=text))
                else:
                    found[-1] = found[-1]._replace(text=f"{found[-1].text}={text}")
                handing = True
        elif one.text not in ("-Xlinker", "-Xassembler", "-Xpreprocessor"):
            found.append(one)
    return found


def _value_in(one: Value) -> Value:
    return one._replace(text=re.sub(r"^-+[\w.-]*?(?=[/\\=:~]|\.\.|$)", "", one.text))


def _valued(call: Call, name: str, value: Value, out: frozenset[str]) -> None:
    if name in out:
        _written(call, value)
    elif name in ("-include", "-I", "-imacros"):
        call.reads(value)
    elif not _QUIET.match(name) and outside(call, value) is not None:
        call.ask("option.elsewhere", f"{name} {value.shown} does not belong to the project")


def _written(call: Call, value: Value) -> None:
    if value.text and call.place(value) is not Place.WORKSPACE:
        call.writes(value)


_RUST_TAKES = words(
    """-o --out-dir --edition --crate-type --crate-name -L -C --target --emit --extern --cfg -l
    --cap-lints"""
)


@program("rustc", "clippy-driver", "rustdoc")
def rustc(call: Call) -> None:
    """Rust's compiler."""
    rustc_code(call, call.args)
    flagged(call, call.args, each({"--sysroot -Z": ask("option.code", "changes the compiler")}))
    _sources(call, _RUST_TAKES, words("-o --out-dir --dep-info"))


_LOADED = each(
    {
        "-processor -processorpath --processor-path --processor-module-path -Xplugin -J "
        "-Xcompiler-plugin -Xpluginsdir -fplugin -load-plugin-executable -load-plugin-library "
        "-plugin-path -external-plugin-path -configscript --configscript -analyzer /analyzer -a "
        "-toolcp -kotlin-home -package-env -plugin -frontend": ask("option.code", "loads code"),
        "-F -pgmF -pgmL -pgmP -pgmc -plugin-package -cc --cc -ld-path -use-ld -tools-directory -XP "
        "-ccopt -Xcc -Xfrontend -Xlinker -X": ask("option.code", "names a program to run"),
        "-script -e --eval --interactive -interpret": ask("run.inline", "runs code"),
    }
)
_JAVA_TAKES = words(
    """-d -cp -classpath --class-path -o -source -target --release -sourcepath -s -h -odir -hidir
    -outputdir -dumpdir -stubdir --output -p --module-path -I -L -l -package"""
)
_JAVA_OUT = _OUT | words("-d -s -odir -hidir -outputdir -stubdir -FE -FU -FD -emit-module-path")


@program("javac kotlinc scalac groovyc swiftc ghc ocamlc ocamlopt")
@program("elm valac fpc erlc elixirc solc dmcs csc mcs")
def javac(call: Call) -> None:
    """Compilers of other languages."""
    for at, one in enumerate(call.args):
        name = one.text.partition("=")[0].partition(":")[0]
        if name in ("-pp", "-ppx") and call.args[at + 1 :]:
            call.script_of(call.args[at + 1], f"run by {call.said}")
        elif (said := _LOADED.get(name)) is not None:
            said.of(call, one.shown)
    first = call.texts[0] if call.args else "repl"
    if first in ("install", "publish", "diff"):
        INSTALLS.of(call, f"{call.said} {first}:")
    elif first in ("repl", "reactor") and call.name in ("elm", "kotlinc", "swiftc"):
        call.ask("run.typed", f"{call.said} runs whatever is typed into it")
    elif call.name == "elixirc" and call.args and not first.startswith("-"):
        file(call, call.args[0])
    _sources(call, _JAVA_TAKES, _JAVA_OUT)


# Compilers that run what they compile: the first word says what they do


def _zig(call: Call, verb: str, args: list[Value]) -> None:
    if verb in ("cc", "c++"):
        call.runs([Value("clang"), *args], "run by zig")
    elif verb in ("build", "test") or verb.startswith("build-"):
        if has(args, words("--test-cmd --test-cmd-bin --build-file --build-runner --zig-lib-dir")):
            call.ask("option.code", "names what zig builds or runs its tests with")
    elif verb == "run":
        _first(call, args)
    elif verb not in words("version env targets fmt ast-check zen help libc std init translate-c"):
        call.ask("unknown.verb", f"the effect of zig {verb} is unknown")


def _nim(call: Call, verb: str, args: list[Value]) -> None:
    loose = [re.sub(r"[_-]", "", one.text.lower()) for one in args]
    if verb in ("r", "run", "e", "secret") or any(
        re.match(r"(?:r|run)(?::on|=on|$)", text) and one.text.startswith("-")
        for text, one in zip(loose, args, strict=True)
    ):
        _first(call, args)
    elif verb not in words("c compile cc cpp compiletocpp js check doc dump objc help gendepend"):
        call.ask("unknown.verb", f"the effect of nim {verb} is unknown")
    if any(
        re.match(r"\w*(?:\.?(?:linker)?exe|cc|passc|passl|import|include)[:=]", x) for x in loose
    ):
        call.ask("option.code", "names what nim compiles with")


def _crystal(call: Call, verb: str, args: list[Value]) -> None:
    if verb in ("run", "r", "eval", "play", "i"):
        _first(call, args)
    elif verb.endswith(".cr"):
        file(call, Value(verb))
    elif verb in ("build", "b"):
        if has(args, words("--cross-compile --link-flags --prelude")):
            call.ask("option.code", "passes options to the linker")
    elif verb not in words("spec tool docs env version help init clear_cache"):
        call.ask("unknown.verb", f"the effect of crystal {verb} is unknown")


def _v(call: Call, verb: str, args: list[Value]) -> None:
    if verb in ("run", "crun", "watch", "interpret") or verb.endswith(".vsh"):
        _first(call, args) if not verb.endswith(".vsh") else file(call, Value(verb))
    elif verb in ("install", "update", "upgrade", "up", "remove", "self"):
        INSTALLS.of(call, f"v {verb}:")
    elif verb in ("repl", "-"):
        call.ask("run.typed", "v runs whatever is typed into it")
    if has(args, words("-cc -cflags -ldflags -e")):
        call.ask("option.code", "names what v compiles with")


def _first(call: Call, args: list[Value]) -> None:
    found = [one for one in args if not one.text.startswith("-")]
    file(call, found[0] if found else Value("what is typed"))


_RUNNING: dict[str, Callable[[Call, str, list[Value]], None]] = {
    "zig": _zig,
    "nim": _nim,
    "crystal": _crystal,
    "v": _v,
}


@program(" ".join(_RUNNING))
def compiles_and_runs(call: Call) -> None:
    """Compilers that are interpreters as well."""
    verbs = [one for one in call.args if not one.text.startswith("-")]
    if not verbs:
        if not has(call.args, words("--version -v --help -h version -V")):
            call.ask("run.typed", f"{call.said} in an unknown form")
        return
    rest = [one for one in call.args if one is not verbs[0]]
    _RUNNING[call.name](call, verbs[0].text, rest)
    if verbs[0].text in ("cc", "c++"):
        return
    for one in rest:
        found = re.match(
            r"-+(?:o|out|output|outdir|out-?dir|femit-\w+|nimcache|d)[:=](.+)", one.text
        )
        if found:
            _written(call, one._replace(text=found[1]))
        elif one.text.startswith("-") and outside(call, _value_in(one)) is not None:
            call.ask("option.elsewhere", f"{one.shown} does not belong to the project")
    for at, one in enumerate(rest[:-1]):
        if one.text in ("-o", "--output", "--out"):
            _written(call, rest[at + 1])
        elif one.text.startswith("-") and not own(call, rest[at + 1]):
            loads(call, rest[at + 1], "what it loads:")


# What works on what was compiled


@program("ar", "ranlib")
def archiver(call: Call) -> None:
    """Packs objects into a library."""
    said = call.options(("--plugin", "--target", "--output"))
    if said.has("--plugin") or (call.name == "ar" and "-M" in call.texts):
        call.ask("option.code", f"{call.said} loads code, or reads options from a file")
    for one in said.values("--output"):
        call.writes(one)
    plain = list(call.args if call.name == "ar" else said.operands)
    if call.name == "ar":
        plain = [one for one in plain if not one.text.startswith("--")]
        letters = plain.pop(0).text if plain else ""
        plain = [one for one in plain if not one.text.startswith("-")]
        if not re.search(r"[tp]", letters.strip("-")):
            for one in plain[:1]:
                call.writes(one)
        for one in plain[1:]:
            call.reads(one)
        return
    for one in plain:
        call.writes(one)


_COPY_TAKES = words(
    """-O -I -F -B -j -R -K -N -G -W -L --output-target --input-target --target --only-section
    --remove-section --keep-symbol --strip-symbol --add-section --update-section --dump-section
    --set-section-flags --rename-section --change-addresses --change-section-address --pad-to
    --gap-fill --redefine-sym --add-gnu-debuglink -o --set-start --prefix-symbols
    --binary-architecture
    --redefine-syms --keep-symbols --plugin --prefix-sections --interleave --byte -b -i -p"""
)


@program("strip", "objcopy")
def copier(call: Call) -> None:
    """Changes what was compiled: a copy of it, or the file itself."""
    takes = _COPY_TAKES - (words("-p -i") if call.name == "strip" else words("-o -p"))
    said = call.options(takes)
    if said.has("--plugin"):
        call.ask("option.code", f"{call.said} loads code")
    for one in said.values("--dump-section"):
        call.writes(one._replace(text=one.text.partition("=")[2]))
    for one in said.values("--add-section", "--update-section"):
        call.reads(one._replace(text=one.text.partition("=")[2]))
    written = [*said.values("-o")] if call.name == "strip" else said.operands[1:2]
    for one in written or said.operands:
        call.writes(one)
    for one in said.operands[:1]:
        call.reads(one)


@program("xcode-select", "clang-check")
def xcode_select(call: Call) -> None:
    """Says which compiler is used, or changes that."""
    if not has(call.args, words("-p --print-path -v --version")):
        call.ask("system.change", f"{call.said} changes the compiler of this machine")
