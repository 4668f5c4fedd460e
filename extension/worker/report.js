// What a person can send along when something does not work: bounded, and without any text,
// address, title, code or key.

import { local, session } from "./state.js";
import { chromeVersion } from "./handshake.js";
import * as pages from "./pages.js";

// For popup and options page: what is measured now, not what was wished.
export async function status(line, describe) {
  const inUse = [];
  for (const tab of new Set([...Object.keys(local.opened).map(Number), ...session.offered])) {
    const there = await describe(tab);
    if (there) inUse.push(there);
  }
  return {
    connected: line.isReady,
    phase: line.phase,
    since: line.since,
    trouble: line.trouble,
    hub: line.hub,
    paired: local.hub,
    port: local.port,
    version: chrome.runtime.getManifest().version,
    tabs: inUse,
    canceled: session.canceled,
    pages: pages.count(),
    troubles: pages.troubles(),
    switches: { on: local.on, sites: local.sites },
    dump: local.dump,
    format: local.format,
    hidden: local.hidden,
    events: session.events,
  };
}

export function report(line, outbox) {
  return {
    made: new Date().toISOString(),
    version: chrome.runtime.getManifest().version,
    chrome: chromeVersion(),
    phase: line.phase,
    since: line.since,
    why: line.trouble?.why ?? null,
    hub_version: line.hub?.version ?? null,
    paired: local.hub !== null,
    switches: { on: local.on, sites: local.sites },
    tabs: {
      opened: Object.keys(local.opened).length,
      offered: session.offered.length,
      attached: session.attached.length,
      canceled: session.canceled.length,
    },
    requests: { last: line.lastRequest, begun: local.begun.length },
    outbox: { last: outbox.last, ...outbox.kept, dropped: outbox.dropped },
    pages: pages.summary(),
    events: session.events.map(({ at, what, why, site, kind }) => ({ at, what, why, site, kind })),
  };
}
