// The isolated world of a supported page: takes what the page's world copied, passes it to the
// hub, and shows the person what the hub says. Decides nothing about answers.
((tabwire) => {
  "use strict";
  const { Courier, channel } = tabwire;
  const page = crypto.randomUUID();
  const cut = new Set(); // attempts of which something was dropped: the rest is worth nothing
  const MAX_CUT = 200;
  const REPORT = 250; // milliseconds in which drops are counted together
  const ALIVE = 2000; // milliseconds between two looks at the page's functions
  let overflow = 0; // of our own queue
  let reporting = false;
  let dumping = false;
  let connected = false;

  const at = () => (performance.timeOrigin + performance.now()) / 1000;

  const toBase64 = (bytes) => {
    if (typeof bytes.toBase64 === "function") return bytes.toBase64();
    let text = "";
    for (let from = 0; from < bytes.length; from += 0x6000) {
      text += String.fromCharCode(...bytes.subarray(from, from + 0x6000)); // Chrome before 140
    }
    return btoa(text);
  };

  const view = tabwire.view({
    host: location.hostname,
    ask: (message) => say(message),
    hide: () => courier.tell({ t: "hide" }),
    counts: () => counts(),
    trouble: (what) => trouble(what),
  });

  // What a page did to us, for the popup; said on every port, as a worker forgets.
  const troubles = new Set();
  const trouble = (what) => {
    if (troubles.has(what)) return;
    troubles.add(what);
    courier.tell({ t: "trouble", what });
  };

  const visible = () => document.visibilityState === "visible";

  const courier = new Courier(
    () => ({
      ...{ page, url: began ?? location.href, title: document.title },
      ...{ again: courier.spoke, asks: questions.size > 0, visible: visible(), troubles: [...troubles] },
    }),
    (said) => hear(said),
  );

  // What a hub that is started anew must hear from its beginning: questions whose answer is not
  // proven to be kept, and all that concerns them. The rest is the hub's to have read again.
  const TOLD_WHOLE = new Set(["answer", "resume", "handoff", "stop", "hint"]);
  const questions = new Map(); // attempt → whether its response is over
  const beside = new Set(); // attempts that tell more of an answer, or its end
  const sockets = new Set(); // of those the ones that are open: a later answer may come by them
  let began = null; // where the page was when the first of these questions left

  const isHeld = (attempt) => questions.has(attempt) || beside.has(attempt);

  const begins = ({ attempt, kind, via, page: page_url }) => {
    if (kind === "answer") {
      letGo(); // whoever asks anew is done with what is over
      if (questions.size === 0) began = page_url;
      questions.set(attempt, false);
    } else if (TOLD_WHOLE.has(kind)) {
      beside.add(attempt);
      if (via === "socket") sockets.add(attempt);
    }
  };

  const letGo = () => {
    for (const [attempt, over] of questions) if (over) questions.delete(attempt);
    if (questions.size > 0) return;
    began = null;
    for (const attempt of beside) if (!sockets.has(attempt)) beside.delete(attempt);
    courier.release(({ kind, attempt }) => kind === "sent" && beside.has(attempt));
  };

  const say = (message, size = 0, hold = false) => {
    const taken = courier.say(message, size, hold);
    if (!taken) {
      overflow += 1;
      report();
    }
    view.kept(courier.size);
    return taken;
  };

  const counts = () => ({ ...line.gate.counts, overflow: line.gate.counts.overflow + overflow });

  const report = () => {
    if (reporting) return;
    reporting = true;
    tabwire.later(() => {
      reporting = false;
      courier.say({ kind: "dropped", counts: counts() });
      view.dropped(counts());
      if (counts().raced > 0) trouble("raced");
    }, REPORT);
  };

  // No longer than the hub reads: of an address the end is cut, which is never a path.
  const short = (text) => text?.slice(0, 200) ?? null;
  const cutUrl = (text) => text.slice(0, 16_000);
  const cutTitle = (text) => text.slice(0, 1000);

  // What the page's world said, as the hub is to have it.
  const words = {
    sent: ({ attempt, method, url, via, body, at, page: page_url }) => ({
      kind: "sent", attempt, method, url: cutUrl(url), via, body: body ? toBase64(body) : null, at,
      page_url: cutUrl(page_url),
    }),
    head: ({ attempt, status, mime, url, retry_after, at }) => ({
      kind: "head", attempt, status, mime: short(mime), url: cutUrl(url), retry_after: short(retry_after), at,
    }),
    bytes: ({ attempt, seq, data, at }) => ({ kind: "bytes", attempt, seq, data: toBase64(data), at }),
    frame: ({ attempt, seq, sent, text, data, at }) =>
      data ? { kind: "frame", attempt, seq, sent, data: toBase64(data), at }
      : { kind: "frame", attempt, seq, sent, text, at },
    ended: ({ attempt, how, why, at, seqs }) =>
      cut.has(attempt)
        ? { kind: "ended", attempt, how: "failed", why: "overflow", at, seqs }
        : { kind: "ended", attempt, how, why, at, seqs },
  };

  const take = (said) => {
    if (said.what === "bypassed") {
      trouble("bypassed");
      return;
    }
    view.heard(said); // the badge first: it does not wait for the hub
    if (said.what === "left") return;
    const { attempt, what } = said;
    if (what === "sent") begins(said);
    const carries = what === "bytes" || what === "frame";
    if (carries && cut.has(attempt)) return;
    const message = words[what](said);
    const size = (message.data ?? message.text ?? message.body ?? "").length;
    if (!say(message, size, isHeld(attempt)) && carries) {
      cut.add(attempt);
      if (cut.size > MAX_CUT) cut.delete(cut.values().next().value);
    }
    if (what === "ended") {
      cut.delete(attempt);
      sockets.delete(attempt);
      if (questions.has(attempt)) questions.set(attempt, true);
    }
    if (dumping) say({ kind: "dump", attempt, frame: what, size, at: said.at });
  };

  const hear = (said) => {
    if (said.t === "line") {
      if (typeof said.on === "boolean") line.tell({ on: said.on });
      if (said.on === false) {
        questions.clear(); // nobody shall hear later what was said while it was switched off
        beside.clear();
        letGo();
      }
      if (said.connected && !connected) say({ kind: "ask_state" });
      connected = said.connected;
      view.line(said);
    } else if (said.t === "gone") {
      line.tell({ on: false });
      view.gone();
    } else if (said.t === "tell") {
      const { message } = said;
      if (message.kind === "want" && message.what === "dump") dumping = message.on === true;
      else {
        if (message.kind === "state" && message.save) letGo(); // it is kept, and proven
        view.told(message);
      }
    }
  };

  const line = channel.open({ onMessage: take, onFault: report });
  if (!line.works) {
    view.dropped(counts());
    trouble("raced");
  }

  // Whether the page's functions still lead to us. What a page cannot answer for us: the port is ours.
  tabwire.every(ALIVE, () => {
    if (line.works && document.visibilityState === "visible") line.tell({ look: true });
  });

  // Where the person is. The hub decides what a move means.
  let url = location.href;
  let title = "";
  const moved = () => {
    if (location.href === url) return;
    url = location.href;
    say({ kind: "moved", url: cutUrl(url), title: cutTitle(title), at: at() }, 0, questions.size > 0);
    view.moved();
  };
  const named = () => {
    if (document.title === title) return;
    title = document.title;
    say({ kind: "named", title: cutTitle(title), at: at() }, 0, questions.size > 0);
  };
  globalThis.navigation?.addEventListener("currententrychange", moved);
  addEventListener("popstate", moved);
  addEventListener("hashchange", moved);
  document.addEventListener("visibilitychange", () => {
    say({ kind: "visible", on: visible() });
    courier.connect();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) courier.connect(); // back from the cache, where ports are cut
  });

  // The title is one element, in a head that may be replaced: few changes are looked at.
  const titles = new MutationObserver(() => {
    watchTitle();
    named();
  });
  const watchTitle = () => {
    titles.disconnect();
    if (document.documentElement) titles.observe(document.documentElement, { childList: true });
    if (document.head) titles.observe(document.head, { childList: true });
    const element = document.querySelector("head > title");
    if (element) titles.observe(element, { childList: true, characterData: true, subtree: true });
  };
  watchTitle();
  document.addEventListener("DOMContentLoaded", () => {
    watchTitle();
    named();
  });

  courier.connect();
  view.start();
})(globalThis.tabwire);
