"""PowerShell's own commands that look, count, sort and print."""

import re

from tabwire_guard.call import Call
from tabwire_guard.paths import Place
from tabwire_guard.pattern import pattern
from tabwire_guard.programs import known_program
from tabwire_guard.programs.cmdlets.files import remove_item
from tabwire_guard.programs.cmdlets.parameters import drive, given, path
from tabwire_guard.programs.registry import CMDLETS, program
from tabwire_guard.programs.windows.registry import reads_registry
from tabwire_guard.values import DECODED, HOLE, PRIVATE, SECRET, Flow, Value


def _prints_secret(call: Call) -> None:
    if any(SECRET in one.taints and not one.text.strip(HOLE) for one in call.args):
        call.ask("secret.environment", "prints a variable whose name suggests a secret")


@program("write-output", "echo", "write", table=CMDLETS)
def write_output(call: Call) -> None:
    """What it is given comes out."""
    found = given(call, "inputobject", "noenumerate")
    said = [*found.values("inputobject"), *(one for more in found.loose for one in more)]
    items: tuple[str, ...] = ()
    if not said:
        call.output = call.stdin
        return
    _prints_secret(call)
    if all(one.known for one in said):
        call.gives("\n".join(one.text for one in said))
        return
    if all(one.text.strip(HOLE) for one in said):
        items = tuple(one.text for one in said)
    call.output = Flow(None, call.output.taints, True, items)


@program("write-host", "write-verbose", "write-debug", "write-warning", "write-error",
         "write-information", "write-progress", "out-host", "oh", "out-null", "out-default",
         "clear-host", "cls", "clear", "start-sleep", "sleep", "set-strictmode", "get-date",
         "get-random", "get-host", "get-culture", "get-uiculture", "get-timezone", "get-uptime",
         "get-verb", "get-alias", "gal", "get-command", "gcm", "get-help", "help", "man",
         "get-member", "gm", "get-module", "gmo", "get-psdrive", "gdr", "get-psprovider",
         "get-process", "gps", "ps", "get-service", "gsv", "get-variable", "gv", "get-unique",
         "gu", "get-error", "get-executionpolicy", "get-computerinfo", "get-hotfix",
         "get-installedmodule", "get-package", "get-packageprovider", "get-psrepository",
         "find-module", "find-package", "find-script", "get-typedata",
         "get-tracesource", "get-event", "get-eventlog", "get-winevent", "get-counter",
         "get-netipaddress", "get-netipconfiguration", "get-nettcpconnection", "get-netadapter",
         "get-netroute", "get-netneighbor", "get-netfirewallrule", "get-netfirewallprofile",
         "get-dnsclientcache", "get-dnsclientserveraddress", "get-disk", "get-volume",
         "get-partition", "get-physicaldisk", "get-scheduledtask", "get-scheduledtaskinfo",
         "get-localuser", "get-localgroup", "get-localgroupmember", "get-acl", "get-job", "gjb",
         "receive-job", "rcjb", "wait-job", "wjb", "remove-job", "rjb", "stop-job", "spjb",
         "wait-process", "wait-event", "get-wmiobject", "gwmi", "get-ciminstance", "gcim",
         "get-cimclass", "get-mppreference", "get-mpcomputerstatus", "get-appxpackage",
         "get-windowsoptionalfeature", "get-windowsfeature", "get-bitlockervolume",
         "get-formatdata", "get-runspace", "get-pssession", "gsn", "get-pscallstack", "gcs",
         "get-psbreakpoint", "get-itemproperty", "gp", "get-itempropertyvalue", "gpv",
         "test-path", "split-path", "test-connection", "test-modulemanifest",
         "test-scriptfileinfo", "show-markdown", "get-markdownoption", "get-psreadlineoption",
         "get-psreadlinekeyhandler", "new-guid", "new-timespan", "new-temporaryfile",
         "stop-transcript", "read-host", "pause", "out-gridview", "ogv",
         "get-pnpdevice", "get-printer", "get-scriptanalyzerrule", "exit",
         table=CMDLETS)  # fmt: skip
def looks(call: Call) -> None:
    """Looks or prints, and changes nothing."""
    for text in call.texts:
        said = text.lower().partition(":")[0]
        if call.name not in ("get-command", "gcm") and any(
            len(said) > 3 and f"-{name}".startswith(said) for name in _REMOTE
        ):
            call.ask("network.session", f"{call.said} {text} asks another machine")
    given(call)
    if call.name.startswith(("get-itemproperty", "gp")):
        for one in call.args:
            if one.text[:1] != "-" and not re.match(r"(?i)hk\w+:|registry::|env:", one.text):
                call.reads(one)
            elif drive(one) == "registry":
                reads_registry(call, one)
            elif "password" in one.text.lower():
                call.taint(SECRET)
                call.deny("secret.read", f"{one.shown} is where passwords are kept")
    if call.name == "get-psreadlineoption":
        call.taint(PRIVATE)  # it names the file with all that was ever typed
    if call.name.startswith("write-"):
        _prints_secret(call)
    if call.name.startswith(("write-", "out-")):
        call.output = Flow(None, call.output.taints, True)


_REMOTE = ("computername", "cimsession", "session", "hostname", "connectionuri", "credential")


@program("invoke-pester", table=CMDLETS)
def pester(call: Call) -> None:
    """Runs the project's tests."""
    found = given(
        call,
        "path script tagfilter tag excludetagfilter excludetag fullnamefilter testname output "
        "show verbosity",
        "ci passthru quiet enableexit strict",
        same="script=path tag=tagfilter excludetag=excludetagfilter",
    )
    if found.strange:
        call.ask("run.option", f"{call.said} {found.strange}: what this option runs is not known")
    for one in [*found.values("path"), *(one for more in found.loose for one in more)]:
        if call.place(path(one)) not in (Place.INSIDE, Place.WORKSPACE, Place.TOUCHY):
            call.ask(
                "run.script", f"runs the tests in {one.shown}, which do not belong to the project"
            )


@program("invoke-scriptanalyzer", table=CMDLETS)
def analyzer(call: Call) -> None:
    """Checks scripts; rules of one's own are code that runs."""
    found = given(
        call,
        "path scriptdefinition includerule excluderule severity",
        "recurse reportsummary suppressedonly includedefaultrules enableexit",
    )
    if found.strange:
        call.ask("run.option", f"{call.said} {found.strange} loads or changes something")
    for one in found.first("path"):
        call.reads(path(one))


@program("select-object", "select", "where-object", "where", "?", "sort-object", "sort",
         "group-object", "group", "measure-object", "measure", "compare-object", "diff",
         "format-table", "ft", "format-list", "fl", "format-wide", "fw", "format-custom", "fc",
         "out-string", "oss", "convertto-json", "convertfrom-json", "convertto-csv",
         "convertfrom-csv", "convertto-xml", "convertto-html", "convertfrom-stringdata",
         "convertfrom-markdown", "join-string", "tee-output", "add-member", "convertfrom-string",
         "convert-string", "measure-command", "convertto-yaml", "convertfrom-yaml",
         table=CMDLETS)  # fmt: skip
def through(call: Call) -> None:
    """What is piped in comes out in another form; blocks in the arguments run, and are judged."""
    keeps = call.name in ("select-object", "select", "where-object", "where", "?", "sort-object",
                          "sort", "get-unique", "gu")  # fmt: skip
    if any(one.lower().startswith("-exp") for one in call.texts):
        keeps = keeps and any(one.lower() in _NAMES for one in call.texts)
    items = call.stdin.items if keeps else ()
    call.output = Flow(None, call.output.taints, True, items)


@program("foreach-object", "foreach", "%", table=CMDLETS)
def for_each(call: Call) -> None:
    """Runs a block, which is judged where it stands, or a member by its name."""
    found = given(
        call,
        "process begin end membername argumentlist parallel throttlelimit timeoutseconds "
        "inputobject remainingscripts",
        "asjob usenewrunspace",
    )
    members = found.values("membername") or [one for more in found.loose[:1] for one in more[:1]]
    for one in members:
        if one.holed and not one.quoted:  # a block
            continue
        if one.text.lower() in _MEMBERS:
            continue
        does = one.globbed or not one.known or re.search(r"[*?\[]", one.text)
        say = call.deny if does or _DOES.search(one.text) else call.ask
        say("run.member", f"calls {one.shown} on all that is piped in")
    if any(one.quoted and one.holed for more in found.loose for one in more[:1]):
        call.ask("run.hidden", "runs an unknown block")
    if members and all(one.text.lower() in _NAMES for one in members):
        call.passes_names()


_NAMES = frozenset(("fullname", "name", "pspath", "path", "filename"))
"""Of a file, what names it."""
_DOES = pattern(
    r"delete|kill|remove|invoke|start|run|move|copy|write|set|stop|load|create|clear|uninstall"
    r"|change|terminate|format|disable|enable|restore|crypt|eject|shut|boot|rename|mount|install",
    re.IGNORECASE,
)
_MEMBERS = frozenset(
    """name fullname basename extension length count path id version status displayname directory
    directoryname parent root lastwritetime lastaccesstime creationtime line linenumber filename
    matches groups value values key keys index tostring trim trimstart trimend toupper tolower
    gettype processname cpu workingset caption description message source commandtype definition
    title text content scripts dependencies number type date year month day hour minute second
    totalseconds totalminutes days tochararray split substring isreadonly exists mode handles pid
    author url tag sum average maximum minimum property sha hash algorithm major minor build
    publickeytoken state priority owner localport remoteport localaddress remoteaddress""".split()
)
"""Properties that are read, and methods that only compute: by name nobody sees which it is."""


@program("set-variable", "sv", "set", "new-variable", "nv", "clear-variable", "clv",
         "remove-variable", "rv", table=CMDLETS)  # fmt: skip
def set_variable(call: Call) -> None:
    """A variable, by its name."""
    found = given(
        call, "name value description option scope visibility include exclude", "force passthru"
    )
    values = found.first("value", at=0 if found.has("name") else 1)
    value = values[0] if len(values) == 1 else Value(HOLE, call.output.taints)
    for one in found.first("name"):
        name = one.text.lower()
        if name.startswith(("psdefaultparametervalues", "profile", "executioncontext")):
            call.deny("shadow", "changes what later commands do")
        call.state.variables[f"${name}"] = value
        if one.holed:
            call.ask("variable.hidden", "sets an unknown variable")


@program("set-alias", "sal", "new-alias", "nal", table=CMDLETS)
def set_alias(call: Call) -> None:
    """Another name for a command; one that is known means something else from then on."""
    found = given(call, "name value description option scope", "force passthru")
    names = found.first("name")
    at = 0 if found.has("name") else 1
    values = found.first("value", at=at)
    for name, target in zip(names, values, strict=False):
        if not target.known or not name.known:
            call.deny("shadow", "a new name for an unknown command")
            continue
        meant = target.text.lower().rsplit("\\", 1)[-1]
        before = known_program(name.text.lower(), "powershell")
        if before is not None and before is not known_program(meant, "powershell"):
            call.deny("shadow", f"{name.shown} means {target.shown} from then on")
        call.state.aliases[name.text] = target.text
        call.state.aliases[name.text.lower()] = target.text
        if known_program(meant, "powershell") is remove_item:
            call.ask("shadow", f"another name for {target.shown}")


@program("import-alias", "ipal", "update-formatdata", "update-typedata", "remove-typedata",
         "remove-alias", "export-alias", "epal", "clear-history", "clhy",
         "add-history", "get-history", "h", "ghy", "history", "set-psreadlineoption",
         "set-psreadlinekeyhandler", "update-help", "save-help", "set-clipboard", "scb",
         "get-clipboard", "gcb", "set-psdebug", "register-argumentcompleter", "remove-module",
         "rmo", "set-date", "set-timezone", "set-culture", "get-credential",
         "convertfrom-securestring", "convertto-securestring", table=CMDLETS)  # fmt: skip
def asked(call: Call) -> None:
    """Changes the session, or shows what a person typed or copied."""
    if call.name in ("get-clipboard", "gcb", "get-history", "h", "ghy", "history",
                     "get-credential", "convertfrom-securestring"):  # fmt: skip
        call.taint(SECRET)
        call.ask("secret.session", f"{call.said} may show passwords")
        return
    call.ask("session", f"{call.said} changes the session or what a person sees")


@program("get-secret", "get-storedcredential", "get-secretinfo", "export-pfxcertificate",
         "get-vaultcredential", "unprotect-cmsmessage", "get-azkeyvaultsecret",
         "get-adreplaccount", table=CMDLETS)  # fmt: skip
def secrets(call: Call) -> None:
    """Takes passwords and keys out of where they are kept."""
    call.taint(SECRET)
    call.deny("secret.read", f"{call.said} shows passwords or keys")


@program("convertfrom-base64", table=CMDLETS)
def decoded(call: Call) -> None:
    """Text that was encoded."""
    call.taint(DECODED)
