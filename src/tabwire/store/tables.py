"""The tables as they are now. How older files get there is in `migrations/`; a test compares.

Long texts stand in tables of their own: a database writes a whole row anew when one column of it
changes, and an attempt changes several times while its prompt does not.
"""

from sqlalchemy import (
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

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
    # --- as a job (model/job.py) ---
    Column("agent", AnyText, nullable=False, server_default=""),
    Column("door", Text, nullable=False, server_default="cli"),
    Column("client", AnyText, nullable=False, server_default=""),
    Column("project", AnyText, nullable=False, server_default=""),
    Column("state", Text, nullable=False, server_default="working"),
    Column("position", Integer),  # in the queue of a hub; none where it was not handed to one
    Column("carried", Integer, nullable=False, server_default="0"),  # times a hub took it up
    Column("phase", Text),
    Column("phase_at", Double),
    Column("note", AnyText, nullable=False, server_default=""),
    Column("characters", Integer, nullable=False, server_default="0"),
    Column("what_to_do", AnyText),
    Column("retry", Text),
    Column("resets_at", Double),
    Column("rested_at", Double),  # when it left `working`
    Column("press", Text),  # a Press, by codec.py
    Column("error_debug", Text),  # what helps to find its cause, by codec.py
    Index("attempts_same", "same"),
    Index("attempts_step", "step"),
    Index("attempts_conversation", "conversation_id"),
    Index("attempts_state", "state"),
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

TEXTS = Table(
    "texts",
    METADATA,
    Column("attempt", Integer, ForeignKey("attempts.number"), primary_key=True),
    Column("words", AnyText, nullable=False),  # question and answer, folded (search.py)
)
"""Its index, `texts_index`, is of one database and made by a migration."""

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

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("number", Integer, primary_key=True),  # in the order they came
    Column("agent", AnyText, nullable=False, unique=True),
    Column("last_access", Double, nullable=False),
    Column("kept_at", Double, nullable=False),  # it expires so long after this
    Column("project", AnyText, nullable=False),
    Column("client", AnyText, nullable=False),
)

CHATS = Table(
    "chats",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("session", Integer, ForeignKey("sessions.number"), nullable=False),
    Column("site", AnyText, nullable=False),
    Column("conversation_id", AnyText),
    Column("url", AnyText, nullable=False),
    Column("tab", AnyText),
    Column("last_used", Double, nullable=False),
    Index("chats_of_a_session", "session", "site", unique=True),
)

SESSION_FILES = Table(
    "session_files",
    METADATA,
    Column("path", AnyText, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("taken_at", Double, nullable=False),
)

CONVERSATIONS = Table(
    "conversations",
    METADATA,
    Column("number", Integer, primary_key=True),  # in the order they were first captured
    Column("site", AnyText, nullable=False),
    Column("conversation_id", AnyText, nullable=False),
    Column("digest", Text, nullable=False),
    Column("ready", Integer, nullable=False),
    Column("reasons", Text, nullable=False),  # words with a space between
    Column("source", Text, nullable=False),
    Column("completeness", Text, nullable=False),
    Column("origin", Text, nullable=False),
    Column("title", AnyText, nullable=False),
    Column("title_from", Text, nullable=False),
    Column("model", AnyText),
    Column("turns", Integer, nullable=False),
    Column("created_at", Double),
    Column("updated_at", Double),
    Column("first_at", Double, nullable=False),
    Column("captured_at", Double, nullable=False),
    Index("conversations_of_a_site", "site", "conversation_id", unique=True),
    Index("conversations_captured", "captured_at"),
)

BODIES = Table(
    "bodies",
    METADATA,
    Column("conversation", Integer, ForeignKey("conversations.number"), primary_key=True),
    Column("place", Integer, primary_key=True),  # in the order they are read
    Column("kind", Text, nullable=False),
    Column("url", AnyText, nullable=False),
    Column("packed", LargeBinary, nullable=False),  # by zlib: text becomes a tenth of it
)

CAPTURE_STEPS = Table(
    "capture_steps",
    METADATA,
    Column("site", AnyText, primary_key=True),
    Column("step", Text, nullable=False),  # which way of capture worked last there
    Column("since", Double, nullable=False),
)

AUDIT = Table(
    "audit",
    METADATA,
    Column("number", Integer, primary_key=True),  # in the order they were written
    Column("at", Double, nullable=False),
    Column("act", Text, nullable=False),
    Column("window", AnyText, nullable=False),
    Column("session", Text, nullable=False),
    Column("card", AnyText, nullable=False),
    Column("kind", Text, nullable=False),
    Column("control", Text, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("rule", AnyText, nullable=False),
    Column("command_hash", Text, nullable=False),
    Column("card_hash", Text, nullable=False),
    Column("approval", Text, nullable=False),
    Column("by", AnyText, nullable=False),
    Column("away", Integer, nullable=False),
    Column("note", AnyText, nullable=False),
    Index("audit_at", "at"),
    Index("audit_of_a_window", "window", "act"),
)
"""Only ever added to: a trigger of the database, made by a migration, refuses all else."""

APPROVALS = Table(
    "approvals",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("window", AnyText, nullable=False),
    Column("state", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("answered_at", Double),
    Column("by", AnyText, nullable=False),
    Column("note", AnyText, nullable=False),
    Column("body", Text, nullable=False),  # what was asked, by codec.py; it never changes
    Index("approvals_state", "state"),
)
