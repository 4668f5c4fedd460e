"""The packages that only the lab needs: the extra `tabwire[lab]`."""

from importlib.util import find_spec

from tabwire.model.errors import TabwireError

PACKAGES = ("cryptography", "hypercorn")


class LabNotInstalled(TabwireError):
    """The extra is not installed."""

    def __init__(self, missing: list[str]) -> None:
        super().__init__(
            f"the lab is not installed (missing: {', '.join(missing)})",
            what_to_do="Install it with `pip install 'tabwire[lab]'`, or "
            "`pip install '.[lab]'` in a checkout.",
        )


def require() -> None:
    """Raise LabNotInstalled unless every package of the extra can be imported."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise LabNotInstalled(missing)
