"""One PostgreSQL server per test process, where the machine has the program.

    apt-get install postgresql      (no server need run: a test starts its own)

It keeps its files in a folder of the tests, listens on a socket there and nowhere else, and
syncs nothing to the disk: what survives a power cut is not what is tested with it.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy

WHERE = Path("/usr/lib/postgresql")  # Debian keeps the programs out of the path, by version
USER = "tabwire"
START_SECONDS = 60
QUICK = "-c fsync=off -c full_page_writes=off -c shared_buffers=16MB"


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs. `url` is the address of a database in it."""

    url: str
    folder: Path
    programs: Path
    become: tuple[str, ...]

    def start(self) -> None:
        """Listen."""
        options = f"-k {self.folder} -c listen_addresses= {QUICK}"
        self._control(
            "start", "-w", f"-t{START_SECONDS}", f"-l{self.folder / 'log'}", "-o", options
        )

    def stop(self) -> None:
        """End at once, and every line with it."""
        self._control("stop", "-m", "immediate")

    def restart(self) -> None:
        """Another server with the same data; nobody holds a lock in it."""
        self.stop()
        self.start()

    def _control(self, what: str, *more: str) -> None:
        _run(self.become, self.programs / "pg_ctl", what, f"-D{self.folder / 'data'}", *more)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """A server with an empty database."""
    programs = _programs()
    if programs is None:
        pytest.skip("no PostgreSQL here: `apt-get install postgresql` brings it")
    # short, for the sake of the socket's path, and open to the user the server runs as
    folder = Path(tempfile.mkdtemp(prefix="tabwire-pg-"))
    try:
        become = tuple(_become(folder))
        data = folder / "data"
        _run(become, programs / "initdb", f"-D{data}", f"-U{USER}", "-Atrust", "-EUTF8", "-N")
        server = Server(f"postgresql://{USER}@/postgres?host={folder}", folder, programs, become)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_url(postgres_server: Server) -> str:
    """The address of its database."""
    return postgres_server.url


@pytest.fixture
def postgres(postgres_url: str) -> str:
    """The same, with nothing of ours in it."""
    url = sqlalchemy.make_url(postgres_url).set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(url)
    with engine.begin() as line:
        for schema in ("tabwire", "dbos"):
            line.exec_driver_sql(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
    engine.dispose()
    return postgres_url


def _programs() -> Path | None:
    found = shutil.which("pg_ctl")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(WHERE.glob("*/bin"), reverse=True)
    return next((one for one in folders if (one / "initdb").exists()), None)


def _become(folder: Path) -> list[str]:
    """The server does not run as root."""
    if os.geteuid() != 0:
        return []
    shutil.chown(folder, "nobody", "nogroup")
    user = "--reuid=nobody --regid=nogroup --clear-groups".split()
    if shutil.which("setpriv") is None:
        pytest.skip("root cannot run PostgreSQL, and there is no `setpriv` to become another")
    return ["setpriv", *user]


def _run(become: Sequence[str], program: Path, *arguments: str) -> None:
    # into a file that is thrown away: the server would hold a pipe open for ever
    done = subprocess.run(
        [*become, str(program), *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        cwd="/",
        check=False,
    )
    if done.returncode:
        pytest.skip(f"{program.name} does not work here: code {done.returncode}")
