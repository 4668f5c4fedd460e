"""PowerShell's commands that run something else."""

import re

from tabwire_guard.call import Call
from tabwire_guard.paths import absolute
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.cmdlets.parameters import given
from tabwire_guard.programs.registry import CMDLETS, program
from tabwire_guard.values import CLASS, HOLE, REMOTE, SECRET, Value

_SAFE_OBJECTS = pattern(
    r"(?:system\.)?(?:net\.webclient|net\.http\.httpclient|object|psobject|pscustomobject|string"
    r"|random|datetime|timespan|guid|version|uri|text\.\w+|collections\.[\w.]+(?:\[.*\])?"
    r"|xml\.xmldocument|xml|int\[\]|byte\[\]|string\[\]|object\[\]|diagnostics\.stopwatch"
    r"|security\.cryptography\.(?:sha\d+|md5)\w*|management\.automation\.pscredential"
    r"|io\.stringreader|io\.memorystream)",
    re.IGNORECASE,
)
_DENIED_OBJECTS = pattern(
    r"(?:system\.)?(?:net\.sockets|diagnostics\.process|reflection|management\.automation"
    r"\.(?:powershell|runspaces)|codedom|microsoft\.win32|io\.compression|net\.mail)",
    re.IGNORECASE,
)


@program("invoke-expression", "iex", table=CMDLETS)
def invoke_expression(call: Call) -> None:
    """Runs a text."""
    found = given(call, "command")
    said = found.first("command")
    if not said:
        if call.stdin.piped and call.stdin.text is not None and REMOTE not in call.stdin.taints:
            call.script(call.stdin.text, "run as text", shell="powershell")
        else:
            call.deny("run.piped", "runs text from a pipe, unreviewed")
        return
    (text, *_) = said
    if text.taints & {REMOTE, SECRET}:
        call.deny("run.remote", "runs text that comes from elsewhere")
    elif text.holed:
        call.deny("run.unknown", "runs text that is known only at run time")
    if text.text.strip(f"{HOLE} "):
        call.script(text.text, "run as text", shell="powershell")


@program("start-process", "saps", "start", table=CMDLETS)
def start_process(call: Call) -> None:
    """Starts a program."""
    found = given(
        call,
        "filepath path argumentlist args workingdirectory verb credential windowstyle "
        "redirectstandardinput redirectstandardoutput redirectstandarderror environment",
        "wait nonewwindow passthru loaduserprofile usenewenvironment",
        same="args=argumentlist path=filepath",
    )
    files = found.first("filepath")
    rest = found.first("argumentlist", at=0 if found.has("filepath") else 1)
    verb = found.text("verb")
    if verb:
        call.ask("privilege", f"starts a program with the verb {verb}")
    if found.has("credential", "environment") or found.strange:
        call.ask("privilege", "starts a program as another user, or in an unknown way")
    if found.text("windowstyle") == "hidden":
        call.ask("run.hidden", "starts a hidden program")
    for one in found.values("redirectstandardoutput", "redirectstandarderror"):
        call.writes(one)
    if not files:
        call.ask("run.unknown", "starts a program that is not named")
        return
    if re.match(r"[a-z][\w+.-]+://|mailto:|ms-\w+:|shell:", files[0].text, re.IGNORECASE):
        call.ask("open", f"opens {files[0].shown}")
        return
    words = [files[0]]
    for one in rest:
        words += split(one)
    call.runs(words, "Start-Process")


def split(value: Value) -> list[Value]:
    """A command line in one argument, as Windows cuts it."""
    said = re.findall(r'(?:"[^"]*"|[^\s"])+', value.text)
    return [value._replace(text=one.replace('"', ""), quoted='"' in one) for one in said]


@program("start-job", "sajb", "start-threadjob", "invoke-command", "icm", table=CMDLETS)
def start_job(call: Call) -> None:
    """Runs a block, which is judged where it stands."""
    found = given(
        call,
        "scriptblock command name filepath argumentlist args initializationscript inputobject "
        "computername cn session hostname username keyfilepath credential port vmname "
        "containerid workingdirectory throttlelimit authentication psversion definitionname "
        "connectionuri configurationname jobname",
        "asjob nonewscope runas32 hidecomputername usessl",
        same="args=argumentlist cn=computername command=scriptblock",
    )
    if found.has("computername", "session", "hostname", "connectionuri", "vmname", "containerid"):
        call.ask("network.session", "runs commands on another machine")
    for one in found.values("filepath"):
        call.ask("run.script", f"runs the script {one.shown}, whose content is not known")
    if found.has("definitionname") or found.strange:
        call.ask("unknown.option", "runs something in an unknown way")
    for one in [*found.values("scriptblock"), *(more[0] for more in found.loose)]:
        if not one.holed or one.quoted:  # a block is a hole without quotes
            call.ask("run.unknown", "runs a block that is known only at run time")


@program("import-module", "ipmo", table=CMDLETS)
def import_module(call: Call) -> None:
    """Loads a module, whose code runs."""
    found = given(
        call,
        "name function cmdlet variable alias requiredversion minimumversion maximumversion "
        "version prefix argumentlist assembly moduleinfo scope fullyqualifiedname pssession",
        "force global passthru disablenamechecking noclobber skipeditioncheck "
        "usewindowspowershell ascustomobject",
    )
    names = [*found.first("name"), *found.values("assembly", "fullyqualifiedname")]
    for one in names:
        if call.state.downloaded(absolute(one.text, call.state)):
            call.deny("download.run", f"loads {one.shown}, which was just downloaded")
        elif re.match(r"[\\/]{2}", one.text):
            call.deny("download.run", f"loads {one.shown} from another machine")
        elif not one.known or re.search(r"[\\/]|\.(?:psm1|psd1|ps1|dll)$", one.text, re.IGNORECASE):
            call.ask("run.script", f"loads {one.shown}, whose content is not known")
    if not names or found.strange or found.has("assembly", "pssession"):
        call.ask("run.script", "loads an unknown module")


@program("add-type", table=CMDLETS)
def add_type(call: Call) -> None:
    """Compiles and loads code."""
    found = given(
        call,
        "typedefinition name memberdefinition namespace usingnamespace path literalpath "
        "assemblyname an outputassembly outputtype referencedassemblies language "
        "compileroptions",
        "passthru ignorewarnings",
        same="an=assemblyname",
    )
    usual = r"(?:system(?:\.[\w.]+)?|presentation\w+|windowsbase|microsoft\.visualbasic)(?:,.*)?"
    names = found.values("assemblyname")
    if names and not found.loose and not found.has("typedefinition", "memberdefinition", "path"):
        for one in names:
            if not re.fullmatch(usual, one.text, re.IGNORECASE):
                call.ask("run.code", f"loads {one.shown}")
        return
    call.deny("run.code", "compiles and loads code that cannot be analysed")


@program("new-object", table=CMDLETS)
def new_object(call: Call) -> None:
    """Makes an object; what is done with it is judged where that is done."""
    found = given(call, "typename comobject argumentlist args property", "strict",
                  same="args=argumentlist")  # fmt: skip
    for one in found.values("comobject"):
        call.deny("run.com", f"{one.shown} can run programs and change the system")
    for one in found.first("typename"):
        name = re.sub(rf"\(.*|{CLASS}", "", one.text)
        if _DENIED_OBJECTS.match(name):
            call.deny("run.code", f"{one.shown} runs code or opens connections")
        elif not _SAFE_OBJECTS.fullmatch(name):
            call.ask("unknown.type", f"the effect of {one.shown} is not known")


@program("invoke-item", "ii", "show-command", "invoke-history", "r", "ihy", "debug-process",
         "debug-job", "debug-runspace", "invoke-build", "invoke-psake", "update-module",
         "install-module", "inmo", "install-package", "install-script", "install-psresource",
         "uninstall-module", "uninstall-package", "uninstall-script", "uninstall-psresource",
         "update-script", "update-psresource", "save-module", "save-package", "save-script",
         "save-psresource", "register-psrepository", "set-psrepository",
         "unregister-psrepository", "register-packagesource", "set-packagesource",
         "install-packageprovider", "import-packageprovider", "new-module", "nmo",
         "new-modulemanifest", "update-modulemanifest", "unblock-file", "use-module",
         "wait-debugger", "start-webserver", "trace-command", "install-windowsfeature",
         "add-windowscapability", "enable-windowsoptionalfeature", "add-appxpackage",
         "remove-appxpackage", "uninstall-windowsfeature", "disable-windowsoptionalfeature",
         "get-windowsupdate", "install-windowsupdate", "import-pssession", "ipsn",
         "register-objectevent", "register-engineevent", "new-event", table=CMDLETS)  # fmt: skip
def asked(call: Call) -> None:
    """Installs, loads or opens something."""
    if call.name == "unblock-file":
        for one in call.args:
            if call.state.downloaded(absolute(one.text, call.state)):
                call.deny("download.run", f"allows {one.shown}, which was just downloaded, to run")
    call.ask("install", f"{call.said} installs, loads or opens something")
