"""PowerShell's commands that pack and unpack."""

from tabwire_guard.call import Call
from tabwire_guard.paths import absolute
from tabwire_guard.programs.cmdlets.files import changes
from tabwire_guard.programs.cmdlets.parameters import given, paths_of
from tabwire_guard.programs.registry import CMDLETS, program
from tabwire_guard.values import Value


@program("compress-archive", "expand-archive", table=CMDLETS)
def archive(call: Call) -> None:
    """Packs and unpacks."""
    found = given(
        call,
        "path literalpath destinationpath compressionlevel",
        "force update passthru",
        same="lp=literalpath pspath=literalpath",
    )
    packing = call.name == "compress-archive"
    fetched = False
    for one in paths_of(found):
        call.reads(one, deep=packing)
        if call.state.downloaded(absolute(one.text, call.state)):
            call.ask("download.unpack", f"unpacks {one.shown}, which was just downloaded")
            fetched = True
    named = found.has("path", "literalpath")
    targets = found.first("destinationpath", at=0 if named else 1)
    for one in targets:
        changes(call, one)
    for one in (targets or [Value(".")]) if fetched else []:
        if full := absolute(one.text, call.state):
            call.state.downloads.add(full)
