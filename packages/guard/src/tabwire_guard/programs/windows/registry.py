"""Windows' registry: what starts by itself, what protects, where passwords are kept."""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.values import SECRET, Value

_RUN_KEYS = pattern(
    r"\\(?:run|runonce|runservices\w*|winlogon|image file execution options|appinit_dlls|lsa"
    r"|policies|shell|command|services|environment|classes|session manager|windows defender"
    r"|shell folders|user shell folders|command processor|powershell|browser helper objects"
    r"|internet settings|firewallpolicy|terminal server|safeboot|active setup)(?:\\|$)",
    re.IGNORECASE,
)


def removes_registry(call: Call, key: Value) -> None:
    """A key with all beneath it: near the root that is half the machine."""
    if len(re.split(r"[\\/]+", key.text.strip("\\/"))) < 4:
        call.deny("registry.delete", f"deletes {key.shown} from the registry")
    changes_registry(call, key)


def changes_registry(call: Call, key: Value, name: str = "") -> None:
    """The registry: what starts by itself, what protects, and the rest."""
    whole = f"{key.text}\\{name}".replace("/", "\\")
    users = re.match(r"(?:.*::)?(?:hkcu:?|hkey_current_user)(?=\\|$)", whole, re.IGNORECASE)
    if not users or _RUN_KEYS.search(whole) or key.holed:
        call.deny("registry.write", f"changes {key.shown} in the registry")
    else:
        call.ask("registry.write", f"changes {key.shown} in the registry")


_KEPT = pattern(
    r"\\(?:winlogon|sam|security|simontatham|[^\\]*winscp[^\\]*|[^\\]*vnc[^\\]*|openssh\\agent"
    r"|snmp|[^\\]*password[^\\]*|[^\\]*credential[^\\]*)(?:\\|$)",
    re.IGNORECASE,
)
"""Keys with passwords in them."""


def reads_registry(call: Call, key: Value, *, deep: bool = False) -> None:
    """What stands in a key, or with `deep` in all beneath it."""
    whole = re.sub(r"[\\/]+", r"\\", key.text).rstrip("\\")
    if _KEPT.search(whole):
        call.taint(SECRET)
        call.deny("secret.read", f"{key.shown} is where passwords are kept")
    elif re.search(r"\\environment$", whole, re.IGNORECASE):
        call.taint(SECRET)
        call.ask("secret.environment", "prints the environment, where tokens are kept")
    elif deep and whole.count("\\") < 2:
        call.taint(SECRET)
        call.ask("secret.search", f"reads everything in {key.shown}, passwords included")
