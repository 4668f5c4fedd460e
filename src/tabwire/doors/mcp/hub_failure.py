"""What a pump says whose hub hangs up without a word."""

from tabwire.doors.mcp.pump import KEPT
from tabwire.hub import last_failure


def last_words() -> str:
    """What the last hub complained of before it ended; else only that it is gone."""
    told = last_failure()
    if told is None:
        why = "Tabwire's hub ended and did not restart. `tabwire logs` shows what happened."
        return f"{why} {KEPT}"
    return f"Tabwire's hub did not start: {told[0]}. {told[1]}"
