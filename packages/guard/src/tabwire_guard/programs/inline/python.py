"""Python: code in an argument, a module, a file, or piped in."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.paths import Place
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.inline.code import (
    from_input,
    python_code,
    run_file,
    runs_inside,
)
from tabwire_guard.programs.inline.python_names import PACKAGES, is_module
from tabwire_guard.programs.registry import program, words
from tabwire_guard.values import Value

_FLAGS = frozenset("bBdEIOPqRsSuvx")
_WARNINGS = pattern(r"[a-z]+(?::[^:]*(?::(?:[A-Z][A-Za-z]*)?(?::[\w.]*(?::\d+)?)?)?)?")
"""Without a dot in the category: that would be a module, which is imported."""
_SETTINGS = pattern(
    r"dev|utf8(?:=[01])?|importtime|faulthandler|tracemalloc(?:=\d+)?|no_debug_ranges"
    r"|int_max_str_digits=\d+|frozen_modules(?:=o\w+)?|warn_default_encoding|showrefcount"
    r"|gil=[01]|context_aware_warnings=[01]|thread_inherit_context=[01]"
)


@program(
    "python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 "
    "python3.14 pypy pypy3 py ipython bpython"
)
def python(call: Call) -> None:
    """Python."""
    args = list(call.args)
    while args and args[0].text.startswith("-") and args[0].text != "-":
        word = args.pop(0)
        text = word.text
        if text in ("-V", "--version", "-VV", "-h", "--help", "-?", "--help-all"):
            return
        if re.fullmatch(r"-[23](?:\.\d+)?(?:-\d\d)?", text) and call.name == "py":
            continue
        if text == "--check-hash-based-pycs" and args:
            args.pop(0)
            continue
        at = 1
        while at < len(text) and text[at] in _FLAGS:
            at += 1
        if at == len(text) and at > 1:
            continue
        letter, rest = text[at : at + 1], text[at + 1 :]
        if letter not in ("c", "m", "W", "X"):
            call.ask("unknown.option", f"`{call.name} {word.shown}` is not known")
            return
        value = word._replace(text=rest) if rest else args.pop(0) if args else Value("")
        if letter == "c":
            python_code(call, value)
            return
        if letter == "m":
            _module(call, [value, *args])
            return
        if not (_WARNINGS if letter == "W" else _SETTINGS).fullmatch(value.text):
            call.ask("unknown.option", f"`{call.name} -{letter} {value.shown}` is not known")
    if not args or args[0].text == "-":
        from_input(call, "python")
    elif args[0].text.rsplit("/", 1)[-1] == "manage.py":
        from tabwire_guard.programs.databases.migrations import manage_py

        manage_py(call, args[1:])
    else:
        run_file(call, args[0])


_COMMANDS = words(
    "pip pip3 pipx uv poetry pdm hatch conda tox nox pytest mypy ruff black coverage twine alembic "
    "ansible playwright pre_commit unittest isort flake8 pylint pyright pycodestyle pydocstyle "
    "bandit mkdocs pdoc pip_audit vulture radon interrogate codespell pyflakes autopep8 yapf "
    "virtualenv pyupgrade pytest_watch ty basedpyright deptry locust behave flask uvicorn gunicorn "
    "streamlit fastapi hypercorn django jupyter docformatter"
)
"""Modules that are commands of the same name."""
_OTHER_NAMES = {"sphinx": "sphinx-build", "grpc_tools.protoc": "protoc", "IPython": "ipython"}
_READS_FILES = words("tokenize ast dis tabnanny")
_FILE_OPTIONS = words(
    "-e --exact -m --mode -a --include-attributes -i --indent -h --help -q -v -C --show-caches -O "
    "--show-offsets --no-type-comments -P --show-positions -S --specialized"
)
_SHOWS = words("this calendar platform sysconfig site")


def _module(call: Call, rest: list[Value]) -> None:
    name, args = rest[0].text, rest[1:]
    if name in _COMMANDS or name in _OTHER_NAMES:
        said = _OTHER_NAMES.get(name, name.replace("_", "-"))
        call.runs([Value(said), *args], "python -m")
    elif name == "http.server":
        _serves(call, args)
    elif name == "venv":
        for one in args:
            if not one.text.startswith("-"):
                call.writes(one)
    elif name == "build":
        _builds(call, args)
    elif name == "json.tool":
        _json_tool(call, args)
    elif name == "timeit":
        _timeit(call, args)
    elif name in ("py_compile", "compileall"):
        _compiles(call, args)
    elif name == "doctest":
        for one in args:
            if not one.text.startswith("-"):
                runs_inside(call, one)
    elif name in ("cProfile", "profile", "trace", "pdb", "slipcover"):
        files = [one for one in args if one.text.endswith(".py")]
        for one in files[:1]:
            run_file(call, one)
        call.ask("run.module", f"runs code by the module {name}")
    elif name == "pydoc":
        _pydoc(call, args)
    elif name in _READS_FILES:
        for one in args:
            if not one.text.startswith("-"):
                call.reads(one)
            elif one.text.split("=")[0] not in _FILE_OPTIONS:
                call.ask("unknown.option", f"`python -m {name} {one.shown}` is not known")
    elif name in _SHOWS:
        for one in args:
            if not re.fullmatch(
                r"\d+|--(?:user-site|user-base|help|terse|nonaliased)|-h", one.text
            ):
                call.ask("unknown.option", f"`python -m {name} {one.shown}` is not known")
    else:
        call.ask("run.module", f"runs the module {name}")


def _serves(call: Call, args: list[Value]) -> None:
    if any(
        call.place(one) not in (Place.INSIDE, Place.WORKSPACE)
        for one in call.options(("-d", "--directory", "-b", "-m")).values("-d", "--directory")
    ):
        call.deny("network.serve", "opens files outside the workspace to the network")
    elif not any(one.text in ("127.0.0.1", "localhost") for one in args):
        call.ask("network.serve", "opens this folder to the network")


def _builds(call: Call, args: list[Value]) -> None:
    """Builds the project, as its own build backend says."""
    said = options(args, ("-o", "--outdir"))
    plain = ("-w", "--wheel", "-s", "--sdist", "-n", "--no-isolation", "-x", "-v", "-h", "--help")
    if strange := said.unlike((*plain, "-o", "--outdir", "--skip-dependency-check")):
        call.ask("unknown.option", f"`build {strange}` is not known")
    for one in said.values("-o", "--outdir"):
        call.writes(one)
    for one in said.operands:
        runs_inside(call, one)


def _json_tool(call: Call, args: list[Value]) -> None:
    """It reads the first file, and writes the second."""
    files: list[Value] = []
    left = list(args)
    while left:
        one = left.pop(0)
        if one.text == "--indent" and left:
            left.pop(0)
        elif one.text.startswith("-") and one.text != "-":
            if not re.fullmatch(
                r"--(?:sort-keys|no-ensure-ascii|json-lines|tab|no-indent|compact|help|indent=\d+)"
                r"|-h",
                one.text,
            ):
                call.ask("unknown.option", f"`json.tool {one.shown}` is not known")
        else:
            files.append(one)
    for one in files[:1]:
        if one.text != "-":
            call.reads(one)
    for one in files[1:]:
        call.writes(one)


def _timeit(call: Call, args: list[Value]) -> None:
    """It runs what it is given, again and again."""
    takes = ("-n", "--number", "-r", "--repeat", "-s", "--setup", "-u", "--unit")
    said = options(args, takes, first=True)
    plain = ("-p", "--process", "-v", "--verbose", "-h", "--help", *takes)
    if strange := said.unlike(plain):
        call.ask("unknown.option", f"`timeit {strange}` is not known")
    lines = [*said.values("-s", "--setup"), *said.operands]
    taints = frozenset(taint for one in lines for taint in one.taints)
    python_code(call, Value("\n".join(one.text for one in lines), taints))


def _compiles(call: Call, args: list[Value]) -> None:
    """Writes compiled files beside the sources."""
    files = [one for one in args if not one.text.startswith("-")]
    for one in args:
        if one.text.startswith("-") and not re.fullmatch(r"-[qflb]+|-j\d*|-r\d+", one.text):
            call.ask("unknown.option", f"`{one.shown}` is not known")
    for one in files:
        call.reads(one)
        if call.place(one) is not Place.WORKSPACE:
            call.writes(one)
    if not files:
        call.ask("write.outside", "compiles all modules python has")


def _pydoc(call: Call, args: list[Value]) -> None:
    """It imports what it tells about."""
    for one in args:
        root = one.text.split(".")[0]
        known = is_module(root) or root in PACKAGES or root in _LANGUAGE
        if not re.fullmatch(r"[\w.]+", one.text) or not known or one.text.endswith((".py", ".pyc")):
            call.ask("run.module", f"imports {one.shown} to show its documentation")
    if not args:
        call.ask("unknown.form", "pydoc without a name")


_LANGUAGE = words(
    "str int list dict set tuple len print open keywords topics modules for while if with class "
    "def lambda import yield bytes float bool range sorted map filter zip enumerate logging "
    "argparse asyncio unittest threading tempfile http email xml sched queue configparser"
)
