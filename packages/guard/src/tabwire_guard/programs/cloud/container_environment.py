"""What shows the variables of containers, where passwords are kept."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.registry import words
from tabwire_guard.programs.verbs import has
from tabwire_guard.values import SECRET, Value

_ENVIRONMENT = pattern(
    r"env|\{\{-?\s*(?:json\s+|println\s+)?\.(?:Config|ContainerConfig|Spec|Args|Cmd)?\s*-?\}\}|index"
    r"|json$",
    re.I,
)
"""Of a format: what prints the variables of a container."""


def inspect(call: Call, args: list[Value]) -> None:
    """All that is known of a container, its variables included."""
    said = options(args, words("-f --format --type"))
    formats = [one.text for one in said.values("-f", "--format")]
    if any(one.text in ("image", "volume", "network", "node") for one in said.values("--type")):
        return
    if not formats or any(_ENVIRONMENT.search(one) for one in formats):
        call.taint(SECRET)
        call.ask("secret.environment", "prints the variables of a container, where tokens are kept")


_ONLY_NAMES = words(
    "-q --quiet --services --images --volumes --profiles --networks --hash --environment-names -h "
    "--help --no-interpolate"
)


def config(call: Call, args: list[Value]) -> None:
    """`compose config` prints the variables of all containers, filled in."""
    if not has(args, _ONLY_NAMES):
        call.taint(SECRET)
        call.ask("secret.environment", "prints the variables of containers, where tokens are kept")
