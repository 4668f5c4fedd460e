"""Other languages with code in an argument: `node -e`, `ruby -e`, `perl -e` and their like.

Every option must be known: one that loads a file runs it.
"""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.inline.code import code, from_input, run_file, runs_inside
from tabwire_guard.programs.inline.perl import perl_options
from tabwire_guard.programs.registry import program
from tabwire_guard.programs.verbs import script
from tabwire_guard.record import field, record
from tabwire_guard.values import Value

_EVAL = {
    "node": ("-e", "--eval", "-p", "--print", "-pe", "-ep"),
    "nodejs": ("-e", "--eval", "-p", "--print", "-pe", "-ep"),
    "ruby": ("-e",),
    "php": ("-r", "--run"),
    "lua": ("-e",),
    "luajit": ("-e",),
    "rscript": ("-e",),
    "r": ("-e",),
    "julia": ("-e", "-E", "--eval", "--print"),
    "elixir": ("-e", "--eval"),
    "iex": ("-e", "--eval"),
    "erl": ("-eval",),
    "groovy": ("-e",),
    "scala": ("-e",),
    "tclsh": ("-c",),
    "guile": ("-c",),
    "racket": ("-e", "--eval"),
    "sbcl": ("--eval",),
    "clojure": ("-e", "-M"),
    "raku": ("-e",),
    "jshell": ("-e",),
    "octave": ("--eval",),
    "gnuplot": ("-e",),
    "maxima": ("--batch-string",),
    "swipl": ("-g",),
    "runghc": ("-e",),
    "ocaml": ("-e",),
    "io": ("-e",),
    "janet": ("-e",),
    "fennel": ("-e",),
    "quickjs": ("-e",),
    "qjs": ("-e",),
}
_HARMLESS = {
    "node": (
        r"--(?:no-warnings(?:=\w+)?|trace-warnings|enable-source-maps|max-old-space-size=\d+"
        r"|experimental-(?:strip-types|transform-types|test-coverage|vm-modules|json-modules"
        r"|default-type=\w+|test-module-mocks|sqlite|websocket)|input-type=\w+"
        r"|unhandled-rejections=\w+|throw-deprecation|trace-deprecation|no-deprecation"
        r"|pending-deprecation|stack-trace-limit=\d+|expose-gc|trace-uncaught"
        r"|test(?:-only|-force-exit|-update-snapshots|-concurrency=\d+|-timeout=\d+|-shard=[\d/]+"
        r"|-(?:name|skip)-pattern=.*|-reporter=(?:spec|tap|dot|junit|lcov)"
        r"|-reporter-destination=std(?:out|err)|-isolation=\w+|-coverage-(?:include|exclude"
        r"|lines|branches|functions)=.*)?|watch|no-experimental-\w+(?:-\w+)*|check|preserve-symlinks"
        r"|abort-on-uncaught-exception|trace-exit|harmony)|-c"
    ),
    "ruby": r"-[lanpw]+|-W[0-2]?|-W:no-\w+|-[EK]\S+|-v"
    r"|-r(?:json|yaml|date|time|set|optparse|csv|pp)",
    "php": r"-n|-q|-d(?:display_errors|memory_limit|error_reporting|date\.timezone"
    r"|max_execution_time|xdebug\.mode)=[\w/-]+",
    "lua": r"-v|-W|-E",
    "rscript": r"--(?:vanilla|no-save|no-restore|no-init-file|no-environ|verbose)",
    "r": r"--(?:vanilla|no-save|no-restore|no-init-file|no-environ|quiet|slave|no-echo)|-[qs]",
    "julia": r"--startup-file=no|-q|--quiet|--history-file=no|--color=\w+",
    "octave": r"--(?:no-gui|quiet|norc|silent|no-init-file)|-[qf]",
    "groovy": r"-[pn]",
    "racket": r"-n",
}
_HARMLESS["nodejs"], _HARMLESS["luajit"] = _HARMLESS["node"], _HARMLESS["lua"]
_GIVES_REST = frozenset("node nodejs ruby php rscript r julia groovy guile tclsh raku".split())
"""What stands behind the code is given to it; others run that too."""
_TOLD = frozenset(("--version", "-v", "-V", "--help", "-h", "-version", "version"))


@record
class _Said:
    """What a language was given."""

    codes: list[Value] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    rest: list[Value] = field(default_factory=list)


@program(*_EVAL)
def language(call: Call) -> None:
    """Code in an argument, a file, or piped in."""
    if call.texts[:1] and call.texts[0] in _TOLD and len(call.args) == 1:
        return
    if call.name == "php" and call.texts[:1] and call.texts[0] in ("-l", "-m", "-i", "--ini"):
        for one in call.args[1:]:
            if one.text.startswith("-"):
                call.ask("unknown.option", f"`php {one.shown}` is not known")
            call.reads(one)
        return
    if call.name == "clojure" and _ALIASES.fullmatch(" ".join(call.texts)):
        for name in call.texts[0].split(":")[1:]:
            script(call, Value(name))
        return
    said = _read(call)
    if said.codes:
        taints = frozenset(taint for one in said.codes for taint in one.taints)
        whole = Value("\n".join(one.text for one in said.codes), taints)
        lines = any(re.fullmatch(r"-[lanpw]*[np][lanpw]*", one) for one in said.flags)
        if call.name == "ruby" and lines:
            _lines_of_ruby(call, whole)
            for one in said.rest:
                call.reads(one)
        else:
            code(call, whole, call.name)
            if said.rest and call.name not in _GIVES_REST:
                run_file(call, said.rest[0])
    elif call.name in ("node", "nodejs") and "--test" in said.flags:
        for one in said.rest:
            runs_inside(call, one)
    elif said.flags & {"--check", "-c"} and call.name in ("node", "nodejs", "ruby"):
        for one in said.rest:
            call.reads(one)
    elif call.name == "php" and said.rest and said.rest[0].text == "artisan" and not said.flags:
        from tabwire_guard.programs.databases.migrations import artisan

        artisan(call, said.rest[1:])
    elif said.rest and said.rest[0].text != "-":
        run_file(call, said.rest[0])
    else:
        from_input(call, call.name)


_ALIASES = pattern(r"-[MX](?::[\w.-]+)+(?: [\w:][\w./:-]*)*")
"""`clojure -M:test`: what deps.edn of the project says."""


def _read(call: Call) -> _Said:
    """Options up to the first operand; code is where an option says so."""
    evals = _EVAL[call.name]
    harmless = re.compile(_HARMLESS.get(call.name, r"(?!)"))
    said = _Said()
    rest = list(call.args)
    tests = "--test" in call.texts
    while rest:
        word = rest[0]
        text = word.text
        if text == "--":
            said.rest += rest[1:]
            break
        if not text.startswith("-") or text == "-":
            # Node takes options behind code and among tests; others give them to the code.
            if call.name not in ("node", "nodejs") or not (said.codes or tests):
                said.rest += rest
                break
            said.rest.append(rest.pop(0))
            continue
        rest.pop(0)
        if text in evals:
            said.codes.append(rest.pop(0) if rest else Value(""))
        elif glued := _glued(call.name, text, evals):
            flags, inner = glued
            said.flags |= {flags} if flags else set()
            if inner is not None:
                said.codes.append(word._replace(text=inner))
            else:
                said.codes.append(rest.pop(0) if rest else Value(""))
        elif text in ("-d", "-r") and call.name in ("php", "ruby") and rest:
            value = rest.pop(0)
            if not harmless.fullmatch(text + value.text):
                call.ask(
                    "run.option", f"`{call.name} {text} {value.shown}` loads or sets something"
                )
        elif harmless.fullmatch(text) or (call.name == "ruby" and text == "-c"):
            said.flags.add(text)
        elif text.startswith("--inspect"):
            call.ask("network.serve", "opens a debugger")
        else:
            call.ask("run.option", f"`{call.name} {word.shown}` loads something, or is not known")
    return said


def _glued(name: str, text: str, evals: tuple[str, ...]) -> tuple[str, str | None] | None:
    """Flags before `e` in the same word, and code behind it: None in its place if it is next."""
    if text.startswith("--"):
        long, equals, value = text.partition("=")
        return ("", value) if equals and long in evals else None
    if name == "ruby" and (found := re.fullmatch(r"-([lanpw]*)e(.*)", text, re.DOTALL)):
        flags = f"-{found[1]}" if found[1] else ""
        return flags, found[2] or None
    if name in ("lua", "luajit", "php") and text[:2] in evals and len(text) > 2:
        return "", text[2:]
    return None


def _lines_of_ruby(call: Call, lines: Value) -> None:
    if not re.fullmatch(
        r"(?:puts|print)(?: \$_)? (?:if|unless) /(?:[^/\\#]|\\.)*/i?", lines.text.strip()
    ):
        code(call, lines, call.name)


@program("perl", "perl5")
def perl(call: Call) -> None:
    """perl."""
    said = perl_options(call)
    if said is None:
        return
    if said.checks:
        for one in said.rest:
            runs_inside(call, one)  # what stands in BEGIN runs
        return
    if not said.codes:
        if said.rest and said.rest[0].text != "-":
            run_file(call, said.rest[0])
        else:
            from_input(call, "perl")
        return
    taints = frozenset(taint for one in said.codes for taint in one.taints)
    code(call, Value("\n".join(one.text for one in said.codes), taints), "perl")
    for one in said.rest:
        if one.text == "-":
            continue
        if one.holed:
            call.ask("run.unknown", "Perl runs a file name that ends in `|`")
        if re.match(r"\s*[|<>+]", one.text) or re.search(r"\|\s*$", one.text):
            call.deny("run.hidden", f"Perl runs or writes what is named like {one.shown}")
            call.script(one.text.strip(" |<>+"), "opened by Perl", shell="sh")
        call.reads(one)
        if said.in_place:
            prints = re.search(r"print|say|write", " ".join(call.texts))
            loops = any(re.match(r"-[a-zA-Z0-9]*p", text) for text in call.texts)
            call.writes(one, text=None if prints or loops else "")
