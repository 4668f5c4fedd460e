"""Code from outside the workspace: named by a word, by an option, or by a variable."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tabwire_guard.judgement import judge
from tabwire_guard.programs import foreign_paths as foreign
from tabwire_guard.programs.index import ROOMS

TABLES = Path(__file__).parent / "tables"


def verdict(command: str, shell: str = "bash") -> str:
    workspace = "/home/dev/app" if shell == "bash" else r"C:\Users\dev\app"
    return judge(command, shell=shell, workspace=workspace).verdict.word


# Words


def runs_the_project(name: str) -> bool:
    """Whether it asks wherever it stands outside the project, whatever it is told."""
    judged = judge(f"cd /srv/elsewhere && {name} a-word", workspace="/home/dev/app")
    return any(one.rule == "run.elsewhere" for one in judged.findings)


RUNNING = {
    name for names in ROOMS["PROGRAMS"].values() for name in names.split() if runs_the_project(name)
}
TEXTS = {"-k", "-t", "-m", "-run", "-g", "--grep", "--filter", "--bench", "-bench", "-i", "-F"}
"""What follows these is a text, or the name of a package."""
ASKS_OF = re.compile(r"^(?:npm|pnpm|yarn) (?:view|why|info|help|outdated|ls)\b|^\S+ help\b")


def plain_commands() -> list[list[str]]:
    """Allowed commands of the tables that are one command without any shell in them."""
    found: dict[str, list[str]] = {}
    for path in sorted(TABLES.glob("*.json")):
        for one in json.loads(path.read_text(encoding="utf-8")):
            text = one["cmd"]
            if one["label"] != "allow" or one["shell"] != "bash" or ASKS_OF.search(text):
                continue
            if re.search(r"[|;&<>`$\n(){}*?~!]", text) or text.count("'") % 2:
                continue
            words = shlex.split(text)
            if words and words[0] in RUNNING - foreign._READERS:
                found[text] = words
    return list(found.values())


def pointed_out(words: list[str]) -> list[str]:
    """The command with a path outside in the place of each word that may be one."""
    made = []
    for at, word in enumerate(words[1:], 1):
        if word == "--":
            break
        name, equals, value = word.partition("=")
        ending = re.search(r"\.[A-Za-z]\w{0,4}$", word)
        outside = "/outside/x" + (ending[0] if ending else "")
        if word.startswith("-"):
            if (
                not equals
                or name in TEXTS
                or name.startswith("-D")
                or not re.search(r"[/.]", value)
            ):
                continue
            new = f"{name}={outside}"
        elif words[at - 1] in TEXTS or not re.search(r"[/.]", word):
            continue
        else:
            new = outside
        made.append(shlex.join([*words[:at], new, *words[at + 1 :]]))
    return made


def test_no_allowed_command_stays_so_when_its_paths_lead_outside():
    commands = plain_commands()
    asked = [text for words in commands for text in pointed_out(words)]
    assert len(commands) > 200
    assert len(asked) > 150
    assert [text for text in asked if verdict(text) == "allow"] == []


@pytest.mark.parametrize("option", ["-C", "--directory", "--cwd", "--project", "--config", "-f"])
def test_an_option_nobody_wrote_down_is_held_all_the_same(option):
    programs = """make ninja cargo npm pnpm yarn mix go gradle mvn rake pytest tox nox mypy jest
        eslint vitest rspec phpunit composer dotnet swift flutter dart bazel meson stack cabal sbt
        lein just task turbo nx lerna mkdocs""".split()
    let_through = [
        f"{name} test {option} /outside/x"
        for name in programs
        if verdict(f"{name} test {option} /outside/x") == "allow"
        or verdict(f"{name} test {option}=/tmp/x") == "allow"
    ]
    assert let_through == []


WORDS = r"""
ask    bash        mix test /tmp/x.exs
ask    bash        go generate /srv/x/...
ask    bash        cmake --build /srv/x
ask    bash        go vet ../other/...
ask    bash        dotnet list /srv/x.csproj package
ask    bash        python manage.py test /srv/x
ask    bash        msbuild /srv/x.proj
ask    bash        cd /tmp/x && git status
ask    bash        git -C ~/other log --oneline
ask    bash        git -C /srv/x diff --stat
ask    bash        npm test -- /tmp/x.test.js
ask    bash        npm run test:unit -- ../other/x.test.js
ask    bash        yarn test /srv/x.test.js
deny   bash        xargs helm uninstall
deny   bash        xargs kubectl delete pod
deny   bash        cat names.txt | xargs docker volume rm
deny   bash        git branch -r | sed 's/origin.//' | xargs git push origin --delete
ask    bash        kubectl delete pod "$POD"
ask    bash        helm uninstall "$RELEASE"
allow  bash        npm test -- src/login.test.js
ask    cmd         msbuild App.sln /p:Extra=C:\outside\x
allow  cmd         msbuild App.sln /p:OutDir=bin\out\ /fl /flp:logfile=build.log
ask    bash        pytest "$X"
ask    bash        mix test "$X/a"
ask    bash        go generate $X
ask    bash        swift test --package-path "$X"
ask    bash        meson compile -C "$X"
ask    bash        npx cypress run --spec "$X"
ask    bash        python manage.py test "$X"
ask    bash        git -C "$X" status
allow  bash        npx jest $(git diff --name-only main)
allow  bash        go test $(go list ./...)
allow  bash        for d in packages/*; do git -C "$d" status; done
allow  bash        for f in tests/test_*.py; do pytest "$f"; done
allow  bash        git -C "$(git rev-parse --show-toplevel)" status
allow  bash        git ls-files '*_test.py' | xargs pytest
allow  bash        find tests -name 'test_*.py' | xargs -n1 pytest -q
allow  bash        cargo test "$FILTER"
allow  bash        npm test -- "$X"
ask    cmd         msbuild C:\x.proj
ask    cmd         msbuild App.sln /p:CustomAfterMicrosoftCommonTargets=C:\x.targets
ask    cmd         msbuild @C:\x.rsp
ask    cmd         msbuild App.sln /p:PreBuildEvent=calc
ask    cmd         cd /d D:\other && msbuild
ask    powershell  vstest.console C:\other\t.dll
ask    powershell  go generate C:\other\...
ask    powershell  mix test ..\..\x.exs
allow  bash        git -C src log --oneline
allow  bash        go vet ./... && go generate ./internal/...
allow  bash        bazel test //... --test_output=errors
allow  bash        mkdir -p build && cd build && cmake ..
allow  bash        cargo test --target-dir /tmp/target
allow  bash        pytest --junitxml=/tmp/r.xml
allow  bash        npm run dev -- --base /docs/
allow  bash        jest -t '/login'
allow  bash        cloc ../shared
allow  cmd         msbuild App.sln /t:Build /p:Configuration=Release /m /nologo
allow  cmd         msbuild src\App.csproj -p:TargetFramework=net8.0
allow  powershell  dotnet test .\tests\Unit.csproj /p:CollectCoverage=true
"""


@pytest.mark.parametrize("line", WORDS.strip().splitlines())
def test_what_a_word_points_at(line):
    expected, shell, command = line.split(maxsplit=2)
    assert verdict(command, shell) == expected


# Variables

LOADING = {
    "PYTEST_ADDOPTS": "-p evil",
    "PYTEST_PLUGINS": "evil",
    "NODE_OPTIONS": "--require ./x.js",
    "NODE_PATH": "/srv/x",
    "RUSTFLAGS": "-C linker=./x",
    "RUSTC_WRAPPER": "./x",
    "CARGO_BUILD_RUSTC": "./x",
    "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER": "./x",
    "GOFLAGS": "-toolexec=./x",
    "GOROOT": "/srv/go",
    "GOTOOLCHAIN": "evil/1.0",
    "MAVEN_OPTS": "-javaagent:x.jar",
    "JAVA_TOOL_OPTIONS": "-javaagent:x.jar",
    "JDK_JAVA_OPTIONS": "@x",
    "GRADLE_OPTS": "-javaagent:x.jar",
    "MAKEFLAGS": "--eval=x:;id",
    "MAKEFILES": "/srv/m",
    "PERL5OPT": "-Mevil",
    "PERL5LIB": "/srv/x",
    "RUBYOPT": "-revil",
    "RUBYLIB": "/srv/x",
    "PYTHONSTARTUP": "x.py",
    "PYTHONPATH": "/srv/x",
    "PYTHONHOME": "/srv/x",
    "PYTHONBREAKPOINT": "os.system",
    "BASH_ENV": "x.sh",
    "LESSOPEN": "|x %s",
    "LESS": "+!id",
    "GIT_DIR": "/srv/x/.git",
    "GIT_CONFIG_GLOBAL": "/srv/x",
    "GIT_EXTERNAL_DIFF": "./x",
    "CC": "/srv/cc",
    "LD": "/srv/ld",
    "CMAKE_TOOLCHAIN_FILE": "/srv/x.cmake",
    "TOX_TESTENV_PASSENV": "*",
    "PIP_INDEX_URL": "http://x.example",
    "UV_INDEX_URL": "http://x.example",
    "npm_config_script_shell": "./x",
    "BUNDLE_GEMFILE": "/srv/Gemfile",
    "COMPOSE_FILE": "/srv/c.yml",
    "DOTNET_STARTUP_HOOKS": "x.dll",
    "CORECLR_PROFILER_PATH": "x.so",
    "COMPlus_EnableEventPipe": "x",
    "MSBUILD_EXE_PATH": "./x",
    "GCONV_PATH": ".",
    "DOCKER_HOST": "tcp://203.0.113.1:2375",
    "KUBECONFIG": "/srv/k",
    "EDITOR": "./x",
    "PAGER": "./x",
    "BROWSER": "./x",
    "ELIXIR_ERL_OPTIONS": "-pa x",
    "ERL_LIBS": "x",
    "R_LIBS_USER": "x",
    "PHPRC": "x",
    "LUA_INIT": "os.exit()",
}
WAYS = {
    "bash": ["{0}='{1}' npm test", "env {0}='{1}' npm test", "export {0}='{1}'; npm test"],
    "powershell": ["$env:{0} = '{1}'; npm test"],
    "cmd": ["set {0}={1}&& npm test", 'set "{0}={1}" & npm test'],
}


@pytest.mark.parametrize("shell", WAYS)
def test_variables_that_add_options_or_load_code_are_held_however_they_are_set(shell):
    let_through = [
        said
        for name, value in LOADING.items()
        for way in WAYS[shell]
        if not (shell == "cmd" and "|" in value)
        and verdict(said := way.format(name, value), shell) == "allow"
    ]
    assert let_through == []


@pytest.mark.parametrize(
    "said",
    """CI=1 npm test
    PYTEST_ADDOPTS=-q pytest
    PYTEST_ADDOPTS='-x --tb=short' pytest
    NODE_OPTIONS=--max-old-space-size=4096 npm run build
    NODE_ENV=test npm test
    RUSTFLAGS='-D warnings' cargo build
    CARGO_BUILD_JOBS=4 cargo build
    GOFLAGS=-mod=vendor go build ./...
    GOTOOLCHAIN=local go test ./...
    GOWORK=off go build ./...
    MIX_ENV=test mix test
    TOX_PARALLEL_NO_SPINNER=1 tox
    PIP_NO_DEPS=1 pytest
    BUNDLE_FROZEN=true bundle exec rspec
    BUNDLE_GEMFILE=gemfiles/rails7.gemfile bundle exec rspec
    COMPOSE_FILE=docker-compose.dev.yml docker compose ps
    npm_config_loglevel=silent npm test
    MSBUILDDISABLENODEREUSE=1 dotnet build
    LESS=-R git log
    PYTHONPATH=src pytest
    JAVA_HOME=jdk mvn test""".splitlines(),
)
def test_variables_of_every_day_are_let_pass(said):
    assert verdict(said.strip()) == "allow"
