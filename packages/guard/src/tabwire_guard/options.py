"""Options and operands of a command, as most programs read them."""

from collections.abc import Collection, Iterator

from tabwire_guard.record import field, record
from tabwire_guard.values import Value


@record
class Options:
    """What was said, in order."""

    said: list[tuple[str, Value | None]] = field(default_factory=list)
    """Each option without its value's `=`, and its value."""
    operands: list[Value] = field(default_factory=list)

    def has(self, *names: str) -> bool:
        """Whether one of these was said, or the beginning of one."""
        return any(_means(name, names) for name, _ in self.said)

    def values(self, *names: str) -> Iterator[Value]:
        """What was said with these."""
        return (value for name, value in self.said if value is not None and _means(name, names))

    def names(self) -> set[str]:
        """All that were said."""
        return {name for name, _ in self.said}

    def unlike(self, known: Collection[str]) -> str:
        """The first option that is not among these, or nothing."""
        return next((name for name, _ in self.said if name not in known), "")


SHORTEST = 5
"""Letters of a long option that is not written out (`--recu`), its dashes counted."""


def _means(said: str, names: Collection[str]) -> bool:
    """Most programs take the beginning of a long option for the whole of it."""
    if said in names:
        return True
    return (
        len(said) >= SHORTEST
        and said.startswith("--")
        and any(name.startswith(said) for name in names)
    )


def options(
    args: Collection[Value],
    takes: Collection[str] = (),
    *,
    first: bool = False,
    single: bool = False,
) -> Options:
    """Read options; `takes` names those with a value.

    `first`: what follows the first operand belongs to somebody else (a wrapper's command).
    `single`: long options have one dash (`find`, `java`, `openssl`).
    """
    found = Options()
    rest = list(args)
    while rest:
        word = rest.pop(0)
        text = word.text
        if text == "--":
            found.operands += rest
            break
        if len(text) < 2 or text[0] != "-":
            found.operands.append(word)
            if first:
                found.operands += rest
                break
            continue
        if text.startswith("--") or single:
            name, equals, value = text.partition("=")
            if equals:
                found.said.append((name, word._replace(text=value)))
            elif name in takes or (not single and _means(name, takes)):
                found.said.append((name, rest.pop(0) if rest else Value("")))
            else:
                found.said.append((name, None))
            continue
        letters = text[1:]
        if text in takes:  # `-Xmx` style names of more than one letter
            found.said.append((text, rest.pop(0) if rest else Value("")))
            continue
        for at, letter in enumerate(letters):
            name = f"-{letter}"
            if name in takes:
                tail = letters[at + 1 :]
                if tail:
                    found.said.append((name, word._replace(text=tail.removeprefix("="))))
                else:
                    found.said.append((name, rest.pop(0) if rest else Value("")))
                break
            found.said.append((name, None))
    return found
