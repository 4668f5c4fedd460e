// What outlives a worker. Chrome ends us whenever it likes, so nothing that matters is only here.
//
// `local` outlives the browser, `session` the worker. Both are read once and then kept in memory;
// every change is written at once and never waited for: Chrome carries out what a worker asked
// for in order, even when the worker is killed right after.

const LOCAL = {
  install: "", // which profile's extension we are
  port: 8766,
  hub: null, // the hub we are paired with: {id, version, since}
  seen: [], // hubs for which the connect page was shown; a person who closed it is not asked again
  on: true,
  sites: {}, // name → false where the person switched it off
  dump: false,
  format: "common", // what Save makes
  hidden: {}, // site → true where the person does not want the control
  begun: [], // numbers of acting requests whose answer the hub does not have yet. Not in `session`,
  // which a reload of the extension empties: what was begun before must not be done again after it
  opened: {}, // tab → {client, group}: survives a reload of the extension, checked by its group
};

const SESSION = {
  offered: [], // tabs the person let us use
  attached: [], // tabs with our debugger
  canceled: [], // tabs where the person ended the debugging: not again until they say so
  browserStartedAt: 0, // 0 where the extension came to a browser that ran already
  lostAt: 0, // when the hub was lost while something was attached
  events: [],
};

export const local = structuredClone(LOCAL);
export const session = structuredClone(SESSION);

let reading = null;
let read = false;

export function isRead() {
  return read;
}

// All that is kept, read once however many ask.
export function ready() {
  reading ??= readAll().catch((error) => {
    reading = null; // the next one tries again
    throw error;
  });
  return reading;
}

async function readAll() {
  const [kept, brief] = await Promise.all([
    chrome.storage.local.get(Object.keys(LOCAL)),
    chrome.storage.session.get(Object.keys(SESSION)),
  ]);
  Object.assign(local, kept);
  Object.assign(session, brief);
  if (!local.install) keepLocal({ install: crypto.randomUUID() });
  read = true;
}

export function keepLocal(change) {
  Object.assign(local, change);
  return chrome.storage.local.set(change);
}

export function keepSession(change) {
  Object.assign(session, change);
  return chrome.storage.session.set(change);
}

// A list in `session` with or without one entry.
export function include(name, entry, wanted) {
  const there = session[name].includes(entry);
  if (there === wanted) return false;
  const rest = session[name].filter((one) => one !== entry);
  keepSession({ [name]: wanted ? [...rest, entry] : rest });
  return true;
}
