"""What errors advise, in words of this door: tools and arguments in place of commands and flags.

Errors are written for a person at a terminal, and kept that way. A model has no terminal: where
the same can be done by a tool, the tool is named; what only a flag can do is left out; commands
that a person has to run (`tabwire login`, `tabwire doctor`) stay as they are.
"""

import re

# What is found, and what stands in its place. In this order.
RULES = tuple(
    (re.compile(found), said)
    for found, said in (
        (r"`tabwire fetch[^`]*`", "{get_answer}"),
        (r"\btabwire fetch \S+(?: --site \w+)?", "{get_answer}"),
        (r"`tabwire history[^`]*`", "list_jobs"),
        (r"`tabwire snapshot(?: (\w+))?`", "take_cdp_snapshot"),
        (r"[ ,;]*or give more time with --timeout", ""),
        (r" ?`?--guest`? asks in [^.]*\.", ""),
        (r"[Aa]sk again with --again", "Ask again"),
        (r"ask with --again", "ask it in other words"),
        (r" ?\(--again [^)]*\)", ""),
        (r",? or add --model-best-effort", ", or leave it out"),
        (r"inline it with --context", "put its text into the question"),
        (r"Name another folder with --(?:to|out)", "Have the person see to that folder"),
        (r"--new\b", 'conversation="new"'),
        (r"--continue\b", "`conversation`"),
        (r"`?--file(?: [^`]*`|\b)", "`files`"),
        (r"choose another --browser\b", "set another `browser`"),
        (r"`?--browser(?:[ =](?:attach|lab|launch|extension|auto)\S*?)?(?:`|\b)", "`browser`"),
        (r"--(model|effort|temporary|guest|debug|timeout|url)\b", r"`\1`"),
    )
)


def in_our_words(text: str, job_id: str | None = None) -> str:
    """The same advice for a model. `job_id`: of the job it is about, where there is one."""
    get_answer = f'get_answer(job_id="{job_id}")' if job_id else "get_answer"
    for found, said in RULES:
        text = found.sub(said.replace("{get_answer}", get_answer), text)
    return text
