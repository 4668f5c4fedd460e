"""Limits as a panel shows them: told by place and shape, with the words of the tables."""

import json

import pytest

from browser.agent.test_panel import page, read, said, tool
from sites.antigravity.page.wordings import DOUBTFUL, ERRORS, LIMITS, STEPS
from tabwire.browser.inpage import script
from tabwire.sites.antigravity.page.limits import LIMITS as PATTERNS

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

RESUME = LIMITS[1]
POPUP = (
    "<div role='alertdialog'><div>{}</div><div><button>Dismiss</button>"
    "<button>Retry</button></div></div>"
)


async def test_the_page_reads_the_same_patterns_alike(blank):
    texts = [*LIMITS, *ERRORS, *DOUBTFUL, *STEPS]
    ask = (
        f"{script('agent/limits')}; const known = new tabwire.agent.limits.Limits"
        f"({json.dumps(PATTERNS)}); "
        f"JSON.stringify({json.dumps(texts)}.filter((one) => known.is(one)))"
    )
    told = await blank.call("Runtime.evaluate", {"expression": f"{{ {ask} }}"}, seconds=60)
    assert "exceptionDetails" not in told, told
    assert json.loads(told["result"]["value"]) == LIMITS


async def test_popups_with_retry_are_limits_or_errors_by_what_they_say(blank):
    """All of them in one page: each is a card of its own."""
    popups = "".join(POPUP.format(one) for one in [*LIMITS, *ERRORS])
    panel = await read(blank, page(("q", said("Hi")), footer=popups))
    kinds = {one.text: one.kind for one in panel.cards}
    told = [kinds.get(one) for one in [*LIMITS, *ERRORS] if one in kinds]
    assert len(told) >= 39  # the page tells of forty at most
    assert all(kinds[one] == "quota" for one in LIMITS if one in kinds)
    assert all(kinds[one] == "error" for one in ERRORS if one in kinds)
    assert set(panel.quota) == {one for one in LIMITS if one in kinds}


SHOWN = [
    # id, what stands in the turn, what stands beside it, whether that is a limit
    ("a bare line over the composer", "", f"<div><span>{RESUME}</span></div>", True),
    ("its parts apart", "", "<div><b>Quota reached</b><p>Gemini</p><a>See plans</a></div>", True),
    ("a dialog without buttons", "", f"<div role='dialog'><p>{LIMITS[2]}</p></div>", True),
    ("a dialog out of sight", "", f"<div role='dialog' style='opacity:0'>{RESUME}</div>", False),
    (
        "a list of models and what they have left",
        "",
        "<div role='dialog'><div role='listbox'><div role='option'>Gemini: limit reached, resets "
        "in 3h</div></div></div>",
        False,
    ),
    ("a row of its own", f"<div><span>Error {LIMITS[0]}</span></div>", "", True),
    ("a bare pre", "<pre>quota exceeded: rate limit reached</pre>", "", False),
    ("code beside words", "<div>Output<pre>429 Too Many Requests</pre></div>", "", False),
    ("an answer about one", said(RESUME), "", False),
    ("a search for it", tool("Searched", "usage limit exceeded", "4 results"), "", False),
    ("a step in bare words", "<div>Searched usage limit exceeded</div>", "", False),
    (
        "a plan about one",
        "<div class='notify-user-container'><span>Show a banner when the usage limit is reached"
        "</span><button>Open</button><button>Proceed</button></div>",
        "",
        False,
    ),
]


@pytest.mark.parametrize("row, footer, limit", [c[1:] for c in SHOWN], ids=[c[0] for c in SHOWN])
@pytest.mark.rows(5)
async def test_a_limit_is_known_by_where_it_stands(blank, row, footer, limit):
    panel = await read(blank, page(("q", row or said("Hi")), footer=footer))
    assert bool(panel.quota) is limit, (panel.quota, panel.cards)


async def test_a_plan_that_speaks_of_a_limit_is_a_plan(blank):
    panel = await read(blank, page(("q", SHOWN[-1][1])))
    assert [one.kind for one in panel.cards] == ["plan"]


async def test_code_that_speaks_of_an_error_fails_no_run(blank):
    panel = await read(blank, page(("q", "<pre>Error: something went wrong, build failed</pre>")))
    assert [row.state for row in panel.open[-1].rows] == ["done"]
