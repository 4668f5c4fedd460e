"""MCP clients that nobody here wrote, in Node: fetched once, beside `.venv`'s own packages.

Where there is no Node, or what they need cannot be fetched, the tests that want them are skipped
with the reason. A run after that tries again.
"""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock

HERE = Path(__file__).resolve().parent / "node"
FOLDER = HERE.parent.parent.parent / ".venv" / "node"
FETCH_SECONDS = 300
LEAST_NODE = 20


@pytest.fixture(scope="session")
def node_clients() -> Path:
    """A folder with the clients in its node_modules."""
    why = _lacking()
    if why:
        pytest.skip(why)
    FOLDER.parent.mkdir(exist_ok=True)
    with FileLock(FOLDER.with_suffix(".lock"), timeout=FETCH_SECONDS):
        package = (HERE / "package.json").read_bytes()
        stamp = FOLDER / "tabwire-stamp"
        wanted = hashlib.sha256(package).hexdigest()
        if not stamp.is_file() or stamp.read_text() != wanted:
            shutil.rmtree(FOLDER, ignore_errors=True)
            FOLDER.mkdir()
            (FOLDER / "package.json").write_bytes(package)
            if not _fetched():
                pytest.skip("npm could not fetch the MCP clients of Node")
            stamp.write_text(wanted)
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, FOLDER)
    return FOLDER


def _lacking() -> str:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return "no Node and npm here: the MCP clients written for it are left out"
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    major = said.strip().removeprefix("v").partition(".")[0]
    if not major.isdigit() or int(major) < LEAST_NODE:
        return f"Node {said.strip()} is older than {LEAST_NODE}: its MCP clients are left out"
    return ""


def _fetched() -> bool:
    wish = ["--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    try:
        done = subprocess.run(
            ["npm", "install", *wish],
            cwd=FOLDER,
            capture_output=True,
            timeout=FETCH_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0
