"""What SQL does: reads, writes, destroys, or reaches out of the database."""

import re
from collections.abc import Callable

from tabwire_guard.pattern import pattern
from tabwire_guard.programs.databases.sql_words import readings
from tabwire_guard.programs.verbs import PASS, Said, ask, deny
from tabwire_guard.values import MARKS

DROP = deny("database.drop", "destroys data")
ESCAPE = deny("database.escape", "reaches outside the database: files, programs or other machines")
RIGHTS = deny("database.rights", "changes or reveals permissions")
WRITE = ask("database.write", "changes the database")
UNKNOWN = ask("database.unknown", "is not known before it runs")

_ESCAPES = pattern(
    r"\b(?:into\s+(?:outfile|dumpfile)|load_file|load\s+data|load\s+xml"
    r"|pg_read_\w+|pg_ls_\w+|pg_stat_file|pg_write_\w+|pg_file_\w+|lo_import|lo_export"
    r"|lo_from_bytea|lo_put"
    r"|pg_execute_server_program|xp_\w+|sp_oa\w+|sp_configure|openrowset|opendatasource"
    r"|bulk\s+insert"
    r"|load_extension|writefile|readfile|edit\s*\(|fsdir|sys_exec|sys_eval|dblink\w*|utl_\w+"
    r"|dbms_\w+"
    r"|create\s+(?:or\s+replace\s+)?(?:trusted\s+)?language\b"
    r"|language\s+(?:\S*u|c|plpython\w*|plperl\w*)\b"
    r"|url\s*\(|urlcluster|remote\s*\(|remotesecure|executable\s*\(|s3\s*\(|hdfs\s*\(|file\s*\("
    r"|create\s+server|create\s+foreign|import\s+foreign|install_plugin|install\s+plugin"
    r"|alter\s+system)",
    re.IGNORECASE,
)
_RIGHTS = pattern(
    r"\b(?:grant|revoke|(?:create|alter|drop)\s+(?:user|role|login|policy)|set\s+password|pg_shadow"
    r"|pg_authid|mysql\s*\.\s*user|sys\.sql_logins|identified\s+by|superuser|set\s+role"
    r"|set\s+session"
    r"\s+authorization|reassign\s+owned)\b",
    re.IGNORECASE,
)
_DROPS = pattern(
    r"\b(?:drop\s+(?:database|schema|table(?!\s*space\b)|tablespace|owned|keyspace|dictionary"
    r"|collection|column"
    r"|extension|materialized|sequence|type|partition|temporary\s+table)|truncate\b|vacuum\s+into"
    r"|detach\s+partition|reset\s+(?:master|slave|replica)"
    r"|purge\s+binary|shutdown\b)",
    re.IGNORECASE,
)


def _then(first: str, second: str) -> Callable[[str], bool]:
    """Whether one stands in a text and another after it: each is looked for once."""
    one, other = re.compile(first, re.IGNORECASE), re.compile(second, re.IGNORECASE)

    def found(text: str) -> bool:
        start = one.search(text)
        return start is not None and other.search(text, start.end()) is not None

    return found


_COPIES = _then(r"\bcopy\b", r"\bprogram\b|\b(?:from|to)\s+''")
_LIBRARY = _then(r"\bcreate\s+(?:or\s+replace\s+|aggregate\s+)?function\b", r"\bsoname\b")
_COLUMN = _then(r"\balter\s+table\b", r"\bdrop\b")
_READS = pattern(
    r"(?:select|show|explain|describe|desc|with|values|table|pragma|use|begin|start|commit"
    r"|rollback|end|help"
    r"|status|list|check|exists|set|analyze|fetch|declare|print|summarize|from|go|exit|quit"
    r"|reset|\.?read)\b",
    re.IGNORECASE,
)
_WRITES_IN = pattern(
    r"\b(?:insert|update|delete|merge|replace\s+into|create|alter|drop|into\s+\w+|call|exec"
    r"|execute|do\b|nextval"
    r"|setval|pg_terminate_backend|pg_cancel_backend|pg_reload_conf|pg_switch_wal"
    r"|pg_rotate_logfile|set_config"
    r"|pg_promote|pg_drop_\w+|pg_create_\w+|get_lock|sleep|benchmark|pg_sleep|attach|rename"
    r"|install|export"
    r"|import|kill|lock\s+table|query_to_xml|pg_notify|lo_\w+|random_page)\b",
    re.IGNORECASE,
)
_PRAGMAS = pattern(
    r"pragma\s+(?:\w+\.)?(?:table_x?info|table_list|index_list|index_x?info|foreign_key_list"
    r"|foreign_key_check"
    r"|database_list|integrity_check|quick_check|compile_options|collation_list|function_list"
    r"|module_list"
    r"|pragma_list|stats|(?:user_version|schema_version|page_count|page_size|journal_mode|encoding"
    r"|foreign_keys|freelist_count|application_id|cache_size|synchronous|auto_vacuum)\s*$)",
    re.IGNORECASE,
)


def judge(text: str, dialect: str = "") -> Said:
    """The worst that is said of any statement, in any way the database may read the text."""
    worst = PASS
    for read in readings(text, dialect):
        said = [_one(one) for one in read.statements]
        if any(_RUNS_TEXT.search(one) for one in read.statements):
            # A string that another statement runs hides what it does.
            said += [_one(part) for one in read.strings for part in one.split(";") if part.strip()]
        if not read.whole:
            said.append(UNKNOWN)
            said += [_one(part) for part in read.strings[-1:] if _DROPS.search(part)]
        worst = max([worst, *said], key=lambda one: one.verdict)
    if not MARKS.isdisjoint(text) and worst is PASS:
        return UNKNOWN
    return worst


_SPACES = pattern(r"\s+")
_RUNS_TEXT = pattern(r"\b(?:execute|exec|prepare)\b|^do\b", re.IGNORECASE)


def _one(text: str) -> Said:
    text = _SPACES.sub(" ", text).strip()
    if _ESCAPES.search(text) or _COPIES(text) or _LIBRARY(text):
        return ESCAPE
    if re.match(r"do\b|create\b.*\bfunction\b", text, re.I | re.DOTALL):
        return WRITE
    if _DROPS.search(text) or _COLUMN(text):
        return DROP
    if re.match(r"(?:with\b.*)?\b(?:delete\s+from|delete|update)\b", text, re.I | re.DOTALL):
        if re.search(r"\b(?:delete|update)\b", text, re.I) and not re.search(
            r"\b(?:where|limit)\b", text, re.I
        ):
            return deny("database.drop", "changes every row, not some")
        if re.search(r"where\s*\(?\s*(?:1\s*=\s*1|true|''\s*=\s*''|1)\s*\)?\s*$", text, re.I):
            return deny("database.drop", "changes every row, not some")
        return WRITE
    if _RIGHTS.search(text):
        return RIGHTS
    if not _READS.match(text):
        return WRITE
    if re.match("pragma", text, re.I) and not _PRAGMAS.match(text):
        return WRITE
    if re.match(r"set\s+(?:global|persist|@@global)", text, re.I):
        return WRITE
    if re.match(r"show\s+create|(?:begin|start|commit|rollback|end|use)\b", text, re.I):
        return PASS
    return WRITE if _WRITES_IN.search(text) else PASS
