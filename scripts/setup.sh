#!/bin/sh
# Find a Python that can build `.venv`, then let scripts/prepare.py build it.
# Says in one line what is missing. PYTHON=/path/to/python3 chooses one yourself.
set -u
cd "$(dirname "$0")/.." || exit 1

found=""
for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
    # A pyenv shim exists even where its Python is not switched on, so each is tried, not looked up.
    version=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
    found="$found $version"
    "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    if "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
        exec "$candidate" scripts/prepare.py
    fi
    no_venv="$version"
done

if [ -n "${no_venv:-}" ]; then
    echo "tabwire: Python $no_venv has no venv module; install it (Debian, Ubuntu: apt install python$no_venv-venv)" >&2
elif [ -n "$found" ]; then
    echo "tabwire: needs Python 3.11 or newer, found only$found; install one (Debian 12: apt install python3 python3-venv; macOS: brew install python) or set PYTHON=" >&2
else
    echo "tabwire: needs Python 3.11 or newer, found none; install it (Debian 12: apt install python3 python3-venv; macOS: brew install python) or set PYTHON=" >&2
fi
exit 1
