// Chrome's debugger in the tabs the hub uses: attach, send, tell its events, let go.
//
// A page that is not at a listed site is closed to the hub even in a tab of ours: after a
// redirect to a login only where it went is told. We learn it from the debugger's own event,
// which comes in order with everything else.

import { TIMES } from "./times.js";
import { include, keepSession, session } from "./state.js";
import { mayBeOpened, siteOf } from "./sites.js";
import { note } from "./notes.js";
import { isOurs, mustBeOurs, NotAllowed, NotOurs, originOf } from "./tabs.js";

const ALWAYS = /^(Inspector|Target)\./; // no content in them
const VERSION = "1.3";

const places = new Map(); // tab → whether its page is one we may touch

let tell = () => {};
let changed = () => {};
let letGo = null;

export function tellBy(push, usedChanged) {
  tell = push;
  changed = usedChanged;
}

export function isUsed(tab) {
  return session.attached.includes(tab);
}

export async function attach(tab) {
  mustBeOurs(tab);
  if (session.canceled.includes(tab)) {
    throw new NotAllowed(
      "the person ended the debugging of this tab; it is not begun again until they offer it",
    );
  }
  const target = await look(tab);
  if (!places.get(tab)) throw new NotAllowed("the tab is not at a listed site");
  if (!session.attached.includes(tab)) {
    await chrome.debugger.attach({ tabId: tab }, VERSION).catch((error) => {
      // by us, before this worker was started
      if (!/already attached/i.test(error.message)) throw error;
    });
    include("attached", tab, true);
    changed();
    note("attached", { site: siteOf(target.url) });
  }
  return { target: target.id };
}

async function look(tab) {
  const targets = await chrome.debugger.getTargets();
  const target = targets.find((one) => one.tabId === tab && one.type === "page");
  if (!target) throw new NotOurs(`there is no tab ${tab}`);
  places.set(tab, mayBeOpened(target.url));
  return target;
}

export async function detach(tab, reason = "ours") {
  if (!include("attached", tab, false)) return;
  places.delete(tab);
  changed();
  await chrome.debugger.detach({ tabId: tab }).catch(() => {}); // gone already
  tell({ on: "debugger.detached", tab, reason });
}

export async function send(tab, sessionId, method, params) {
  mustBeOurs(tab);
  if (!session.attached.includes(tab)) throw new NotOurs(`tab ${tab} is not attached`);
  const leaves = method === "Page.navigate"; // away from wherever it is, to a listed host
  if (!leaves && !places.get(tab)) {
    await look(tab);
    if (!places.get(tab)) throw new NotAllowed("the tab is not at a listed site");
  }
  const where = sessionId === undefined ? { tabId: tab } : { tabId: tab, sessionId };
  const result = await chrome.debugger.sendCommand(where, method, params);
  return result ?? {};
}

export function heard({ tabId: tab, sessionId }, method, params = {}) {
  if (tab === undefined || !session.attached.includes(tab) || !isOurs(tab)) return;
  if (method === "Page.frameNavigated" && sessionId === undefined && !params.frame.parentId) {
    const url = params.frame.unreachableUrl || params.frame.url;
    places.set(tab, mayBeOpened(url));
    if (!places.get(tab)) {
      const { id, loaderId } = params.frame;
      params = { ...params, frame: { id, loaderId, url: originOf(url), mimeType: "" } };
    }
  } else if (places.get(tab) === false && !ALWAYS.test(method)) {
    return;
  }
  const event = { on: "debugger.event", tab, method, params };
  if (sessionId !== undefined) event.session = sessionId;
  tell(event, { tab });
}

// Chrome let go: the tab closed, or the person pressed Cancel in the bar. Theirs is the last word.
export function wasDetached({ tabId: tab }, reason) {
  if (tab === undefined || !include("attached", tab, false)) return;
  places.delete(tab);
  changed();
  if (reason === "canceled_by_user") include("canceled", tab, true);
  note("detached", { why: reason });
  tell({ on: "debugger.detached", tab, reason });
}

// The bar goes away some time after the hub went away; a short cut does not touch it.
export function letGoWithout(isReady) {
  clearTimeout(letGo);
  if (session.lostAt === 0 || session.attached.length === 0) return;
  const left = Math.max(0, session.lostAt + TIMES.grace - Date.now());
  letGo = setTimeout(() => isReady() || detachAll("ours"), left);
}

export async function detachAll(reason) {
  note("let go", { tabs: session.attached.length });
  await Promise.all(session.attached.map((tab) => detach(tab, reason)));
}

// After a new start: what Chrome still holds for us. It says so only when asked for something.
export async function reconcile() {
  const held = [];
  for (const tab of session.attached) {
    try {
      await chrome.debugger.sendCommand({ tabId: tab }, "Inspector.enable");
      held.push(tab);
      await look(tab);
    } catch {
      // gone, or no longer ours: the hub learns it from the list in our greeting
    }
  }
  if (held.length !== session.attached.length) keepSession({ attached: held });
  if (held.length > 0 && session.lostAt === 0) keepSession({ lostAt: Date.now() });
}
