"""cmd's own commands and Windows' programs: how they are written does not matter."""

import itertools

import pytest

from tabwire_guard.judgement import judge


def verdict(text: str, shell: str = "cmd") -> str:
    return judge(text, shell=shell, workspace=r"C:\Users\dev\app").verdict.word


SAME = [
    # the verdict, and ways to write one thing
    ("deny", r"rd /s /q D:\ ", r"RD/S/Q D:\ ", r"rmdir,/q;/s=D:\ ", r"r^d /s /q D:^\ "),
    ("deny", r"cmd /c rd /s /q D:\ ", r'cmd /q /c "rd /s D:\"', r"start cmd /crd /s D:\ "),
    ("deny", r"set x=rd& call %x% /s D:\ ", r"for %i in (rd) do %i /s D:\ ", r"call rd /s D:\ "),
    ("ask", "rd /s /q dist", 'rd "dist" /q /s', r"rd /s .\dist", "cmd /c rd dist"),
    ("allow", "rd /?", "cmd /c dir", "rem rd /s /q D:\\", "echo rd /s /q D:\\"),
]


@pytest.mark.parametrize("expected, ways", [(one[0], one[1:]) for one in SAME])
def test_however_it_is_written_the_verdict_is_the_same(expected, ways):
    assert [verdict(one) for one in ways] == [expected] * len(ways)


def test_the_order_of_switches_does_not_matter():
    for order in itertools.permutations(["/s", "/q", r"C:\Users"]):
        assert verdict(" ".join(["rd", *order])) == "deny", order


def test_an_unquoted_blank_in_a_path_is_seen():
    """Antigravity, December 2025: the path was cut in two, and the first half deleted."""
    assert verdict(r"rmdir /s /q src\My App\dist") == "deny"
    assert verdict(r'rmdir /s /q "src\My App\dist"') == "ask"
    assert verdict("rmdir /s /q dist build") == "ask"


ENCODED = "UgBlAG0AbwB2AGUALQBJAHQAZQBtACAAfgAgAC0AcgA="  # Remove-Item ~ -r


@pytest.mark.parametrize(
    "option", ["-e", "-ec", "-enc", "-EncodedCommand", "/enc", "-ENCODEDC", "–e"]
)
@pytest.mark.parametrize("shell", ["bash", "powershell", "cmd"])
def test_an_encoded_command_is_decoded_and_refused(option, shell):
    text = f"powershell -NoProfile {option} {ENCODED}"
    judged = judge(text, shell=shell)
    assert judged.verdict.word == "deny"
    assert any("Remove-Item" in part.text for part in judged.parts)
