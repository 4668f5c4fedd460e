"""What is left of an account's allowance, read from two answers of the local language server.

Three states and no fourth: a fraction above nothing is `available`; none, or no fraction beside a
reset time, is `exhausted` (the server leaves a zero out); whatever is not counted is `unknown`,
and unknown blocks nothing. Beside each model there are pools, each for several models and a
window of time; a model is used up when it is, or when a pool it draws from is.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any


class QuotaState(StrEnum):
    """What is known of an allowance."""

    EXHAUSTED = "exhausted"
    AVAILABLE = "available"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Quota:
    """One allowance. `remaining` is 0 to 1; `resets_at` in seconds since 1970."""

    state: QuotaState
    remaining: float | None = None
    resets_at: float | None = None


UNKNOWN = Quota(QuotaState.UNKNOWN)


@dataclass(frozen=True, slots=True)
class ModelQuota:
    """A model of the account: `label` as the panel shows it, `model` as the server calls it."""

    label: str
    model: str
    quota: Quota


@dataclass(frozen=True, slots=True)
class PoolQuota:
    """A pool of several models in one window of time: `gemini-5h`, `3p-weekly`."""

    name: str
    group: str
    window: str
    quota: Quota


@dataclass(frozen=True, slots=True)
class Allowance:
    """All that the two answers say. Nothing of the person: no name, no address."""

    models: tuple[ModelQuota, ...] = ()
    pools: tuple[PoolQuota, ...] = ()
    plan: str = ""
    credits: int | None = None

    def of(self, label: str) -> Quota:
        """What holds for the model with this label: its own quota and its pools together."""
        found = [one.quota for one in self.models if _same(one.label, label)]
        own = found[0] if len(found) == 1 else UNKNOWN
        family = family_of(label)
        pools = [one.quota for one in self.pools if family and one.name.startswith(f"{family}-")]
        return together([own, *pools])


def together(quotas: Iterable[Quota]) -> Quota:
    """Several allowances that must all hold. Where some are used up, the last of them to come
    back says when; where any is known to be there and none is used up, it is available."""
    quotas = tuple(quotas)
    spent = [one for one in quotas if one.state is QuotaState.EXHAUSTED]
    if spent:
        times = [one.resets_at for one in spent]
        known = [one for one in times if one is not None]
        return Quota(QuotaState.EXHAUSTED, 0.0, max(known) if len(known) == len(times) else None)
    there = [one for one in quotas if one.state is QuotaState.AVAILABLE]
    if not there:
        return UNKNOWN
    least = min(there, key=lambda one: 1.0 if one.remaining is None else one.remaining)
    return Quota(QuotaState.AVAILABLE, least.remaining, least.resets_at)


def family_of(label: str) -> str:
    """Which pool a model draws from, by its name; "" where that is not known."""
    words = label.lower()
    if "gemini" in words:
        return "gemini"
    third = ("claude", "opus", "sonnet", "haiku", "gpt")
    return "3p" if any(name in words for name in third) else ""


def read_user_status(answer: Any) -> Allowance:
    """The answer to `GetUserStatus`. What is not as it should be is unknown, never an error."""
    status = _object(_object(answer).get("userStatus"))
    plan = _object(status.get("planStatus"))
    configs = _object(status.get("cascadeModelConfigData")).get("clientModelConfigs")
    models = []
    for config in map(_object, configs if isinstance(configs, list) else []):
        label = config.get("label")
        model = _object(config.get("modelOrAlias")).get("model")
        if isinstance(label, str) and label:
            models.append(
                ModelQuota(
                    label, model if isinstance(model, str) else "", _quota(config.get("quotaInfo"))
                )
            )
    name = _object(plan.get("planInfo")).get("planName")
    return Allowance(
        tuple(models),
        plan=name if isinstance(name, str) else "",
        credits=_whole(plan.get("availablePromptCredits")),
    )


def read_quota_summary(answer: Any) -> tuple[PoolQuota, ...]:
    """The answer to `RetrieveUserQuotaSummary`."""
    groups = _object(answer).get("groups")
    pools = []
    for group in map(_object, groups if isinstance(groups, list) else []):
        buckets = group.get("buckets")
        for bucket in map(_object, buckets if isinstance(buckets, list) else []):
            name, window = bucket.get("bucketId"), bucket.get("window")
            if isinstance(name, str) and name:
                shown = group.get("displayName")
                pools.append(
                    PoolQuota(
                        name,
                        shown if isinstance(shown, str) else "",
                        window if isinstance(window, str) else name.partition("-")[2],
                        _quota(bucket),
                    )
                )
    return tuple(pools)


def _quota(said: Any) -> Quota:
    about = _object(said)
    fraction, resets_at = _fraction(about), _moment(about.get("resetTime"))
    if fraction is None:
        # a zero is left out, but then there is a time at which it ends
        left_out = about.get("remainingFraction") is None and resets_at is not None
        return Quota(QuotaState.EXHAUSTED, 0.0, resets_at) if left_out else UNKNOWN
    state = QuotaState.AVAILABLE if fraction > 0 else QuotaState.EXHAUSTED
    return Quota(state, min(max(fraction, 0.0), 1.0), resets_at)


def _fraction(about: dict[str, Any]) -> float | None:
    said = about.get("remainingFraction")
    if isinstance(said, bool) or not isinstance(said, int | float) or not math.isfinite(said):
        return None
    return float(said)


_MOMENT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)")


def _moment(said: Any) -> float | None:
    """RFC 3339, which may have nine digits of a second; or whole seconds."""
    if isinstance(said, dict):
        seconds = _whole(said.get("seconds"))
        return None if seconds is None else float(seconds)
    found = _MOMENT.fullmatch(said) if isinstance(said, str) else None
    if found is None:
        return None
    try:
        moment = datetime.fromisoformat(found[1] + ("+00:00" if found[3] == "Z" else found[3]))
    except ValueError:
        return None
    return moment.astimezone(UTC).timestamp() + float(f"0.{found[2] or 0}")


def _whole(said: Any) -> int | None:
    """Large numbers come as text."""
    if isinstance(said, str) and re.fullmatch(r"-?\d{1,18}", said):
        return int(said)
    return said if isinstance(said, int) and not isinstance(said, bool) else None


def _object(said: Any) -> dict[str, Any]:
    return said if isinstance(said, dict) else {}


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
