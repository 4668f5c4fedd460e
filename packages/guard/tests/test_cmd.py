"""cmd text -> tree: every odd form, and that nothing else than Unparsable is ever raised."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_kit.trees import tree
from tabwire_guard.cmd.parser import parse
from tabwire_guard.script import Unparsable

CASES = [
    # words
    ("rd /s /q D:\\", "rd /s /q D:\\"),
    ("r^d /s ^C:\\", "rd /s C:\\"),
    ('rd "C:\\a b"\\c', "rd 'C:\\a b\\c'"),
    ("rd,/s;/q=D:\\", "rd /s /q D:\\"),
    ("rd/s/q D:\\", "rd /s/q D:\\"),
    ("ipconfig/all", "ipconfig /all"),
    ("cd..", "cd .."),
    ("cd\\", "cd \\"),
    ("git log --format=%h -n=5,6", "git log --format=%h -n=5,6"),
    ('del *.tm? "*.x"', "del <*>.tm<?> '*.x'"),
    ("@@echo off", "echo off"),
    ("echo.", "echo"),
    ("echo(a", "echo a"),
    ('echo a  "b & c" ^& d', 'echo a  "b & c" & d'),
    ("dir ^\n /s", "dir /s"),
    ("copy a+b c", "copy a+b c"),
    ("rd^ /s x", "rd /s x"),
    ("del /? a", "help del /? a"),
    ("foo /?", "help foo /?"),
    ("foo /? a", "foo /? a"),
    # variables
    ("set x=rd /s /q D:\\\n%x%", "x=rd /s /q D:\\; rd /s /q D:\\"),
    ('set "x=a b" junk \necho %x%!x!', "x='a b'; echo a ba b"),
    ("set a=r\nset b=d\n%a%%b% x", "a=r; b=d; rd x"),
    # a variable is put in when the line, or the block that begins in it, is read
    ("set x=a&echo %x%!x!", "x=a; echo <?>a"),
    ("set x=a\nset x=b&echo %x%", "x=a; x=b; echo a"),
    ("set x=a\n(\nset x=b\n%x% c\n)\n%x%", "x=a; group[x=b; a c]; b"),
    ("set x=%y%\nset x=b&echo %x%", "x={y}; x=b; echo <?>"),
    ("set x=rd&call %x% D:\\", "x=rd; group[rd D:\\; !rd D:\\!]"),
    ("set x=a\nfor %i in (b) do !x!", "x=a; for %i b[{x}]"),
    # what may not have run, and what ends with its block
    ("a||set x=b\n%x%", "a; x=<?>; {x}"),
    ("set x=a\na&&set x=b\n%x%", "x=a; a; x=<?>; {x}"),
    ("set x=a\nendlocal\n%x%", "x=a; group[endlocal; x=<?>]; {x}"),
    ("set x=a\ngoto l\nset x=b\n:l\n%x%", "while[x=<?> / x=<?> / {x}]"),
    ("%COMSPEC:~0,0%rd x", "rd x"),
    ("%COMSPEC:~-7,1%md /c dir", "cmd /c dir"),
    ("echo %PROGRAMFILES:~0,1%%OS:n=x%", "echo CWixdows_xT"),
    ('echo %USERPROFILE%\\a "%x%" !y!', 'echo {userprofile}\\a "{x}" {y}'),
    ("echo %x:~1% %~dp0 %1 %* 100%%", "echo {x~} <?> <?> <?> 100%"),
    ("echo %RANDOM%", "echo <0>"),
    ("set /a x=1+2", "x=<0>"),
    ("set /p y=name?", "y=<?>"),
    ("set", "set"),
    ("set path", "set path"),
    ("set x=%x%%x%\n%x%", "x={x}{x}; {x}"),
    ("if a==b set x=c\necho %x%", "if a b[x=<?>]; echo {x}"),
    ("set x=a\nset x=%y%\necho %x%", "x=a; x={y}; echo {x}"),
    # operators
    ("a & b && c || d", "a; b; c; d"),
    ("a | b", "a | b"),
    ("(a & b) > c", "group[a; b] >c"),
    ("a>b", "a >b"),
    ("echo a 2>b", "echo a  2>b"),
    ("a 2>&1 >nul", "a 2>&1 >nul"),
    (">b echo a", "echo a >b"),
    ("a < b", "a <b"),
    ("((a))", "group[group[a]]"),
    ("a) b", "a) b"),
    ("rem a & b", ""),
    ("rem & b", "b"),
    (":: a", ""),
    (":l\na", "a"),
    ("goto l & b", "while[b]"),
    ("call :s a & b", "while[b]"),
    ("call b.bat %1", "b.bat <?>"),
    # if and for
    ("if exist a (b) else c", "if a[group[b] / c]"),
    ('if /i not "%x%"=="a" b', "if ''{x}'' 'a'[b]"),
    ("if %errorlevel% neq 0 exit /b 1", "if <0> 0[exit /b 1]"),
    ("if defined x b", "if x[b]"),
    ("for %i in (a b c) do d %i", "for %i a b c[d {%i}]"),
    ('for %%f in (*.log) do del "%%~nxf"', "for %f <*>.log[del ''{%f~}'']"),
    (
        "for /f \"delims=\" %i in ('dir /b ^| findstr x') do a %i",
        "for %i $(dir /b | findstr x)[a {%i}]",
    ),
    ("for /f %i in ('echo rd') do %i x", "for %i $(echo rd)[{%i} x]"),
    ('for /f "tokens=1,2" %a in (f.txt) do b %b', "for %a <?: type f.txt>[b {%b}]"),
    ('for /f "usebackq" %i in (`a`) do b', "for %i $(a)[b]"),
    ("for /r C:\\x %i in (*) do a %i", "for %i C:\\x\\<*>[a {%i}]"),
    ("for /l %i in (1,1,3) do a %i", "for %i <0>[a {%i}]"),
    ("for /d %i in (*) do a", "for %i <*>[a]"),
    ("for %a in (r) do for %b in (d) do %a%b x", "for %a r[for %b d[{%a}{%b} x]]"),
    # cmd in cmd
    ('cmd /c "a & b" & c', "cmd /c 'a & b '; c"),
    ('cmd /c a "b c" > d', 'cmd /c a "b c"  >d'),
    ('cmd /s/c ""a b" c"', "cmd /c '\"a b\" c'"),
    ('cmd /v:on /c "set x=a&&!x!"', "cmd /c 'set x=a&&''!x!'''"),
    ("C:\\Windows\\System32\\cmd.exe /k a %x%", "C:\\Windows\\System32\\cmd.exe /k a %x%"),
    ("cmd", "cmd"),
    ('start "" cmd /c a', "start '' cmd /c a"),
]


@pytest.mark.parametrize("text, expected", CASES)
def test_a_text_has_this_tree(text, expected):
    assert tree(parse(text)) == expected


UNFOLLOWED = [
    ("(a", "a bracket without end"),
    (") a", "a bracket too many"),
    ("a |", "a pipe to nothing"),
    ("a >", "a redirection to nowhere"),
    ("if a b", "no comparison"),
    ("if exist a", "a condition without a command"),
    ("for %i in a do b", "a loop over nothing"),
    ("for /x %i in (a) do b", "a loop of no known kind"),
    ("set x=^%x^%\n%x%", "a variable that holds itself"),
]


@pytest.mark.parametrize("text", [c[0] for c in UNFOLLOWED], ids=[c[1] for c in UNFOLLOWED])
def test_what_is_not_followed_is_said(text):
    with pytest.raises(Unparsable):
        parse(text)


@pytest.mark.parametrize("opening", ["(", "if a==a ", "for %i in (a) do ", "call "])
def test_ten_thousand_levels_are_refused_not_followed_down(opening):
    with pytest.raises(Unparsable):
        parse(opening * 10_000)


@pytest.mark.parametrize("part", ["a ", "a&", "a|", "^", '"', "%x%", "("])
def test_a_hundred_kilobytes_are_refused_at_once(part):
    with pytest.raises(Unparsable, match="longer than"):
        parse(part * 100_000)


PARTS = [
    *"()&|<>^\"'`%!,;=@:/\\*? \n0a",
    "set x=", "%x%", "!x!", "%%i", "%i", "rem ", "call ", "if ", "for ", " in (", ") do ", "else ",
    "echo ", "cmd /c ", "rd /s /q ", "2>&1", "exist ", "==", "/f ", "%x:~0,1%", "%x:a=b%", "goto ",
    "set /p ", "\ufdd0", "%~dpi",
]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join))
def test_pieces_of_cmd_raise_nothing_else(text):
    _parsed_or_refused(text)


@given(st.text(max_size=60))
def test_any_text_raises_nothing_else(text):
    _parsed_or_refused(text)


@given(st.sampled_from(CASES), st.integers(0, 60), st.integers(0, 4), st.sampled_from(PARTS))
def test_a_damaged_text_raises_nothing_else(case, at, cut, put):
    text = case[0]
    _parsed_or_refused(text[:at] + put + text[at + cut :])


def _parsed_or_refused(text):
    with contextlib.suppress(Unparsable):
        tree(parse(text))
