"""What an answer cites, and the private marks by which a site says so.

ChatGPT writes marks into its text that only its own page can read, and tells beside the text
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

    mark: str  # to the letter, as it stands in the text
    words: str = ""  # Markdown; where there is none, the sources are linked
    citations: tuple[Citation, ...] = ()
