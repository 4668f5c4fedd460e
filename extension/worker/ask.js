// What the extension's own pages (popup, options, connect) may ask the worker, by
// chrome.runtime.sendMessage. Scripts in web pages are not answered: who asks is what Chrome says.
//
//   {what: "status"}            see report.js
//   {what: "pair", code}        {ok: true, hub} or {ok: false, why, message, what_to_do}
//   {what: "unpair"}            {ok: true}
//   {what: "switch", on, site?} for all, or one site
//   {what: "offer", tab, on}    lets the hub use a tab of the person's own, or no longer
//   {what: "port", port}        where the hub listens
//   {what: "dial"}              look for the hub now
//   {what: "dashboard"}         opens the hub's: {ok: true}, or {ok: false, why}: away, silent
//   {what: "report"}            see report.js
//   {what: "dump", on}          pages tell every frame, for a diagnosis
//   {what: "format", format}    what Save makes: "original" or "common"
//   {what: "show", site, on}    the control on the pages of a site

import { keepLocal, local } from "./state.js";
import { SITES } from "./sites.js";
import { forgetKey } from "./secrets.js";
import { note } from "./notes.js";
import { report, status } from "./report.js";
import * as dashboard from "./dashboard.js";
import * as debug from "./debug.js";
import * as pages from "./pages.js";
import * as tabs from "./tabs.js";

export function answering({ line, outbox, prepared, tell, showState }) {
  const answers = {
    status: () => {
      if (!line.isReady) line.dial(); // somebody looks: measure now
      return status(line, tabs.describe);
    },
    pair: async ({ code }) => {
      const answer = await line.pair(String(code ?? ""));
      showState();
      return answer;
    },
    unpair: async () => {
      if (local.hub) await forgetKey(local.hub.id);
      await line.unpair();
      note("unpaired");
      showState();
    },
    switch: async ({ on, site }) => {
      if (site !== undefined && !SITES.includes(site)) throw new Error(`no site ${site}`);
      if (site === undefined) await keepLocal({ on: on === true });
      else await keepLocal({ sites: { ...local.sites, [site]: on === true } });
      note("switched", { on: on === true, site });
      if (!local.on) await debug.detachAll("ours");
      tell(switches());
      if (on === true) pages.introduceAll(); // those that opened meanwhile, too
      pages.lineChanged();
      showState();
    },
    offer: async ({ tab, on }) => {
      await tabs.offer(tab, on === true);
      if (on === true) {
        tell({ on: "tab.changed", ...(await tabs.describe(tab)) });
      } else {
        await debug.detach(tab);
        tell({ on: "tab.withdrawn", tab });
      }
    },
    port: async ({ port }) => {
      if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error("no such port");
      await keepLocal({ port });
      void line.redial(); // which lasts until somebody is there and was paired with
    },
    dial: () => void line.dial(),
    dashboard: () => dashboard.open(line, tell),
    report: () => report(line, outbox),
    dump: async ({ on }) => {
      await keepLocal({ dump: on === true });
      pages.tellAll({ kind: "want", what: "dump", on: on === true });
    },
    format: async ({ format }) => {
      if (!["original", "common"].includes(format)) throw new Error(`no format ${format}`);
      await keepLocal({ format });
      pages.lineChanged();
    },
    show: async ({ site, on }) => {
      if (!SITES.includes(site)) throw new Error(`no site ${site}`);
      await keepLocal({ hidden: { ...local.hidden, [site]: on !== true } });
      pages.lineChanged();
    },
  };
  return (asked, sender, answer) => {
    const ours = sender.id === chrome.runtime.id && sender.origin === location.origin;
    if (!ours || !Object.hasOwn(answers, asked?.what)) return false;
    prepared()
      .then(() => answers[asked.what](asked))
      .then((said) => answer(said ?? { ok: true }))
      .catch((error) => answer({ ok: false, why: "failed", message: error.message }));
    return true; // it is answered later
  };
}

// The event `switched`. Every site is in it, so that the hub need not know what is the default.
export function switches() {
  const sites = Object.fromEntries(SITES.map((name) => [name, siteIsOn(name)]));
  return { on: "switched", enabled: local.on, sites };
}

function siteIsOn(name) {
  return local.sites[name] !== false;
}
