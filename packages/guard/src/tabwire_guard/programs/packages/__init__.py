"""Package managers: what installs, what publishes, what runs the project's own scripts.

npm.py           npm, yarn, pnpm; bun.py: Bun and Deno
python.py        pip, uv, poetry; conda.py: conda, and builders of Python packages
environments.py  tox, nox, pre-commit, virtualenv
go.py            Go; dotnet.py: .NET
languages.py     cargo, gem, composer and those of other languages
system.py        apt, brew, nix; what switches between versions of languages
sources.py       what `npx` and `uvx` download and run, and where packages come from
"""
