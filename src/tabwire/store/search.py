"""Find what was asked or answered by its words.

A word is found wherever it stands, also inside another: languages without spaces have no other
way. Texts are kept folded (one form of each character, no capitals), so every database compares
the same. All words must be there, in the question or in the answer.

SQLite finds words of three letters or more by an index of groups of three; shorter ones are
looked for in the texts themselves. PostgreSQL chooses by itself what its index can do.
"""

import unicodedata

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Integer,
    Select,
    column,
    delete,
    insert,
    literal_column,
    select,
    table,
)
from sqlalchemy.engine import Connection

from tabwire.store.codec import escaped
from tabwire.store.tables import ATTEMPTS, TEXTS

SHORTEST = 3  # letters; the index knows no shorter words
_INDEX = table("texts_index", column("rowid", Integer))  # SQLite's


def folded(words: str) -> str:
    """As it is kept and looked for."""
    return unicodedata.normalize("NFKC", words).casefold()


def keep(connection: Connection, number: int | None, *parts: str) -> None:
    """These are the words of an attempt now."""
    connection.execute(delete(TEXTS).where(TEXTS.c.attempt == number))
    connection.execute(insert(TEXTS).values(attempt=number, words=folded("\n".join(parts))))


def with_words(
    connection: Connection, words: str, *which: ColumnElement[bool], limit: int | None
) -> Select[int]:
    """The numbers of the newest attempts with all these words. No word means every attempt."""
    wanted = folded(words).split()
    indexed = connection.dialect.name == "sqlite"
    long = [word for word in wanted if indexed and len(word) >= SHORTEST]
    rest = [word for word in wanted if word not in long]
    number: ColumnElement[int] = ATTEMPTS.c.number
    found: FromClause = ATTEMPTS
    if rest:
        found = found.join(TEXTS, TEXTS.c.attempt == number)
        which += tuple(TEXTS.c.words.contains(word, autoescape=True) for word in rest)
    if long:
        # Read from its newest row on and no further than the limit asks: that takes the index to
        # be the outer table, and the order to be its own.
        found = found.join(_INDEX, _INDEX.c.rowid == number)
        number = _INDEX.c.rowid
        match = " AND ".join('"' + escaped(word).replace('"', '""') + '"' for word in long)
        which += (literal_column("texts_index").bool_op("MATCH")(match),)
    return select(number).select_from(found).where(*which).order_by(number.desc()).limit(limit)
