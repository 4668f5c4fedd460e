"""The prompt, from wherever it is said, with the files it speaks of.

`--context` files are inlined after the prompt, each with its name and numbered lines, so that
an answer can say `path:12`. A fence longer than any run of backticks in the file keeps the
file from ending it. Nothing is cut: what is too long is an error that says what to do.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from tabwire.model.ask_errors import BadAsk
from tabwire.model.errors import Unreadable

MAX_PROMPT_CHARS = 200_000  # what a composer is filled with and read back
MAX_FILE_BYTES = 4 * MAX_PROMPT_CHARS  # no file that fits is longer, in any script
TICK = "`"

_TICKS = re.compile(r"`{3,}")
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}
_TOLD = frozenset("\t\n\r\f\x1b")  # control characters that text files have


def read_prompt(
    argument: str | None,
    files: Sequence[Path] = (),
    context: Sequence[Path] = (),
    stdin: str | None = None,
) -> str:
    """The whole prompt. It comes from one place: the argument, `--prompt-file`, or stdin.

    A stdin that is empty or only blank says nothing: scripts leave it open.
    """
    piped = stdin if stdin is not None and stdin.strip() else None
    if argument == "-":
        argument, piped = piped if piped is not None else "", None
    given = [
        *([("the argument", argument)] if argument is not None else []),
        *((str(path), None) for path in files),
        *([("standard input", piped)] if piped is not None else []),
    ]
    if len(given) > 1:
        names = " and ".join(name for name, _ in given)
        raise _bad(
            f"the prompt is given more than once: by {names}",
            "Give it once: as an argument, with --prompt-file, or on standard input. Attach files "
            "with --context or --file.",
        )
    if not given:
        raise _bad(
            "there is no prompt",
            "Give it as an argument, with --prompt-file, or on standard input.",
        )
    ((name, said),) = given
    prompt = even(_read(Path(name)) if said is None else said).strip("\n")
    if not prompt.strip():
        raise _bad(f"the prompt is empty ({name})", "Write what you want to ask.")
    sizes = {"the prompt": len(prompt)}
    parts = [prompt]
    for path in context:
        part = inline(str(path), even(_read(path)))
        sizes[str(path)] = sizes.get(str(path), 0) + len(part)
        parts.append(part)
    whole = "\n\n".join(parts)
    if len(whole) > MAX_PROMPT_CHARS:
        raise _too_long(len(whole), sizes)
    return whole


def even(text: str) -> str:
    """The same text with one kind of line end, and without a mark of byte order."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def inline(name: str, text: str) -> str:
    """A file as part of a prompt: its name, and its lines with their numbers."""
    longest = max((len(found[0]) for found in _TICKS.finditer(text)), default=2)
    fence = TICK * (longest + 1)
    lines = text.removesuffix("\n").split("\n")
    width = len(str(len(lines)))
    numbered = "\n".join(f"{at:>{width}}| {line}" for at, line in enumerate(lines, 1))
    return f"{name} (lines 1-{len(lines)}, numbered):\n{fence}\n{numbered}\n{fence}"


def _read(path: Path) -> str:
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise _bad(
                f"{path} has {size:,} bytes; a prompt can have at most {MAX_PROMPT_CHARS:,} "
                "characters",
                f"Send it with `--file {path}` instead of inlining it.",
            )
        raw = path.read_bytes()
    except OSError as exc:
        what = exc.strerror or "it cannot be read"
        raise Unreadable(
            f"{path}: {what}", what_to_do="Check the name and the permissions."
        ) from exc
    return _decode(path, raw)


def _decode(path: Path, raw: bytes) -> str:
    coding = next((name for mark, name in _MARKS.items() if raw.startswith(mark)), "utf-8")
    try:
        text = raw.decode(coding)
    except UnicodeDecodeError as exc:
        raise _not_text(path) from exc
    if any(char < " " and char not in _TOLD for char in set(text)):
        raise _not_text(path)
    return text


def _not_text(path: Path) -> Unreadable:
    return Unreadable(
        f"{path} is not a text file (UTF-8 or UTF-16)",
        what_to_do=f"Send it as it is with `--file {path}`, or save it as UTF-8.",
    )


def _too_long(length: int, sizes: dict[str, int]) -> BadAsk:
    largest = max(sizes, key=lambda name: sizes[name])
    if largest == "the prompt":
        act = "Shorten it, or put the long part into a file and send that with --file."
    else:
        act = f"Send the largest file with `--file {largest}` instead of inlining it."
    return _bad(
        f"the prompt has {length:,} characters with its files; the maximum is "
        f"{MAX_PROMPT_CHARS:,}; the largest part is {largest} ({sizes[largest]:,})",
        act,
    )


def _bad(what: str, what_to_do: str) -> BadAsk:
    return BadAsk("", what, what_to_do)
