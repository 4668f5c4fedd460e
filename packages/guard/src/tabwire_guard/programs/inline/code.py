"""Code that would run, in whatever language it is written.

Code is allowed where every name in it is known to be harmless; code that deletes, runs or sends
is denied or asked about; everything else asks. Strings in code that is not harmless are judged
as commands too, decoded where they are encoded.
"""

import re
from collections.abc import Iterator
from itertools import islice

from tabwire_guard import paths, payloads, secret_paths
from tabwire_guard.call import Call
from tabwire_guard.paths import Place, absolute
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.inline.javascript import harmless_javascript
from tabwire_guard.programs.inline.perl import harmless_perl
from tabwire_guard.programs.inline.python_code import judge_python
from tabwire_guard.values import Value

_DESTROYS = pattern(
    r"rmtree|rm_rf|rm_r\b|unlink|rmdir|rmSync|rmdirSync|remove_tree|FileUtils|File\.delete"
    r"|Dir\.delete"
    r"|shutil|removeSync|emptyDir|rimraf|Deno\.remove|os\.remove|truncate|mkfs|/dev/sd"
    r"|delete_all|drop_database"
    r"|File::Path|os_remove|\bkill\b|RemoveAll|remove_dir_all|deleteRecursively|removeItem",
)
_RUNS = pattern(
    r"\bsystem\b|\bexec\w*\b|\bpopen\w*|\bspawn\w*|\bfork\b|`|\bqx\b|child_process|shell_exec"
    r"|passthru|proc_open"
    r"|Open3|IO\.popen|Kernel|os\.execute|io\.popen|\beval\b|Function\s*\(|instance_eval|\bpty\b"
    r"|ProcessBuilder"
    r"|getRuntime|:os\.cmd|System\.cmd|\bCommand\.new|\bsh\b\s*\(|\bdo shell\b|\brun\s*\(|ccall"
    r"|dlopen|ffi"
    r"|syscall|require\(['\"]vm|process\.binding|mainModule|loadstring|\bload\s*\(|constructor",
)
_SENDS = pattern(
    r"socket|Net::|net/http|open-uri|LWP|https?://|fetch\s*\(|XMLHttp|urllib|requests\.|curl_"
    r"|fsockopen"
    r"|require\(['\"](?:node:)?(?:https?|net|dgram|tls|dns)|TCPSocket|TCPServer|URI\.open|axios"
    r"|websocket",
    re.I,
)
_SECRETS = pattern(
    r"environ|process\.env|ENV\[|%ENV|getenv|\.ssh|id_rsa|\.aws|credentials|keychain|\.env\b", re.I
)


MAX_FOUND = 60
"""Things that are said of one code."""


def _came_from_elsewhere(call: Call, code: Value) -> None:
    """Code that a substitution put in: what it says is known only when it runs."""
    if "remote" in code.taints:
        call.deny("download.run", "runs code that comes over the network")
    elif "decoded" in code.taints:
        call.deny("run.hidden", "runs code that was encoded")


def python_code(call: Call, code: Value) -> None:
    """Python code that would run."""
    _came_from_elsewhere(call, code)
    doubtful = False
    for verdict, rule, reason, value in judge_python(code.text)[:MAX_FOUND]:
        if verdict == "reads":
            call.reads(Value(value))
        elif verdict == "deletes":
            call.deletes(Value(value), deep=True)
        elif verdict == "writes":
            call.writes(Value(value))
        elif verdict == "script":
            call.ask(rule, reason)
            call.script(value, "in python", shell="sh")
        else:
            (call.deny if verdict == "deny" else call.ask)(rule, reason)
            doubtful = True
    if doubtful:
        look_into_strings(call, code.text)
    if code.holed:
        call.ask("run.unknown", "code that is known only at run time")


def run_file(call: Call, file: Value) -> None:
    """A file of code that is run."""
    full = absolute(file.text, call.state)
    if "remote" in file.taints or call.state.downloaded(full) or call.far(file):
        call.deny("download.run", "runs what comes over the network")
        return
    if full in call.state.files:
        code(call, Value(call.state.files[full]), call.name)
    call.ask("run.script", f"runs {file.shown}, whose content is not known")


_STARTS = pattern(
    r"child_process|subprocess|os\.system|os\.popen|exec\.Command|process::Command|ProcessBuilder"
    r"|getRuntime|shell_exec|IO\.popen|Open3|Process\.Start|System\.cmd"
)
"""Code that starts programs, of the languages that tests are written in."""
_PAPERS = pattern(r"\.(?:md|rst|txt|json|csv|log|html?|css|svg|xml|lock)$", re.I)


def written_before(call: Call) -> None:
    """It runs the project's code, of which this very script has written a part."""
    for path, text in call.state.files.items():
        if (
            paths.place(path, call.state) is Place.INSIDE
            and not _PAPERS.search(path)
            and (_DESTROYS.search(text) or _STARTS.search(text))
        ):
            call.ask("run.written", f"may run {path}, which it has just written")
            look_into_strings(call, text)


def from_input(call: Call, language: str) -> None:
    """Code that is piped in."""
    if not call.stdin.piped:
        call.ask("interactive", f"{call.name} waits for interactive input")
    elif "remote" in call.stdin.taints:
        call.deny("download.run", "runs what comes over the network")
    elif call.stdin.text is None:
        call.deny("run.piped", "runs what is piped in, unreviewed")
    elif language == "python":
        python_code(call, Value(call.stdin.text, call.stdin.taints))
    else:
        code(call, Value(call.stdin.text, call.stdin.taints), language)


def code(call: Call, text: Value, language: str) -> None:
    """Code of any language that would run."""
    if language.startswith(("python", "pypy", "py")):
        python_code(call, text)
        return
    _came_from_elsewhere(call, text)
    if text.holed:
        call.ask("run.unknown", "code that is known only at run time")
    if language in ("node", "nodejs", "deno", "bun", "tsx", "ts-node") and harmless_javascript(
        text.text, call
    ):
        return
    if language == "perl" and harmless_perl(text.text):
        return
    if language in _SIMPLE and re.fullmatch(_SIMPLE[language], text.text.strip()):
        return
    found = text.text
    if _DESTROYS.search(found):
        call.deny("run.inline", f"{language} code that deletes or destroys")
    if _RUNS.search(found):
        call.ask("run.inline", f"{language} code that runs programs")
        if (
            "eval" in found
            or "pack" in found
            or "fromCharCode" in found
            or "base64" in found.lower()
        ):
            call.deny("run.hidden", f"{language} code that makes the code it runs")
    if _SENDS.search(found):
        call.deny("network.send", f"{language} code that talks to other machines")
    if _SECRETS.search(found):
        call.deny("secret.read", f"{language} code that reads secrets")
    call.ask("run.inline", f"{language} code that is not known to be harmless")
    look_into_strings(call, found)


_TEXT = r"(?:'[^'\\$`#{}]*'|\"[^\"\\$`#{}]*\")"
_SIMPLE = {
    "ruby": rf"(?:require\s+['\"](?:json|yaml|date|time|set|bundler"
    rf"|rubygems)['\"]\s*;\s*)*(?:puts|p|print)\s+(?:RUBY_\w+|{_TEXT}|[\w.:]+VERSION"
    rf"|[\d\s+*/().-]+|Gem::VERSION|Gem::Version|Time\.now|Date\.today)",
    "php": rf"\s*(?:echo|print|var_dump|print_r)\s*\(?\s*(?:PHP_\w+|{_TEXT}|phpversion\(\)"
    rf"|[\d\s+*/().-]+)(?:\s*[.,]\s*(?:PHP_\w+|{_TEXT}))*\s*\)?;?",
    "lua": rf"print\s*\(\s*(?:_VERSION|{_TEXT}|[\d\s+*/().-]+)\s*\)",
    "rscript": rf"(?:cat|print)\(\s*(?:R\.version\.string|R\.version\$\w+|{_TEXT}"
    rf"|[\d\s+*/().-]+)\s*\)|sessionInfo\(\)",
    "julia": rf"println\(\s*(?:VERSION|{_TEXT}|[\d\s+*/().-]+)\s*\)",
    "elixir": rf"IO\.(?:puts|inspect)\(?\s*(?:System\.version\(?\)?|{_TEXT}|[\d\s+*/().-]+)\s*\)?",
}


def look_into_strings(call: Call, text: str) -> None:
    """Strings of code that is doubtful anyway: perhaps one is a command."""
    for one in islice(_strings(text), MAX_FOUND):
        if len(one) > 300 or not re.search(r"[/\\~.]", one):
            pass
        elif secret_paths.secret(one, call.state) == "key":
            call.deny("secret.read", f"code that names {one[:80]}, where keys are kept")
        elif paths.place(one, call.state) is Place.STARTUP:
            call.deny("write.protected", f"code that names {one[:80]}, which runs automatically")
        if " " in one and not one.startswith(("http", "{", "[")):
            call.script(one.replace('\\"', '"').replace("\\'", "'"), "a string in it", shell="sh")
    for one in payloads.payloads(text):
        call.deny("run.hidden", "code with an encoded payload")
        call.script(one, "decoded from it", shell="sh")


_QUOTE = pattern(r"['\"`]|\bq[qwx]?[({]")
_ENDS = {
    "'": pattern(r"(?:[^'\\\n]|\\.)*"),
    '"': pattern(r'(?:[^"\\\n]|\\.)*'),
    "`": pattern(r"(?:[^`\\]|\\.)*", re.DOTALL),
    "q": pattern(r"[^)}]*"),
}


def _strings(text: str) -> Iterator[str]:
    """What stands in quotes; a quote without end is passed over, and the text never read twice."""
    at = 0
    dead = dict.fromkeys(_ENDS, 0)
    while found := _QUOTE.search(text, at):
        at = found.end()
        kind = found[0][0]
        if at < dead[kind]:
            continue
        inner = _ENDS[kind].match(text, at)
        end = inner.end() if inner else at
        if end < len(text) and (kind == "q" or text[end] == kind):
            yield text[at:end]
            at = end + 1
        else:
            dead[kind] = end


def runs_inside(call: Call, file: Value) -> None:
    """Runs a file as a project's tests are run: without asking where it is the project's."""
    if call.place(file) not in (Place.INSIDE, Place.WORKSPACE, Place.TOUCHY):
        run_file(call, file)
    elif call.state.downloaded(absolute(file.text, call.state)):
        call.deny("download.run", f"runs {file.shown}, which was just downloaded")
    elif absolute(file.text, call.state) in call.state.files:
        run_file(call, file)
