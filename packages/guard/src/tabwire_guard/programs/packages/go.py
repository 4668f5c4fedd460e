"""Go's package manager, which builds and tests as well."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.programs.packages.languages import CLEAN
from tabwire_guard.programs.packages.sources import FETCH, INSTALL, REGISTRY, SETTINGS
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    ask,
    deny,
    each,
    elsewhere,
    flag,
    flagged,
    has,
    is_url,
    own,
)
from tabwire_guard.values import PROJECT, Value

_GO_CODE = each(
    {
        "-exec -toolexec -vettool --exec --toolexec --vettool": deny(
            "option.code", "makes go run another program"
        ),
        "-overlay --overlay -modfile --modfile -compiler --compiler": ask(
            "option.code", "swaps sources or the compiler"
        ),
    }
)
_GO_TAKES = words(
    """-o -p -run -bench -count -timeout -coverprofile -covermode -tags -ldflags -gcflags -mod -v
    -cpuprofile -memprofile -outputdir -C -json -f -args -fuzz -fuzztime -benchtime -cpu -parallel
    -skip -shuffle -vet -buildmode -asmflags -exec -toolexec -modfile -overlay -coverpkg"""
) - {"-v", "-json", "-args"}


def _go_build(call: Call, args: list[Value]) -> None:
    flagged(call, args, _GO_CODE)
    out = words(
        """-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir
        -pkgdir -debug-trace"""
    )
    out |= {f"-{name}" for name in out} | {name.replace("-", "-test.", 1) for name in out}
    said = options(args, _GO_TAKES | out, single=True)
    for one in said.values(*out):
        if not own(call, one):
            call.writes(one)
    elsewhere(call, args, out | words("-ldflags -gcflags -run -bench -skip -C -tags"))
    handed = words("-ldflags -gcflags -asmflags -gccgoflags")
    for one in said.values(*handed, *(f"-{name}" for name in handed)):
        if re.search(r"-extld\b|-extldflags|-extar|-linkmode|-toolexec|gccgo", one.text):
            call.ask("option.code", f"the linker would run {one.shown}")


def _go_list(call: Call, args: list[Value]) -> None:
    """Prints the names of packages, for others to do something with them."""
    _go_build(call, args)
    call.taint(PROJECT)


def _go_run(call: Call, args: list[Value]) -> None:
    _go_build(call, args)
    for one in options(args, _GO_TAKES, first=True, single=True).operands[:1]:
        if "@" in one.text or is_url(one.text):
            call.deny("run.remote", f"go run downloads {one.shown} and runs it")
        elif re.match(r"[\w-]+\.[\w.-]+/", one.text):
            call.ask("package.run", f"go run runs {one.shown}, a third-party module")
        elif not own(call, one):
            call.ask("run.elsewhere", f"go run runs {one.shown}, outside the project")


def _go_env(call: Call, args: list[Value]) -> None:
    if flag(args, ("-w", "-u", "--w", "--u")):
        call.deny(REGISTRY, "go env -w changes how every later build behaves")


def _go_clean(call: Call, args: list[Value]) -> None:
    if not has(args, ("-n",)):
        CLEAN.of(call, "go clean:")


_GO = Verbs(
    [
        (_go_build, "build test vet fmt fix generate"),
        (_go_list, "list"),
        (PASS, "version doc mod/{graph,why,verify,tidy,init} help telemetry bug"),
        (
            PASS,
            "tool/{pprof,cover,trace,nm,objdump,vet,dist,test2json,buildid} work/{sync,init,use}",
        ),
        (_go_run, "run"),
        (_go_env, "env"),
        (_go_clean, "clean"),
        (INSTALL, "get install"),
        (FETCH, "mod/{download,vendor}"),
        (SETTINGS, "mod/edit work/edit"),
    ],
    takes="-C",
    files=True,
    quiet="-C -o -ldflags -gcflags -run -bench",
)


@program("go", runs_project=True)
def go(call: Call) -> None:
    """Go."""
    for one in options(call.args[:4], ("-C",), single=True).values("-C"):
        if not own(call, one):
            call.ask("option.elsewhere", f"go works in {one.shown}, outside the project")
    _GO(call)
