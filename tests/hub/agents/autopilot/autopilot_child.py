"""An autopilot in a process of its own, to be killed: `PORT TARGET FOLDER`. Says what it does."""

import asyncio
import sys
from pathlib import Path

from tabwire.browser.agent.windows import PortWindows
from tabwire.hub.agents.autopilot.autopilot import Autopilot
from tabwire.model.autopilot import ALL_ON, Asked, Drives
from tabwire.store.opening import opened


def tell(event):
    match event:
        case Drives():
            print("drives", flush=True)
        case Asked(approval):
            print("asked", approval.id, flush=True)


async def main(port, target, folder):
    async with opened(folder / "tabwire.db") as store:
        environment = {"TABWIRE_HOME": str(folder / "home")}
        autopilot = Autopilot(
            store.autopilot, tell=tell, environment=environment, lock_folder=folder / "locks"
        )
        await autopilot.on(ALL_ON)
        await autopilot.run(PortWindows(port), only=target)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
