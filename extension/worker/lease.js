// Which of several tabs of one conversation may probe it (seed 003, 8.2).
//
// Whoever claims first has it alone until it expires, renewed by claiming again; only the owner
// can give it back, and giving back twice is fine. Kept in storage.session, so that a worker
// that was ended does not forget it. When storage fails the claim is granted: two probes are a
// smaller harm than none.

const MAX_SECONDS = 60;
const KEY = "leases";

let leases = null;
let reading = null;

async function hydrated() {
  if (leases !== null) return leases;
  reading ??= chrome.storage.session
    .get(KEY)
    .then((kept) => (leases ??= kept[KEY] ?? {}))
    .finally(() => (reading = null)); // a failed reading is tried again by the next claim
  return reading;
}

function prune(all, now) {
  for (const [name, { until }] of Object.entries(all)) if (until <= now) delete all[name];
}

function keep(all) {
  return chrome.storage.session.set({ [KEY]: all });
}

export async function claim(conversation, owner, seconds = 10, now = Date.now()) {
  const name = String(conversation);
  const until = now + 1000 * Math.min(MAX_SECONDS, Math.max(0, Number(seconds) || 0));
  try {
    const all = await hydrated();
    prune(all, now);
    const held = all[name];
    if (held && held.owner !== owner) return { granted: false, until: held.until };
    all[name] = { owner, until };
    await keep(all);
  } catch {
    return { granted: true, until, open: true };
  }
  return { granted: true, until };
}

export async function release(conversation, owner, now = Date.now()) {
  const name = String(conversation);
  try {
    const all = await hydrated();
    prune(all, now);
    if (all[name] && all[name].owner !== owner) return { released: false };
    delete all[name];
    await keep(all);
  } catch {
    return { released: false };
  }
  return { released: true };
}

// For a look from outside: as a worker that was just started would.
export function forgetMemory() {
  leases = null;
}
