"""Which process is Antigravity's language server: tables of what systems list. S2-052."""

import pytest

from tabwire.monitor.agent_quota_processes import (
    Process,
    is_ours,
    listed_by_ps,
    listed_by_windows,
    listened_by_lsof,
    listening_of,
    servers_of,
    value_of,
)

LINUX = "/usr/share/antigravity/resources/app/extensions/antigravity/bin/language_server_linux_x64"
IDE = r"C:\Users\p\AppData\Local\Programs\Antigravity IDE\resources\language_server_windows_x64.exe"
FLAGS = ("--csrf_token", "word", "--app_data_dir", "antigravity")

OURS = [
    # id, arguments, ours?
    ("linux", (LINUX, "--enable_lsp", *FLAGS), True),
    ("stand-alone", ("/usr/lib/Antigravity/language_server", "--standalone", *FLAGS), True),
    ("with =", ("/x/language_server", "--csrf_token=word", "--app_data_dir=antigravity"), True),
    ("the editor's newer name", ("/x/language_server", "--app_data_dir", "antigravity-ide"), True),
    ("windows, by its folder", (IDE, "--csrf_token", "word"), True),
    ("linux, by its folder", (LINUX, "--csrf_token", "word"), True),
    ("another product", ("/x/language_server_linux_x64", "--app_data_dir", "windsurf"), False),
    ("another product in a folder of ours", (LINUX, "--app_data_dir", "windsurf"), False),
    ("no sign of a product", ("/x/language_server_linux_x64", "--csrf_token", "word"), False),
    ("a name that only begins so", ("/antigravity/language_server_linux_x64_old", *FLAGS), False),
    ("a name that only ends so", ("/antigravity/my_language_server", *FLAGS), False),
    ("an argument, not the program", ("/usr/bin/vim", LINUX, *FLAGS), False),
    ("a folder that only begins so", ("/antigravity-fork/language_server", "--x"), False),
    ("nothing", (), False),
]


@pytest.mark.parametrize("arguments, ours", [c[1:] for c in OURS], ids=[c[0] for c in OURS])
def test_a_server_is_known_by_exact_names(arguments, ours):
    assert is_ours(arguments) is ours


def test_the_word_is_not_the_extensions_and_is_never_shown():
    arguments = (LINUX, "--extension_server_csrf_token", "theirs", *FLAGS)
    (server,) = servers_of([Process(7, arguments, (4000,))])
    assert (server.csrf, server.ports) == ("word", (4000,))
    assert "word" not in repr(server)
    assert "word" not in repr(Process(7, arguments))


def test_a_server_without_a_word_is_not_asked():
    arguments = (LINUX, "--csrf_token", "--app_data_dir", "antigravity")
    assert servers_of([Process(7, arguments)]) == ()


@pytest.mark.parametrize(
    "arguments, value", [(("--a", "1", "--a=2"), "2"), (("--a",), ""), (("--ab", "3"), "")]
)
def test_a_flag_has_its_own_value(arguments, value):
    assert value_of(arguments, "--a") == value


HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when"
ROW = "0: {address}:{port:04X} 00000000:0000 {state} 0:0 00:0 00000000  1000  0 {node} 1"
TCP = [
    # id, address, state, node, found
    ("loopback", "0100007F", "0A", "77", True),
    ("all addresses", "00000000", "0A", "77", True),
    ("loopback in tcp6", "0" * 24 + "01000000", "0A", "77", True),
    ("all in tcp6", "0" * 32, "0A", "77", True),
    ("another machine's side", "0200A8C0", "0A", "77", False),
    ("a connection", "0100007F", "01", "77", False),
    ("another process", "0100007F", "0A", "78", False),
]


@pytest.mark.parametrize(
    "address, state, node, found", [c[1:] for c in TCP], ids=[c[0] for c in TCP]
)
def test_where_a_process_listens_in_the_kernels_table(address, state, node, found):
    text = f"{HEAD}\n{ROW.format(address=address, port=4321, state=state, node=node)}\n"
    assert listening_of(text, ["77"]) == ((4321,) if found else ())


def test_macos_lists_programs_in_folders_with_spaces():
    text = (
        "  501 /Applications/Antigravity IDE.app/Contents/bin/language_server_macos_arm "
        "--csrf_token w --app_data_dir antigravity\n"
        "  502 /usr/bin/grep language_server_macos\n"
        "  503 /bin/zsh\n"
    )
    found = listed_by_ps(text)
    assert [one.pid for one in servers_of(found)] == [501]


def test_macos_says_where_a_process_listens():
    text = (
        "p501\nf12\nn127.0.0.1:4321\nf13\nn*:4322\nf14\nn192.168.0.7:4323\nf15\nn127.0.0.1:4321\n"
    )
    assert listened_by_lsof(text) == (4321, 4322)


ROWS = [
    ({"pid": 9, "line": f'"{IDE}" --csrf_token w', "ports": [4321, 4322]}, [(9, (4321, 4322))]),
    ([{"pid": 9, "line": f'"{IDE}" --csrf_token w', "ports": 4321}], [(9, (4321,))]),
    ([{"pid": 9, "line": None, "ports": None}, 3, {}], []),
    ([], []),
]


@pytest.mark.parametrize("said, found", ROWS)
def test_windows_says_both_at_once(said, found):
    assert [(one.pid, one.ports) for one in servers_of(listed_by_windows(said))] == found
