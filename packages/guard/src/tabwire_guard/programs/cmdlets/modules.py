"""Commands of PowerShell's well-known modules: directories, clouds, machines, web servers, mail.

There are thousands. Their names have the same build everywhere (`Get-ADUser`, `Remove-AzVM`), so
the verb says what one does, and the beginning of the noun whose it is (`MODULES` of
programs). A noun of no module that is known is not judged here: anybody may have written that
command.
"""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.cmdlets.display import looks
from tabwire_guard.programs.cmdlets.parameters import given
from tabwire_guard.programs.databases.sql import judge
from tabwire_guard.programs.registry import Handler
from tabwire_guard.values import SECRET

_SECRET = pattern(
    r"secret|password|credential|token|accesskey|accountkey|privatekey|kubeconfig|laps|keys?$"
    r"|publishingprofile|connectionstring|remotedesktopfile"
)
_LOOKS = frozenset("get find test measure search select compare".split())
_DESTROYS = frozenset("remove clear reset uninstall format revoke unregister dismount".split())
_WRITES = pattern(r"-(?:dest|outf|outp|localpa|path|filep|file$)", re.IGNORECASE)


def module_command(name: str) -> Handler:
    """The function that judges a command of a module."""
    verb, _, noun = name.partition("-")
    if name == "invoke-sqlcmd":
        return _sql
    if _SECRET.search(noun):
        return _secrets
    if verb in _LOOKS:
        return _looks
    return _destroys if verb in _DESTROYS else _changes


def _looks(call: Call) -> None:
    if any(_WRITES.match(one) for one in call.texts):
        call.ask("write.unknown", f"{call.said} may write files")
    looks(call)


def _secrets(call: Call) -> None:
    call.taint(SECRET)
    call.deny("secret.read", f"{call.said} shows or makes passwords or keys")


def _destroys(call: Call) -> None:
    if not given(call).dry:
        call.deny("cloud.destroy", f"{call.said} removes what others use")


def _changes(call: Call) -> None:
    if not given(call).dry:
        call.ask("cloud.change", f"{call.said} changes what others use")


def _sql(call: Call) -> None:
    found = given(
        call,
        "query inputfile serverinstance database querytimeout connectiontimeout",
        "encryptconnection trustservercertificate",
        same="q=query s=serverinstance d=database",
    )
    queries = found.first("query")
    if not queries or found.strange or found.has("inputfile"):
        call.ask("database.unknown", f"{call.said} runs SQL that is not all to be seen")
    for one in queries:
        judge(one.text).of(call, "the SQL")
        if re.search(r"^\s*(?::|!!)", one.text, re.MULTILINE):
            call.deny("database.escape", "runs programs on this machine from SQL")
