"""Package managers and builders: where each is.

npm.py                  npm, yarn, pnpm
fetching.py             what `npx` and `uvx` download and run, and where it comes from
bun.py                  Bun and Deno
runners.py              small programs that run others
packages_python.py      pip, uv, poetry; sessions.py: tox, nox, pre-commit
packages_conda.py       conda, twine, builders of Python packages
packages_languages.py   cargo, gem, composer; packages_go.py: go
packages_dotnet.py      dotnet
packages_system.py      apt, brew, nix; versions of languages
builds.py               make, CMake, Bazel
builds_apps.py          Maven, Gradle, Swift, Flutter
"""

from tabwire.guard.programs import (
    builds,
    builds_apps,
    bun,
    npm,
    packages_conda,
    packages_dotnet,
    packages_go,
    packages_languages,
    packages_python,
    packages_system,
    runners,
    sessions,
)

__all__ = [
    "builds",
    "builds_apps",
    "bun",
    "npm",
    "packages_conda",
    "packages_dotnet",
    "packages_go",
    "packages_languages",
    "packages_python",
    "packages_system",
    "runners",
    "sessions",
]
