"""Finding browsers on three systems, told as data."""

import pytest

from tabwire.browser.find import KNOWN, Machine, find_all, find_browser, own_profiles
from tabwire.model.errors import BrowserNotFound

WINDOWS = {
    "ProgramFiles": r"C:\Program Files",
    "ProgramFiles(x86)": r"C:\Program Files (x86)",
    "LOCALAPPDATA": r"C:\Users\ann\AppData\Local",
}


def machine(platform, there, programs=None, environment=None):
    """A machine where only these files and these programs on the PATH are."""
    programs = programs or {}
    home = {"darwin": "/Users/ann", "win32": r"C:\Users\ann"}.get(platform, "/u/ann")
    return Machine(platform, environment or {}, home, programs.get, set(there).__contains__)


CHROME_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
BRAVE_MAC = "/Users/ann/Applications/Brave Browser.app/Contents/MacOS/Brave Browser"
CANARY_MAC = "/Applications/Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary"
EDGE_WINDOWS = r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe"
CHROME_WINDOWS = r"C:\Users\ann\AppData\Local\Google\Chrome\Application\chrome.exe"
CANARY_WINDOWS = r"C:\Users\ann\AppData\Local\Google\Chrome SxS\Application\chrome.exe"
BRAVE_WINDOWS = r"C:\Program Files\BraveSoftware\Brave-Browser\Application\brave.exe"

FINDS = [
    # id, machine, what is found in order
    (
        "linux: all, previews last, two links to one named once",
        machine(
            "linux",
            [],
            {
                "brave-browser": "/usr/bin/brave-browser",
                "microsoft-edge-dev": "/usr/bin/microsoft-edge-dev",
                "chromium": "/usr/bin/chromium",
                "google-chrome": "/usr/bin/google-chrome",
                "google-chrome-stable": "/usr/bin/google-chrome-stable",
                "google-chrome-unstable": "/usr/bin/google-chrome-unstable",
            },
        ),
        [
            ("chrome", "/usr/bin/google-chrome-stable"),
            ("chromium", "/usr/bin/chromium"),
            ("brave", "/usr/bin/brave-browser"),
            ("chrome-dev", "/usr/bin/google-chrome-unstable"),
            ("edge-dev", "/usr/bin/microsoft-edge-dev"),
        ],
    ),
    (
        "linux: a snap that is not on the PATH",
        machine("linux", ["/snap/bin/chromium"]),
        [("chromium", "/snap/bin/chromium")],
    ),
    (
        "macOS",
        machine("darwin", [BRAVE_MAC, CANARY_MAC, CHROME_MAC]),
        [("chrome", CHROME_MAC), ("brave", BRAVE_MAC), ("chrome-canary", CANARY_MAC)],
    ),
    (
        "Windows",
        machine(
            "win32",
            [EDGE_WINDOWS, CHROME_WINDOWS, CANARY_WINDOWS, BRAVE_WINDOWS],
            environment=WINDOWS,
        ),
        [
            ("chrome", CHROME_WINDOWS),
            ("edge", EDGE_WINDOWS),
            ("brave", BRAVE_WINDOWS),
            ("chrome-canary", CANARY_WINDOWS),
        ],
    ),
    ("Windows without its variables", machine("win32", [EDGE_WINDOWS]), []),
]


@pytest.mark.parametrize("where, found", [c[1:] for c in FINDS], ids=[c[0] for c in FINDS])
def test_every_browser_is_found_best_first(where, found):
    assert [(one.name, one.path) for one in find_all(where)] == found


def test_the_best_is_taken_when_none_is_named():
    assert find_browser(FINDS[0][1]).name == "chrome"


def test_each_browser_is_known_once():
    names = [(known.brand, known.channel) for known in KNOWN]
    assert len(names) == len(set(names))


TWO = {"google-chrome": "/usr/bin/google-chrome", "chromium": "/usr/bin/chromium"}
NAMED = [
    # id, setting, asked for, the path that is taken
    ("a name in the setting", "chromium", None, "/usr/bin/chromium"),
    ("in any case", " Chromium ", None, "/usr/bin/chromium"),
    ("a path", "/srv/my/browser", None, "/srv/my/browser"),
    ("a program on the PATH", "thorium", None, "/usr/bin/thorium"),
    ("what is asked for wins", "chromium", "chrome", "/usr/bin/google-chrome"),
    ("an empty setting is none", "", None, "/usr/bin/google-chrome"),
]


@pytest.mark.parametrize("setting, wanted, path", [c[1:] for c in NAMED], ids=[c[0] for c in NAMED])
def test_a_person_may_name_one(setting, wanted, path):
    programs = {**TWO, "thorium": "/usr/bin/thorium"}
    where = machine("linux", ["/srv/my/browser"], programs, {"TABWIRE_PROGRAM": setting})
    assert find_browser(where, wanted).path == path


def test_a_path_to_one_we_know_keeps_its_name():
    where = machine("linux", ["/usr/bin/chromium"], TWO)
    assert find_browser(where, "/usr/bin/chromium").name == "chromium"


MISSING = [
    # id, setting, what is said, what to do
    ("known, not there", "edge", "edge was named in TABWIRE_PROGRAM", "apt install"),
    ("unknown", "/no/such", "/no/such was named in TABWIRE_PROGRAM", "Name one of brave"),
]


@pytest.mark.parametrize(
    "setting, said, remedy", [c[1:] for c in MISSING], ids=[c[0] for c in MISSING]
)
def test_one_that_was_named_is_never_replaced_by_another(setting, said, remedy):
    where = machine("linux", [], TWO, {"TABWIRE_PROGRAM": setting})
    with pytest.raises(BrowserNotFound, match=said) as caught:
        find_browser(where)
    assert remedy in caught.value.what_to_do


REMEDIES = [("linux", "apt install"), ("darwin", "brew"), ("win32", "winget"), ("aix", "Install")]


@pytest.mark.parametrize("platform, remedy", REMEDIES)
def test_a_machine_without_a_browser_is_told_how_to_get_one(platform, remedy):
    with pytest.raises(BrowserNotFound) as caught:
        find_browser(machine(platform, []))
    assert remedy in caught.value.what_to_do
    assert "TABWIRE_PROGRAM" in caught.value.what_to_do


PROFILES = [
    ("linux", {}, "chrome", "/u/ann/.config/google-chrome"),
    ("linux", {"XDG_CONFIG_HOME": "/srv/c"}, "brave", "/srv/c/BraveSoftware/Brave-Browser"),
    ("linux", {}, "chrome-dev", "/u/ann/.config/google-chrome-unstable"),
    ("linux", {}, "chromium", "/u/ann/snap/chromium/common/chromium"),
    ("darwin", {}, "chrome", "/Users/ann/Library/Application Support/Google/Chrome"),
    ("win32", WINDOWS, "edge", r"C:\Users\ann\AppData\Local\Microsoft\Edge\User Data"),
]


@pytest.mark.parametrize("platform, environment, name, folder", PROFILES)
def test_the_profiles_of_a_persons_own_browsers(platform, environment, name, folder):
    where = machine(platform, [], environment=environment)
    assert (name, folder) in own_profiles(where)


@pytest.mark.parametrize(
    "platform, environment, shown",
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_a_window_is_shown_where_it_can_be(platform, environment, shown):
    assert machine(platform, [], {}, environment).has_display is shown
