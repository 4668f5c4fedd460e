"""The head of the stand-alone program: its project and title, or nothing."""

import pytest

from browser.agent.test_panel import shown
from tabwire.browser.agent import header as agent_head
from tabwire.browser.agent.header import Head, called, head_of
from tabwire.browser.agent.targets import windows_at

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

MORE = '<button data-testid="titlebar-more-actions"></button>'
STROKE = '<span class="font-light">/</span>'


def crumb(text, inner=""):
    return f'<span><span class="truncate inline-block">{text}{inner}</span></span>'


def head(*parts):
    return f"<div><div>{''.join(parts)}</div><div>{MORE}</div></div>"


def view(inside="Hello"):
    return f'<div data-testid="conversation-view">{inside}</div>'


def side(project, active="bg-sidebar-secondary"):
    pill = f'<div role="button" class="{active}"><span data-testid="convo-pill-1">T</span></div>'
    return f'<div class="group/section"><div data-project-card="true">{project}</div>{pill}</div>'


AS_IT_IS = head(crumb("/srv/shop"), STROKE, crumb("Add a total"))
SHOP = Head("/srv/shop", "Add a total")
HEADS = [
    # id, the page, what its head says
    ("as it is", AS_IT_IS + view(), SHOP),
    ("the side bar agrees", side("/srv/shop") + AS_IT_IS + view(), SHOP),
    ("the side bar shows others", side("/srv/other", "") + AS_IT_IS + view(), SHOP),
    ("the side bar disagrees", side("/srv/other") + AS_IT_IS + view(), None),
    (
        "a conversation below another",
        head(crumb("a"), STROKE, crumb("b"), STROKE, crumb("c")) + view(),
        Head("a", "c"),
    ),
    (
        "a title that looks like a path",
        head(crumb("shop"), STROKE, crumb("/ / etc")) + view(),
        Head("shop", "/ / etc"),
    ),
    ("a title alone", head(crumb("/etc")) + view(), None),
    ("no stroke", head(crumb("/etc"), crumb("x")) + view(), None),
    ("a stroke before", head(STROKE, crumb("/etc"), crumb("x")) + view(), None),
    ("more in a crumb", head(crumb("/etc", "<b>x</b>"), STROKE, crumb("x")) + view(), None),
    ("said by an answer", head() + view(AS_IT_IS), None),
    ("an answer beside the true one", AS_IT_IS + view(head(crumb("/"), STROKE, crumb("x"))), SHOP),
    ("two heads", AS_IT_IS * 2 + view(), None),
    ("nothing", view(), None),
]


@pytest.mark.parametrize("html, said", [c[1:] for c in HEADS], ids=[c[0] for c in HEADS])
async def test_a_head_is_read_by_where_its_parts_stand(blank, html, said):
    await shown(blank, f"<body>{html}</body>")
    assert await head_of(blank) == said


async def test_windows_of_the_program_are_called_by_their_project(antigravity, agent_window):
    first = await agent_window("/srv/me/shop", generation="app", title="Add a total")
    second = await agent_window("my docs", generation="app")
    for desk in (first, second):
        await desk.finds("document.querySelector('#lab-project')?.textContent")
    windows = await called(await windows_at(antigravity.port))
    assert sorted((one.name, one.workspace) for one in windows) == [
        ("my docs", "my docs"),
        ("shop", "shop"),
    ]
    assert {one.title for one in windows} == {"Antigravity"}
    again = await agent_window("/srv/you/shop", generation="app")
    await again.finds("document.querySelector('#lab-project')?.textContent")
    names = sorted(one.name for one in await called(await windows_at(antigravity.port)))
    assert [one.partition("#")[0] for one in names] == ["my docs", "shop ", "shop "]
    assert len(set(names)) == 3


async def test_editors_are_not_asked(antigravity, agent_window, monkeypatch):
    monkeypatch.setattr(agent_head, "open_window", None)
    await agent_window("shop")
    listed = await windows_at(antigravity.port)
    assert await called(listed) == listed
