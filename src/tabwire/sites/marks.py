"""How the private marks of a site look in its texts. Data only.

A mark begins and ends with a character that no keyboard has. Fonts with icons use the same
characters, so one of them alone is no mark: a kind must follow at once, then its parts.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

MAX_MARK = 20_000  # characters; the longest kind holds a description of pictures, some 2,000


@dataclass(frozen=True, slots=True)
class Marks:
    """The characters of a site's marks, and what a mark says of itself.

    `others` are single characters that set text apart for the page and stand for nothing.
    `words` gives the words that are inside a mark, "" where there are none to read.
    """

    begin: str
    part: str
    end: str
    others: str = ""
    words: Callable[[str], str] = lambda _mark: ""
    whole: re.Pattern[str] = field(init=False)  # one mark
    begun: re.Pattern[str] = field(init=False)  # the rest of a text that may become a mark
    strays: re.Pattern[str] = field(init=False)  # any of the characters alone

    def __post_init__(self) -> None:
        """Make the patterns."""
        begin, part, end = map(re.escape, (self.begin, self.part, self.end))
        kind = r"[A-Za-z][\w-]{0,63}"
        inside = rf"{part}[^{begin}{end}]{{0,{MAX_MARK}}}"
        patterns = {
            "whole": rf"{begin}{kind}(?:{inside})?{end}",
            "begun": rf"{begin}(?:{kind}(?:{inside})?)?\Z",
            "strays": rf"[{begin}{part}{end}{re.escape(self.others)}]",
        }
        for name, pattern in patterns.items():
            object.__setattr__(self, name, re.compile(pattern))
