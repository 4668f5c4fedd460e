"""The guard held against real shells: what it allows, none of them does.

Scripts hide a probe where shells read differently. Where the guard says `allow`, the shells that
this verdict is for run it, and none of them may run the probe or write outside the workspace.
"""

import itertools
from pathlib import Path

import pytest

from guard_kit.dialect_scripts import HIDERS, OUTSIDE, PROBE, SHELLS, Sandbox, installed, scripts
from tabwire_guard.judgement import judge
from tabwire_guard.verdict import Verdict

FOUND = installed()
IN_A_TEST = 250
"""Generated scripts in `make test`."""
IN_A_SOAK = 30_000

pytestmark = pytest.mark.skipif(
    not FOUND.keys() - {"bash", "bash as sh"}, reason="no shell but bash is installed"
)


@pytest.fixture
def box(tmp_path: Path) -> Sandbox:
    return Sandbox.made(tmp_path)


def allowed_for(script: str) -> set[str]:
    """Names of shells for which the guard allows it."""
    names = {name for _, known in SHELLS.values() for name in known}
    return {name for name in names if judge(script, shell=name).verdict is Verdict.ALLOW}


def surprises(box: Sandbox, script: str) -> list[tuple[str, str]]:
    """Shells that do what the guard has not seen, each with the script."""
    allowed = allowed_for(script)
    return [
        (name, script)
        for name, start in FOUND.items()
        if allowed.intersection(SHELLS[name][1]) and box.runs(start, script)
    ]


@pytest.mark.parametrize("name", SHELLS)
def test_a_probe_is_noticed(name, box):
    """Or else nothing below could fail."""
    if name not in FOUND:
        pytest.skip(f"{name} is not installed")
    assert box.runs(FOUND[name], f"echo; {PROBE}")
    assert box.runs(FOUND[name], f"echo > {OUTSIDE}")
    assert not box.runs(FOUND[name], f"echo {PROBE}")


TELLING = [
    # script, shells that run the probe, shells that do not
    (f"(({PROBE}))", {"dash", "busybox"}, {"bash", "zsh", "mksh"}),
    (f"[[ -n '' || {PROBE} ]]", {"dash"}, {"bash", "busybox", "zsh", "mksh"}),
    (f"[[ a > {OUTSIDE} ]]", {"dash", "busybox"}, {"bash", "zsh", "mksh"}),
    (f"echo $'x\\' ; {PROBE} #'", {"dash"}, {"bash", "busybox", "zsh", "mksh"}),
    (f"echo >! {OUTSIDE}", {"zsh"}, {"bash", "dash", "mksh"}),
    (f"{{ echo }} always {{ {PROBE} ; }}", {"zsh"}, {"bash", "dash", "busybox", "mksh"}),
    ("read x < data; ((x))", {"bash", "mksh"}, {"dash"}),
]


@pytest.mark.parametrize("script, runs, does_not", TELLING)
def test_shells_differ_as_the_guard_takes_it(script, runs, does_not, box):
    for name in runs & FOUND.keys():
        assert box.runs(FOUND[name], script), name
        assert not allowed_for(script).intersection(SHELLS[name][1]), name
    for name in does_not & FOUND.keys():
        assert not box.runs(FOUND[name], script), name


def test_no_construct_does_what_was_not_seen(box):
    found = [one for form in HIDERS for one in surprises(box, form.format(p=PROBE, o=OUTSIDE))]
    assert found == []


def test_no_generated_script_does_what_was_not_seen(box):
    for script in itertools.islice(scripts(1), IN_A_TEST):
        assert surprises(box, script) == []


@pytest.mark.soak
def test_no_script_of_a_long_run_does_what_was_not_seen(box, seed):
    for script in itertools.islice(scripts(seed), IN_A_SOAK):
        assert surprises(box, script) == [], f"seed {seed}"
