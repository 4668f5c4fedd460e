"""What is said of a command: may it be clicked, and why."""

from enum import IntEnum

from tabwire_guard.record import field, record


class Verdict(IntEnum):
    """Ordered: the highest of all parts is the verdict on the whole."""

    ALLOW = 0
    ASK = 1
    DENY = 2

    @property
    def word(self) -> str:
        """As people and JSON say it."""
        return self.name.lower()


@record(frozen=True)
class Finding:
    """One thing that speaks against a command."""

    verdict: Verdict
    rule: str
    """Which rule it is, as `tabwire guard rules` lists it."""
    reason: str
    segment: str
    """The part of the command it is about."""


@record
class Part:
    """One command of the tree, for `explain`: what it is, and what was found in it."""

    text: str
    depth: int
    note: str = ""
    """How it came to be here: `decoded from base64`, `run by xargs`."""
    findings: list[Finding] = field(default_factory=list)
    allowed_by: str = ""
    """The person's rule that let it pass, if one did."""

    @property
    def verdict(self) -> Verdict:
        """The worst of what was found in this part itself."""
        return max((one.verdict for one in self.findings), default=Verdict.ALLOW)


@record(frozen=True)
class Judgement:
    """The verdict on a whole command."""

    verdict: Verdict
    findings: tuple[Finding, ...]
    parts: tuple[Part, ...]
    command: str
    shell: str

    @property
    def worst(self) -> Finding | None:
        """The first finding that decided, if anything speaks against the command."""
        return next((one for one in self.findings if one.verdict is self.verdict), None)

    @property
    def reason(self) -> str:
        """Why, in one sentence."""
        if (worst := self.worst) is not None:
            return worst.reason
        return "every part is known and harmless"

    @property
    def rule(self) -> str:
        """The rule that decided."""
        return worst.rule if (worst := self.worst) is not None else "known"

    @property
    def segment(self) -> str:
        """The part of the command that decided."""
        return worst.segment if (worst := self.worst) is not None else self.command
