"""What the language server says of quotas, in its own shape: a zero fraction is left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Model:
    """A model of the account. One that nobody counts has no quota at all."""

    label: str
    model: str
    remaining: float | None = 1.0  # None: it is not counted
    resets: str = "2026-11-18T05:00:00Z"


@dataclass(frozen=True, slots=True)
class Bucket:
    """A pool in one window of time."""

    name: str  # gemini-5h, gemini-weekly, 3p-5h, 3p-weekly
    remaining: float
    resets: str


MODELS = (
    Model("Gemini 3.1 Pro (High)", "MODEL_PLACEHOLDER_M8", 0.6),
    Model("Gemini 3 Flash", "MODEL_PLACEHOLDER_M18", 0.95),
    Model("Claude Sonnet 4.6 (Thinking)", "MODEL_PLACEHOLDER_M12", 0.0),
    Model("GPT-OSS 120B (Medium)", "MODEL_OPENAI_GPT_OSS_120B_MEDIUM", None),
)
BUCKETS = (
    Bucket("gemini-5h", 0.6, "2026-11-18T05:00:00Z"),
    Bucket("gemini-weekly", 0.8, "2026-11-24T00:00:00Z"),
    Bucket("3p-5h", 0.0, "2026-11-18T04:10:00Z"),
    Bucket("3p-weekly", 1.0, "2026-11-25T00:00:00Z"),
)


def user_status(models: Sequence[Model] = MODELS) -> dict[str, Any]:
    """The answer to `GetUserStatus`."""
    return {
        "userStatus": {
            "name": "Lab Person",
            "email": "person@example.com",
            "planStatus": {
                "planInfo": {"planName": "Pro", "monthlyPromptCredits": 50000},
                "availablePromptCredits": 49500,
            },
            "cascadeModelConfigData": {"clientModelConfigs": [_config(one) for one in models]},
        }
    }


def _config(one: Model) -> dict[str, Any]:
    config: dict[str, Any] = {"label": one.label, "modelOrAlias": {"model": one.model}}
    if one.remaining is not None:
        config["quotaInfo"] = {**_fraction(one.remaining), "resetTime": one.resets}
    return config


def quota_summary(buckets: Sequence[Bucket] = BUCKETS) -> dict[str, Any]:
    """The answer to `RetrieveUserQuotaSummary`."""
    names = {"gemini": "Gemini", "3p": "Claude and GPT"}
    return {
        "groups": [
            {
                "displayName": name,
                "buckets": [
                    {
                        "bucketId": one.name,
                        "window": one.name.partition("-")[2],
                        **_fraction(one.remaining),
                        "resetTime": one.resets,
                    }
                    for one in buckets
                    if one.name.startswith(f"{key}-")
                ],
            }
            for key, name in names.items()
        ]
    }


def _fraction(remaining: float) -> dict[str, float]:
    return {"remainingFraction": remaining} if remaining else {}


def answers(
    models: Sequence[Model] = MODELS, buckets: Sequence[Bucket] = BUCKETS
) -> dict[str, dict[str, Any]]:
    """All the methods a quota client calls."""
    return {
        "GetUnleashData": {},
        "GetUserStatus": user_status(models),
        "RetrieveUserQuotaSummary": quota_summary(buckets),
    }
