"""Documents, drawings, notebooks, data: what is made of the project's files, and shown."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.checkers.checker import NAMES, Checker, register
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import PASS, Verbs, ask, deny, elsewhere, has, is_url, loads
from tabwire_guard.values import Value

register(
    {
        "dot neato fdp sfdp twopi circo": Checker(
            takes="-T -K -G -N -E -s", loads="-l -c", out="-o"
        ),
        "dtc": Checker(takes="-I -O -H -W -E -b -S -p -R -V", loads="-i", out="-o -d"),
        "plantuml": Checker(
            takes="-t -tpng -tsvg -charset -S -D",
            loads="-config -I",
            out="-o -output",
            options={"-gui -picoweb -ftp -pipe": ask("network.listen", "serves or waits")},
            single=True,
        ),
        "iverilog": Checker(
            takes="-g -s -D -I -y -Y -W -t -P -T -N -l -E",
            loads="-c -f -B -p -m -L",
            out="-o -M",
        ),
        "verilator": Checker(
            takes="--top-module -j -D --threads -Wno -W -I -y",
            loads="-f -F --compiler",
            out="--Mdir -o",
            options={
                "-CFLAGS -LDFLAGS -MAKEFLAGS --gdb --make --pipe-filter --xml-output": NAMES,
                "--rr --gdbbt": NAMES,
            },
        ),
        "doxygen": Checker(
            loads="", options={"-s -g -u -w -e -d": ask("write.unknown", "writes")}, runs=True
        ),
    }
)


_PANDOC_LOADS = words(
    """-F --filter -L --lua-filter --pdf-engine --template -d --defaults --data-dir -H
    --include-in-header -B --include-before-body -A --include-after-body --syntax-definition
    --reference-doc --abbreviations --csl --bibliography --metadata-file --epub-metadata"""
)
_PANDOC_OUT = words("-o --output --extract-media --log")
_PANDOC_TAKES = words(
    """-f -r --from --read -t -w --to --write -M --metadata -V --variable --toc-depth --columns
    --highlight-style --wrap --dpi --eol --shift-heading-level-by --resource-path --number-offset
    --top-level-division --slide-level --markdown-headings --tab-stop -T --title-prefix"""
)


@program("pandoc")
def pandoc(call: Call) -> None:
    """Turns one kind of document into another; filters are programs."""
    said = options(call.args, _PANDOC_LOADS | _PANDOC_OUT | _PANDOC_TAKES)
    for one in said.values("-F", "--filter", "--pdf-engine"):
        if one.text not in ("pandoc-crossref", "pdflatex", "xelatex", "lualatex", "weasyprint"):
            loads(call, one, "what it runs:")
            call.ask("option.code", f"runs {one.shown}")
    for one in said.values("-t", "-w", "--to", "--write", "-f", "-r", "--from", "--read"):
        if "/" in one.text or one.text.endswith(".lua"):
            loads(call, one, "what it runs:")
    for one in said.values(*_PANDOC_LOADS):
        loads(call, one, "what it loads:")
    for one in said.values(*_PANDOC_OUT):
        call.writes(one)
    elsewhere(call, call.args, _PANDOC_OUT | _PANDOC_LOADS)
    if said.has("--pdf-engine-opt"):
        call.ask("option.code", "passes options to another program")
    for one in said.operands:
        if is_url(one.text):
            call.ask("network.fetch", f"fetches {one.shown}")
        else:
            call.reads(one)


# Notebooks

_OPEN = pattern(r"0\.0\.0\.0|\*|::|.*(?:token|password)=['\"]*$|.*allow_origin=.*\*.*")


def _serves(call: Call, args: list[Value]) -> None:
    words_of = [part for one in args for part in (one.text, one.text.partition("=")[2]) if part]
    if any(_OPEN.fullmatch(one) for one in words_of) or has(args, ("--allow-root",)):
        call.deny("network.listen", "lets anyone run programs here")
    call.ask("network.listen", f"{call.said} serves a page that runs programs")


def _convert(call: Call, args: list[Value]) -> None:
    takes = words("--to --output --output-dir --template --config --post --TagRemovePreprocessor")
    said = options(args, takes)
    elsewhere(call, args, ("--output", "--output-dir"))
    for one in said.values("--output", "--output-dir"):
        call.writes(one)
    for one in said.values("--template", "--config"):
        loads(call, one, "what it loads:")
    if said.has("--execute", "--ExecutePreprocessor", "--post", "--inplace", "--writer"):
        call.ask("run.script", "runs a notebook, serves it, or writes over it")
    odd = [
        name for name in said.names() if re.search(r"preprocess|exporter|postprocess", name, re.I)
    ]
    if any("enabled" not in name for name in odd):
        call.ask("option.code", "names code to load")
    for one in said.operands:
        call.reads(one)


_JUPYTER = Verbs(
    [
        (_convert, "nbconvert"),
        (_serves, "notebook lab server console qtconsole voila execute run"),
        (PASS, """kernelspec/list {lab,server,nbextension,labextension}extension/list
            {notebook,server,lab}/list troubleshoot --paths"""),
        (ask("package.install", "installs or removes extensions"), """kernelspec labextension
            nbextension serverextension bundlerextension contrib"""),
        (ask("run.script", "runs the code in notebooks"), "trust migrate"),
    ],
    flags="--version --paths --config-dir --data-dir --runtime-dir --json",
)  # fmt: skip


@program("jupyter")
def jupyter(call: Call) -> None:
    """Notebooks."""
    _JUPYTER(call)


@program("jupyter-lab", "jupyter-notebook", "voila")
def notebook(call: Call) -> None:
    """A page that runs programs."""
    _serves(call, call.args)


# Data

_SHARED = ask("database.write", "changes what others use")
_SENDS = ask("cloud.data", "sends or fetches data")

_DBT = Verbs(
    [
        (PASS, "compile test ls list parse debug docs/generate show --version"),
        (_SHARED, "run build seed snapshot run-operation clone retry source"),
        (ask("package.install", "downloads third-party code"), "deps init"),
        (ask("delete.build", "deletes what was built"), "clean"),
        (ask("network.listen", "serves pages"), "docs/serve"),
    ],
    takes="--profiles-dir --project-dir --target --profile --log-level --log-format",
    flags="--no-use-colors --quiet -q --debug -d --no-partial-parse --warn-error",
    files=True,
)


@program("dbt")
def dbt(call: Call) -> None:
    """Models in a warehouse."""
    _DBT(call)


_DVC = Verbs(
    [
        (PASS, """status dag diff metrics/{show,diff} params/diff plots/{show,diff} list ls version
            doctor data/status stage/list remote/list root check-ignore exp/{show,diff,list}"""),
        (_SENDS, "push pull fetch import import-url get get-url update"),
        (ask("run.script", "runs what the pipeline says"), "repro run exp/run queue"),
        (ask("delete.workspace", "deletes data that may be nowhere else"),
            "gc remove destroy exp/remove unprotect"),
        (ask("package.settings", "changes settings or files"),
            "remote config init add commit checkout move freeze unfreeze install cache stage exp"),
        (deny("secret.read", "shows or makes tokens"), "studio/token"),
    ],
    flags="-q --quiet -v --verbose",
    takes="--cd",
    files=True,
)  # fmt: skip


@program("dvc")
def dvc(call: Call) -> None:
    """Data beside a repository."""
    _DVC(call)


@program("huggingface-cli hf kaggle wandb mlflow ollama clearml-data labelbox")
def hubs(call: Call) -> None:
    """Models and data that others keep: what is sent there is told to all."""
    plain = options(call.args).operands
    if not plain or plain[0].text in words("version whoami env scan-cache ps list show help"):
        return
    sends = any(one.text in words("upload create put push sync submit version") for one in plain)
    if sends:
        for one in plain[1:]:
            call.reads(one, deep=True)
        call.sends([Value("", call.output.taints - {"project"})], where=f"{call.said}'s hub")
    call.ask("cloud.data", f"{call.said} {plain[0].shown} sends, fetches or serves data")


@program("restic borg borgmatic duplicity kopia etcdctl")
def backups(call: Call) -> None:
    """Backups, and stores that are the only copy of something."""
    verbs = words("snapshots list ls stats check info diff version member endpoint alarm get watch")
    plain = [one.text for one in options(call.args, words("-r --repo -p --endpoints")).operands]
    gone = words("forget prune delete del destroy purge unlock compact remove key rebuild-index")
    if any(one in gone or one.startswith("remove-") for one in plain):
        if not has(call.args, ("--dry-run", "-n")):
            call.deny(
                "delete.lost", f"{call.said} {plain[0]}: deletes data that may have no other copy"
            )
    elif not plain or plain[0] not in verbs:
        call.ask("archive.backup", f"{call.said} makes, restores or opens backups")
    elif plain[0] == "get" and call.name == "etcdctl":
        call.ask("secret.read", "what a cluster keeps, secrets included")
