"""Quota answers read: exhausted, available or unknown, per model and pool. Facts 5.7."""

import math

import pytest

from tabwire.lab.antigravity import quota_answers
from tabwire.monitor.agent_quota import (
    UNKNOWN,
    Allowance,
    ModelQuota,
    PoolQuota,
    Quota,
    QuotaState,
    family_of,
    read_quota_summary,
    read_user_status,
    together,
)

EXHAUSTED, AVAILABLE = QuotaState.EXHAUSTED, QuotaState.AVAILABLE
RESET = "2026-11-18T05:00:00Z"
AT = 1794978000.0  # RESET, in seconds since 1970


def status(info):
    config = {"label": "Claude", "modelOrAlias": {"model": "m"}}
    if info is not None:
        config["quotaInfo"] = info
    return {"userStatus": {"cascadeModelConfigData": {"clientModelConfigs": [config]}}}


INFOS = [
    # id, quotaInfo, what it means
    ("S2-047 a zero is left out", {"resetTime": RESET}, Quota(EXHAUSTED, 0.0, AT)),
    ("S2-048 not counted", None, UNKNOWN),
    ("nothing in it", {}, UNKNOWN),
    ("null", {"remainingFraction": None, "resetTime": RESET}, Quota(EXHAUSTED, 0.0, AT)),
    ("a zero", {"remainingFraction": 0, "resetTime": RESET}, Quota(EXHAUSTED, 0.0, AT)),
    ("below zero", {"remainingFraction": -0.01}, Quota(EXHAUSTED, 0.0)),
    ("a little", {"remainingFraction": 0.004, "resetTime": RESET}, Quota(AVAILABLE, 0.004, AT)),
    ("all", {"remainingFraction": 1, "resetTime": RESET}, Quota(AVAILABLE, 1.0, AT)),
    ("more than all", {"remainingFraction": 1.2}, Quota(AVAILABLE, 1.0)),
    ("no number", {"remainingFraction": "much", "resetTime": RESET}, UNKNOWN),
    ("not a number", {"remainingFraction": math.nan, "resetTime": RESET}, UNKNOWN),
    ("a switch", {"remainingFraction": False, "resetTime": RESET}, UNKNOWN),
    ("no time", {"resetTime": "soon"}, UNKNOWN),
    ("a day that is none", {"resetTime": "2026-13-41T00:00:00Z"}, UNKNOWN),
    (
        "nine digits",
        {"resetTime": "2026-11-18T05:00:00.500000000Z"},
        Quota(EXHAUSTED, 0.0, AT + 0.5),
    ),
    ("another zone", {"resetTime": "2026-11-18T14:00:00+09:00"}, Quota(EXHAUSTED, 0.0, AT)),
    ("in seconds", {"resetTime": {"seconds": str(int(AT))}}, Quota(EXHAUSTED, 0.0, AT)),
]


@pytest.mark.parametrize("info, means", [c[1:] for c in INFOS], ids=[c[0] for c in INFOS])
def test_what_a_models_quota_means(info, means):
    (one,) = read_user_status(status(info)).models
    assert one.quota == means


@pytest.mark.parametrize(
    "broken",
    [
        None,
        3,
        "x",
        [],
        {"userStatus": []},
        {"userStatus": {"cascadeModelConfigData": {"clientModelConfigs": [None, 4, {"label": 3}]}}},
    ],
)
def test_an_answer_that_is_none_says_nothing(broken):
    assert read_user_status(broken) == Allowance()
    assert read_quota_summary(broken) == ()


def test_the_labs_answers_are_read_and_no_person_is_in_them():
    answer = quota_answers.answers()
    read = read_user_status(answer["GetUserStatus"])
    assert [(one.label, one.quota.state) for one in read.models] == [
        ("Gemini 3.1 Pro (High)", AVAILABLE),
        ("Gemini 3 Flash", AVAILABLE),
        ("Claude Sonnet 4.6 (Thinking)", EXHAUSTED),
        ("GPT-OSS 120B (Medium)", QuotaState.UNKNOWN),
    ]
    assert (read.plan, read.credits) == ("Pro", 49500)
    assert "person@example.com" not in repr(read)
    pools = read_quota_summary(answer["RetrieveUserQuotaSummary"])
    assert [(one.name, one.window, one.quota.state) for one in pools] == [
        ("gemini-5h", "5h", AVAILABLE),
        ("gemini-weekly", "weekly", AVAILABLE),
        ("3p-5h", "5h", EXHAUSTED),
        ("3p-weekly", "weekly", AVAILABLE),
    ]


FAMILIES = [
    ("Gemini 3.1 Pro (High)", "gemini"),
    ("Claude Opus 4.6 (Thinking)", "3p"),
    ("GPT-OSS 120B (Medium)", "3p"),
    ("Something new", ""),
]


@pytest.mark.parametrize("label, family", FAMILIES)
def test_a_models_name_says_which_pool_it_draws_from(label, family):
    assert family_of(label) == family


ALLOWANCE = Allowance(
    (
        ModelQuota("Gemini 3 Flash", "a", Quota(AVAILABLE, 0.9, 100.0)),
        ModelQuota("Claude Opus", "b", Quota(AVAILABLE, 0.5, 100.0)),
        ModelQuota("Nobody counts", "c", UNKNOWN),
    ),
    (
        PoolQuota("gemini-5h", "Gemini", "5h", Quota(AVAILABLE, 0.2, 200.0)),
        PoolQuota("3p-5h", "Claude and GPT", "5h", Quota(EXHAUSTED, 0.0, 300.0)),
        PoolQuota("3p-weekly", "Claude and GPT", "weekly", Quota(EXHAUSTED, 0.0, 900.0)),
    ),
)
OF = [
    # id, the model in use, what holds
    ("the least of what it draws from", "Gemini 3 Flash", Quota(AVAILABLE, 0.2, 200.0)),
    ("a pool that is used up, until the last is back", "Claude Opus", Quota(EXHAUSTED, 0.0, 900.0)),
    ("a model that is not named, by its pool", "GPT-OSS 120B", Quota(EXHAUSTED, 0.0, 900.0)),
    ("nobody counts it", "Nobody counts", UNKNOWN),
    ("nobody knows it", "Else", UNKNOWN),
    ("letters and spaces do not matter", "gemini  3 flash", Quota(AVAILABLE, 0.2, 200.0)),
]


@pytest.mark.parametrize("label, holds", [c[1:] for c in OF], ids=[c[0] for c in OF])
def test_only_the_model_in_use_counts(label, holds):
    assert ALLOWANCE.of(label) == holds


def test_when_one_end_is_not_known_none_is():
    spent = [Quota(EXHAUSTED, 0.0, 5.0), Quota(EXHAUSTED, 0.0, None)]
    assert together(spent) == Quota(EXHAUSTED, 0.0, None)
