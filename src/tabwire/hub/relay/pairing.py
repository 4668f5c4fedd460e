"""Which extensions are ours: a short code once, a long key from then on. Kept in extensions.json.

Theory of operation. Each side gives the other a fresh number (a nonce) with every connection, and
a proof is a keyed hash over both numbers and the name of the side that proves. So a proof that was
recorded proves nothing later, and ours cannot be sent back to us as theirs. The hub proves first:
a program that took our port learns nothing from an extension.

Where nothing is shared yet, the key of that first proof is made of the code that the person reads
here and types there. A code has 39 bits, lives five minutes and is used once; whoever guesses wrong
ten times is locked out for ten minutes and the code is void. Making a key of a code takes a tenth
of a second, so guessing what was recorded takes years of a machine, and the code is worthless then.
"""

import asyncio
import base64
import binascii
import hashlib
import hmac
import os
import re
import secrets
import stat
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from tabwire.config.home import home, made
from tabwire.config.logs import get_log
from tabwire.config.redaction import keep_secret
from tabwire.model.errors import BadSetting, TabwireError
from tabwire.model.extensions import PairedExtension

FILE = "extensions.json"
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that looks like another
CODE_LENGTH = 8
CODE_SECONDS = 300.0
ROUNDS = 200_000
NONCE_BYTES = 32
MAX_WRONG = 10
LOCKED_SECONDS = 600.0
MAX_FILE = 1024 * 1024
MAX_KNOWN = 100  # installs; nobody has so many profiles

HUB, EXTENSION = "hub", "extension"
"""Who proves."""

INSTALL = re.compile(r"[A-Za-z0-9_-]{8,64}")
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class NoSuchExtension(TabwireError):
    """What was said names no extension that is paired."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"there is no paired extension {name[:40]!r}",
            what_to_do="`tabwire extension list` lists the paired ones.",
        )


# --- proofs ----------------------------------------------------------------------------------


def new_nonce() -> str:
    """A number that never was before."""
    return to_text(secrets.token_bytes(NONCE_BYTES))


def proof(key: bytes, who: str, theirs: str, ours: str) -> str:
    """That `who` has the key, now: first the nonce of the other side, then its own."""
    return to_text(hmac.digest(key, f"{who}.{theirs}.{ours}".encode(), "sha256"))


def proves(key: bytes, who: str, theirs: str, ours: str, said: str) -> bool:
    """Whether what was said is that proof; in constant time."""
    return hmac.compare_digest(proof(key, who, theirs, ours).encode(), said.encode())


def code_key(code: str, extension_nonce: str, hub_nonce: str) -> bytes:
    """What a code is worth in one handshake. Takes a tenth of a second, on purpose."""
    plain = re.sub(r"[^A-Z0-9]", "", code.upper())
    salt = f"{extension_nonce}.{hub_nonce}".encode("ascii", "replace")
    return hashlib.pbkdf2_hmac("sha256", plain.encode(), salt, ROUNDS, 32)


def lasting_key(of_code: bytes) -> bytes:
    """What both sides keep afterwards."""
    return hmac.digest(of_code, b"tabwire relay key", "sha256")


def to_text(data: bytes) -> str:
    """Base64 as it may stand in an address, without its padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_text(text: str) -> bytes:
    """The other way. Raises `ValueError`."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as exc:
        raise ValueError("not base64") from exc


def is_nonce(text: str) -> bool:
    """Whether it is one that we would make."""
    try:
        return len(text) <= 64 and text.isascii() and len(from_text(text)) == NONCE_BYTES
    except ValueError:
        return False


# --- who is known ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Known:
    """An extension in one profile of one browser, that the person paired. Times since 1970."""

    install: str
    name: str  # how a person calls it
    key: str
    paired_at: float
    seen_at: float = 0.0
    version: str = ""
    chrome: str = ""


class _Kept(msgspec.Struct):
    hub: str
    installs: list[Known] = []
    use: str | None = None


@dataclass(frozen=True, slots=True)
class Code:
    """To be typed in the extension, until `until` (monotonic)."""

    text: str
    until: float

    @property
    def shown(self) -> str:
        """As it is easy to read."""
        return f"{self.text[:4]}-{self.text[4:]}"


class Pairing:
    """The keys of this hub. `clock` is monotonic, `wall` is seconds since 1970."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._path = (folder or made(home())) / FILE
        self._clock = clock
        self._wall = wall
        self._kept = _read(self._path)
        self._code: Code | None = None
        self._wrong = 0
        self._locked_until = 0.0
        self._guessing = asyncio.Lock()
        if self._kept is None:
            self._kept = _Kept(secrets.token_hex(16))
            self._write()
        for one in self._kept.installs:
            keep_secret(one.key)

    @property
    def _now(self) -> _Kept:
        assert self._kept is not None
        return self._kept

    @property
    def hub_id(self) -> str:
        """Who we are, for as long as the home lives."""
        return self._now.hub

    @property
    def known(self) -> tuple[Known, ...]:
        """All that are paired."""
        return tuple(self._now.installs)

    @property
    def chosen(self) -> str | None:
        """The install the person said to use, where there are several."""
        return self._now.use

    def installs(self, connected: str | None) -> tuple[PairedExtension, ...]:
        """All that are paired, without their keys. `connected`: the install that is."""
        return tuple(
            PairedExtension(
                known.name,
                known.version,
                known.chrome,
                known.paired_at,
                known.seen_at,
                connected=known.install == connected,
                chosen=known.install == self.chosen,
            )
            for known in self._now.installs
        )

    def find(self, install: str) -> Known | None:
        """By the id of its install."""
        return next((one for one in self._now.installs if one.install == install), None)

    def named(self, name: str) -> Known:
        """By what a person calls it. Raises `NoSuchExtension`."""
        found = [one for one in self._now.installs if name in (one.name, one.install)]
        if not found:
            raise NoSuchExtension(name)
        return found[0]

    def seen(self, install: str, version: str, chrome: str) -> None:
        """It was here just now."""
        self._change(install, seen_at=self._wall(), version=version, chrome=chrome)

    def forget(self, name: str) -> Known:
        """No more ours: it has to be paired anew."""
        gone = self.named(name)
        self._now.installs = [one for one in self._now.installs if one is not gone]
        if self._now.use == gone.install:
            self._now.use = None
        self._write()
        return gone

    def choose(self, name: str) -> Known:
        """Use this one from now on."""
        found = self.named(name)
        self._now.use = found.install
        self._write()
        return found

    # --- a code --------------------------------------------------------------------------

    @property
    def code(self) -> Code | None:
        """The one that may be typed now."""
        if self._code is not None and self._clock() >= self._code.until:
            self._code = None
        return self._code

    @property
    def locked_seconds(self) -> float:
        """How long nobody can be paired, because somebody guessed."""
        return max(0.0, self._locked_until - self._clock())

    def new_code(self) -> Code:
        """In place of an earlier one. Raises `PairingLocked`."""
        if self.locked_seconds:
            raise PairingLocked(self.locked_seconds)
        text = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        keep_secret(text)
        self._code = Code(text, self._clock() + CODE_SECONDS)
        keep_secret(self._code.shown)
        self._wrong = 0
        return self._code

    async def guessed(self, extension_nonce: str, hub_nonce: str, said: str) -> bytes | None:
        """The key of the code, where what was said proves it; the code is used up by it. One
        guess at a time: many at once would cost all of the machine."""
        async with self._guessing:
            code = self.code
            if code is None or self.locked_seconds:
                return None
            key = await asyncio.to_thread(code_key, code.text, extension_nonce, hub_nonce)
            if self.code is not code:  # it ran out, or another took its place
                return None
            if proves(key, EXTENSION, hub_nonce, extension_nonce, said):
                self._code, self._wrong = None, 0
                return key
            self._wrong += 1
            if self._wrong >= MAX_WRONG:
                self._code, self._wrong = None, 0
                self._locked_until = self._clock() + LOCKED_SECONDS
                get_log().warn("pairing is locked", wrong=MAX_WRONG, seconds=LOCKED_SECONDS)
            return None

    def keep(self, install: str, of_code: bytes, version: str, chrome: str) -> Known:
        """Paired. An earlier key of this install is void."""
        key = to_text(lasting_key(of_code))
        keep_secret(key)
        others = [one for one in self._now.installs if one.install != install][-MAX_KNOWN:]
        before = self.find(install)
        name = before.name if before is not None else _name(install, {one.name for one in others})
        now = self._wall()
        known = Known(install, name, key, now, now, version, chrome)
        self._now.installs = [*others, known]
        self._write()
        return known

    def _change(self, install: str, **changes: object) -> None:
        self._now.installs = [
            replace(one, **changes) if one.install == install else one  # type: ignore[arg-type]
            for one in self._now.installs
        ]
        self._write()

    def _write(self) -> None:
        """The whole file or none, for its owner alone."""
        data = msgspec.json.format(msgspec.json.encode(self._now), indent=2) + b"\n"
        made_path = None
        try:
            handle, made_path = tempfile.mkstemp(dir=self._path.parent, prefix=f".{FILE}.")
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(made_path).replace(self._path)
        except OSError as exc:
            if made_path is not None:
                with suppress(OSError):
                    Path(made_path).unlink()
            raise BadSetting(
                FILE,
                str(self._path),
                f"cannot be written: {exc.strerror or exc}",
                "Free some space.",
            ) from exc


class PairingLocked(TabwireError):
    """Somebody guessed too often."""

    def __init__(self, seconds: float) -> None:
        minutes = max(1, round(seconds / 60))
        super().__init__(
            f"pairing is locked for {minutes} min: a wrong code was given {MAX_WRONG} times",
            what_to_do="If that was not you, check which programs are running here. Then try "
            "again.",
        )


def _name(install: str, taken: set[str]) -> str:
    """What a person would type: short, and only of one."""
    plain = re.sub(r"[^a-z0-9]", "", install.lower()) or "x"
    for length in range(4, len(plain) + 1):
        if (name := f"chrome-{plain[:length]}") not in taken:
            return name
    return f"chrome-{plain}-{secrets.token_hex(2)}"


def _read(path: Path) -> _Kept | None:
    """What is kept; None where there is nothing that could be trusted."""
    if path.is_symlink():
        raise BadSetting(FILE, str(path), "is a symbolic link", "Remove it, and pair again.")
    try:
        handle = os.open(path, os.O_RDONLY | _NO_FOLLOW)
    except FileNotFoundError:
        return None
    except OSError as exc:
        why = f"cannot be read: {exc.strerror or exc}"
        raise BadSetting(FILE, str(path), why, "Make it readable by you.") from exc
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        data = file.read(MAX_FILE)
    if os.name == "posix" and (found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077):
        get_log().warn("the extensions' keys could be read by others: pair again", file=path)
        return None
    try:
        return msgspec.json.decode(data, type=_Kept)
    except (ValueError, RecursionError):
        with suppress(OSError):
            path.replace(path.with_suffix(".damaged"))
        get_log().warn("the extensions' keys cannot be read: pair again", file=path)
        return None
