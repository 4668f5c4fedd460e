"""MongoDB, Redis, and tools for whole databases."""

import re
from collections.abc import Iterable

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import LOCAL, Said, ask, deny, elsewhere, has, host
from tabwire_guard.values import MARKS, PRIVATE, SHOWN, Value
from tabwire_guard.verdict import Verdict

UNKNOWN = ask("database.unknown", "is not known before it runs")
DROPS = deny("database.drop", "destroys a database")


def remote(call: Call, hosts: Iterable[Value]) -> None:
    """A database elsewhere is not the developer's own."""
    for one in hosts:
        name = host(one.text)
        if (
            name not in LOCAL
            and not one.text.startswith("/")
            and not re.fullmatch(r"db|postgres|mysql|redis|mongo", name)
        ):
            call.ask("database.remote", f"works on the database at {name or one.shown}")
        elif one.holed:
            call.ask("database.remote", "it is unknown which database it works on")


_MONGO_READS = words(
    """find findOne count countDocuments estimatedDocumentCount aggregate distinct stats
        getCollectionNames getCollectionInfos getIndexes limit sort skip pretty toArray
        explain forEach getCollection getSiblingDB serverStatus hello isMaster version
        listDatabases printjson print project getName hostInfo map filter getMongo getDBNames
        getDBs dataSize totalSize storageSize isCapped validate currentOp buildInfo hasNext
        next status conf printReplicationInfo JSON stringify ObjectId ISODate Date tojson
        EJSON join keys log require_"""
)


@program("mongosh", "mongo")
def mongosh(call: Call) -> None:
    """MongoDB's shell is JavaScript."""
    said = options(
        call.args,
        words(
            "--eval -f --file --host --port -u -p --username --password --authenticationDatabase"
        ),
    )
    if call.texts[:1] in (["--help"], ["--version"], ["-V"], ["-?"]):
        return
    remote(
        call,
        [
            *said.values("--host"),
            *(
                one
                for one in said.operands[:1]
                if "://" in one.text or ("." in one.text and not one.text.endswith(".js"))
            ),
        ],
    )
    call.taint(PRIVATE)
    scripts = [
        *said.values("-f", "--file"),
        *(one for one in said.operands if one.text.endswith((".js", ".mongodb"))),
    ]
    for one in scripts:
        call.ask("database.script", f"runs {one.shown}, unreviewed")
    texts = [one.text for one in said.values("--eval")]
    if call.stdin.piped:
        texts.append(call.stdin.text if call.stdin.text is not None else "?()")
    elif not texts and not scripts:
        call.ask("database.prompt", f"{call.said} waits for typed input")
    for text in texts:
        _mongo(text).of(call, "the script")


_MONGO_DROPS = pattern(
    r"\bdrop(?:Database|User|AllUsers|Role)|\.drop\b|\bshutdownServer"
    r"|\b(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}|\))"
)
_MONGO_ESCAPES = pattern(
    r"\b(?:require|process|fs|child_process|eval|Function|import|passwordPrompt|getUsers|createUser"
    r"|grantRoles\w*)\b|\b(?:load|run|runProgram|cat)\s*\("
)
_MONGO_SHOWS = pattern(r"\s*(?:show\s+\w+|use\s+\w+|db)\s*;?\s*")


def _mongo(text: str) -> Said:
    """What a script does, by the names of what it calls."""
    bare = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", '""', text)
    if _MONGO_DROPS.search(bare):
        return DROPS
    if _MONGO_ESCAPES.search(bare):
        return deny("database.escape", "reaches outside the database")
    if re.search(r"[\])]\s*\(|`|\\u", bare):
        return ask("database.unknown", "hides what it calls")
    called = set(re.findall(r"(\w+)\s*\(", bare))
    writes = re.search(r"\$(?:out|merge|where|function|accumulator)\b|[^=!<>]=[^=>]", bare)
    if _MONGO_SHOWS.fullmatch(text) or (called and called <= _MONGO_READS and not writes):
        return UNKNOWN if not MARKS.isdisjoint(text) else Said(Verdict.ALLOW)
    return ask("database.write", "changes the database, or its effect is unknown")


_REDIS_READS = words(
    """get mget strlen getrange keys scan ttl pttl type exists hget hgetall hkeys hvals hlen
        hmget hexists hscan llen lrange lindex smembers scard sismember srandmember sscan
        zrange zrangebyscore zcard zscore zrank zcount zscan zrevrange info ping dbsize time
        echo memory lastsave xlen xrange xinfo xrevrange object command randomkey bitcount
        getbit pfcount geopos geodist ft.search ft.info json.get role select lolwut"""
)
_REDIS_DROPS = words(
    """flushall flushdb shutdown slaveof replicaof module debug migrate failover swapdb
        bgrewriteaof script acl cluster sync psync restore"""
)


@program("redis-cli", "valkey-cli", "keydb-cli", "iredis")
def redis(call: Call) -> None:
    """Redis."""
    takes = words(
        "-h -p -a -n -u -s -r -i -x --user --pass --pattern --eval --rdb --pipe-timeout --cacert"
    )
    said = options(call.args, takes - {"-x"}, first=True)
    if call.texts[:1] in (["--help"], ["--version"], ["-V"], ["-?"]):
        return
    remote(call, said.values("-h", "-u"))
    call.taint(PRIVATE)
    if said.has("--eval", "--rdb", "--pipe", "--replica", "--cluster", "--functions-rdb"):
        call.ask("database.script", "runs a script, or copies the whole database")
    if (
        said.has("--bigkeys", "--memkeys", "--hotkeys", "--stat", "--latency", "--scan")
        and not said.operands
    ):
        return
    lines = [" ".join(one.text for one in said.operands)] if said.operands else []
    if call.stdin.piped and not said.has("-x"):
        lines += (call.stdin.text or "?").split("\n")
    if not lines:
        call.ask("database.prompt", "redis-cli waits for typed input")
    for line in lines:
        _redis(call, line.lower().split())


def _redis(call: Call, line: list[str]) -> None:
    if not line:
        return
    verb, rest = line[0].translate(SHOWN), line[1:2]
    if verb in _REDIS_DROPS or (verb == "config" and rest != ["get"]):
        call.deny(
            "database.drop",
            f"redis {verb} {''.join(rest)} empties, stops or reconfigures the database",
        )
    elif verb == "config" or (
        verb in ("client", "slowlog", "latency", "pubsub")
        and rest[:1] in (["list"], ["get"], ["info"])
    ):
        return
    elif verb not in _REDIS_READS:
        call.ask("database.write", f"redis {verb} changes the database, or its effect is unknown")


# Whole databases


@program("dropdb dropuser createdb createuser pg_dump pg_dumpall pg_restore mysqldump")
@program("mysqladmin mariadb-dump mariadb-admin mongodump mongorestore mongoimport mongoexport")
@program("pg_isready pg_ctl initdb pg_basebackup mysqlimport reindexdb vacuumdb pgbench")
def whole(call: Call) -> None:
    """Makes, copies and drops whole databases."""
    if has(call.args, ("--help", "--version")) or call.name == "pg_isready":
        return
    takes = words(
        """-h --host -U -p -d --dbname -f --file -o --out --uri -r --result-file -P -u -D -T
        --tab --log-error --archive --init-command"""
    )
    forces = call.name in ("mysqladmin", "mariadb-admin")  # their `-f` and `-r` stand alone
    said = options(call.args, takes - {"-f", "-r", "-p"} if forces else takes)
    remote(
        call,
        [
            *said.values("-h", "--host", "--uri"),
            *(one for one in said.operands if "://" in one.text),
        ],
    )
    call.taint(PRIVATE)
    if call.name in ("dropdb", "dropuser") or any(
        one.text in ("drop", "shutdown", "password") for one in said.operands[:1]
    ):
        DROPS.of(call, f"{call.said}:")
    elif call.name in (
        "pg_dump",
        "pg_dumpall",
        "mysqldump",
        "mariadb-dump",
        "mongodump",
        "mongoexport",
    ):
        out = words("-f --file -o --out -r --result-file -T --tab --log-error --archive")
        for one in said.values(*(out - {"-T"} if call.name.startswith("pg_") else out)):
            call.writes(one)
        if said.has("--init-command", "--plugin-dir", "--defaults-file"):
            call.ask("option.code", f"{call.said} runs or reads something else first")
        elsewhere(call, call.args, out)
        if call.name in ("pg_dumpall",):
            call.ask("secret.cloud", "pg_dumpall prints the passwords' hashes too")
    elif call.name in ("mysqladmin", "mariadb-admin") and {
        one.text for one in said.operands
    } <= words("status ping version processlist variables extended-status"):
        return
    elif has(call.args, ("--drop", "-c", "--clean")) and call.name in (
        "pg_restore",
        "mongorestore",
        "mongoimport",
    ):
        DROPS.of(call, f"{call.said} --clean:")
    elif not (call.name == "pg_restore" and has(call.args, ("-l", "--list"))) and call.texts[
        :1
    ] != ["status"]:
        call.ask("database.write", f"{call.said} makes or changes a whole database")
