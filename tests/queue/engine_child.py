"""A process with a durable engine, to kill.

    python -m queue_child FILE WIDTH [JOB:LANE:POSITION …]

Says `begun JOB` for each job it begins and never ends one; `ready` when all are put in.
"""

import asyncio
import sys
from pathlib import Path

from tabwire.queue.durable import DurableEngine


async def main(file, width, *jobs):
    async def carry(job_id):
        print("begun", job_id, flush=True)
        await asyncio.Event().wait()

    engine = DurableEngine(Path(file), width=int(width))
    await engine.start(carry)
    for job in jobs:
        job_id, lane, position = job.split(":")
        await engine.add(job_id, lane=lane, position=int(position))
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
