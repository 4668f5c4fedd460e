"""What never reaches a log: secrets at no level, people's words only in debug lines.

By the name of a field, and by how a text looks: a secret may stand in the middle of an error.
"""

import re
from collections.abc import Mapping, MutableMapping
from pathlib import PurePath
from typing import Any

OUT = "[withheld]"

SECRET_NAMES = re.compile(
    r"token|cookie|authorization|password|passwd|secret|api_?key|credential|private_?key",
    re.IGNORECASE,
)

WORDS_NAMES = frozenset(
    "prompt question answer text thinking excerpt excerpts body title said others draft".split()
)
"""Fields that hold what a person asked or a site answered."""

_KNOWN: set[str] = set()
"""Secrets of this process, taken out wherever they stand."""

_LOOKS = [
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in [
        # whole header lines: a cookie's value has no end one could know
        (r"((?:set-)?cookie|(?:proxy-)?authorization)\b[\"']?\s*[:=]\s*[^\r\n]+", rf"\1: {OUT}"),
        (r"\b(bearer|basic)\s+[\w.~+/=-]{8,}", rf"\1 {OUT}"),
        (
            r"([?&#](?:[\w-]*token|key|api_?key|auth|code|password|secret|sig)=)[^&\s\"'#]+",
            rf"\1{OUT}",
        ),
        (
            r"\b((?:[\w-]*token|password|passwd|secret|api_?key)[\"']?\s*[:=]\s*[\"']?)[^\s\"',;&}]+",
            rf"\1{OUT}",
        ),
        (r"(:/{1,2}[^/\s:@]*:)[^/\s@]+@", rf"\1{OUT}@"),  # the password in an address
        (r"\b__(?:Secure|Host)-[\w.-]+=[^;\s]+", OUT),
        (r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?", OUT),  # a JSON web token
        (r"\b(?:sk|pk|rk)[-_](?:[\w-]+[-_])?[A-Za-z0-9]{16,}\b", OUT),
        (r"\bsk-[\w-]{20,}", OUT),
        (r"\b(?:gh[opusr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})", OUT),
        (r"\bxox[abeoprs]-[\w-]{10,}|\bxapp-[\w-]{10,}", OUT),
        (r"\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}", OUT),
        (r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b", OUT),
        (r"\bxai-[A-Za-z0-9]{20,}|\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{20,}", OUT),
        (r"\b\d{8,10}:AA[\w-]{30,}", OUT),  # Telegram's bots
        (r"\b[MNO][\w-]{22,}\.[\w-]{6}\.[\w-]{27,}", OUT),  # Discord's bots
        (r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", OUT),
        (r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b", OUT),  # e-mail addresses
    ]
]


def keep_secret(value: str) -> None:
    """This must never be seen, whatever it looks like."""
    if value:
        _KNOWN.add(value)


def withhold(_logger: object, _method: str, event: MutableMapping[str, Any]) -> Any:
    """A line of the log without what is not for it."""
    words_too = event.get("level") == "debug"
    return {name: _clean(name, value, words_too) for name, value in event.items()}


def without_secrets(text: str) -> str:
    """A text with every secret in it taken out, as far as it shows that it is one."""
    for secret in _KNOWN:
        text = text.replace(secret, OUT)
    for looks, instead in _LOOKS:
        text = looks.sub(instead, text)
    return text


def facts_without_secrets(value: Any) -> Any:
    """Plain data with every secret taken out of its texts; names and numbers stay."""
    match value:
        case str():
            return without_secrets(value)
        case Mapping():
            return {
                without_secrets(str(key)): facts_without_secrets(one) for key, one in value.items()
            }
        case list() | tuple():
            return [facts_without_secrets(one) for one in value]
        case _:
            return value


def _clean(name: str, value: Any, words_too: bool) -> Any:
    if SECRET_NAMES.search(name):
        return OUT
    if name in WORDS_NAMES and not words_too and value is not None:
        return f"[{len(value)} characters]" if isinstance(value, str) else OUT
    match value:
        case str():
            return without_secrets(value)
        case bytes() | bytearray():
            return f"[{len(value)} bytes]"
        case Mapping():
            return {key: _clean(str(key), one, words_too) for key, one in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_clean("", one, words_too) for one in value]
        case bool() | int() | float() | None:
            return value
        case BaseException() | PurePath():
            return without_secrets(str(value))
        case _:  # a record of ours, which may hold anything
            return without_secrets(repr(value)) if words_too else f"[{type(value).__name__}]"
