"""The package managers and builders of .NET."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.packages.languages import CLEAN, YANK
from tabwire_guard.programs.packages.sources import (
    FETCH,
    INSTALL,
    PUBLISH,
    REGISTRY,
    REMOVE,
    file,
    registries,
)
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    ask,
    deny,
    elsewhere,
    loads,
    outside,
    own,
)
from tabwire_guard.values import Value

_DOTNET_EVENTS = pattern(
    r"[-/]{1,2}(?:p|property):.*(?:event|target|exec|publishprofile|toolpath"
    r"|restore\w*sources|restoreconfigfile|directorybuild|nuget\w*source)",
    re.I,
)


_DOTNET_FILES = pattern(
    r"[-/]{1,2}(?:p|property|l|logger|bl|binarylogger|flp|dl|distributedlogger)\d?:", re.I
)


_DOTNET_TAKES = words(
    """-c --configuration -f --framework -r --runtime -v --verbosity -s --source --filter -l
    --logger
    --settings --collect -e --environment --project -p --property --arch -a --os --version-suffix
    --launch-profile --severity --diagnostics --include --exclude"""
)


def _dotnet_build(call: Call, args: list[Value]) -> None:
    for one in args:
        if _DOTNET_EVENTS.match(one.text):
            call.ask("option.code", f"{one.shown} may make the build run or publish something")
    out = words(
        "-o --output -d --diag -r --results-directory --report --binarylog -bl --artifacts-path"
    )
    said = options(args, out | {"-s", "--source"})
    for one in said.values("-o", "--output", "--results-directory", "--diag", "--artifacts-path"):
        if not own(call, one):
            call.writes(one)
    elsewhere(call, args, out)
    for one in options(args, out | _DOTNET_TAKES).operands:
        if not (one.text.startswith("/") and re.match(r"/\w+(?::|$)", one.text)):
            loads(call, one, "the project")
    for one in args:
        given = one._replace(text=_DOTNET_FILES.sub("", one.text, count=1))
        if _DOTNET_FILES.match(one.text) and (path := outside(call, given)) is not None:
            call.ask("option.elsewhere", f"{path.shown} does not belong to the project")
        if re.match(r"[-/]{1,2}(?:l|logger|dl|distributedlogger):.*\.dll", one.text, re.I):
            call.ask("option.code", f"{one.shown} loads code into the build")
    for one in options(args, words("-a --test-adapter-path --settings")).values(
        "--test-adapter-path", "--settings"
    ):
        loads(call, one, "what it loads:")
    if any(re.match(r"--configfile|--packages", one.text) for one in args):
        call.ask("option.elsewhere", "packages come from, or go to, somewhere else")
    registries(call, [one for one in args if not re.match(r"-\w+:", one.text)], "-s --source")


def _dotnet_file(call: Call, args: list[Value]) -> None:
    if not args:
        return
    if args[0].text.endswith((".dll", ".exe", ".csx", ".cs")):
        file(call, args[0])
    else:
        call.ask("unknown.verb", f"the effect of dotnet {args[0].shown} is unknown")


_DOTNET = Verbs(
    [
        (_dotnet_build, "build test run format watch publish pack msbuild vstest"),
        (PASS, """sln new list add/reference tool/{list,restore} nuget/list nuget/locals/--list help
            workload/list sdk/check build-server ef/migrations/{list,script,add} ef/dbcontext
            package/{list,search} ef/database/--help"""),
        (FETCH, "restore"),
        (INSTALL, "add new/install tool/{install,update,run} workload package/add install"),
        (REMOVE, "remove new/uninstall tool/uninstall package/remove ef/migrations/remove"),
        (CLEAN, "clean nuget/locals"),
        (deny("database.drop", "drops the database"), "ef/database/drop"),
        (ask("database.write", "changes the database"), "ef/database/update"),
        (PUBLISH, "nuget/push"),
        (YANK, "nuget/delete"),
        (deny(REGISTRY, "changes where packages come from"),
            "nuget/{add,update,remove,enable,disable}/source nuget/config/{set,unset}"),
        (deny("secret.read", "prints or changes secrets"), "user-secrets"),
        (ask("system.trust", "changes what this machine trusts"), "dev-certs"),
        (_dotnet_file, "exec"),
    ],
    flags="--info --list-sdks --list-runtimes -d --diagnostics",
    other=_dotnet_file,
)  # fmt: skip
_NUGET = Verbs(
    [
        (PASS, "list search verify locals/all/-list help pack"),
        (INSTALL, "install restore update"),
        (PUBLISH, "push add"),
        (YANK, "delete"),
        (deny(REGISTRY, "changes where packages come from"), "sources config setapikey"),
    ]
)


@program("dotnet", runs_project=True)
def dotnet(call: Call) -> None:
    """.NET."""
    _DOTNET(call)


@program("nuget", runs_project=True)
def nuget(call: Call) -> None:
    """NuGet."""
    _NUGET(call)
