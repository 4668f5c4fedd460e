"""What `make` calls: says what is missing, builds once, goes on where it stopped."""

import subprocess
from pathlib import Path

import pytest

from scripts import browser, extension_lock, prepare, soak
from tabwire.browser.find import Machine

ROOT = Path(__file__).resolve().parent.parent

PYTHONS = [
    # id, a Python that says and can this, what must be said
    ("too old", "3.9", "exit 1", "needs Python 3.11 or newer, found only 3.9"),
    ("no venv", "3.11", "exit 0", "Python 3.11 has no venv module"),
]


@pytest.mark.parametrize(
    "version, new, said", [c[1:] for c in PYTHONS], ids=[c[0] for c in PYTHONS]
)
def test_a_python_that_will_not_do_is_told_in_one_line(tmp_path, version, new, said):
    """Promise: say."""
    python = tmp_path / "python"
    answers = f"*print*) echo {version};; *exit*) {new};; *) exit 1;;"
    python.write_text(f'#!/bin/sh\ncase "$2" in {answers} esac\n')
    python.chmod(0o755)
    assert said in the_one_line({"PYTHON": str(python)})


def test_a_machine_without_python_is_told_in_one_line():
    line = the_one_line({"PYTHON": "no-such-python"})
    assert "needs Python 3.11 or newer, found none" in line
    assert "install" in line


def the_one_line(environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["/bin/sh", "scripts/setup.sh"],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout whose `.venv` is built by noting the steps."""
    (tmp_path / "scripts").mkdir()
    for name in (*prepare.INPUTS, "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(prepare, "ROOT", tmp_path)
    monkeypatch.setattr(prepare, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(prepare, "STAMP", tmp_path / ".venv" / "stamp")
    monkeypatch.setattr(prepare, "PYTHON", tmp_path / ".venv" / "python")

    def create(folder, **_):
        folder.mkdir()
        (folder / "python").touch()

    monkeypatch.setattr(prepare.venv, "create", create)
    steps: list[str] = []
    monkeypatch.setattr(prepare, "pip", lambda *step: steps.append(step[0]) or True)
    return tmp_path, steps


def test_an_unchanged_environment_is_used_again(checkout):
    _, steps = checkout
    assert prepare.main() == 0
    assert steps == ["install", "install", "check"]
    assert prepare.main() == 0
    assert len(steps) == 3


CHANGES = [
    ("requirements.lock", "# newer\n", True),
    ("scripts/prepare.py", "# newer\n", True),
    ("pyproject.toml", "\n[project.urls]\nhome = 'x'\n", True),
    ("pyproject.toml", "\n[tool.other]\nx = 1\n", False),
]


@pytest.mark.parametrize("name, more, again", CHANGES)
def test_it_is_built_again_when_something_it_depends_on_changed(checkout, name, more, again):
    folder, steps = checkout
    prepare.main()
    with (folder / name).open("a") as file:
        file.write(more)
    (folder / ".venv" / "left over").touch()
    prepare.main()
    assert (len(steps) == 6) is again
    assert (folder / ".venv" / "left over").exists() is not again


def test_a_set_up_that_failed_half_way_starts_clean(checkout, monkeypatch):
    """Promise: back."""
    folder, steps = checkout
    monkeypatch.setattr(prepare, "pip", lambda *_: False)
    assert prepare.main() == 1
    (folder / ".venv" / "left over").touch()
    monkeypatch.setattr(prepare, "pip", lambda *step: steps.append(step[0]) or True)
    assert prepare.main() == 0
    assert steps == ["install", "install", "check"]
    assert not (folder / ".venv" / "left over").exists()


@pytest.fixture
def rounds(tmp_path, monkeypatch):
    """The seeds of the rounds that ran; those in `bad` fail."""
    monkeypatch.setattr(soak, "NOTES", tmp_path / "soak")
    monkeypatch.setenv("ROUNDS", "3")
    monkeypatch.setenv("TABWIRE_SEED", "70")
    ran: list[int] = []
    bad: set[int] = set()
    monkeypatch.setattr(soak, "one_round", lambda seed: ran.append(seed) or int(seed in bad))
    return ran, bad


def test_a_soak_runs_its_rounds_from_the_seed_it_is_given(rounds, capsys):
    ran, _ = rounds
    assert soak.main() == 0
    assert ran == [70, 71, 72]
    assert "TABWIRE_SEED=70" in capsys.readouterr().out


def test_a_soak_that_was_stopped_goes_on_where_it_was(rounds, capsys, monkeypatch):
    ran, bad = rounds
    bad.add(71)
    assert soak.main() == 1
    assert "make soak TABWIRE_SEED=71 ROUNDS=1" in capsys.readouterr().out
    bad.clear()
    monkeypatch.delenv("TABWIRE_SEED")
    assert soak.main() == 0
    assert ran == [70, 71, 71, 72]


def test_repeating_a_failure_leaves_the_unfinished_soak_as_it_was(rounds, monkeypatch):
    ran, bad = rounds
    bad.add(71)
    soak.main()
    bad.clear()
    monkeypatch.setenv("TABWIRE_SEED", "71")
    monkeypatch.setenv("ROUNDS", "1")
    assert soak.main() == 0
    monkeypatch.delenv("TABWIRE_SEED")
    monkeypatch.setenv("ROUNDS", "3")
    assert soak.main() == 0
    assert ran == [70, 71, 71, 71, 72]


def test_a_new_soak_draws_a_seed_and_says_it(rounds, monkeypatch, capsys):
    ran, _ = rounds
    monkeypatch.delenv("TABWIRE_SEED")
    assert soak.main() == 0
    assert f"TABWIRE_SEED={ran[0]}" in capsys.readouterr().out


class Apt:
    """A machine on which apt-get puts Chromium, unless its network is away."""

    def __init__(self, *, lists=True, network=True):
        self.programs: dict[str, str] = {}
        self.ran: list[str] = []
        self.lists, self.network = lists, network

    def machine(self, **environment):
        return Machine("linux", environment, "/u/ann", self.programs.get, lambda _: False)

    def __call__(self, arguments):
        words = arguments.split()
        self.ran.append("xvfb" if words[-1] == "xvfb" else words[0])
        if not self.network:
            return "Temporary failure resolving"
        if self.ran[-1] == "update":
            self.lists = True
        elif not self.lists:
            return "Unable to locate package chromium"
        else:
            self.programs["chromium"] = "/usr/bin/chromium"
        return None


def test_a_browser_that_is_there_is_left_alone(capfd):
    apt = Apt()
    apt.programs["google-chrome"] = "/usr/bin/google-chrome"
    assert browser.see_to_it(apt.machine(), True, apt) == 0
    assert apt.ran == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "lists, ran", [(True, "install xvfb"), (False, "install update install xvfb")]
)
def test_a_fresh_machine_gets_a_browser_and_one_line(capfd, lists, ran):
    apt = Apt(lists=lists)
    assert browser.see_to_it(apt.machine(), True, apt) == 0
    assert apt.ran == ran.split()
    said, complaint = capfd.readouterr()
    assert said.startswith("installing Chromium")
    assert (said.count("\n"), complaint) == (1, "")


WITHOUT = [
    # id, may we install, environment, what must be said
    ("not root", False, {}, "apt install chromium"),
    ("one was named", True, {"TABWIRE_PROGRAM": "/no/such"}, "/no/such was named"),
]


@pytest.mark.parametrize(
    "may, environment, said", [c[1:] for c in WITHOUT], ids=[c[0] for c in WITHOUT]
)
def test_a_machine_without_browser_is_told_in_one_line(capfd, may, environment, said):
    """Promise: say."""
    apt = Apt()
    assert browser.see_to_it(apt.machine(**environment), may, apt) == 1
    assert apt.ran == []
    (line,) = capfd.readouterr().err.splitlines()
    assert said in line


def test_an_installation_that_fails_says_why(capfd):
    apt = Apt(network=False)
    assert browser.see_to_it(apt.machine(), True, apt) == 1
    first, *_, last = capfd.readouterr().err.splitlines()
    assert first == "Temporary failure resolving"
    assert "no Chrome, Chromium, Edge or Brave" in last


@pytest.fixture
def an_extension(tmp_path):
    """One with a lock that holds."""
    folder, lock = tmp_path / "extension", tmp_path / "extension.lock"
    (folder / "worker").mkdir(parents=True)
    (folder / "manifest.json").write_text('{"version": "0.1.9"}')
    (folder / "worker" / "main.js").write_text("1;")
    assert "make extension-lock" in extension_lock.problem(folder, lock)
    assert extension_lock.write(folder, lock) is None
    assert extension_lock.problem(folder, lock) is None
    return folder, lock


CHANGES = {
    "a file changed": lambda folder: (folder / "worker" / "main.js").write_text("2;"),
    "a file came": lambda folder: (folder / "new.js").write_text(""),
    "a file went": lambda folder: (folder / "worker" / "main.js").unlink(),
    "a file has another name": lambda folder: (folder / "worker" / "main.js").rename(
        folder / "worker" / "other.js"
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_another_extension_needs_another_version(an_extension, change):
    folder, lock = an_extension
    change(folder)
    assert "raise `version`" in extension_lock.problem(folder, lock)
    assert "raise `version`" in extension_lock.write(folder, lock)
    (folder / "manifest.json").write_text('{"version": "0.1.10"}')
    assert "make extension-lock" in extension_lock.problem(folder, lock)
    assert extension_lock.write(folder, lock) is None
    assert extension_lock.problem(folder, lock) is None
