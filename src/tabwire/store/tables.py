"""The tables as they are now. How older files get there is in `migrations/`; a test compares.

Long texts stand in tables of their own: a database writes a whole row anew when one column of it
changes, and an attempt changes several times while its prompt does not.
"""

from sqlalchemy import Column, Double, ForeignKey, Index, Integer, MetaData, Table, Text

from tabwire.store.codec import AnyText

METADATA = MetaData()

ATTEMPTS = Table(
    "attempts",
    METADATA,
    Column("number", Integer, primary_key=True),  # in the order they were begun
    Column("id", Text, nullable=False, unique=True),
    Column("site", AnyText, nullable=False),
    Column("step", Text, nullable=False),
    Column("same", Text, nullable=False),  # equal for two asks that ask the same
    Column("owner_pid", Integer, nullable=False),
    Column("owner_started", Double, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("conversation_id", AnyText),
    Column("url", AnyText),
    Column("draft", AnyText),
    Column("error_code", AnyText),
    Column("error", AnyText),
    Index("attempts_same", "same"),
    Index("attempts_step", "step"),
    Index("attempts_conversation", "conversation_id"),
)

REQUESTS = Table(
    "requests",
    METADATA,
    Column("attempt", Integer, ForeignKey("attempts.number"), primary_key=True),
    Column("body", Text, nullable=False),  # an AskRequest, by codec.py
)

ANSWERS = Table(
    "answers",
    METADATA,
    Column("attempt", Integer, ForeignKey("attempts.number"), primary_key=True),
    Column("body", Text, nullable=False),  # an Answer, by codec.py
)

USES = Table(
    "uses",
    METADATA,
    Column("key", AnyText, primary_key=True),
    Column("number", Text, nullable=False),
    Column("owner_pid", Integer, nullable=False),
    Column("owner_started", Double, nullable=False),
    Column("holder", AnyText, nullable=False),
    Column("until", Double, nullable=False),
)

TABS = Table(
    "tabs",
    METADATA,
    Column("number", Integer, primary_key=True),  # in the order we opened them
    Column("target", AnyText, nullable=False, unique=True),
    Column("site", AnyText, nullable=False),
    Column("browser", AnyText, nullable=False),
    Column("since", Double, nullable=False),
)
