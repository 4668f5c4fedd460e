"""Checkers and test runners of the Python world."""

from tabwire_guard.programs.checkers.checker import (
    CLEARS,
    INSTALLS,
    NAMES,
    PUBLISHES,
    SENDS,
    SERVES,
    Checker,
    register,
)
from tabwire_guard.programs.packages.sources import PYTHON_TOOLS
from tabwire_guard.programs.verbs import ask

CHECKERS = {
    # Python
    "ruff": Checker(
        takes="""-l --line-length -t --target-version --select --ignore --extend-select --exclude
            -j --output-format --extend-ignore --fixable --per-file-ignores""",
        loads="--config",
        out="-o --output-file --cache-dir",
        only="check format rule linter config version server analyze help",
        verbs={
            "clean": CLEARS,
        },
        writes=True,
    ),
    """black isort autopep8 yapf autoflake pyupgrade docformatter blue usort ssort
        add-trailing-comma reorder-python-imports black-primer darker""": Checker(
        takes="""-l --line-length -t --target-version --select --ignore --extend-select --exclude
            -j -p --profile --style -c --code --max-line-length --include --extend-exclude
            -W --workers --stdin-filename""",
        loads="--config --settings-path --sp --settings-file --settings --formatter",
        commands="-L --lint",
        writes=True,
    ),
    """flake8 pycodestyle pydocstyle pyflakes pylint mypy dmypy pyright basedpyright pyre
        pytype ty vulture bandit radon xenon mccabe interrogate pydoclint refurb safety
        pip-audit pyroma deptry semgrep zuban perflint wemake""": Checker(
        takes="""--select --ignore --extend-ignore --max-line-length --python-version
            --platform -ll -l -x --exclude -s --skip --disable --enable -d -e -j --jobs
            --min-confidence -m --package -r""",
        loads="""--config --rcfile --config-file --append-config -c --configfile --project -p
            --format -f --output-format""",
        out="""-o --output --output-file --tee --cache-dir --html-report --junit-xml
            --txt-report --xml-report""",
        options={
            "--load-plugins --init-hook --plugin-dirs --enable-extensions": NAMES,
            "--install-types --fix": INSTALLS,
            "--python-executable --pythonpath --venv-path --custom-typeshed-dir": NAMES,
            "--index-url --extra-index-url --binary": NAMES,
        },
        verbs={
            "login": ask("cloud.login", "logs in"),
            "ci": SENDS,
        },
    ),
    "ptw pytest-watch pytest-watcher": Checker(
        options={
            "--runner --onfail --onpass --beforerun --afterrun --onexit --wait": NAMES,
        },
        runs=True,
        rest="pytest",
    ),
    """nosetests green trial unittest ward behave robot locust hypothesis mutmut cosmic-ray
        stestr""": Checker(
        takes="-k -t -i",
        loads="""-c --config --pythonpath -P --plugin -p --listener -A --variablefile -f --reporter
            --debugger --format""",
        out="--outputdir -d --temp-directory",
        commands="--runner --pre-mutation --post-mutation",
        runs=True,
    ),
    "mkdocs mdbook jekyll hugo zola pelican docsify": Checker(
        takes="-b -j -D",
        loads="""-c -f --config-file --config --theme -t -s --source --plugins -p --themesDir
            --configDir --layouts -r --root --settings""",
        out="--site-dir --output-dir --destination -d -o --output --dest-dir --cacheDir",
        empties=True,
        options={
            "--dev-addr -a --bind --host": SERVES,
        },
        verbs={
            "gh-deploy deploy": PUBLISHES,
            "clean": CLEARS,
            "mod": INSTALLS,
        },
    ),
    "pdoc pdoc3": Checker(
        loads="-t --template-dir --template-directory -c --config",
        out="-o --output-dir --output-directory",
        options={
            "--http -h --host": SERVES,
        },
        runs=True,
    ),
}  # fmt: skip

register(CHECKERS)
PYTHON_TOOLS.update(name for names in CHECKERS for name in names.split())
PYTHON_TOOLS.add("pytest")

PYTEST = Checker(
    takes="""-k -m -n -p --numprocesses --tb --durations --maxfail -W --cov --timeout
    --dist --count --log-level --log-cli-level
    --color --capture --import-mode --ignore --deselect --lf --ff -r
    --asyncio-mode --randomly-seed --benchmark-only --reruns --snapshot-update""",
    loads="""-c --config-file --rootdir --confcutdir --pyargs-dir --cov-config --ds-dir -o
    --override-ini --pdbcls""",
    out="--junitxml --junit-xml --html --report-log --debug-file --log-file --benchmark-json",
    options={
        "--pastebin": SENDS,
        "--basetemp": ask("delete.build", "empties a folder first"),
    },
    runs=True,
)
"""See special.py for what else it can be told."""
