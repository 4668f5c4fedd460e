"""Which variables a PowerShell text sets, and how often: by assignments, and by their names.

What a variable is given is only kept where nothing else in the text can change it.
"""

import re

from tabwire_guard.pattern import pattern
from tabwire_guard.script import Lit, Unparsable, Word

_SETS_VARIABLE = pattern(
    r"-(?:ov|outv\w*|pv|pipelinev\w*|ev|errorv\w*|wv|warningv\w*|iv|informationv\w*)$",
    re.IGNORECASE,
)
_VARIABLE_PATH = pattern(r"(?:.*::)?variable:[\\/]?(\w+)", re.IGNORECASE | re.DOTALL)
_NAMED = pattern(r"\$\{?(?:\w+:)?(\w+)")
_ASSIGNED = pattern(
    r"\$\{?(?:\w+:)?(\w+)\}?\s*(?:(?:[-+*/%]|\?\?)?=(?!=)|\+\+|--|,[^\n;|{}=]{0,200}=(?!=))"
    r"|\bforeach\s*\(\s*\$(\w+)",
    re.IGNORECASE,
)
_MUTATES = pattern(
    r"\]\s*[-+*/%]?=(?!=)|\.\w+\s*[-+*/%]?=(?!=)|\.\s*['\"$(]|\[array\]\s*::"
    r"|\.(?:add|remove|clear|insert|set|reverse|sort|copyto|push|pop|enqueue|dequeue)\w*\s*\(",
    re.IGNORECASE,
)
SETS = frozenset(
    """set-variable sv new-variable nv set clear-variable clv remove-variable rv set-item si
    invoke-expression iex import-module ipmo import-clixml""".split()
)


def mutates(text: str) -> bool:
    """Whether something in it changes lists or tables in place."""
    return _MUTATES.search(text) is not None


def often(text: str) -> frozenset[str]:
    """Variables that are assigned more than once."""
    once: set[str] = set()
    more: set[str] = set()
    for found in _ASSIGNED.finditer(text):
        name = (found[1] or found[2]).lower()
        (more if name in once else once).add(name)
    return frozenset(more)


def variables_set(name: str, words: list[Word]) -> list[str]:
    """Variables that a command sets by their names."""
    texts = [_literal_of(one) for one in words[1:]]
    names: list[str] = []
    for at, one in enumerate(texts):
        if found := _VARIABLE_PATH.fullmatch(one):
            names.append(found[1])
        parameter, colon, value = one.partition(":")
        tees = name in ("tee-object", "tee") and re.fullmatch(r"(?i)-v(?:a\w*)?", parameter)
        if tees or _SETS_VARIABLE.fullmatch(parameter):
            said = words[at + 1] if colon else words[at + 2] if at + 2 < len(words) else None
            if said is not None and not all(isinstance(piece, Lit) for piece in said.pieces):
                raise Unparsable("a variable that is set by a hidden name")
            names.append(value if colon else "".join(texts[at + 1 : at + 2]))
        elif name in ("invoke-expression", "iex"):
            names += _NAMED.findall(one)
        elif name in SETS and re.fullmatch(r"\w+", one):
            names.append(one)
    return [f"${one.lstrip('+$').lower()}" for one in names if one]


def _literal_of(word: Word) -> str:
    return "".join(one.text for one in word.pieces if isinstance(one, Lit))
