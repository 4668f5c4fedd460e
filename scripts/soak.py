"""`make soak`: the long, seeded runs, round after round.

Each round runs every test marked `soak` and every Hypothesis test with many more examples,
from a seed of its own. A round that passed is noted under `.soak/`; a run that was stopped
goes on where it was. To repeat a failure: the seed is printed, give it back.

    make soak                            go on with an unfinished run, or begin one
    make soak TABWIRE_SEED=7 ROUNDS=1    one round from that seed

ROUNDS (5) and TABWIRE_EXAMPLES (2000, for each Hypothesis test) set how long it takes.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTES = ROOT / ".soak"  # SEED.passed holds how many rounds from that seed have passed
ROUND_TIMEOUT = 3600  # seconds for one test; a soak test is long, but not endless
NOTHING_RAN = 5  # pytest's exit code where no test was selected


def main() -> int:
    """Run the rounds that have not passed yet; the exit code is that of the first to fail."""
    rounds = int(os.environ.get("ROUNDS", "5"))
    seed, passed = begin(rounds)
    print(f"soak: TABWIRE_SEED={seed}, rounds {passed + 1} to {rounds}", flush=True)
    for number in range(passed, rounds):
        code = one_round(seed + number)
        if code == NOTHING_RAN:
            print("soak: no test is marked for it")
        if code:
            print(f"soak: to repeat: make soak TABWIRE_SEED={seed + number} ROUNDS=1")
            return code
        note(seed, number + 1)
    (NOTES / f"{seed}.passed").unlink()
    print(f"soak: {rounds} rounds passed from TABWIRE_SEED={seed}")
    return 0


def begin(rounds: int) -> tuple[int, int]:
    """The seed, and how many of its rounds have passed before."""
    unfinished = {
        int(file.stem): passed
        for file in sorted(NOTES.glob("*.passed"), key=lambda file: file.stat().st_mtime_ns)
        if (passed := int(file.read_text())) < rounds
    }
    if wanted := os.environ.get("TABWIRE_SEED"):
        return int(wanted), unfinished.get(int(wanted), 0)
    if unfinished:
        return list(unfinished.items())[-1]
    return random.SystemRandom().randrange(1_000_000), 0


def one_round(seed: int) -> int:
    """Everything once from this seed."""
    print(f"soak: round with seed {seed}", flush=True)
    workers = os.environ.get("WORKERS", "2")
    chosen = ["-m", "soak or hypothesis", f"--hypothesis-seed={seed}"]
    how = ["-n", workers, "--dist", "loadgroup", f"--timeout={ROUND_TIMEOUT}"]
    environment = {**os.environ, "TABWIRE_SEED": str(seed), "TABWIRE_EXAMPLES_OF": "soak"}
    command = [sys.executable, "-m", "pytest", "-q", *chosen, *how]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def note(seed: int, passed: int) -> None:
    """Remember a round that passed; replaced in one step, so a cut never leaves half."""
    NOTES.mkdir(exist_ok=True)
    fresh = NOTES / f"{seed}.new"
    fresh.write_text(str(passed))
    fresh.replace(NOTES / f"{seed}.passed")


if __name__ == "__main__":
    sys.exit(main())
