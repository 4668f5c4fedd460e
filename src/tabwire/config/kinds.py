"""What a setting can be: a text, a choice, a number, folders. Words in, values out.

In config.toml a value has TOML's own type; in the environment and on the command line
everything is text. A kind reads both, and says what would be right where it cannot.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol


class CannotBe(ValueError):
    """Why a value is invalid, and what could be written instead."""

    def __init__(self, why: str, instead: str) -> None:
        super().__init__(why)
        self.instead = instead


class Kind(Protocol):
    """How a setting is read. Both raise `CannotBe`."""

    def from_text(self, text: str) -> Any:
        """From the environment or the command line."""
        ...

    def from_toml(self, value: object) -> Any:
        """From config.toml."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """Anything."""

    def from_text(self, text: str) -> str:
        """As it stands."""
        return text

    def from_toml(self, value: object) -> str:
        """A text in quotes."""
        if not isinstance(value, str):
            raise CannotBe("must be text in quotes", '"…"')
        return self.from_text(value)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def from_text(self, text: str) -> str:
        """The word, however its letters are written."""
        if text.lower() not in self.words:
            raise CannotBe("is not a valid value", f"one of {', '.join(self.words)}")
        return text.lower()

    def from_toml(self, value: object) -> str:
        """The word in quotes."""
        if not isinstance(value, str):
            raise CannotBe("is not a valid value", f"one of {', '.join(self.words)}, in quotes")
        return self.from_text(value)


@dataclass(frozen=True, slots=True)
class Number:
    """A number between two others, both allowed. `whole`: no fraction."""

    least: float
    most: float
    whole: bool = False

    def from_text(self, text: str) -> int | float:
        """Digits."""
        try:
            return self._within(int(text) if self.whole else float(text))
        except ValueError:
            raise CannotBe(f"must be {self._wanted}", self._wanted) from None

    def from_toml(self, value: object) -> int | float:
        """A TOML number, without quotes."""
        allowed = isinstance(value, int if self.whole else int | float)
        if not allowed or isinstance(value, bool):
            raise CannotBe(f"must be {self._wanted}", f"{self._wanted}, without quotes")
        assert isinstance(value, int | float)
        try:
            return self._within(value)
        except ValueError:
            raise CannotBe(f"must be {self._wanted}", self._wanted) from None

    def _within(self, number: int | float) -> int | float:
        if not self.least <= number <= self.most:  # also not true of "nan"
            raise ValueError(number)
        return number

    @property
    def _wanted(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {self.least:g} to {self.most:.15g}"


@dataclass(frozen=True, slots=True)
class Folders:
    """Folders, by their whole paths. In the environment they are separated as in PATH."""

    def from_text(self, text: str) -> tuple[Path, ...]:
        """One or several."""
        return self._paths([part for part in text.split(os.pathsep) if part.strip()])

    def from_toml(self, value: object) -> tuple[Path, ...]:
        """A list of texts, or one text."""
        if isinstance(value, str):
            return self.from_text(value)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise CannotBe("must be a list of paths", '["/a/folder", "/another"]')
        return self._paths(value)

    def _paths(self, said: list[str]) -> tuple[Path, ...]:
        paths = tuple(Path(one.strip()).expanduser() for one in said)
        for path in paths:
            if not path.is_absolute():
                raise CannotBe("is not an absolute path", "the full path of each folder")
        return paths


YEAR_MINUTES = 365 * 24 * 60  # longer is meant as "never", and timers get along with it
SOME = 0.001  # minutes: more than nothing, which is all the seed asks of its numbers
MANY = 1000
