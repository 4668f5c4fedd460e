"""PowerShell's commands that talk to other machines."""

from tabwire_guard.call import Call
from tabwire_guard.programs.cmdlets.parameters import given
from tabwire_guard.programs.network.transfers import downloaded, is_local
from tabwire_guard.programs.registry import CMDLETS, program
from tabwire_guard.values import HOLE, PRIVATE, PROJECT, REMOTE, SECRET, Value

_WEB_TAKES = """uri method custommethod body form infile outfile headers contenttype useragent
    credential authentication token certificate certificatethumbprint sessionvariable websession
    timeoutsec connectiontimeoutseconds operationtimeoutseconds maximumredirection
    maximumretrycount retryintervalsec proxy proxycredential transferencoding
    responseheadersvariable rhv statuscodevariable sslprotocol httpversion followrellink
    maximumfollowrellink unixsocket"""
_WEB_SWITCHES = """usebasicparsing usedefaultcredentials skipcertificatecheck
    skiphttperrorcheck skipheadervalidation passthru resume disablekeepalive noproxy
    allowunencryptedauthentication allowinsecureredirect preserveauthorizationonredirect
    proxyusedefaultcredentials"""


@program("invoke-webrequest", "iwr", "invoke-restmethod", "irm", table=CMDLETS)
def web(call: Call) -> None:
    """Fetches and sends."""
    found = given(call, _WEB_TAKES, _WEB_SWITCHES, same="rhv=responseheadersvariable")
    urls = found.first("uri")
    local = bool(urls) and all(is_local(one.text) for one in urls)
    where = urls[0].shown if urls else "an unknown address"
    call.taint(REMOTE)
    for one in found.values("outfile"):
        call.writes(one)
        downloaded(call, one)
    for one in found.values("sessionvariable", "responseheadersvariable", "statuscodevariable"):
        call.state.variables[f"${one.text.lower()}"] = Value(HOLE)
    if found.has("unixsocket"):
        call.deny("container.socket", "talks to a service of the system")
    if found.strange:
        call.ask("unknown.option", f"{call.said} {found.strange}: this option is not known")
    files = found.values("infile")
    for one in files:
        call.reads(one)
    if found.text("method") == "delete" or found.has("custommethod"):
        call.ask("network.delete", "asks a service to delete something")
    if local and not found.has("proxy"):
        return
    sent = [*urls, *found.values("body", "form", "headers", "token", "useragent", "contenttype")]
    call.sends(sent, where=where)
    if any({PROJECT, SECRET, PRIVATE} & one.taints for one in sent):
        call.deny("network.project", f"sends files to {where}")
    if files:
        call.deny("network.upload", f"sends the file {files[0].shown} to {where}")
    if "169.254.169.254" in where or "metadata.google" in where:
        call.deny("secret.read", "requests the machine's keys from the cloud")
    if not urls or any(one.holed for one in urls):
        call.ask("network.unknown", "asks an address that is known only at run time")
    elif found.has("body", "form") or found.text("method") not in ("", "get", "head", "options"):
        call.ask("network.send", f"sends something to {where}")
    elif found.has("headers", "token", "credential", "authentication", "proxy",
                   "usedefaultcredentials"):  # fmt: skip
        call.ask("secret.header", f"sends a password or token to {where}")
    elif found.text("method") != "head":
        call.ask("network.fetch", f"fetches {where}")


@program("start-bitstransfer", table=CMDLETS)
def bits(call: Call) -> None:
    """Downloads, or uploads, behind the scenes."""
    found = given(
        call,
        "source destination transfertype description displayname credential authentication "
        "priority proxyusage retryinterval retrytimeout securityflags",
        "asynchronous suspended dynamic",
    )
    if found.text("transfertype").startswith("upload"):
        call.deny("network.upload", "sends a file to another machine")
        return
    call.taint(REMOTE)
    call.ask("network.fetch", "downloads a file")
    for one in found.first("destination", at=0 if found.has("source") else 1):
        call.writes(one)
        downloaded(call, one)


@program("send-mailmessage", table=CMDLETS)
def mail(call: Call) -> None:
    """Sends a mail."""
    found = given(
        call,
        "to from subject body attachments smtpserver port cc bcc credential encoding priority",
        "bodyashtml usessl",
    )
    for one in found.values("attachments"):
        call.reads(one)
    if found.has("attachments") or call.stdin.piped:
        call.deny("network.send", "sends files by mail")
    call.sends(call.args, where="somebody")
    call.ask("network.send", "sends a mail")


@program("test-netconnection", "tnc", "resolve-dnsname", table=CMDLETS)
def reaches(call: Call) -> None:
    """Tries whether a machine answers: a name can carry what was read."""
    call.sends(call.args, where="another machine")
    if any(one.holed for one in call.args):
        call.ask("network.unknown", "looks up a machine known only at run time")


@program("enter-pssession", "etsn", "new-pssession", "nsn", "connect-pssession", "cnsn",
         "disconnect-pssession", "remove-pssession", "rsn", "exit-pssession", "exsn",
         "connect-wsman", "new-psdrive", "ndr", "new-smbmapping", "remove-psdrive",
         "rdr", "connect-azaccount", "connect-mggraph", "publish-module", "publish-script",
         "remove-smbmapping", "new-cimsession", table=CMDLETS)  # fmt: skip
def sessions(call: Call) -> None:
    """Works on another machine."""
    call.ask("network.session", f"{call.said} works with another machine")
