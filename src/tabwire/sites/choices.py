"""The shape of what a site lets one choose: models, efforts, files. Data only.

A picker and an upload belong to one layout of the page and carry its name. What the site calls
its models is the same in all of them.
"""

from dataclasses import dataclass, field

from tabwire.sites.page import Selector

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Models:
    """What people, the page and the wire call the same model.

    `called`: groups of names for one thing. `modes`: names of a way to answer, of which the
    wire tells only the model behind it. `effort_words`: what the wire adds to a model's name
    for the effort, which the page has a choice of its own for.
    """

    called: tuple[tuple[str, ...], ...] = ()
    modes: tuple[str, ...] = ()
    effort_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Picker:
    """The menu that `Layout.model_picker` opens.

    `options`: its rows, beside those that say by their role that they are rows. `more`: rows
    that show further rows, beside those that say so. `prefixes`: what stands before the name in
    a row's attribute. `efforts`: from least to most, as the menu
    lists them. `effort_attribute`: of the button, says which effort is chosen in any language.
    """

    layout: str
    options: tuple[Selector, ...] = ()
    more: tuple[Selector, ...] = ()
    prefixes: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    effort_attribute: str = ""


@dataclass(frozen=True, slots=True)
class Upload:
    """How files come to the page, and where it shows them.

    `inputs`: file inputs, hidden or not. `button` opens a menu, and `row` in it asks for files.
    `area`: around the composer and its files. `chips`: one per file; the page is looked at for
    the files' names as well.
    """

    layout: str
    inputs: tuple[Selector, ...] = ()
    button: tuple[Selector, ...] = ()
    row: tuple[Selector, ...] = ()
    area: tuple[Selector, ...] = ()
    chips: tuple[Selector, ...] = ()


@dataclass(frozen=True, slots=True)
class FileLimits:
    """What a site takes with one question. Names end in lower case, with the dot."""

    count: int = 10
    each_bytes: int = 512 * MEGABYTE
    by_ending: tuple[tuple[tuple[str, ...], int], ...] = ()  # other limits, in bytes
    refused: tuple[str, ...] = ()  # endings


IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".heic", ".heif")
PROGRAMS = (".exe", ".dll", ".msi", ".dmg", ".iso", ".apk", ".deb", ".rpm", ".so", ".sys")
"""Refused by every site, whatever is in them."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Everything one can choose at a site."""

    models: Models = field(default_factory=Models)
    pickers: tuple[Picker, ...] = ()
    uploads: tuple[Upload, ...] = ()
    limits: FileLimits = field(default_factory=FileLimits)
    temporary: tuple[Selector, ...] = ()  # begins a chat that is not kept, where no address does
    temporary_behind: tuple[Selector, ...] = ()  # shows that control where the page hides it

    def picker(self, layout: str) -> Picker:
        """Of this layout; one that knows nothing more where none is."""
        return next((one for one in self.pickers if one.layout == layout), Picker(layout))

    def upload(self, layout: str) -> Upload:
        """Of this layout; one that knows nothing more where none is."""
        return next((one for one in self.uploads if one.layout == layout), Upload(layout))
