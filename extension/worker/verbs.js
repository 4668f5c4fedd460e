// What the hub may ask for: this list and nothing else, each request once.
//
// Theory of operation. A request is known by its number. One that was answered is answered again
// from memory; one that is under way is left alone; one that acts and was begun by a worker that
// died meanwhile is refused, because nobody knows whether it was done. What acts is written down
// before it is done, and crossed out when the hub has the answer.

import { LIMITS, PROTOCOL } from "./times.js";
import { keepLocal, local } from "./state.js";
import { chromeVersion } from "./handshake.js";
import { mayBeOpened, siteOf } from "./sites.js";
import { note } from "./notes.js";
import * as dashboard from "./dashboard.js";
import * as debug from "./debug.js";
import * as tabs from "./tabs.js";

// Exactly what Tabwire's Python uses; true where doing it twice is another thing than once.
export const METHODS = {
  "DOM.setFileInputFiles": true,
  "Emulation.setFocusEmulationEnabled": false,
  "Fetch.continueRequest": false,
  "Fetch.disable": false,
  "Fetch.enable": false,
  "Fetch.failRequest": false,
  "Input.dispatchKeyEvent": true,
  "Input.dispatchMouseEvent": true,
  "Input.insertText": true,
  "Inspector.enable": false,
  "Network.disable": false,
  "Network.enable": false,
  "Network.getRequestPostData": false,
  "Network.getResponseBody": false,
  "Network.streamResourceContent": false,
  "Page.addScriptToEvaluateOnNewDocument": false,
  "Page.bringToFront": false,
  "Page.captureScreenshot": false,
  "Page.createIsolatedWorld": false,
  "Page.enable": false,
  "Page.getFrameTree": false,
  "Page.getLayoutMetrics": false,
  "Page.navigate": true,
  "Page.reload": true,
  "Page.removeScriptToEvaluateOnNewDocument": false,
  "Page.setInterceptFileChooserDialog": false,
  "Runtime.addBinding": false,
  "Runtime.callFunctionOn": true,
  "Runtime.enable": false,
  "Runtime.evaluate": true,
  "Runtime.removeBinding": false,
  "Runtime.runIfWaitingForDebugger": false,
  "Target.getTargetInfo": false,
  "Target.setAutoAttach": false,
};

const FLAT_SINCE = 125; // before, a part of a page could be held up and never be let go

class BadArguments extends Error {}
class SwitchedOff extends Error {}

const VERBS = {
  getVersion: {
    run: () => ({
      version: chrome.runtime.getManifest().version,
      protocol: PROTOCOL,
      chrome: chromeVersion(),
      install: local.install,
    }),
  },
  "tabs.list": { run: () => tabs.list() },
  "tabs.create": {
    acts: true,
    run: ({ url, client }) => {
      must(typeof url === "string" && isName(client), "url and client are texts");
      mustBeOn(siteOf(url));
      return tabs.create(url, client);
    },
  },
  "tabs.reread": {
    acts: true,
    run: async ({ url }) => {
      must(typeof url === "string" && siteOf(url) !== null, "url is at a listed site");
      mustBeOn(siteOf(url));
      return { tab: (await tabs.create(url, "reading")).tab };
    },
  },
  "tabs.close": { acts: true, run: async ({ tab }) => void (await tabs.close(tab)) },
  "debugger.attach": {
    run: async ({ tab }) => {
      tabs.mustBeOurs(tab);
      mustBeOn(siteOf((await tabs.describe(tab))?.url));
      return debug.attach(tab);
    },
  },
  "debugger.detach": {
    run: async ({ tab }) => {
      tabs.mustBeOurs(tab);
      await debug.detach(tab);
    },
  },
  "debugger.send": {
    acts: ({ method }) => METHODS[method] === true,
    run: ({ tab, session: part, method, params }) => {
      must(part === undefined || typeof part === "string", "session is a text");
      must(params === undefined || (params && typeof params === "object"), "params is an object");
      mustBeOn(null);
      mayBeSent(method, params ?? {});
      return debug.send(tab, part, method, params ?? {});
    },
  },
  "page.tell": {
    run: ({ page, message }) => {
      must(typeof page === "string" && message && typeof message === "object", "page, message");
      if (!tellPage(page, message)) throw new tabs.NotOurs(`there is no page ${page}`);
    },
  },
  dashboard: {
    run: ({ ask, ticket }) => {
      must(typeof ask === "string" && typeof ticket === "string", "ask and ticket are texts");
      if (!dashboard.take(ask, ticket)) throw new tabs.NotAllowed("it was not requested");
    },
  },
  notice: {
    run: ({ kind, text }) => {
      must(typeof kind === "string" && typeof text === "string", "kind and text are texts");
      note("notice", { kind: kind.slice(0, 40), text: text.slice(0, 500) });
    },
  },
};

function mayBeSent(method, params) {
  if (!Object.hasOwn(METHODS, method)) throw new tabs.NotAllowed(`${method} is not listed`);
  if (method === "Page.navigate" && !mayBeOpened(params.url)) {
    throw new tabs.NotAllowed("the address is not listed");
  }
  if (method === "Fetch.continueRequest" && Object.keys(params).join() !== "requestId") {
    throw new tabs.NotAllowed("a request may not be changed");
  }
  if (method === "Target.setAutoAttach" && Number(chromeVersion()) < FLAT_SINCE) {
    throw new tabs.NotAllowed(`Chrome ${chromeVersion()} cannot attach to parts of a page`);
  }
}

function must(fine, what) {
  if (!fine) throw new BadArguments(what);
}

function isName(client) {
  return typeof client === "string" && client.length > 0 && client.length <= 60;
}

function mustBeOn(site) {
  if (!local.on) throw new SwitchedOff("the person switched Tabwire off in this browser");
  if (site && local.sites[site] === false) {
    throw new SwitchedOff(`the person switched Tabwire off for ${site}`);
  }
}

function errorOf(problem) {
  const message = problem instanceof Error ? problem.message : String(problem);
  if (problem instanceof BadArguments) return { code: -32602, message };
  if (problem instanceof tabs.NotOurs) return { code: -32001, message };
  if (problem instanceof tabs.NotAllowed) return { code: -32003, message };
  if (problem instanceof SwitchedOff) return { code: -32004, message };
  // Chrome's own words; of a command they are JSON
  let said = message;
  try {
    said = JSON.parse(message).message ?? message;
  } catch {
    // plain words
  }
  if (/^Session with given id not found|Debugger is not attached|No tab with/i.test(said)) {
    return { code: -32001, message: said };
  }
  return { code: -32000, message: said };
}

const underWay = new Set();
const done = new Map(); // id → its answer, the last few
let forgotten = 0; // the highest number of which nothing is remembered but that it was answered
let before = new Set(); // begun by a worker that is no more
let reply = () => {};
let isWaiting = () => false;
let tellPage = () => false;

export function answerBy(send, holds, toPage) {
  reply = send;
  isWaiting = holds;
  tellPage = toPage;
}

export function remember() {
  before = new Set(local.begun);
}

// The hub was started anew, and counts from the beginning.
export function startAnew() {
  before.clear();
  forgotten = 0;
  done.clear();
  underWay.clear();
  keepLocal({ begun: [] });
}

// The hub has the answer: it need not be kept, only that there was one.
export function wasTaken(id) {
  if (done.has(id)) done.set(id, null);
  if (local.begun.includes(id)) {
    keepLocal({ begun: local.begun.filter((one) => one !== id) });
  }
}

export async function serve({ do: name, id, ...given }) {
  if (!Number.isInteger(id) || underWay.has(id) || id <= forgotten) return;
  if (done.has(id)) {
    const answer = done.get(id);
    if (answer !== null && !isWaiting(id)) reply(id, answer);
    return;
  }
  underWay.add(id);
  const answer = await answerTo(name, id, given);
  // else the hub was started anew meanwhile, and the number may mean another request
  if (!underWay.delete(id)) return;
  done.set(id, answer);
  if (done.size > LIMITS.done) {
    const oldest = Math.min(...done.keys());
    forgotten = Math.max(forgotten, oldest);
    done.delete(oldest);
  }
  reply(id, answer);
}

async function answerTo(name, id, given) {
  if (!Object.hasOwn(VERBS, name)) {
    return { error: { code: -32601, message: `unknown verb ${name}` } };
  }
  const { acts = false, run } = VERBS[name];
  if (before.has(id)) {
    const message = "interrupted: it is not known whether it was done";
    return { error: { code: -32002, message } };
  }
  try {
    if (typeof acts === "function" ? acts(given) : acts) {
      keepLocal({ begun: [...local.begun, id] });
    }
    return { ok: (await run(given)) ?? null };
  } catch (problem) {
    return { error: errorOf(problem) };
  }
}
