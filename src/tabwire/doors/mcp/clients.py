"""What is known of the clients people use, by the name each gives itself.

Two things differ between them, and both would lose an answer if they were not known.

How long a call may take. A client that is told of progress and goes by it can wait until the
answer is there, an hour if need be. Any other cuts a call off after a minute or so.

What the model gets to see. The answer is the text of a result, and what is known about it is
its structured part. Some clients hand the model only the structured part where there is one
(anthropics/claude-code#79944, microsoft/vscode#290063); there the answer has to be in it too.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Client:
    """`name` begins what a client calls itself, in small letters."""

    name: str
    honours_progress: bool = False
    hides_text: bool = False


KNOWN = (
    Client("claude-code", honours_progress=True, hides_text=True),
    Client("visual studio code", honours_progress=True, hides_text=True),
    Client("opencode", honours_progress=True),
    Client("claude-ai"),  # Claude Desktop: about 60 s, progress or not
    Client("codex-mcp-client"),  # 300 s
    Client("cursor"),  # not verified
    Client("gemini-cli"),  # not verified
)
UNKNOWN = Client("")


def client_named(name: str) -> Client:
    """What is known of it; the careful guess where nothing is."""
    small = name.strip().lower()
    return next((one for one in KNOWN if small.startswith(one.name)), UNKNOWN)
