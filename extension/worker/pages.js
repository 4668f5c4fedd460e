// The supported pages that are open: what their scripts say goes to the hub unread, and back.
//
// A page's isolated script opens a port named "page" and opens it anew whenever it is cut, which
// also wakes a worker that was ended. It says:
//   {t: "hello", page, url, title, again, asks, visible, troubles}   first on every port, and when it was told
//                                          `again`; `page` is its own lasting id; `again`: it has
//                                          said something before; `asks`: and tells again of a
//                                          question that left before; `url`: where it was when the
//                                          first thing happened that it is about to say
//   {t: "say", k, message}                 for the hub; k = 1, 2, 3… for the life of the page. After
//                                          a hello it repeats what was not `taken`, and what it
//                                          holds for a hub that was started anew. The hub gets k too
//                                          and hears nothing twice
//   {t: "hide"}                            the person wants no control on this site
//   {t: "trouble", what}                   the page did something to us, for the popup: "raced", a
//                                          script was there before us and nothing is recorded;
//                                          "bypassed", it asks past us; "removed", it took the
//                                          control out again and again
// It hears:
//   {t: "line", connected, paired, on, used, format, shown}   at once, on every change, and when
//                                          there is room again; `on`: not switched off here;
//                                          `used`: the hub has its hands in this tab
//   {t: "taken", k}                        the hub has it
//   {t: "refused", k}                      there is no room: it is to be said again later, and
//                                          nothing after it is heard before
//   {t: "again"}                           this hub was started anew: hello, and all that is held;
//                                          what is said until that hello is not heard
//   {t: "tell", message}                   of the hub
// Which site a page is of is what Chrome says of the port, never what the page says itself.

import { isRead, keepLocal, local, ready } from "./state.js";
import { siteOf } from "./sites.js";
import { isUsed } from "./debug.js";
import { note } from "./notes.js";

const MAX_PAGES = 500; // ports; a browser with more supported tabs tells of the first ones
const ID = /^[\w-]{1,64}$/;
const TROUBLES = ["raced", "bypassed", "removed"];

const pages = new Map(); // id → {port, about: what is told of it, tab, site, last, refused, waits, troubles}

let push = () => false;
let isReady = () => false;

export function sayBy(send, ready) {
  push = send;
  isReady = ready;
}

export function opened(port) {
  const { tab, url } = port.sender;
  const site = siteOf(url);
  if (port.name !== "page" || !tab || site === null || pages.size >= MAX_PAGES) {
    port.disconnect();
    return;
  }
  let id = null;
  const hear = (said) => {
    if (said === null || typeof said !== "object") return;
    if (said.t === "hello" && (id === null || (said.page === id && pages.get(id)?.waits))) {
      if (!ID.test(said.page) || isOfAnother(said.page, tab.id)) return;
      id = said.page;
      greet(id, port, tab.id, site, url, said);
    } else if (said.t === "say" && pages.get(id)?.port === port) {
      say(id, said);
    } else if (said.t === "trouble" && pages.get(id)?.port === port) {
      troubled(id, [said.what]);
    } else if (said.t === "hide" && id !== null) {
      keepLocal({ hidden: { ...local.hidden, [site]: true } });
      lineChanged();
    }
  };
  // a worker that was just woken does not know yet whether it is paired, and what is switched off
  port.onMessage.addListener((said) => (isRead() ? hear(said) : void ready().then(() => hear(said))));
  port.onDisconnect.addListener(() => {
    void chrome.runtime.lastError; // a page in the back-forward cache closes with words
    if (id !== null && pages.get(id)?.port === port) close(id);
  });
}

function close(id) {
  const { site } = pages.get(id);
  pages.delete(id);
  if (isOn(site)) push({ on: "page.closed", page: id });
}

// A tab was closed, perhaps between two ports of its page.
export function tabGone(tab) {
  for (const [id, page] of pages) if (page.tab === tab) close(id);
}

// An id is a page's own: nobody in another tab speaks under it.
function isOfAnother(id, tab) {
  return pages.has(id) && pages.get(id).tab !== tab;
}

function greet(id, port, tab, site, senderUrl, hello) {
  const url = siteOf(hello.url) === site ? hello.url : senderUrl; // it may have moved within
  const title = String(hello.title ?? "").slice(0, 500);
  const [again, asks] = [hello.again === true, hello.asks === true];
  const about = { tab, url, site, title, again, asks, visible: hello.visible !== false };
  const troubles = pages.get(id)?.troubles ?? new Set();
  pages.set(id, { port, about, tab, site, last: 0, refused: null, waits: false, troubles });
  troubled(id, Array.isArray(hello.troubles) ? hello.troubles : []);
  introduce(id);
  tellLine(id);
  if (local.dump) tell(id, { kind: "want", what: "dump", on: true });
}

function introduce(id) {
  const { site, about } = pages.get(id);
  if (isOn(site)) push({ on: "page.opened", page: id, ...about }, { about: { page: id, k: null } });
}

function troubled(id, all) {
  const { troubles, site } = pages.get(id);
  for (const what of all) {
    if (!TROUBLES.includes(what) || troubles.has(what)) continue;
    troubles.add(what);
    note("trouble", { site, kind: what });
  }
}

// What pages did to us that are open: [{tab, site, what}].
export function troubles() {
  return [...pages.values()].flatMap(({ tab, site, troubles: all }) => [...all].map((what) => ({ tab, site, what })));
}

// Of a page that is still there: it says it anew.
export function isSaidAnew({ page }) {
  return pages.has(page);
}

function say(id, { k, message }) {
  const page = pages.get(id);
  if (page.waits || !Number.isInteger(k) || k <= page.last || message === null || typeof message !== "object") {
    return;
  }
  if (page.refused !== null && k !== page.refused) return; // it comes again, in its order
  if (!isOn(page.site)) {
    post(id, { t: "taken", k }); // switched off: nobody wants it, and it need not be kept
    return;
  }
  const how = { loose: true, about: { page: id, k } };
  const taken = push({ on: "page.said", page: id, k, message }, how);
  page.refused = taken ? null : k;
  if (taken) page.last = k;
  else post(id, { t: "refused", k });
}

// The hub has what a page said.
export function wasTaken({ page, k }) {
  if (k !== null) post(page, { t: "taken", k });
}

export function tell(id, message) {
  return post(id, { t: "tell", message });
}

export function tellAll(message) {
  for (const id of pages.keys()) tell(id, message);
}

function post(id, message) {
  try {
    pages.get(id)?.port.postMessage(message);
  } catch {
    return false; // it closes just now
  }
  return pages.has(id);
}

function isOn(site) {
  return local.on && local.sites[site] !== false;
}

function tellLine(id) {
  const { site, tab } = pages.get(id);
  const used = isUsed(tab);
  // where the hub has its hands nothing of ours may lie over a button it is about to press
  const shown = local.hidden[site] !== true && !used;
  const line = { connected: isReady(), paired: local.hub !== null, on: isOn(site) };
  post(id, { t: "line", ...line, used, format: local.format, shown });
}

// The line came or went, something was switched, or there is room again.
export function lineChanged() {
  for (const id of pages.keys()) tellLine(id);
}

// A hub that was started anew is told of every page that is open, by the page itself.
export function introduceAll() {
  for (const [id, page] of pages) {
    page.waits = true;
    post(id, { t: "again" });
  }
}

export function count() {
  return pages.size;
}

export function summary() {
  const all = [...pages.values()];
  return all.map(({ tab, site, last, refused, troubles: known }) => ({
    ...{ tab, site, last, full: refused !== null, troubles: [...known] },
  }));
}
