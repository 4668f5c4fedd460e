"""Former spellings of options. They work for one release, with a hint on stderr.

They are in no `--help`: the command line is rewritten before it is parsed.
"""

import sys
from collections.abc import Mapping, Sequence

OLD_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "tabwire fetch": {"--to": "--site"},
    "tabwire history": {"--to": "--site", "--jsonl": "--format=history.jsonl"},
    "tabwire sessions clear": {"--to": "--site"},
    "tabwire snapshot": {"--to": "--out"},
    "tabwire antigravity send": {"-f": "--file", "--anyway": "--force"},
    "tabwire lab demo": {"--to": "--out"},
    "tabwire lab play": {"--visible": "--no-headless"},
}
"""Command -> {former option: the option of now}."""


def renewed(command: str, arguments: Sequence[str]) -> list[str]:
    """The arguments with the options of now in place of former ones; each is hinted at once."""
    old = OLD_OPTIONS.get(command, {})
    words = list(arguments)
    end = words.index("--") if "--" in words else len(words)
    hinted = set()
    for place, word in enumerate(words[:end]):
        option, sign, value = word.partition("=")
        if option not in old:  # a short one may be joined to its value: -fFILE
            option, sign, value = word[:2], "=", word[2:]
        if option not in old:
            continue
        words[place] = f"{old[option]}{sign}{value}"
        if option not in hinted:
            hint(option, old[option])
        hinted.add(option)
    return words


def hint(former: str, now: str) -> None:
    """Say on stderr what it is called now."""
    words = f"tabwire: {former} is now {now.replace('=', ' ')} here; it still works in this release"
    print(words, file=sys.stderr, flush=True)
