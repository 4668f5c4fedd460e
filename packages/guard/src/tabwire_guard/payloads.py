"""Payloads: text that was encoded, back to what it says."""

import base64 as codec
import binascii
import re

from tabwire_guard.pattern import pattern


def base64(text: str) -> str | None:
    """From base64; None where it is none."""
    plain = re.sub(r"\s", "", text).replace("-", "+").replace("_", "/")
    try:
        data = codec.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
    return _text(data)


def base32(text: str) -> str | None:
    """From base32; None where it is none."""
    plain = re.sub(r"\s", "", text).upper()
    try:
        return _text(codec.b32decode(plain + "=" * (-len(plain) % 8)))
    except (binascii.Error, ValueError):
        return None


def hexed(text: str) -> str | None:
    """From hex digits, as `xxd -r -p` reads them; None where they are none."""
    try:
        return _text(bytes.fromhex(re.sub(r"\s|\\x|0x", "", text)))
    except ValueError:
        return None


def _text(data: bytes) -> str | None:
    """Bytes as text: UTF-16 as PowerShell encodes it, else UTF-8."""
    if len(data) > 1 and data[1::2].count(0) > len(data) // 4:
        try:
            return data.decode("utf-16-le")
        except UnicodeDecodeError:
            return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


_LONG_64 = pattern(r"(?<![\w+/=])[A-Za-z0-9+/_-]{8,}={0,2}(?![\w+/=])")
_LONG_16 = pattern(r"(?<!\w)(?:[0-9a-fA-F]{2}){4,}(?!\w)|(?:\\x[0-9a-fA-F]{2}){3,}")


def payloads(text: str) -> list[str]:
    """What looks encoded in a text and decodes to something that can be read."""
    found = [hexed(one) or "" for one in _LONG_16.findall(text)]
    found += [base64(one) or "" for one in _LONG_64.findall(text)]
    return [one for one in found if one and _readable(one)]


def _readable(text: str) -> bool:
    return all(one.isprintable() or one in "\t\r\n" for one in text)
