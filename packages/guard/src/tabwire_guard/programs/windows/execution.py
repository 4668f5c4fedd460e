"""Windows' shells, and programs that run or fetch something else."""

import base64
import binascii
import re

from tabwire_guard.call import Call
from tabwire_guard.paths import Place, absolute
from tabwire_guard.pattern import pattern
from tabwire_guard.program_names import quoted
from tabwire_guard.programs import known_program
from tabwire_guard.programs.cmdlets.execution import split
from tabwire_guard.programs.files.changes import opened
from tabwire_guard.programs.network.transfers import downloaded
from tabwire_guard.programs.registry import CMD, program
from tabwire_guard.programs.shell.scripts import piped
from tabwire_guard.programs.verbs import loads, outside
from tabwire_guard.programs.windows.switches import switches
from tabwire_guard.values import HOLE, REMOTE, Value

_POWERSHELL_TAKES = (
    "executionpolicy", "ep", "windowstyle", "version", "inputformat", "outputformat",
    "workingdirectory", "wd", "configurationname", "configurationfile", "psconsolefile",
    "custompipename", "settingsfile", "encodedarguments",
)  # fmt: skip
_POWERSHELL_SWITCHES = (
    "noprofile", "noninteractive", "nologo", "noexit", "sta", "mta", "login", "interactive", "help",
    "noprofileloadtime", "sshservermode",
)  # fmt: skip


@program("powershell", "pwsh", "powershell_ise", "pwsh-preview")
def powershell(call: Call) -> None:
    """Runs a script of PowerShell's."""
    rest = list(call.args)
    while rest:
        text = rest[0].text
        if text == "-" or not re.match(r"[-/\u2013-\u2015]{1,2}\w", text):
            break
        name = text.lstrip("-/\u2013\u2014\u2015").lower().rstrip(":")
        rest.pop(0)
        if "command".startswith(name) or name == "commandwithargs" or name == "cwa":
            _command(call, rest)
            return
        if "encodedcommand".startswith(name) or name in ("ec", "enc"):
            _encoded(call, rest)
            return
        if "file".startswith(name):
            _file(call, rest)
            return
        if name in ("?", "help", "version") and not rest:
            return
        if any(one.startswith(name) for one in _POWERSHELL_SWITCHES) and name != "v":
            continue
        if not any(one.startswith(name) for one in _POWERSHELL_TAKES):
            call.ask("unknown.option", f"{call.said} {text}: this option is not known")
            continue
        value = rest.pop(0).text.lower() if rest else ""
        if "windowstyle".startswith(name) and value.startswith("h"):
            call.ask("run.hidden", "runs in a hidden window")
        if "configurationfile".startswith(name) or "psconsolefile".startswith(name):
            call.ask("run.option", f"{text} runs a file first")
    if not rest and call.stdin.piped:
        piped(call, shell="powershell")
    elif not rest:
        call.ask("interactive", f"{call.name} waits for interactive input")
    elif rest[0].text.lower().endswith(".ps1"):
        _file(call, rest)
    else:
        _command(call, rest)


def _command(call: Call, rest: list[Value]) -> None:
    if not rest or rest[0].text == "-":
        piped(call, shell="powershell")
        return
    whole = " ".join(one.text for one in rest)
    taints = frozenset(taint for one in rest for taint in one.taints)
    if "decoded" in taints:
        call.deny("run.hidden", "runs text that was encoded")
    call.script_of(Value(whole, taints), f"{call.name} -Command", shell="powershell")


def _encoded(call: Call, rest: list[Value]) -> None:
    call.deny("run.hidden", "runs encoded text, which hides what it does")
    if not rest:
        return
    try:
        decoded = base64.b64decode(rest[0].text + "==").decode("utf-16-le")
    except (ValueError, binascii.Error):
        return
    call.script(decoded, "decoded from base64", shell="powershell")


def _file(call: Call, rest: list[Value]) -> None:
    if not rest or rest[0].text == "-":
        piped(call, shell="powershell")
        return
    (file, *_) = rest
    full = absolute(file.text, call.state)
    if call.state.downloaded(full) or REMOTE in file.taints or call.far(file):
        call.deny("download.run", f"runs {file.shown}, which comes over the network")
    elif full in call.state.files:
        call.ask("run.written", f"runs {file.shown}, which it has just written")
        call.script(call.state.files[full], "as it was just written", shell="powershell")
    else:
        call.ask("run.script", f"runs the script {file.shown}, whose content is not known")


@program("cmd")
def cmd(call: Call) -> None:
    """Runs a script of cmd's."""
    for at, one in enumerate(call.args):
        found = re.fullmatch(r"(?:/+[a-z](?::\w+)?)*/+[ckr](.*)", one.text, re.I | re.S)
        if found is None:
            continue
        rest = call.args[at + 1 :]
        if found[1]:
            rest = [one._replace(text=found[1]), *rest]
        if not rest:
            call.ask("interactive", "cmd waits for interactive input")
            return
        taints = frozenset(taint for value in rest for taint in value.taints)
        text = rest[0].text if len(rest) == 1 else " ".join(_again(value) for value in rest)
        if '\\"' in text:
            call.ask("quoting", "nested quotes that cmd reads differently")
        if len(rest) == 1 and text.count('"') >= 2 and text[0] == text[-1] == '"':
            text = text[1:-1]
        call.script_of(Value(text, taints), "cmd /c", shell="cmd")
        return
    if call.stdin.piped:
        piped(call, shell="cmd")
    elif not any(one.text == "/?" for one in call.args):
        call.ask("interactive", "cmd waits for interactive input")


def _again(value: Value) -> str:
    """A word as cmd would have it; operators in it were cmd's to read."""
    return f'"{value.text}"' if re.search(r"\s", value.text) and value.quoted else value.text


@program("start", table=CMD)
def start(call: Call) -> None:
    """Starts a program, or opens a file."""
    rest = list(call.args)
    if rest and rest[0].quoted:
        rest.pop(0)  # the window's title
    while rest and rest[0].text.startswith("/"):
        name = rest.pop(0).text.lower()
        if name in ("/d", "/node", "/affinity") and rest:
            rest.pop(0)
    if not rest:
        call.ask("interactive", "opens a window")
    elif re.match(r"[a-z][\w+.-]+://|mailto:|ms-\w+:|shell:", rest[0].text, re.IGNORECASE):
        call.ask("open", f"opens {rest[0].shown}")
    else:
        call.runs(rest, "start")


@program("forfiles")
def forfiles(call: Call) -> None:
    """Runs a command for each file."""
    said = switches(call, "p m c d")
    folder = next(iter(said.values("p")), Value("."))
    text = " ".join(one.text for one in said.values("c"))
    if not text:
        return
    each = f'"{folder.text}\\{HOLE}"'
    for name in ("@path", "@relpath", "@file"):
        text = re.sub(name, lambda _: each, text, flags=re.IGNORECASE)
    text = re.sub(r"@(?:fname|ext|isdir|fsize|fdate|ftime)", HOLE, text, flags=re.I)
    text = re.sub("0x22", '"', text)
    call.script(text, "for each file", shell="cmd")


@program("runas", "psexec", "psexec64", "gsudo", "elevate", "nircmd")
def runas(call: Call) -> None:
    """Runs a program as somebody else."""
    call.ask("privilege", "runs a program as another user")
    if call.name.startswith("psexec"):
        call.deny("privilege", "runs a program as the system, or on another machine")
    rest = [one for one in call.args if one.text[:1] not in ("/", "-")]
    if rest:
        words = [*split(rest[0]), *rest[1:]]
        call.runs(words, call.name)


@program("wsl")
def wsl(call: Call) -> None:
    """Runs a command of Linux."""
    rest = list(call.args)
    while rest and rest[0].text.startswith("-"):
        name = rest.pop(0).text
        if name in ("--list", "-l", "--status", "--version", "--help", "-v"):
            return
        if name in ("--unregister", "--import", "--export", "--mount"):
            call.deny("delete.lost", f"`wsl {name}` changes a whole system")
            return
        if name in ("-d", "--distribution", "-u", "--user", "--cd", "--shell-type"):
            user = rest.pop(0).text if rest else ""
            if name in ("-u", "--user") and user == "root":
                call.ask("privilege", "runs as root")
        elif name in ("-e", "--exec", "--"):
            break
        else:
            call.ask("unknown.option", f"wsl {name}: this option is not known")
    if rest:
        call.script(" ".join(quoted(one, "bash") for one in rest), "wsl", shell="login")
    else:
        call.ask("interactive", "opens a shell")


@program("mshta", "rundll32", "regsvr32", "installutil", "regasm", "regsvcs", "cmstp", "odbcconf",
         "mavinject", "pcalua", "msdt", "wfc", "tttracer", "hh", "msxsl", "presentationhost",
         "ieexec", "infdefaultinstall",
         "msconfig", "xwizard", "syncappvpublishingserver", "bginfo", "dnx", "rcsi", "csi",
         "control", "mmc", "regedit", "regedt32", "wuauclt", "register-cimprovider", "atbroker",
         "scriptrunner", "appvlp", "esentutl", "finger", "desktopimgdownldr",
         "extexport", "gpscript", "ie4uinit", "ilasm", "jsc", "makecab", "procdump",
         "ntdsutil", "extrac32")  # fmt: skip
def loads_code(call: Call) -> None:
    """Programs that run code from anywhere and that nobody needs for work on a project."""
    call.deny("run.loader", f"{call.said} runs code, or accesses data that is not its own")


@program("conhost", "wt", "winrs")
def other_windows(call: Call) -> None:
    """A terminal of its own, or one on another machine, and what runs in it."""
    if call.name == "winrs":
        call.ask("network.session", "runs something on another machine")
    else:
        call.ask("run.window", f"{call.said} runs it in a window of its own")
    shells = ("cmd", "powershell", "pwsh", "bash", "wsl", "sh")
    for at, one in enumerate(call.texts):
        plain = one.lower().removesuffix(".exe").replace("\\", "/").rsplit("/", 1)[-1]
        if plain in shells:
            call.runs(call.args[at:], f"run by {call.said}")
            return
    rest = [one for one in call.args if not one.text.startswith(("-", "/"))]
    if rest:
        call.runs(rest, f"run by {call.said}")


@program("cscript", "wscript")
def script_host(call: Call) -> None:
    """Runs a script."""
    files = [one for one in call.args if not one.text.startswith("/")]
    for one in files[:1]:
        full = absolute(one.text, call.state)
        if call.state.downloaded(full) or "://" in one.text or call.far(one):
            call.deny("download.run", f"runs {one.shown}, which comes over the network")
        elif full in call.state.files:
            call.deny("run.written", f"runs {one.shown}, which it has just written")
    call.ask("run.script", "runs a script whose content is not known")


@program("msiexec", "wusa", "dism", "pnputil", "sfc")
def installs(call: Call) -> None:
    """Installs or changes parts of the system."""
    texts = " ".join(call.texts).lower()
    if "://" in texts or texts.startswith("\\\\") or " \\\\" in texts:
        call.deny("download.run", "installs what comes over the network")
    elif any(call.state.downloaded(absolute(one.text, call.state)) for one in call.args):
        call.deny("download.run", "installs what was just downloaded")
    if re.search(r"/(?:get-|check|scan|verify|enum)", texts) and call.name != "msiexec":
        return
    call.ask("install", f"{call.said} installs or removes software")


@program("certutil")
def certutil(call: Call) -> None:
    """Shows certificates; known for what else it does."""
    said = switches(call, dashes=True)
    if said.has("urlcache", "verifyctl", "url", "ping", "syncwithwu"):
        for one in said.operands[1:]:
            downloaded(call, one)
        call.deny("download.hidden", "downloads with a program that is not meant for it")
    elif said.has("decode", "decodehex"):
        call.ask("decode.file", "decodes a file")
        for one in said.operands[1:]:
            call.writes(one)
            downloaded(call, one)
    elif said.has("encode", "encodehex"):
        for one in said.operands[:1]:
            call.reads(one)
        for one in said.operands[1:]:
            call.writes(one)
    elif said.has("hashfile"):
        for one in said.operands[:1]:
            call.reads(one)
    elif not said.has("dump", "verify", "viewstore", "store", "?", "error", "asn"):
        call.deny("protection.certificate", "changes which certificates are trusted")


@program("bitsadmin")
def bitsadmin(call: Call) -> None:
    """Downloads behind the scenes."""
    said = switches(call)
    if said.has("list", "info", "?", "getstate", "util"):
        return
    for one in said.operands[-1:]:
        downloaded(call, one)
    call.deny("download.hidden", "downloads with a program that is not meant for it")


@program("doskey")
def doskey(call: Call) -> None:
    """Other names for commands."""
    whole = " ".join(call.texts)
    name, equals, text = whole.partition("=")
    if not equals:
        if "/macrofile" in whole.lower():
            call.ask("shadow", "reads command aliases from a file")
        return
    call.script(text, f"{name.strip()} from then on", shell="cmd")
    say = call.deny if known_program(name.strip().lower(), "cmd") is not None else call.ask
    say("shadow", f"{name.strip()} means something else from then on")


@program("winget", "choco", "scoop", "chocolatey", "cinst", "cup")
def package_manager(call: Call) -> None:
    """Installs software."""
    verb = next((one.text.lower() for one in call.args if not one.text.startswith("-")), "")
    looks = "list search show info status outdated find which help home cat prefix hash validate"
    if verb in looks.split() or (not verb and call.name not in ("cinst", "cup")):
        return
    call.ask("install", f"{call.said} {verb} changes what is installed")


@program("devenv", "vbc", "signtool", "msbuild", "vstest.console")
def builds(call: Call) -> None:
    """Builds the project, as `make` does."""
    said = switches(call, dashes=True)
    if call.texts[:1] in (["-version"], ["/version"], ["-help"], ["/?"]):
        return
    rooted = [one for one in call.args if re.fullmatch(r"/[^/:]+/[^:]*", one.text)]
    for one in [*said.operands, *(() if call.state.windows else rooted)]:
        if "://" in one.text or call.state.downloaded(absolute(one.text, call.state)):
            call.deny("download.run", f"builds {one.shown}, which comes over the network")
        elif call.name != "signtool":
            loads(call, one, "what it builds:")
    _properties(call)
    if call.place(Value(".")) not in _BUILT:
        call.ask("run.elsewhere", f"{call.said} runs what it finds outside the project")
    if call.name == "devenv" or said.has("installfrom", "logger", "l", "distributedlogger", "dl"):
        call.ask("run.option", f"{call.said} runs something other than the build")


_BUILT = (Place.INSIDE, Place.WORKSPACE, Place.TOUCHY, Place.UNKNOWN)


def _properties(call: Call) -> None:
    """`/p:Name=path`, `@file`: what the build obeys besides."""
    for one in call.args:
        if one.text.startswith("@"):
            loads(call, one._replace(text=one.text[1:]), "options of")
            continue
        found = outside(call, one._replace(text=one.text.partition(":")[2]))
        if found is not None and not _WRITES.match(one.text):
            call.ask("option.elsewhere", f"{found.shown} does not belong to the project")
        if _STEERS.match(one.text):
            call.ask("option.code", f"{one.shown} may make the build run something else")


_WRITES = pattern(
    r"[-/]{1,2}(?:(?:fl|flp|bl)\d?:|(?:p|property):\w*(?:out|log|intermediate|publishdir)\w*=)",
    re.I,
)
_STEERS = pattern(
    r"[-/]{1,2}(?:p|property):.*(?:event|target(?!framework|platform)|exec|toolpath|restore\w*sources"
    r"|restoreconfigfile|directorybuild|import|custom(?:before|after))",
    re.I,
)


@program("explorer", "notepad", "calc", "taskmgr", "iexplore", "snippingtool",
         "mspaint", "osk", "eventvwr", "perfmon", "resmon", "services.msc",
         "devmgmt.msc")  # fmt: skip
def opens(call: Call) -> None:
    """Opens a window for a person."""
    for one in call.args if call.name == "notepad" else []:
        opened(call, one)
    call.ask("open", f"{call.said} opens a window")
