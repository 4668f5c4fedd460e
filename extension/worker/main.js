// The service worker: who is heard, and who is told. All listeners are added here, at once, before
// anything is waited for: Chrome wakes a worker only for those. Nothing is decided in this file.
//
// Permissions, each with its reason: `debugger` to use a tab as Tabwire's own browser is used;
// `tabGroups` to name the group a client's tabs are in; `storage` to outlive an ended worker;
// `alarms` and `idle` to find the hub again after that and after a sleep of the machine. `tabs` is
// not needed: of listed hosts Chrome tells us addresses, and of others we want to know none.

import { answering, switches } from "./ask.js";
import { LIMITS, TIMES } from "./times.js";
import { Line } from "./line.js";
import { Outbox } from "./outbox.js";
import { isRead, keepLocal, keepSession, local, ready, session } from "./state.js";
import { siteOf } from "./sites.js";
import * as debug from "./debug.js";
import * as pages from "./pages.js";
import * as secrets from "./secrets.js";
import * as tabs from "./tabs.js";
import * as verbs from "./verbs.js";
import * as wake from "./wake.js";

const outbox = new Outbox({
  taken: ({ re, about }) => {
    if (re !== null) verbs.wasTaken(re);
    if (about !== null) pages.wasTaken(about);
  },
  room: () => pages.lineChanged(),
});

const tell = (message, how) => outbox.push(message, how);

let preparing = null;

// State is read and compared with what Chrome has, once for each worker.
function prepared() {
  preparing ??= (async () => {
    await ready();
    verbs.remember();
    for (const event of await tabs.reconcile()) tell(event);
    await debug.reconcile();
    showState();
    debug.letGoWithout(() => line.isReady);
    await wake.setAlarm();
  })().catch((error) => {
    preparing = null;
    throw error;
  });
  return preparing;
}

const line = new Line(outbox, {
  prepared,
  request: (message) => verbs.serve(message),
  fresh: () => {
    verbs.startAnew();
    pages.introduceAll();
  },
  isSaidAnew: pages.isSaidAnew,
  ready: () => tell(switches()),
  offered: ({ hub }) => {
    // once for each hub, and never in front of what the person does. One that ran before the
    // browser was started is nothing new: pages that open with the browser would be in the way.
    if (local.seen.includes(hub) || line.hubStartedAt < session.browserStartedAt) return;
    keepLocal({ seen: [...local.seen, hub].slice(-100) });
    openConnectPage({ active: false });
  },
  changed: () => {
    showState();
    pages.lineChanged();
    debug.letGoWithout(() => line.isReady);
  },
});

async function openConnectPage({ active }) {
  const url = chrome.runtime.getURL("ui/connect.html");
  const [there] = await chrome.runtime.getContexts({ contextTypes: ["TAB"], documentUrls: [url] });
  if (!there) await chrome.tabs.create({ url, active });
  else if (active) await chrome.tabs.update(there.tabId, { active: true });
}

// The icon opens the popup once there is something to show, and the connect page before.
function showState() {
  if (!isRead()) return;
  chrome.action.setPopup({ popup: local.hub ? "ui/popup.html" : "" });
  const text = !local.on ? "off" : line.isReady ? "" : local.hub ? "…" : "!";
  chrome.action.setBadgeText({ text });
}

function whenReady(act) {
  // events keep their order: all wait for the same reading, and none once it is done
  return (...heard) => (isRead() ? act(...heard) : void ready().then(() => act(...heard)));
}

verbs.answerBy(
  (re, answer) => tell({ re, ...answer }, { re }),
  (id) => outbox.holds(id),
  pages.tell,
);
debug.tellBy(tell, () => pages.lineChanged());
pages.sayBy(tell, () => line.isReady);

wake.listen((why) => {
  if (why === "startup") void ready().then(() => keepSession({ browserStartedAt: Date.now() }));
  line.dial();
});

chrome.runtime.onConnect.addListener((port) => {
  pages.opened(port);
  line.dial();
});

chrome.runtime.onMessage.addListener(answering({ line, outbox, prepared, tell, showState }));

chrome.action.onClicked.addListener(() => openConnectPage({ active: true }));

chrome.debugger.onEvent.addListener(whenReady(debug.heard));
chrome.debugger.onDetach.addListener(whenReady(debug.wasDetached));

chrome.tabs.onUpdated.addListener(
  whenReady((tab, change, there) => {
    if (change.groupId !== undefined && tabs.wasTakenOut(tab, change.groupId)) withdraw(tab);
    else if (tabs.isOurs(tab) && (change.url || change.title || change.status)) tellOf(tab);
    if (change.url && siteOf(there.url) !== null) line.dial();
  }),
);

chrome.tabs.onRemoved.addListener(
  whenReady((tab) => {
    pages.tabGone(tab);
    if (tabs.forget(tab)) tell({ on: "tab.gone", tab });
  }),
);

chrome.tabs.onReplaced.addListener(
  whenReady((added, removed) => {
    debug.wasDetached({ tabId: removed }, "replaced");
    if (!tabs.replaced(added, removed)) return;
    tell({ on: "tab.gone", tab: removed });
    tellOf(added);
  }),
);

async function tellOf(tab) {
  const there = await tabs.describe(tab);
  if (there && tabs.isOurs(tab)) tell({ on: "tab.changed", ...there });
}

// A tab that closes leaves its group first; it is gone when we ask, and not withdrawn.
async function withdraw(tab) {
  const there = await chrome.tabs.get(tab).catch(() => null);
  if (there === null || !tabs.wasTakenOut(tab, there.groupId)) return;
  tabs.forget(tab);
  tell({ on: "tab.withdrawn", tab });
  await debug.detach(tab);
}

// For whoever looks at a running worker with Chrome's own tools; a web page cannot reach it.
globalThis.tabwire = {
  ...{ LIMITS, TIMES, Outbox, debug, keepLocal, keepSession, line, local, outbox },
  ...{ secrets, session },
};

line.dial();
