"""Regular expressions that are compiled when they are first used.

Compiling all of the guard's takes longer than a judgement, and one judgement needs few of them.
"""

# ruff: noqa: ANN001, ANN204

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import compile as pattern
else:

    class pattern:  # noqa: N801
        """What `re.compile` returns, once one of its methods is asked for."""

        __slots__ = (
            "_flags", "_text", "findall", "finditer", "fullmatch", "match", "pattern", "search",
            "split", "sub", "subn",
        )  # fmt: skip

        def __init__(self, text, flags=0):
            self._text = text
            self._flags = flags

        def __getattr__(self, name):  # only as long as the slots are empty
            compiled = re.compile(self._text, self._flags)
            for one in self.__slots__[2:]:
                setattr(self, one, getattr(compiled, one))
            return getattr(compiled, name)


__all__ = ["pattern"]
