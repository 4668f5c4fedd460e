"""The verdict on a card, on its whole text: tables without a browser."""

import pytest

from tabwire.autopilot.breaker import Breaker
from tabwire.autopilot.paths import asked_for, edited
from tabwire.autopilot.ruling import Seat, rule_on
from tabwire.model.agent import Card, card_hash
from tabwire_guard.judgement import judge

HOME = "/home/you"
SEAT = Seat("9004/w", "shop", "shop", home=HOME)
SAID = Seat("9004/w", "shop", "shop", folder="/srv/work/shop", home=HOME)


def card(kind, *, text="", command="", cwd="", shortened=False):
    text = text or f"Run command? {cwd} $ {command}"
    made = card_hash(kind, text, cwd, command)
    return Card("c-1", kind, text, made, command=command, cwd=cwd, shortened=shortened)


def ruled(one, seat=SEAT, detail=""):
    found = rule_on(one, seat, judge, detail)
    return found.word, found.rule


COMMANDS = [
    # id, command, cwd, seat, verdict, rule ("" any)
    ("safe", "npm test", "~/shop", SEAT, "allow", ""),
    ("denied", "rm -rf /", "~/shop", SEAT, "deny", ""),
    ("asks", "npm install x", "~/shop", SEAT, "ask", "package.install"),
    ("no folder known", "npm test", "", SEAT, "ask", "workspace.unknown"),
    ("folder said", "npm test", "", SAID, "allow", ""),
    ("another folder than the workspace", "ls", "/srv/other", SAID, "ask", "path.outside"),
    ("below the workspace", "npm test", "/srv/work/shop/api", SAID, "allow", ""),
    ("above it by dots", "ls", "/srv/work/shop/../..", SAID, "ask", "path.outside"),
    ("a build elsewhere", "npm test", "/srv/other", SAID, "ask", "run.elsewhere"),
    ("called alike, outside the home", "ls", "/etc/shop", SEAT, "ask", "workspace.unknown"),
    ("folder cut short", "npm test", "~/…/shop", SEAT, "ask", ""),
    ("relative folder", "npm test", "api", SAID, "allow", ""),
    ("a sum for bash, a deletion for sh", "sh -c '((rm -rf ~))'", "~/shop", SEAT, "deny", ""),
    ("the same, typed", "((rm -rf ~))", "~/shop", SEAT, "deny", ""),
    ("a test for bash, a command for dash", "[[ -n x || reboot ]]", "~/shop", SEAT, "deny", ""),
    ("a text for bash", "echo $'x\\' ; rm -rf ~ #'", "~/shop", SEAT, "deny", ""),
    ("a comparison", "sh -c '[[ a > src/app.py ]]'", "~/shop", SEAT, "ask", "write.over"),
    ("zsh empties it", "git log >! ~/.zshrc", "~/shop", SEAT, "deny", ""),
    ("no comment for zsh", "ls # ; rm -rf ~", "~/shop", SEAT, "deny", ""),
    ("nothing readable", "", "~/shop", SEAT, "ask", "card.unreadable"),
    ("T50 5,000 characters", "echo " + "x" * 30_000, "~/shop", SEAT, "ask", ""),
]


@pytest.mark.parametrize(
    "command, cwd, seat, verdict, rule", [c[1:] for c in COMMANDS], ids=[c[0] for c in COMMANDS]
)
def test_a_command_is_judged_where_it_would_run(command, cwd, seat, verdict, rule):
    word, found = ruled(card("command", command=command, cwd=cwd), seat)
    assert word == verdict
    assert rule in ("", found)


def test_on_windows_what_cmd_would_do_counts_too():
    seat = Seat("k", "shop", "shop", folder=r"C:\Users\me\shop", home=r"C:\Users\me")
    hidden = "git status # & rd /s /q C:\\"
    assert ruled(card("command", command=hidden, cwd=r"C:\Users\me\shop"), seat)[0] == "deny"
    assert ruled(card("command", command="Get-ChildItem src"), seat)[0] == "allow"


def test_projects_of_the_persons_are_workspaces_too():
    seat = Seat("k", "Antigravity", "Antigravity", folders=(f"{HOME}/code/app",), home=HOME)
    assert ruled(card("command", command="npm test", cwd="~/code/app/web"), seat)[0] == "allow"
    assert ruled(card("command", command="npm test", cwd="~/code/apple"), seat)[0] == "ask"


def test_a_name_alone_is_not_enough_where_the_editor_keeps_a_list():
    two = Seat("k", "shop", "shop", None, ("/srv/a/shop", "/srv/b/shop"), HOME, guess=False)
    assert ruled(card("command", command="npm test", cwd="~/shop"), two)[0] == "ask"
    assert ruled(card("command", command="npm test", cwd="/srv/b/shop"), two)[0] == "allow"
    text = "Allow directory access to ~/shop/data?"
    assert ruled(card("permission", text=text), two)[0] == "ask"
    assert ruled(card("permission", text=text), SAID)[0] == "ask"


def test_shortened_asks_and_a_denied_part_of_it_is_denied_all_the_same():
    one = card("command", command="npm test", cwd="~/shop", shortened=True)
    assert ruled(one) == ("ask", "card.shortened")
    bad = card("command", command="rm -rf / && npm te…", cwd="~/shop", shortened=True)
    assert ruled(bad)[0] == "deny"


def test_without_a_guard_everything_asks():
    one = card("command", command="ls", cwd="~/shop")
    assert rule_on(one, SEAT, None).rule == "guard.missing"


def test_a_card_whose_hash_is_not_of_its_words_asks():
    one = card("command", command="ls", cwd="~/shop")
    other = Card("c", "command", one.text, "0" * 64, command="ls", cwd="~/shop")
    assert ruled(other) == ("ask", "card.unreadable")


def test_the_windows_shell_is_taken_for_a_windows_path():
    seat = Seat("k", "shop", "shop", home=r"C:\Users\me")
    one = card("command", command="Remove-Item -Recurse -Force C:\\", cwd=r"C:\Users\me\shop")
    assert ruled(one, seat)[0] == "deny"


PERMISSIONS = [
    # text, verdict, rule
    ("Allow directory access to ~/shop/data?", "allow", "path.inside"),
    ("Allow directory access to ~/shop?", "allow", "path.inside"),
    ("~/shop/data へのアクセスを許可しますか?", "allow", "path.inside"),
    ("Allow file access to src/app.py?", "allow", "path.inside"),
    ("Allow directory access to ~/shop/../.ssh?", "deny", "path.protected"),
    ("Allow directory access to ~/other/data?", "ask", "path.outside"),
    ("Allow directory access to ~/shopping/data?", "ask", "path.outside"),
    ("Allow directory access to ~/.ssh?", "deny", "path.protected"),
    ("Allow directory access to /?", "deny", "path.protected"),
    ("Allow directory access to /etc?", "deny", "path.protected"),
    ("Allow file access to ~/shop/.env?", "deny", "path.protected"),
    ("Allow file access to ~/shop/.git/hooks/pre-commit?", "deny", "path.protected"),
    ("Allow file access to ~/shop/.tabwire/guard.toml?", "deny", "path.protected"),
    ("Allow file access to ~/shop/package.json?", "ask", "path.outside"),
    ("Allow access to ~/shop/data and /etc?", "ask", "path.unreadable"),
    ("Allow access to ~/shop/my files?", "ask", "path.unreadable"),
    (f"Allow access to {HOME}/shop stuff?", "ask", "path.unreadable"),
    ("Allow access to ~/shop/…?", "ask", "path.unreadable"),
    ("Allow access to ~/shop/*?", "ask", "path.unreadable"),
    ("Allow access to $HOME/x?", "ask", "path.unreadable"),
    ("Agent needs permission to execute JavaScript on localhost:3000", "ask", "path.unreadable"),
    ("Agent needs permission to execute JavaScript on example.com", "ask", ""),
    ("Open https://example.com/docs in the browser?", "ask", "path.unreadable"),
    ("Allow access to example.com/docs?", "ask", "path.unreadable"),
    ("Allow access to example.com?", "ask", "path.unreadable"),
    ("Allow read access to the file app.py?", "allow", "path.inside"),
    ("Allow the agent to run src/deploy.sh?", "ask", "path.unreadable"),
    ("Allow the agent to delete files in src/data?", "ask", "path.unreadable"),
    ("Allow access to the site in src/a.html?", "ask", "path.unreadable"),
    ("~/shop/data を削除しますか?", "ask", "path.unreadable"),
    ("Allow the tool jina / search_web?", "ask", "path.unreadable"),
    ("Allow?", "ask", "path.unreadable"),
    ('Allow access to "~/shop/a.txt"?', "allow", "path.inside"),
    ('Allow access to "~/shop/a.txt" and ~/x/y?', "ask", "path.unreadable"),
]  # fmt: skip


@pytest.mark.parametrize("text, verdict, rule", PERMISSIONS)
def test_a_permission_is_judged_by_its_path(text, verdict, rule):
    word, found = ruled(card("permission", text=text))
    assert word == verdict
    assert rule in ("", found)


def test_a_permission_that_shows_code_asks():
    one = card("permission", text="Allow this? ls", command="ls")
    assert ruled(one) == ("ask", "card.unknown")
    assert ruled(card("permission", text="Allow this?", command="rm -rf /"))[0] == "deny"


EDITS = [
    # kind, text, what stands beside it, verdict
    ("accept", "src/a.py +3 -1", "", "allow"),
    ("accept", "Edited src/a.py +3 -1", "", "allow"),
    ("accept", "../other/a.py +3 -1", "", "ask"),
    ("accept", "~/.bashrc +1 -0", "", "deny"),
    ("accept", ".git/config +1 -0", "", "deny"),
    ("accept", "Delete src/a.py", "", "ask"),
    ("accept", "Some edit", "", "ask"),
    ("files", "2 Files With Changes", "+4 -1 cart.js +2 -0 src/b.js", "allow"),
    ("files", "2 Files With Changes", "", "ask"),
    ("files", "2 Files With Changes", "+4 -1 cart.js", "ask"),
    ("files", "1 File With Changes", "+4 -1 cart.js +2 -0 src/b.js", "ask"),
    ("files", "1 File With Changes", "+4 -1 .env", "deny"),
    ("files", "1 File With Changes", "+4 -1 my file.js", "ask"),
]


@pytest.mark.parametrize("kind, text, detail, verdict", EDITS)
def test_edits_are_judged_by_all_their_files(kind, text, detail, verdict):
    assert ruled(card(kind, text=text), detail=detail)[0] == verdict


PLAIN = [
    ("plan", "Add VAT: two files change", "allow"),
    ("plan", "Add \u202eVAT", "ask"),
    ("error", "Agent terminated due to error", "allow"),
    ("continue", "The agent has reached its limit", "allow"),
    ("question", "Which one?", "ask"),
    ("hidden_step", "1 Step Requires Input", "ask"),
    ("quota", "Model quota reached", "ask"),
]


@pytest.mark.parametrize("kind, text, verdict", PLAIN)
def test_what_runs_nothing_by_itself(kind, text, verdict):
    assert ruled(card(kind, text=text))[0] == verdict


def test_paths_are_read_from_whole_sentences_only():
    assert asked_for("I think access to ~/shop is what you want, or to /etc") is None
    assert edited("") is None


def test_s2_011_three_in_a_minute_then_none_until_somebody_looks():
    breaker = Breaker()
    for at in (0.0, 10.0, 20.0):
        assert breaker.lets(at)
        breaker.tried(at)
    assert not breaker.lets(30.0)
    assert not breaker.lets(500.0)  # it stays stopped
    breaker.mend()
    assert breaker.lets(501.0)


def test_retries_far_apart_are_no_loop():
    breaker = Breaker()
    for at in range(0, 600, 30):
        assert breaker.lets(float(at))
        breaker.tried(float(at))
