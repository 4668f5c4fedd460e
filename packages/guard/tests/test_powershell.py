"""PowerShell text -> tree: every odd form, and that nothing else than Unparsable is ever raised."""

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guard_kit.trees import tree
from tabwire_guard.powershell.parser import parse
from tabwire_guard.script import Unparsable

CASES = [
    # words and quotes
    ("Remove-Item 'it''s' x", "Remove-Item 'it's' x"),
    ('Write-Host "a `"b`" ""c"" `$x `n"', 'Write-Host \'a "b" "c" $x \n\''),
    ("Write-Host a'b c'd \"e\"f", "Write-Host 'ab cd' 'e' f"),
    ('Remove-Item "C:\\Program Files"\\x', "Remove-Item 'C:\\Program Files' \\x"),
    ("Rem`ove-It`em C:\\", "Remove-Item C:\\"),
    ("ls a`\n -Force", "ls a -Force"),
    ("ls ~ ~\\x a~b '~'", "ls <~> <~>\\x a~b '~'"),
    ("ls *.ts 'a*' src\\[id]\\p?.ts [", "ls <*>.ts 'a*' src\\<[…]>\\p<?>.ts ["),
    ('git log --format="%h %s" -n 5', "git log '--format=%h %s' -n 5"),
    ("Remove-Item “C:\\” –Recurse", "Remove-Item 'C:\\' -Recurse"),
    ("Remove-Item\xa0C:\\", "Remove-Item C:\\"),
    ("ls ‘a b’", "ls 'a b'"),
    ("ls # rm x", "ls"),
    ("<# rm #> ls a#b", "ls a#b"),
    ("7z x a.zip", "7z x a.zip"),
    ("echo 1.5 0x10 1kb", "echo 1.5 0x10 1kb"),
    ('cmd /c --% dir "a b" & x', "cmd /c dir 'a b' & x"),
    ("echo HEAD@{1} a@b.c", "echo HEAD@ <?: Write-Output '1'> a@b.c"),
    ("ls --% a|b", "ls a | b"),
    ("Microsoft.PowerShell.Management\\Remove-Item x", "Remove-Item x"),
    ("@'\na '' b\n'@ | Set-Content x", "Write-Output 'a '' b' | Set-Content x"),
    ('@"\na $b "c"\n"@', "Write-Output 'a '{$b}' \"c\"'"),
    # variables
    ("$x = 5", "$x='5'"),
    ("$x += 'a'", "$x+='a'"),
    ("$X -= 1", "$x=<?>"),
    ("[string]$y = 'q'", "$y='q'"),
    ("$a, $b = 1, 2", "$a='1' $b='2'"),
    ("$a = $b = 'c'", "$a=$($b='c'); $b=<?>"),
    ('$env:PATH = "C:\\x;$env:PATH"', "path='C:\\x;'{path}"),
    ("ls $env:Temp\\a ${env:ProgramFiles(x86)}\\x", "ls {temp}\\a {programfiles(x86)}\\x"),
    ("$script:x = $global:y", "$x={$y}"),
    ("ls $env:TEMP\\foo $HOME $PWD\\a", "ls {temp}\\foo {home} {pwd}\\a"),
    (
        '"$x.y $($x.y) ${z}w $a:b $env:Q"',
        "Write-Output {$x}'.y '{$x~}<?>' '{$z}'w '<?: !$a:b!>' '{q}",
    ),
    ("$true; $null", "Write-Output 'True'; Write-Output ''"),
    ("$null = New-Item x", "New-Item x"),
    ("ls > $null", "ls"),
    ("$_", "Write-Output {$_}"),
    (
        "$PROFILE",
        "Write-Output <~>'\\Documents\\WindowsPowerShell\\Microsoft.PowerShell_profile.ps1'",
    ),
    ("$x.y = 1", "$x={$x~}<?>"),
    ("$x[0] = 1", "$x={$x~}<?>"),
    ("$function:ls = { rm x }", "!!$function:ls = { rm x }: rm x!!"),
    ("${C:\\a.txt}", "Write-Output <?: !${C:\\a.txt}!>"),
    ("$PSDefaultParameterValues['a'] = 1", "!!$PSDefaultParameterValues['a'] = 1!!"),
    ("$x = ls", "$x=$(ls)"),
    (
        "$x = if ($y) { 1 } else { 2 }",
        "$x=$(if[Out-Null {$y} / Write-Output '1' / Write-Output '2'])",
    ),
    (
        "[Net.ServicePointManager]::SecurityProtocol = 1",
        "![Net.ServicePointManager]::SecurityProtocol = 1!",
    ),
    # arguments
    ("ls -Path:foo -Force:$true -Depth: 2", "ls -Path:foo -Force:'True' -Depth:2"),
    ("Format-Table Name, Id", "Format-Table Name , Id"),
    ("git add a,b , c", "git add a b c"),
    ("Remove-Item @('a','b') -r", "Remove-Item 'a' , 'b' -r"),
    ("$p = 'a','b'; Remove-Item $p", "$p=<?>; Remove-Item 'a' , 'b'"),
    (
        "$p = @{Path='C:\\';Recurse=$true;Force=$false}; ri @p",
        "$p=<?>; ri -Path:'C:\\' -Recurse -Force:'False'",
    ),
    # lists and tables are known only where nothing else changes them
    ("$p = @('a', 'b'); $p = @('c', 'd'); ri @p", "$p=<?>; $p=<?>; ri <?: !@p!>"),
    (
        "$p = @{Path='a'}; $q = $p; $q['Path'] = 'b'; ri @p",
        "$p=<?>; $q={$p}; $q={$q~}<?>; ri <?: !@p!>",
    ),
    # what is set by name, in a pipe, or by a function
    ("sv x a; b $x", "sv x a; $x={$x} $a={$a}; b {$x}"),
    ("a | tee -Variable x; b $x", "a | tee -Variable x; $x=<?>; b {$x}"),
    ("a -ov x | b; c $x", "a -ov x | b; $x=<?>; c {$x}"),
    ("function f { $x = 1 }; (f); a $x", "f(){$x='1'}; $x=<?>; f; $x=<?>; a {$x}"),
    ("ri @unknown", "ri <?: !@unknown!>"),
    ("$p = @{Path='a'}; $p.Path = 'C:\\'; ri @p", "$p=<?>; $p={$p~}<?>; ri <?: !@p!>"),
    ("$p = @{Path='a'}; iex $x; ri @p", "$p=<?>; iex {$x}; ri <?: !@p!>"),
    ("ls | Where-Object { $_.Length -gt 1mb }", "ls | Where-Object <?: Write-Output {$_~}<?>>"),
    ("ls (Get-Date) $(Get-Date) @(Get-Date)", "ls $(Get-Date) $(Get-Date) $(Get-Date)"),
    ("ls $x[0].y", "ls {$x~}<?>"),
    ("ls $x.Foo('a')", "ls <?: !$x.Foo('a')!>"),
    ("ls -Name $x,$y", "ls -Name {$x} , {$y}"),
    # redirections
    ("ls > a.txt", "ls >a.txt"),
    ("ls 2>> a.txt", "ls 2>>a.txt"),
    ("ls 2>&1 | sort", "ls 2>&1 | sort"),
    ("ls *> a", "ls *>a"),
    ("'x' >> a", "Write-Output 'x' >>a"),
    ("ls > $x\\y", "ls >{$x}\\y"),
    # statements
    ("ls; cd a\nrm b", "ls; cd a; rm b"),
    ("a && b || c", "a; b; c"),
    ("a & b", "a; b"),
    ("a | b |\n c", "a | b | c"),
    (
        "if ($x -eq 3) { a } elseif (Test-Path b) { c } else { d }",
        "if[Out-Null {$x~}<?> / a / Test-Path b / c / d]",
    ),
    ("foreach ($f in 'a','b') { $f }", "for $f 'a' 'b'[Write-Output {$f}]"),
    ("foreach ($f in ls *.log) { rm $f.FullName }", "for $f $(ls <*>.log)[rm {$f}]"),
    (
        "for ($i=0; $i -lt 3; $i++) { a }",
        "while[$i='0'; Out-Null {$i~}<?>; Out-Null <0> / a]",
    ),
    (":x while (a) { break x }", "while[a / Write-Output '']"),
    ("do { a } until (b)", "while[a / b]"),
    (
        "switch -Regex ($x) { 'a' { b } default { c } { d } { e } }",
        "while[Out-Null {$x} / Write-Output 'a' / b / Write-Output default / c / d / e]",
    ),
    ("try { a } catch [IO.IOException], [Exception] { b } finally { c }", "try[a / b / c]"),
    (
        "function global:F([string]$p = (a), $q) { b $p }",
        "f(){$p=<?: a> $q=<?>; b {$p}}; F(){$p=<?: a> $q=<?>; b {$p}}",
    ),
    (
        "function f { [A()] param([P(M=$true)]$x) begin { a } process { b } }",
        "f(){$x=<?>; group[a]; while[b]}",
    ),
    ("return a", "a"),
    ("throw 'x'", "Write-Output 'x'"),
    ("exit 1", "Write-Output '1'"),
    ("& { a } b", "subshell b[a]"),
    (". { a }", "subshell[a]"),
    ("& 'a b' c", "'a b' c"),
    ("& $x y", "{$x} y"),
    (". .\\a.ps1", ".\\a.ps1"),
    ("1..3 | % { a $_ }", "for $_ '1' '2' '3'[a {$_}]"),
    (
        "ls a | ? { b } | ForEach-Object { c $_.FullName } | d",
        "for $_ $(ls a | ? <?: b>)[c {$_}] | d",
    ),
    ("ls | % Delete", "ls | % Delete"),
    ("1 | % { $p = 'x' }; ri $p", "for $_ '1'[while[$p='x']]; $p=<?>; ri {$p}"),
    ("(cd C:\\); ls", "cd C:\\; Set-Location <?>; ls"),
    # expressions
    ("1 + 2 * 3", "Write-Output '7'"),
    ("'a' + 'b'", "Write-Output 'ab'"),
    ("$x + 'b'", "Write-Output {$x}'b'"),
    ("'a' * 3", "Write-Output 'aaa'"),
    ("$x -eq 3 -and !$y", "Write-Output <0>"),
    ("-join ('a','b')", "Write-Output 'ab'"),
    ("'a','b' -join '-'", "Write-Output 'a-b'"),
    ("'{1}{0}' -f 'b','a'", "Write-Output 'ab'"),
    ("'{0:X2}' -f 255", "Write-Output 'FF'"),
    ("'a-b' -replace '-','_'", "Write-Output 'a_b'"),
    ("'a.b' -replace '.','x'", "Write-Output <?>"),
    ("'a b' -split ' '", "Write-Output 'a' 'b'"),
    ("'cba'[-1..-3] -join ''", "Write-Output 'abc'"),
    ("[char]82 + [char]0x65", "Write-Output 'Re'"),
    ("[char[]](82,101) -join ''", "Write-Output 'Re'"),
    ("[int]'5' + 1", "Write-Output '6'"),
    ("[string]::Join('', [char[]](82,101))", "Write-Output 'Re'"),
    ("[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('aGk='))", "Write-Output 'hi'"),
    ("[Text.Encoding]::Unicode.GetString([byte[]](104,0,105,0))", "Write-Output 'hi'"),
    ("$env:ComSpec[4,24,25] -join ''", "Write-Output 'iex'"),
    ("'AbC'.ToLower().Replace('b','x').Substring(1)", "Write-Output 'xc'"),
    ("@{a=1; 'b'='c'\n d=Get-Date}.b", "Write-Output 'c'"),
    ("@(1,2).Count", "Write-Output <0>"),
    ("[pscustomobject]@{a=1}", "Write-Output <?>"),
    ("[Math]::Round(3.5)", "Write-Output <0>"),
    ("(Get-Date).AddDays(-1)", "Write-Output $(Get-Date | Select-Object)<?>"),
    ("[void](mkdir x)", "Write-Output <0: mkdir x>"),
    ("$x ? 'a' : 'b'", "Write-Output {$x~}<?>"),
    ("$x ?? 'a'", "Write-Output {$x~}<?>"),
    ("(irm x).Content", "Write-Output $(irm x | Select-Object)<?>"),
    ("[IO.Path]::Combine('a','b')", "Write-Output 'a\\b'"),
    ("[IO.Path]::GetTempPath()", "Write-Output {temp}'\\'"),
    ("[Environment]::GetFolderPath('Desktop')", "Write-Output {userprofile}'\\Desktop'"),
    # what runs or changes something
    ("[IO.File]::Delete('a')", "Remove-Item 'a'"),
    ("[System.IO.Directory]::Delete('a', $true)", "Remove-Item 'a' -Recurse"),
    ("[IO.File]::ReadAllText('a')", "Get-Content 'a'"),
    ("[IO.File]::WriteAllText('a', 'b')", "Set-Content 'a' 'b'"),
    (
        "(New-Object Net.WebClient).DownloadString('http://x')",
        "Invoke-WebRequest 'http://x' <?: New-Object Net.WebClient>",
    ),
    ("$w.DownloadFile('http://x', 'y')", "Invoke-WebRequest 'http://x' -OutFile 'y'"),
    ("(gi a).Delete()", "Remove-Item $(gi a) -Recurse"),
    ("[Diagnostics.Process]::Start('a', 'b')", "Start-Process 'a' 'b'"),
    ("[Reflection.Assembly]::Load($x)", "Write-Output <?: !![Reflection.Assembly]::Load($x)!!>"),
    ("[scriptblock]::Create('a')", "Write-Output <?: !![scriptblock]::Create('a')!!>"),
    ("[scriptblock]'a'", "Write-Output <?: !![scriptblock]'a'!!>"),
    ("$x.Foo(1)", "Write-Output <?: !$x.Foo(1)!>"),
    ("$x.Invoke()", "Write-Output <?: !!$x.Invoke()!!>"),
    ("$x.$m()", "Write-Output <?: !!$x.$m()!!>"),
    ("$t::Delete('a')", "Write-Output <?: !!$t::Delete('a')!!>"),
    ("[Ref].Assembly", "Write-Output <?: !![Ref].Assembly!!>"),
    ("[Foo.Bar]::Baz()", "Write-Output <?: ![Foo.Bar]::Baz()!>"),
    ("[Foo.Bar]$x", "Write-Output <?: ![Foo.Bar]$x!>"),
    ("$x.ForEach('Delete')", "Write-Output <?: !$x.ForEach('Delete')!>"),
    (
        "$ExecutionContext.InvokeCommand.InvokeScript('a')",
        "Write-Output <?: !!$ExecutionContext.InvokeCommand.InvokeScript('a')!!>",
    ),
    ("& ([scriptblock]::Create((irm x)))", "<?: !![scriptblock]::Create((irm x))!!: irm x>"),
    ('iex "a $(b)"', "iex 'a '$(b)"),
    ("& ('Rem'+'ove-Item') x", "'Remove-Item' x"),
]


@pytest.mark.parametrize("text, expected", CASES)
def test_a_text_has_this_tree(text, expected):
    assert tree(parse(text)) == expected


UNFOLLOWED = [
    ("'a", "a quote without end"),
    ('"a $(b', "a bracket without end"),
    ("@'\na", "a here-string without end"),
    ("<# a", "a comment without end"),
    ("a )", "a bracket too many"),
    ("a |", "a pipe to nothing"),
    ("a >", "a redirection to nowhere"),
    ("a < b", "PowerShell has no such operator"),
    ("if", "half a statement"),
    ("do { a }", "half a loop"),
    ("try { a }", "half a statement"),
    ("class A { }", "not followed"),
    ("using module x", "not followed"),
    ("switch -File x { a { b } }", "not followed"),
    ("'a' b", "a text is no command"),
    ("& a, b", "a list is no command"),
    ("@{ a }", "half a table"),
    ("[a(", "half an attribute"),
    ("a --% %PATH%", "text for another shell"),
    ("a\0b", "a control character"),
]


@pytest.mark.parametrize("text", [c[0] for c in UNFOLLOWED], ids=[c[1] for c in UNFOLLOWED])
def test_what_is_not_followed_is_said(text):
    with pytest.raises(Unparsable):
        parse(text)


OPENINGS = [
    "(",
    "{",
    "[",
    "$(",
    "@(",
    "@{a=",
    '"$(',
    "if(",
    "!",
    "[int]",
    "& {",
    "$a=",
    "a(",
    "$x[",
]


@pytest.mark.parametrize("opening", OPENINGS)
def test_ten_thousand_brackets_are_refused_not_followed_down(opening):
    with pytest.raises(Unparsable):
        parse(opening * 10_000)


@pytest.mark.parametrize("part", ["a ", "a;", "a|", "'x',", "$x.y", "a`", "(", "ls # "])
def test_a_hundred_kilobytes_are_refused_at_once(part):
    with pytest.raises(Unparsable, match="longer than"):
        parse(part * 100_000)


PARTS = [
    *"$(){}[]@'\"`,;|&.=<>-+*/%?!#:~\\ \n0a",
    "$x", "$(", "@{", "@(", "[int]", "::", ".Foo(", "if ", "foreach ", "function ", "param",
    "switch ", "{ ", "} ", '"a$', "..", "-f ", "-join ", " in ", "do ", "@'\n", "\n'@", "1e9", "0x",
    "[char]82", "Remove-Item ", "-replace ", "$env:x", "'a'", " = ", "return ", "try ",
    "catch ", "\ufdd0", "“",
]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join))
@example("function f{param($x=(a))")
def test_pieces_of_powershell_raise_nothing_else(text):
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
