"""Text for `sh`, zsh or a shell nobody knows: every grammar that may read it counts."""

import shlex

import pytest

from tabwire_guard.judgement import SHELLS, judge
from tabwire_guard.verdict import Verdict

TRAPS = [
    "((rm -rf ~))",
    "[[ -n x || reboot ]]",
    "echo $'x\\' ; rm -rf ~ #'",
    "[[ a > src/app.py ]]",
]
"""bash reads a sum, a test, a text and a comparison; dash runs what is in them."""

CARRIERS = [
    "sh -c {q}",
    "dash -c {q}",
    "ash -c {q}",
    "ksh -c {q}",
    "busybox sh -c {q}",
    "busybox ash -c {q}",
    "find . -name x -exec sh -c {q} \\;",
    "echo x | xargs sh -c {q}",
    "timeout 5 sh -c {q}",
    "env A=1 sh -c {q}",
    "nice -n 5 sh -c {q}",
    "nohup sh -c {q}",
    "sudo -u www sh -c {q}",
    "ssh host {q}",
    "su -c {q}",
    "watch -n1 {q}",
    "parallel {q} ::: 1",
    "flock .lock -c {q}",
    "script -qc {q} /dev/null",
    "git rebase -x {q} main",
    "git submodule foreach {q}",
    "docker run --rm alpine sh -c {q}",
    "docker run -v .:/w alpine sh -c {q}",
    "docker compose run web sh -c {q}",
    "docker exec web sh -c {q}",
    "kubectl exec web -- sh -c {q}",
    'python3 -c "import os; os.system({p})"',
    "echo {q} | sh",
    "printf '%s' {q} | busybox sh",
    "sh <<'END'\n{}\nEND",
    "bash -c {qq}",
]


@pytest.mark.parametrize("carrier", CARRIERS)
def test_what_another_shell_would_run_is_not_allowed_however_it_gets_there(carrier):
    for trap in TRAPS:
        inner = f"sh -c {shlex.quote(trap)}"
        text = carrier.format(trap, q=shlex.quote(trap), qq=shlex.quote(inner), p=repr(trap))
        assert judge(text).verdict is not Verdict.ALLOW, text


@pytest.mark.parametrize("shell", ["powershell", "cmd"])
@pytest.mark.parametrize("carrier", ["sh -c", "busybox sh -c", "wsl sh -c", "wsl -e dash -c"])
def test_from_windows_it_is_the_same(shell, carrier):
    for trap in TRAPS:
        quoted = f'"{trap}"' if shell == "cmd" else "'" + trap.replace("'", "''") + "'"
        text = f"{carrier} {quoted}"
        assert judge(text, shell=shell).verdict is not Verdict.ALLOW, text


@pytest.mark.parametrize("shell", ["sh", "dash", "ash", "ksh", "unix"])
@pytest.mark.parametrize("trap", TRAPS)
def test_a_text_for_such_a_shell_is_not_allowed(shell, trap):
    assert judge(trap, shell=shell).verdict is not Verdict.ALLOW
    assert judge(trap, shell="bash").verdict is Verdict.ALLOW  # as bash reads it


ZSH = [
    "git log >! ~/.zshrc",
    "git log >>! ~/.zshrc",
    "git log >&! ~/.zshrc",
    "git log &>| ~/.zshrc",
    "{ echo } always { rm -rf ~ ; }",
    "f=~/.ssh/id_rsa; cat $=f",
    "path=(./tools $path); ls",
]


@pytest.mark.parametrize("trap", ZSH)
@pytest.mark.parametrize("shell", ["zsh", "unix"])
def test_what_zsh_alone_would_do_counts(trap, shell):
    assert judge(trap, shell=shell).verdict is not Verdict.ALLOW
    assert judge(f"zsh -c {shlex.quote(trap)}").verdict is not Verdict.ALLOW


TYPED = [
    "ls # ; rm -rf ~",
    "echo hi #'\nrm -rf ~ #'",
    "echo !rm",
    'echo "!!"',
    "echo 'a\\'' ; rm -rf ~ ; '",
]
"""A prompt of zsh knows no comments, one of bash and zsh puts older commands in; fish escapes."""


@pytest.mark.parametrize("trap", TYPED)
def test_at_a_prompt_of_a_shell_nobody_knows_more_may_happen(trap):
    assert judge(trap, shell="unix").verdict is not Verdict.ALLOW


HARMLESS = [
    "npm test && npm run lint",
    "if [ -f package.json ]; then npm test; fi",
    "for f in a b c; do echo $f; done",
    "cd src && ls -la | head -5",
    "[ -d build ] || mkdir -p build",
    'echo "it\'s done" && git status',
    "cat <<EOF\nhello\nEOF",
    "export CI=1; npm test",
    'git log --oneline | while read -r line; do echo "$line"; done',
    'test -n "$CI" && echo yes',
    "x=$((1 + 2)); echo $x",
    "grep -rn 'TODO' src 2>&1 | wc -l",
    "printf '%s\\n' \"${USER:-nobody}\"",
    "case x in a) echo a;; *) echo b;; esac",
    "[[ -f package.json ]] && npm test",
    "[[ -f package.json && -d src ]] && npm test",
    "(( 1 + 2 > 2 )) && echo yes",
    "diff <(ls a) <(ls b)",
    "for ((i = 0; i < 3; i++)); do echo $i; done",
    'names=(a b c); echo "${names[@]}"',
    "echo {a,b}.txt",
    "npm test &> /dev/null",
    "time npm test",
    'grep foo <<< "$text"',
    "npm test # the quick ones",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_everyday_commands_stay_allowed_in_every_shell(text):
    for shell in ("bash", "sh", "dash", "ash", "ksh", "zsh", "unix"):
        found = judge(text, shell=shell)
        assert found.verdict is Verdict.ALLOW, (shell, found.reason, found.segment)
    found = judge(f"sh -c {shlex.quote(text)}")
    assert found.verdict is Verdict.ALLOW, (found.reason, found.segment)


def test_which_grammar_found_it_is_told():
    found = judge("sh -c '((rm -rf ~))'")
    assert any(part.note == "as dash reads it" for part in found.parts)


def test_a_shell_nobody_knows_of_is_refused():
    with pytest.raises(ValueError, match="zsh"):
        judge("ls", shell="fish")
    assert "unix" in SHELLS
