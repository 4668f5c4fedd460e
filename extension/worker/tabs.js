// Which tabs we may use: those opened for a client, as long as they stay in its group, and those
// a person offered. Everything else in the browser does not exist for the hub.

import { TIMES } from "./times.js";
import { include, keepLocal, local, session } from "./state.js";
import { mayBeOpened, siteOf } from "./sites.js";
import { note } from "./notes.js";

const COLOURS = ["blue", "cyan", "green", "orange", "pink", "purple", "yellow"];
const NO_GROUP = -1; // chrome.tabGroups.TAB_GROUP_ID_NONE

export class NotOurs extends Error {}
export class NotAllowed extends Error {}

let grouping = Promise.resolve(); // one after the other, else a client gets two groups

export function isOpened(tab) {
  return String(tab) in local.opened;
}

export function isOurs(tab) {
  return isOpened(tab) || session.offered.includes(tab);
}

export function mustBeOurs(tab) {
  if (!Number.isInteger(tab) || !isOurs(tab)) {
    throw new NotOurs(`tab ${tab} was neither opened by Tabwire nor offered`);
  }
}

// A tab as the hub knows it. Of a page elsewhere only the origin is told.
export async function describe(tab) {
  const [there, targets] = await Promise.all([
    chrome.tabs.get(tab).catch(() => null),
    chrome.debugger.getTargets(),
  ]);
  return there === null ? null : described(there, targets);
}

export async function list() {
  const targets = await chrome.debugger.getTargets();
  const all = [...Object.keys(local.opened).map(Number), ...session.offered];
  const found = [];
  for (const tab of new Set(all)) {
    const there = await chrome.tabs.get(tab).catch(() => null);
    if (there !== null) found.push(described(there, targets));
  }
  return found;
}

function described(there, targets) {
  const target = targets.find((one) => one.tabId === there.id && one.type === "page");
  const url = there.url || target?.url || "";
  const listed = mayBeOpened(url);
  return {
    tab: there.id,
    url: listed ? url : originOf(url),
    title: listed ? (there.title ?? target?.title ?? "") : "",
    group: local.opened[there.id]?.client ?? null,
    opened: isOpened(there.id),
    offered: session.offered.includes(there.id),
    attached: session.attached.includes(there.id),
    target: target?.id ?? null,
  };
}

export function originOf(url) {
  try {
    const { origin } = new URL(url);
    return origin === "null" ? "" : `${origin}/`;
  } catch {
    return "";
  }
}

export async function create(url, client) {
  if (!mayBeOpened(url)) throw new NotAllowed(`${originOf(url) || "this address"} is not listed`);
  const there = await inBackground(url);
  const done = grouping.then(() => intoGroup(there, client));
  grouping = done.catch(() => {});
  try {
    await done;
  } catch (error) {
    await chrome.tabs.remove(there.id).catch(() => {});
    throw error;
  }
  note("opened", { client, site: siteOf(url) });
  return describe(there.id);
}

async function inBackground(url) {
  try {
    return await chrome.tabs.create({ url, active: false });
  } catch (error) {
    if (!/no current window|no window/i.test(error.message)) throw error;
    const made = await chrome.windows.create({ url, focused: false, state: "minimized" });
    return made.tabs[0];
  }
}

async function intoGroup(there, client) {
  const title = `Tabwire · ${client}`;
  let [group] = await chrome.tabGroups.query({ title });
  const where = group
    ? { groupId: group.id }
    : { createProperties: { windowId: there.windowId } };
  const id = await notWhileDragging(() => chrome.tabs.group({ tabIds: [there.id], ...where }));
  keepLocal({ opened: { ...local.opened, [there.id]: { client, group: id } } });
  if (!group) {
    const colour = COLOURS[[...client].reduce((sum, one) => sum + one.codePointAt(0), 0) % 7];
    await notWhileDragging(() => chrome.tabGroups.update(id, { title, color: colour }));
  }
}

async function notWhileDragging(act) {
  let refused;
  for (const wait of TIMES.drag) {
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    try {
      return await act();
    } catch (error) {
      if (!/dragging|cannot be edited/i.test(error.message)) throw error;
      refused = error;
    }
  }
  throw refused;
}

export async function close(tab) {
  if (!isOpened(tab)) throw new NotOurs(`tab ${tab} was not opened by Tabwire`);
  await notWhileDragging(() => chrome.tabs.remove(tab)).catch((error) => {
    if (!/no tab with id/i.test(error.message)) throw error;
  });
}

// No longer ours, whatever the reason. True where it was.
export function forget(tab) {
  const offered = include("offered", tab, false);
  include("canceled", tab, false);
  if (!isOpened(tab)) return offered;
  const { [tab]: _gone, ...rest } = local.opened;
  keepLocal({ opened: rest });
  return true;
}

// The person took it out of its group.
export function wasTakenOut(tab, group) {
  const known = local.opened[tab];
  return known !== undefined && known.group !== group;
}

// Chrome swapped the page of a tab for another and gave it a new number.
export function replaced(added, removed) {
  const known = local.opened[removed];
  const offered = session.offered.includes(removed);
  forget(removed);
  if (known) keepLocal({ opened: { ...local.opened, [added]: known } });
  if (offered) include("offered", added, true);
  return known !== undefined || offered;
}

export async function offer(tab, on) {
  const there = await chrome.tabs.get(tab).catch(() => null);
  if (on && siteOf(there?.url) === null) throw new NotAllowed("this tab is not at a listed site");
  include("canceled", tab, false); // whoever offers it asks for it
  note(on ? "offered" : "withdrawn", { site: siteOf(there?.url) });
  return include("offered", tab, on);
}

// After a worker or the extension was started anew: what is still as we left it.
export async function reconcile() {
  const lost = [];
  for (const [tab, known] of Object.entries(local.opened)) {
    const there = await chrome.tabs.get(Number(tab)).catch(() => null);
    if (there === null) lost.push({ on: "tab.gone", tab: Number(tab) });
    else if ((there.groupId ?? NO_GROUP) !== known.group) {
      lost.push({ on: "tab.withdrawn", tab: Number(tab) });
    }
  }
  for (const tab of session.offered) {
    const there = await chrome.tabs.get(tab).catch(() => null);
    if (there === null) lost.push({ on: "tab.gone", tab });
  }
  for (const { tab } of lost) forget(tab);
  return lost;
}
