"""`import tabwire`: free until it is used, and whole when it is. What asks is in tests/e2e."""

import asyncio
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import tabwire
from tabwire import library
from tabwire.model.ask import Answer, Timings
from tabwire.model.ask_errors import BadAsk

HEAVY = {"asyncio", "msgspec", "typing", "dataclasses", "enum", "re", "importlib", "sqlalchemy"}


def python(program):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_importing_it_loads_next_to_nothing():
    loaded = python(
        "import json, sys; json.loads('1'); before = set(sys.modules); import tabwire\n"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    assert loaded == ["tabwire", "tabwire.model", "tabwire.model.lazy"]


def test_none_of_what_is_heavy_is_there_before_it_is_used():
    """As the pump sees it, which starts before `site` has loaded anything else."""
    program = (
        "import sys; sys.path[:0] = PATH; import tabwire; n = sorted(sys.modules)\n"
        "import json; print(json.dumps(n))"
    ).replace("PATH", repr([path for path in sys.path if path]))
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", program], capture_output=True, text=True, check=True
    )
    assert HEAVY.isdisjoint(json.loads(done.stdout))


def test_every_public_name_is_the_librarys():
    assert sorted(tabwire.__all__) == sorted(library.__all__)
    for name in tabwire.__all__:
        assert getattr(tabwire, name) is getattr(library, name)
    assert set(tabwire.__all__) <= set(dir(tabwire))
    assert tabwire.Answer is Answer


def test_no_room_has_the_name_of_a_public_function():
    """Else the import of the room would put a module in the place of the function."""
    package = Path(tabwire.__file__).parent
    taken = {path.stem for path in package.iterdir()}
    assert taken.isdisjoint(tabwire.__all__)


def test_what_it_has_not_is_told_as_of_any_module():
    with pytest.raises(AttributeError, match="module 'tabwire' has no attribute 'nope'"):
        _ = tabwire.nope


ORDERS = [
    # id, what is done first
    ("nothing before", "pass"),
    ("the room before", "from tabwire.asking.flow import Flow"),
    ("the room by its own name", "import tabwire.asking.flow as flow; assert flow.Flow"),
    ("the name before", "from tabwire import ask"),
    ("the library before", "import tabwire.library; tabwire.run"),
]


@pytest.mark.parametrize("first", [c[1] for c in ORDERS], ids=[c[0] for c in ORDERS])
def test_ask_is_a_function_whatever_was_imported_before(first):
    told = python(
        f"{first}\n"
        "import inspect, json, tabwire\n"
        "work = tabwire.ask('Why?', to='grok')\n"
        "is_work = inspect.iscoroutine(work); work.close()\n"
        "from tabwire import ask\n"
        "from tabwire.asking.flow import Flow\n"
        "import tabwire.asking.flow\n"
        "print(json.dumps([is_work, ask is tabwire.ask, tabwire.asking.flow.Flow is Flow]))"
    )
    assert told == [True, True, True]
    assert list(inspect.signature(tabwire.ask).parameters) == ["prompt", "to", "how"]


# --- what is told without a browser ----------------------------------------------------------


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))


def heard(events):
    async def hear():
        return [event async for event in events]

    return hear()


WRONG = [
    # id, what is done, what is raised, what it says
    ("no prompt", lambda: tabwire.ask(" ", to="grok"), BadAsk, "the prompt is empty"),
    ("no such site", lambda: tabwire.ask("Why?", to="claude"), BadAsk, "unknown site"),
    ("no such option", lambda: tabwire.ask("Why?", to="grok", modle="x"), TypeError, "modle"),
    ("one for many", lambda: tabwire.ask_many("Why?", to="grok"), TypeError, "'grok'"),
    ("in a stream", lambda: heard(tabwire.stream("", to="grok")), BadAsk, "empty"),
    (
        "in a stream of two",
        lambda: heard(tabwire.stream("?", ["grok", "x"])),
        BadAsk,
        "unknown site",
    ),
    ("no such tab", lambda: heard(tabwire.watch("claude")), tabwire.TabwireError, "claude"),
    ("no such page", lambda: tabwire.snapshot("claude"), tabwire.TabwireError, "claude"),
]


@pytest.mark.parametrize("do, error, said", [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
def test_what_cannot_be_meant_is_raised_before_a_browser_is_touched(do, error, said):
    with pytest.raises(error, match=said) as raised:
        tabwire.run(do())
    assert raised.value.__context__ is None  # nothing of how we got there


def test_run_gives_what_the_work_gives():
    async def work():
        return 7

    assert tabwire.run(work()) == 7
    assert tabwire.run(asyncio.sleep(0, "slept")) == "slept"


def test_run_inside_a_loop_says_what_to_do_instead():
    async def main():
        with pytest.raises(RuntimeError, match="`await` it here"):
            tabwire.run(asyncio.sleep(0))

    asyncio.run(main())


def test_the_seeds_six_timings():
    """Seed 001, section 12.2: names, order and whole numbers."""
    some = Timings(
        connect=100.4, navigate=20.3, wait_input=500.0, input=49.6, send=100.0,
        wait_response=5000.0, first_token=9.0, detect=1.0, total=5770.5,
    )  # fmt: skip
    assert list(some.as_seed().items()) == [
        ("connectMs", 121),
        ("waitInputMs", 500),
        ("inputMs", 50),
        ("sendMs", 100),
        ("waitResponseMs", 5000),
        ("totalMs", 5770),
    ]
    assert set(Timings().as_seed().values()) == {0}
