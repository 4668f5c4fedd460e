"""Windows' programs for the machine: the registry, services, users, protection."""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.cmdlets.files import set_content
from tabwire_guard.programs.cmdlets.system import PROTECTS, VITAL
from tabwire_guard.programs.registry import CMDLETS, program
from tabwire_guard.programs.windows.registry import (
    changes_registry,
    reads_registry,
    removes_registry,
)
from tabwire_guard.programs.windows.switches import switches
from tabwire_guard.values import SECRET, Value

_HUNTED = pattern(r"(?i)password|credential|/f\s+\S*(?:pass|pwd|secret|token|cred)")


@program("reg")
def reg(call: Call) -> None:
    """The registry."""
    asked = call.texts[:1] and call.texts[0].lower() in ("query", "compare")
    said = switches(call, "v t d f se" if asked else "v t d s")
    verb = said.verb()
    key = said.operands[1] if len(said.operands) > 1 else Value("")
    if verb in ("query", "compare", "") or said.has("?"):
        if _HUNTED.search(" ".join(call.texts)):
            call.taint(SECRET)
            call.deny("secret.read", "looks for passwords in the registry")
        for one in said.operands[1:]:
            reads_registry(call, one, deep=said.has("s"))
    elif verb in ("add", "delete", "copy"):
        name = "".join(one.text for one in said.values("v"))
        changes_registry(call, key, name)
        if verb == "delete":
            removes_registry(call, key)
    elif verb in ("export", "save"):
        if verb == "save" or re.search(r"(?i)\\(?:sam|security|system)(?:\\|$)", key.text + "\\"):
            call.deny("secret.read", "copies a part of the registry with passwords in it")
        reads_registry(call, key, deep=True)
        for one in said.operands[2:3]:
            call.writes(one)
    else:
        call.deny("registry.write", f"`reg {verb}` changes the registry")


@program("schtasks")
def schtasks(call: Call) -> None:
    """What runs by itself at some time."""
    said = switches(call)
    if said.has("create", "change"):
        call.deny("persistence", "makes something run automatically")
    elif said.said and not said.has("query", "showsid", "?"):
        call.ask("system.task", "changes what runs automatically")


@program("sc")
def services(call: Call) -> None:
    """Services."""
    said = switches(call)
    verbs = [one.text.lower() for one in said.operands]
    verb = next((one for one in verbs if not one.startswith("\\\\")), "")
    if verb.startswith(("query", "qc", "qdesc", "qfail", "enumdepend", "getdisplay", "sdshow")):
        return
    if verb in ("start", "stop", "pause", "continue", "interrogate", ""):
        if verb in ("stop", "pause") and any(PROTECTS.fullmatch(one) for one in verbs):
            call.deny("protection.off", "stops something that protects the machine")
        call.ask("system.service", "starts or stops a service")
    else:
        call.deny("system.service", f"`sc {verb}` changes a service")


@program("sc", table=CMDLETS)
def services_or_content(call: Call) -> None:
    """`sc` is Set-Content in Windows PowerShell, and the program in PowerShell 7."""
    verb = call.args[0].text.lower() if call.args else ""
    if re.fullmatch(r"query\w*|qc|create|config|delete|start|stop|failure|sdset|sdshow", verb):
        services(call)
    else:
        set_content(call)


@program("net", "net1")
def net(call: Call) -> None:
    """Users, shares, services."""
    said = switches(call)
    verb = said.verb()
    more = len(said.operands) > 1
    if verb in ("user", "localgroup", "group", "accounts"):
        wanted = {"domain", "?"}
        changes = set(said.said) - wanted or len(said.operands) > 2
        if changes:
            call.deny("system.user", f"`net {verb}` changes users or their rights")
    elif verb in ("start", "stop", "pause", "continue"):
        if verb in ("stop", "pause") and any(PROTECTS.fullmatch(one.text) for one in said.operands):
            call.deny("protection.off", "stops something that protects the machine")
        if more:
            call.ask("system.service", f"`net {verb}` changes a service")
    elif verb == "share":
        if more:
            call.deny("network.share", "shares a folder, or stops sharing it")
    elif verb in ("use", "session", "file", "time", "computer", "send"):
        if more or said.said:
            call.ask("network.session", f"`net {verb}` works with another machine")
    elif verb not in ("view", "config", "statistics", "help", "helpmsg", ""):
        call.ask("unknown.verb", f"the effect of `net {verb}` is not known")


@program("netsh")
def netsh(call: Call) -> None:
    """The network's settings."""
    texts = [one.lower() for one in call.texts]
    if any(one.startswith("key=clear") for one in texts):
        call.deny("secret.read", "shows passwords of networks")
    elif "show" in texts or "dump" in texts or not texts or "?" in texts:
        return
    else:
        call.deny("network.settings", "changes the network's settings or its protection")


_FORMATS = pattern(r"\"?(?:csv|list|table|value|htable|hform|rawxml|xml|mof|textvaluelist)\"?")
"""Those that come with it; any other is a file with code in it."""


@program("wmic")
def wmic(call: Call) -> None:
    """Everything on the machine, by questions and calls."""
    texts = [one.lower() for one in call.texts]
    whole = " ".join(texts)
    if "call" in texts:
        call.deny("run.wmi", "runs or changes something through WMI")
        if "create" in texts:
            rest = call.args[texts.index("create") + 1 :]
            call.script(" ".join(one.text for one in rest), "wmic create", shell="cmd")
    elif re.search(r"\b(?:delete|create|set)\b", whole) or "/node:" in whole:
        call.deny("run.wmi", "changes the system, or another machine")
    elif any(not _FORMATS.fullmatch(one) for one in re.findall(r"/format:?\s*(\S*)", whole)):
        call.deny("download.run", "runs the code in a format style sheet")
    elif "/output:" in whole or "/append:" in whole or "/record:" in whole:
        call.ask("write.unknown", "writes a file")
    elif not re.search(r"\b(?:get|list|brief)\b", whole) and texts:
        call.ask("unknown.form", "it is unknown what it asks for")


@program("bcdedit", "vssadmin", "wbadmin", "reagentc", "bootrec", "bcdboot", "bootsect", "wevtutil",
         "auditpol", "secedit", "powercfg", "w32tm", "gpupdate", "logoff", "tsdiscon", "rstrui",
         "mpcmdrun", "logman", "dnscmd", "dsmod", "dsadd", "nltest",
         "setspn", "csvde", "ldifde", "ktpass", "slmgr", "unlodctr", "lodctr")  # fmt: skip
def machine(call: Call) -> None:
    """How the machine starts, is restored, and what it writes down."""
    texts = [one.lower() for one in call.texts]
    first = texts[0].lstrip("/-") if texts else ""
    looks = ("enum", "list", "get", "info", "query", "qe", "gl", "el", "gli", "ep", "gp", "?",
             "help", "status", "l", "requests", "a", "batteryreport", "availablesleepstates",
             "stripchart", "tz", "dsquery")  # fmt: skip
    if first in looks or (not texts and call.name in ("bcdedit", "vssadmin", "wbadmin")):
        return
    if call.name == "bcdedit" and first in ("v",):
        return
    if call.name in ("powercfg", "gpupdate", "w32tm", "slmgr"):
        call.ask("system.change", f"{call.said} changes the machine's settings")
        return
    call.deny("system.restore", f"{call.said} {first} changes how the machine starts or recovers")


@program("cmdkey", "vaultcmd")
def credentials(call: Call) -> None:
    """Passwords that Windows keeps."""
    call.taint(SECRET)
    said = switches(call)
    say = call.ask if said.has("list") else call.deny
    say("secret.read", f"{call.said} shows or changes passwords that are kept")


@program("taskkill", "tskill")
def taskkill(call: Call) -> None:
    """Ends programs."""
    call.ask("process.end", "ends programs")
    if any(VITAL.fullmatch(one.text) for one in call.args):
        call.deny("process.vital", "ends a program the system needs")


@program("tasklist", "systeminfo", "ipconfig", "driverquery", "openfiles", "getmac", "gpresult",
         "query", "quser", "qwinsta", "nbtstat", "pathping", "tracert", "msinfo32", "winver",
         "typeperf", "comp")  # fmt: skip
def shows(call: Call) -> None:
    """Shows how the machine is."""
    texts = " ".join(call.texts).lower()
    if call.name == "ipconfig" and re.search(r"/(?:release|renew|registerdns)", texts):
        call.ask("network.settings", "changes the network's settings")
    if call.name == "comp":
        for one in call.args:
            call.reads(one)
