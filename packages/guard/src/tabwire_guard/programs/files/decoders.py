"""Programs that decode: what comes out may be a payload."""

import re
from collections.abc import Callable

from tabwire_guard import payloads
from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.paths import Place, absolute
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.registry import program, words
from tabwire_guard.values import DECODED, Value


def _given(call: Call, paths: list[Value]) -> str | None:
    """The text that is decoded, where it is known."""
    for one in paths:
        if one.text != "-":
            call.reads(one)
            return call.state.files.get(absolute(one.text, call.state) or "")
    return call.stdin.text


@program("base64 base32 basenc gbase64 uudecode uuencode base58")
def base64(call: Call) -> None:
    """Text to base64 and back."""
    said = call.options(("-w", "--wrap", "-i", "-o", "-b", "--break", "--input", "--output"))
    for one in said.values("-o", "--output"):
        call.writes(one)
    if call.name == "uudecode" and not said.has("-o", "--output"):
        call.ask("write.unknown", "uudecode writes the file that its input names")
    paths = [*said.values("-i", "--input"), *said.operands]
    text = _given(call, paths)
    if not (said.has("-d", "-D", "--decode", "-di", "--d") or call.name == "uudecode"):
        return
    decoder = _decoder(call.name, said.names())
    call.gives(decoder(text) if text is not None and decoder is not None else None, DECODED)


def _decoder(name: str, said: set[str]) -> Callable[[str], str | None] | None:
    """What turns it back, where that is known."""
    if name == "base32" or "--base32" in said:
        return payloads.base32
    if "--base16" in said:
        return payloads.hexed
    if name in ("base64", "gbase64") or "--base64" in said:
        return payloads.base64
    return None


_XXD_TAKES = words("-l -len -s -seek -skip -c -cols -g -groupsize -o -offset -n -name -R")


def _xxd_option(one: Value) -> Value:
    """`-c16`, `--cols`: the number apart, one dash."""
    text = re.sub(r"^--(?=\w)", "-", one.text)
    found = re.fullmatch(r"(-[lscgo])([+-]?(?:0x)?[\da-fA-F]+)", text)
    return one._replace(text=f"{found[1]}={found[2]}" if found else text)


@program("xxd")
def xxd(call: Call) -> None:
    """Bytes as hex, and with `-r` hex as bytes; its options are words with one dash."""
    said = options([_xxd_option(one) for one in call.args], _XXD_TAKES, single=True)
    text = _given(call, said.operands[:1])
    for one in said.operands[1:]:
        call.writes(one)
    if any(name.startswith("-r") for name in said.names()):
        call.gives(payloads.hexed(text) if text is not None else None, DECODED)


_OPENSSL_READS = words(
    "dgst md5 sha1 sha256 sha512 sha384 blake2b512 version list rand prime x509 crl verify help "
    "ciphers errstr speed"
)


_OPENSSL_WRITES = words(
    """-out -writerand -keyout -sess_out -CAserial -msg_out -keylogfile -certsout -crl_out
    -recip_out -extracertsout -cacertsout -chainout -save -signer_out -newcerts"""
)
_OPENSSL_KEYS = words("-key -inkey -CAkey -signkey -sign -prverify -kfile -rand -force_pubkey")


def _openssl_value(call: Call, verb: str, name: str, value: Value) -> None:
    if name in _OPENSSL_WRITES:
        call.writes(value)
    elif name in _OPENSSL_KEYS or (name == "-in" and verb not in ("x509", "req", "crl", "verify")):
        call.reads(value)
    elif name == "-provider" and not re.fullmatch(r"\w+", value.text):
        call.deny("run.option", "openssl loads a library that is named")
    elif re.match(r"file:", value.text):
        call.reads(value._replace(text=value.text.removeprefix("file:")))


@program("openssl")
def openssl(call: Call) -> None:
    """Hashes, certificates, keys, and `enc -d`."""
    verb = call.texts[0].lower() if call.args else ""
    args = [one._replace(text=re.sub(r"^--(?=\w)", "-", one.text)) for one in call.args[1:]]
    rest = [one.text for one in args]
    values = [(name, args[at + 1]) for at, name in enumerate(rest[:-1]) if name.startswith("-")]
    for name, value in values:
        _openssl_value(call, verb, name, value)
    if any(re.match(r"-(?:engine|provider[-_]path|config)", one) for one in rest):
        call.deny("run.option", "openssl loads a library that is named")
    given = {name for name, _ in values}
    if verb in _OPENSSL_READS:
        for at, one in enumerate(args):
            if not one.text.startswith("-") and not (at and rest[at - 1].startswith("-")):
                call.reads(one)
    elif verb in ("enc", "base64", "aes-256-cbc", "aes-128-cbc", "des3"):
        if "-d" in rest:
            plain = verb == "base64" or ("-base64" in rest and "-aes" not in " ".join(rest))
            text = call.stdin.text if plain and "-in" not in given else None
            call.gives(payloads.base64(text) if text is not None else None, DECODED)
            if not plain:
                call.ask("secret.decrypt", "decrypts something")
        elif verb not in ("enc", "base64") or not any(one in ("-base64", "-a") for one in rest):
            call.ask("secret.encrypt", "encrypts something that may not be readable again")
    elif verb in ("s_client", "s_server", "s_time"):
        call.sends(call.args, where="another machine")
        call.ask("network.connect", "opens a connection")
        call.taint("remote")
    else:
        call.ask("secret.keys", f"openssl {verb} makes or shows keys")


_KEEPS = words("zstd unzstd lz4 brotli zstdmt pzstd")
"""Those that leave the file they packed, unless told otherwise."""


@program("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress pigz brotli")
@program("lzma unlzma lzip plzip lzop uncompress unpigz pbzip2 pixz zstdmt pzstd unlz4 rzip lrzip")
def squeezes(call: Call) -> None:
    """Packs a file, or unpacks it, in its place or to the output."""
    out = words("-o --output --output-dir-flat --output-dir-mirror --trace")
    said = call.options({"-S", "-T", "--threads", "-b", "-p", "--suffix", *out})
    for one in said.values(*out):
        call.writes(one)
    to_output = said.has("-c", "--stdout", "--to-stdout", "-t", "--list", "--test") or (
        said.has("-l") and call.name != "lz4"
    )
    keeps = call.name in _KEEPS or said.has("-k", "--keep")
    gone = said.has("--rm") or (call.name == "brotli" and said.has("-j"))
    if gone or (not keeps and not to_output and _named(call, said.operands)):
        call.ask("delete.workspace", "deletes what it has packed or unpacked")
    for one in said.operands:
        call.reads(one)
        if not to_output:
            call.writes(one)
    call.gives(None, DECODED)


def _named(call: Call, operands: list[Value]) -> bool:
    """Whether a file of the project is put in the place of another; what was built is no loss."""
    return any(one.text != "-" and not _MADE.search(one.text) for one in operands) and not all(
        call.place(one) is Place.TEMP for one in operands
    )


_MADE = pattern(
    r"(?:^|/)(?:dist|build|out|target|coverage|logs?|tmp)/|\.(?:log|dump|tar|gz|bz2|xz|zst|lz4)$",
    re.I,
)


_GPG_MILD = pattern(
    r"-[vk]$|--(?:verify|list-keys|version|fingerprint|help|keyid-format|with-[\w-]+|batch)$"
)


@program("gpg", "gpg2")
def crypt(call: Call) -> None:
    """Signs, encrypts and shows keys."""
    text = " ".join(call.texts)
    if "secret" in text or "--export-private" in text:
        call.taint("secret")
        call.deny("secret.read", "shows secrets")
    elif call.args and call.texts[0] in (
        "--verify",
        "--list-keys",
        "-k",
        "--version",
        "--fingerprint",
        "--help",
    ):
        known = (
            r"-v|-k|--(?:verify|list-keys|version|fingerprint|help|keyid-format|with-\S+|batch)$"
        )
        for one in call.args:
            if one.text.startswith("-") and not re.match(known, one.text):
                call.ask("secret.keys", f"the effect of {call.name} {one.shown} is unknown")
    else:
        call.ask("secret.keys", f"{call.name} works with keys")
