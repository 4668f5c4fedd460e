"""Clients of SQL databases: what is read, what is changed, what is lost. sql.py reads the SQL."""

import re
from collections.abc import Sequence

from tabwire_guard import paths
from tabwire_guard.call import Call
from tabwire_guard.options import Options, options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.databases import sql
from tabwire_guard.programs.databases.sql_words import readings
from tabwire_guard.programs.databases.stores import DROPS, remote
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import ask, deny, elsewhere, has, is_url, own
from tabwire_guard.values import PRIVATE, REMOTE, Value

SHELL = deny("database.escape", "runs a program from inside the database client")
FILES = ask("database.file", "reads or writes files from inside the database client")


def _sql(call: Call, text: str, dialect: str) -> None:
    said = sql.judge(text, dialect)
    said.of(call, "the SQL")


def _given(
    call: Call, texts: Sequence[Value], *, meta: str = "", files: Sequence[Value] = ()
) -> None:
    """Judge all that a client is told: arguments, files, standard input."""
    call.taint(PRIVATE)
    for one in texts:
        if REMOTE in one.taints:
            call.deny("run.remote", "the SQL comes from another machine")
        _text(call, one.text, meta)
    for one in files:
        full = call.state.files.get(paths.absolute(one.text, call.state) or "")
        if full is None:
            call.ask("database.script", f"runs the statements in {one.shown}, unreviewed")
        else:
            _text(call, full, meta)
    if call.stdin.piped:
        if call.stdin.text is not None:
            _text(call, call.stdin.text, meta)
        elif REMOTE in call.stdin.taints:
            call.deny("run.remote", "the statements come from another machine")
        elif not texts:
            call.ask("database.script", "runs statements from standard input, unreviewed")
    elif not texts and not files:
        call.ask("database.prompt", f"{call.said} waits for typed input")


def _text(call: Call, text: str, meta: str) -> None:
    if meta == "psql":
        _psql_commands(call, text)
    elif meta in ("sqlite", "duckdb"):
        text = _dot_commands(call, text)
    elif meta == "mysql":
        _mysql_commands(call, text)
    elif meta == "sqlcmd" and re.search(r"^[^\S\n]*:?!!", text, re.M):
        SHELL.of(call, "!!:")
    elif meta == "sqlcmd" and re.search(
        r"^[^\S\n]*:(?:r|out|error|setvar|connect)\b", text, re.M | re.I
    ):
        FILES.of(call, "the client's own command")
    elif call.name == "beeline" and re.search(r"(?:^|;)[^\S\n]*!", text, re.M):
        SHELL.of(call, "!:")
    _sql(call, text, meta)


_MYSQL_MILD = frozenset("gGcqh?spwWxtnruC")


def _mysql_commands(call: Call, text: str) -> None:
    """What stands after backslashes, and the words that the client takes for itself."""
    letters = {one for read in readings(text, "mysql") for one in read.commands}
    if "!" in letters or re.search(r"(?:^|[\s;])system\s", text):
        SHELL.of(call, "\\!:")
    if not letters.isdisjoint(".PTeo") or re.search(
        r"(?:^|;)[^\S\n]*(?:source|tee|pager|edit)\s", text, re.M
    ):
        FILES.of(call, "the client's own command")
    elif strange := letters - _MYSQL_MILD - {"!"}:
        call.ask("database.unknown", f"the effect of \\{min(strange)} is unknown")


_PSQL_MILD = pattern(
    r"d\S*|l\+?|z|x|timing|conninfo|q|pset|\?|h|sf\+?|sv\+?|encoding|echo|a|t|H|f|C|errverbose"
    r"|gx|crosstabview|"
    r"dt\S*|if|endif|else|elif|unset|prompt|p|r|qecho|warn|T|watch|gdesc|bind|set"
)


def _psql_commands(call: Call, text: str) -> None:
    """Judge what stands after backslashes."""
    found = [one for read in readings(text, "psql") for one in read.commands]
    for said in dict.fromkeys(found):
        name = (re.match(r"!|\?|[A-Za-z_]+\+?", said) or [""])[0]
        _psql_command(call, name, said[len(name) :])
    statements = [one for read in readings(text, "psql") for one in read.statements]
    if any(re.search(r"(?<![:\w\]]):[A-Za-z_]", one) for one in statements):
        call.ask("database.unknown", "the SQL is built from variables")


def _psql_command(call: Call, name: str, rest: str) -> None:
    if (
        name == "!"
        or "`" in rest
        or (name in ("o", "g", "gx", "w", "copy") and re.search(r"\||\bprogram\b", rest, re.I))
    ):
        SHELL.of(call, f"\\{name}:")
    elif name in ("setenv", "gexec", "c", "connect", "password"):
        call.ask("database.unknown", f"\\{name} changes what psql works on")
    elif name in words("copy o i ir w e ef ev s lo_import lo_export include out write edit") or (
        name in ("g", "gx") and rest.strip(" ;")
    ):
        FILES.of(call, f"\\{name}:")
    elif name and not _PSQL_MILD.fullmatch(name) and name != "g":
        call.ask("database.unknown", f"the effect of \\{name} is unknown")


_DOTS = words(
    """.tables .schema .headers .header .mode .indexes .indices .databases .dump .width .show
        .stats .timer .fullschema .echo .help .quit .exit .nullvalue .separator .explain .eqp
        .print .limit .dbinfo .changes .bail .prompt .lint .columns .maxrows .table .version
        .expert .parameter .sha3sum .selftest"""
)


def _dot_commands(call: Call, text: str) -> str:
    """SQLite's and DuckDB's own commands; give back the SQL."""
    kept: list[str] = []
    for line in text.split("\n"):
        # In the middle of a statement a dot begins no command.
        begun = bool(kept) and bool(kept[-1].strip()) and not kept[-1].rstrip().endswith(";")
        if begun or not line.lstrip().startswith("."):
            kept.append(line)
        if not line.lstrip().startswith("."):
            continue
        name, _, rest = line.strip().partition(" ")
        if name in (".shell", ".system", ".sh", ".sy", ".sys", ".load", ".unsafe") or "|" in rest:
            SHELL.of(call, f"{name}:")
        elif name in (
            ".import",
            ".output",
            ".once",
            ".read",
            ".save",
            ".backup",
            ".restore",
            ".open",
            ".clone",
            ".log",
            ".excel",
            ".archive",
            ".ar",
            ".cd",
            ".www",
        ):
            FILES.of(call, f"{name}:")
        elif name not in _DOTS:
            call.ask("database.unknown", f"the effect of {name} is unknown")
    return "\n".join(kept)


# Clients


_PSQL_FLAGS = words(
    """-l --list -A --no-align -t --tuples-only -q --quiet -X --no-psqlrc -x --expanded -1
    --single-transaction -a --echo-all -b --echo-errors -e --echo-queries -E --echo-hidden -H --html
    -n --no-readline -s --single-step -S --single-line -w --no-password -W --password -z -0
    --csv --field-separator-zero --record-separator-zero --insecure --format"""
)
_MYSQL_FLAGS = words(
    """-N --skip-column-names -B --batch -s --silent -t --table -H --html -X --xml -v --verbose -A
    --no-auto-rehash -f --force -r --raw -E --vertical -q --quick -n --unbuffered -w --wait -C
    --compress -b --no-beep -p --password -i --column-names -L --skip-line-numbers -U --safe-updates
    --i-am-a-dummy --no-defaults --ssl -o --csv --auto-rehash --comments -c --skip-comments -G"""
)
_SQLITE_FLAGS = words(
    """-header -noheader -column -csv -json -line -list -table -box -markdown -html -quote -tabs
    -ascii -readonly -batch -bail -echo -interactive -stats -safe -nofollow -jsonlines -latex
    -no-stdin -insert -memtrace -noinit -ui -no-init -trash -A"""
)


def _known(call: Call, said: Options, known: frozenset[str]) -> None:
    """The beginning of an option's name may stand for one with a value."""
    for name, _ in said.said:
        if name not in known and not re.match(r"--(?:ssl|skip|default|connect|tls)-", name):
            call.ask("unknown.option", f"the effect of {call.said} {name} is unknown")
            return


@program("psql", "pgcli", "cockroach", "usql")
def psql(call: Call) -> None:
    """PostgreSQL."""
    takes = words(
        """-c --command -f --file -h --host -p --port -U --username -d --dbname -o --output
            -L --log-file -v --set --variable -P --pset -F --field-separator -R
            --record-separator -T --table-attr --url"""
    )
    said = options(call.args, takes)
    if call.texts[:1] in (["--help"], ["--version"], ["-V"], ["-?"]):
        return
    _known(call, said, takes | _PSQL_FLAGS)
    targets = [
        one
        for one in [*said.operands[:1], *said.values("-d", "--dbname", "--url")]
        if "://" in one.text or "host=" in one.text
    ]
    remote(call, said.values("-h", "--host"))
    remote(
        call, (one._replace(text=re.sub(r".*\bhost=(\S+).*", r"\1", one.text)) for one in targets)
    )
    for one in said.values("-o", "--output", "-L", "--log-file"):
        if one.text.startswith("|"):
            SHELL.of(call, "-o |:")
        else:
            call.writes(one)
    if said.has("-l", "--list") and not said.has("-c", "--command", "-f", "--file"):
        return
    files = [one for one in said.values("-f", "--file") if one.text != "-"]
    _given(call, [*said.values("-c", "--command")], meta="psql", files=files)


@program("mysql", "mariadb", "mycli")
def mysql(call: Call) -> None:
    """MySQL and MariaDB."""
    takes = words(
        """-e --execute -h --host -P --port -u --user -D --database -S --socket
            --init-command --tee --pager --defaults-file --defaults-extra-file --plugin-dir
            --protocol --default-character-set"""
    )
    # `-psecret` is a password, not letters.
    said = options([one for one in call.args if not re.match(r"-p.", one.text)], takes)
    if call.texts[:1] in (["--help"], ["--version"], ["-V"], ["-?"]):
        return
    _known(call, said, takes | _MYSQL_FLAGS)
    remote(call, said.values("-h", "--host"))
    for one in said.values("--pager"):
        SHELL.of(call, f"--pager {one.shown}")
    for one in said.values("--plugin-dir", "--defaults-file", "--defaults-extra-file"):
        if not own(call, one):
            call.ask("option.elsewhere", f"takes settings from {one.shown}")
    for one in said.values("--tee"):
        call.writes(one)
    _given(call, [*said.values("-e", "--execute", "--init-command")], meta="mysql")


@program("sqlite3", "sqlite", "litecli", "duckdb")
def sqlite(call: Call) -> None:
    """Databases in a file."""
    takes = words(
        "-cmd -init -separator -nullvalue -newline -maxsize -mmap -vfs -c -s -f -storage-version"
    )
    said = options(
        [one._replace(text=re.sub("^--", "-", one.text)) for one in call.args], takes, single=True
    )
    if said.has("-help", "-version"):
        return
    _known(call, said, takes | _SQLITE_FLAGS)
    database, statements = said.operands[:1], said.operands[1:]
    for one in database:
        if "mode=" not in one.text and one.text not in (":memory:", "") and not is_url(one.text):
            call.reads(one)
        elif is_url(one.text) or one.text.startswith("md:"):
            call.ask("database.remote", f"works on {one.shown}")
    for one in said.values("-init", "-f"):
        FILES.of(call, f"{one.shown}:")
    if said.has("-A"):
        FILES.of(call, "-A:")
    texts = [*statements, *said.values("-cmd", "-c", "-s")]
    if call.name == "duckdb":
        _duck_files(call, texts)
    _given(call, texts, meta=call.name if call.name == "duckdb" else "sqlite")


def _duck_files(call: Call, texts: Sequence[Value]) -> None:
    """DuckDB reads files by their names: `from 'x.csv'`."""
    for one in texts:
        for name in re.findall(r"'((?:[^']|'')*)'", one.text):
            if is_url(name):
                call.ask("database.remote", f"reads {name}")
            elif re.search(r"[/\\~]|\.(?:csv|parquet|json|db|txt)", name):
                call.reads(Value(name))
        if re.search(
            r"\b(?:copy|export|install|load|attach|read_text|read_blob|getenv)\b", one.text, re.I
        ):
            FILES.of(call, "DuckDB:")


@program("sqlcmd clickhouse-client clickhouse influx cqlsh bq trino presto beeline isql osql")
def others(call: Call) -> None:
    """Clients of other databases."""
    takes = words(
        """-q -Q --query -e --execute -S --server -d -U -P -H -h --host -i --input-file
            --queries-file -o --port --user --password --database -u -p --multiquery-file -f
            --file --format --project_id --location"""
    )
    said = options(call.args, takes)
    if call.texts[:1] in (["--help"], ["--version"], ["-V"], ["-?"]):
        return
    if call.name in ("bq", "influx"):
        _verbs(call, said)
        return
    remote(
        call, said.values("-S", "--server", "-H", "-h", "--host") if call.name != "beeline" else ()
    )
    if call.name == "cqlsh":
        remote(call, said.operands[:1])
    for one in said.values("-o", "--output") if call.name in ("sqlcmd", "osql", "isql") else ():
        call.writes(one)
    elsewhere(call, call.args, takes)
    meta = "sqlcmd" if call.name in ("sqlcmd", "osql", "isql") else ""
    files = [*said.values("-i", "--input-file", "--queries-file", "-f", "--file")]
    _given(call, [*said.values("-q", "-Q", "--query", "-e", "--execute")], meta=meta, files=files)


def _verbs(call: Call, said: Options) -> None:
    """`bq query 'select 1'`, `influx query …`: a verb first."""
    verb = said.operands[0].text if said.operands else "help"
    if verb == "query":
        if call.name == "bq":
            _given(call, [*said.operands[1:], *said.values("--query")])
        elif re.search(r"\bto\s*\(|http\.|sql\.to", " ".join(call.texts)):
            call.ask("database.write", "the query writes")
    elif verb in ("rm", "delete") or has(call.args, ("delete",)):
        DROPS.of(call, f"{call.said} {verb}:")
    elif verb not in words(
        "ls show head help version info ping list wait get-iam-policy"
    ) and said.operands[1:2] != [Value("list")]:
        call.ask("database.write", f"{call.said} {verb} changes data")
