"""Names of a package that are imported from its modules when they are first used.

A command imports what it uses and nothing else. A package says

    __getattr__ = lazy_names(__name__, {"package.module": "Name other=original"})

and lists the same names under `TYPE_CHECKING` for type checkers. docs/architecture.md lists what
else is deferred at start-up.
"""

TYPE_CHECKING = False  # every `tabwire mcp` imports this file: nothing else is imported with it
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_names(package: str, places: "Mapping[str, str]") -> "Callable[[str], object]":
    """The `__getattr__` of a package: module -> the names it gives, separated by blanks."""
    found: dict[str, tuple[str, str]] = {}
    for module, names in places.items():
        for name in names.split():
            public, renamed, original = name.partition("=")
            found[public] = (module, original if renamed else public)

    def get(name: str) -> object:
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        place, original = found[name]
        value = getattr(import_module(place), original)
        setattr(import_module(package), name, value)
        return value

    return get
