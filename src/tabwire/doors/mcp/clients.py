"""What is known of the clients people use, by the name each gives itself.

How long a call may take differs between them. A client that is told of progress and goes by it
can wait until the answer is there, an hour if need be. Any other cuts a call off after a minute
or so.

What the model gets to see differs, too, and changes between two versions of one client: only the
structured part where there is one (Claude Code, anthropics/claude-code#79944; VS Code,
microsoft/vscode#290063; Codex and OpenCode, anomalyco/opencode#32074; pydantic-ai), only the text
(MoonshotAI/kimi-code#3234, NousResearch/hermes-agent#96807), or both (Copilot in JetBrains IDEs,
microsoft/copilot-intellij-feedback#2058). So the answer is in both parts for all of them: to read
it twice costs tokens, not to read it at all costs the answer.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Client:
    """`name` begins what a client calls itself, in small letters."""

    name: str
    honours_progress: bool = False


KNOWN = (
    Client("claude-code", honours_progress=True),
    Client("visual studio code", honours_progress=True),
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
