"""What an answer cites, and the private marks by which a site says so.

Sites write marks into their texts that only their own page can read, and tell beside the text
what each stands for. The text stays raw while witnesses are compared; whoever hands an answer
to a person puts what the marks mean in their place.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Citation:
    """A source an answer names. `publisher` is who stands behind it, as the site says it."""

    url: str
    title: str = ""
    publisher: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """What one mark stands for: words to read in its place, or sources, or both."""

    mark: str  # to the letter, as it stands in the text; "": sources of the answer as a whole
    words: str = ""  # Markdown; where there is none, the sources are linked
    citations: tuple[Citation, ...] = ()
