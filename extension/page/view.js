// What the person is shown on a page: what the hub says, and what we know before it does.
//
// The badge does not wait: the moment a question leaves it says so, and it follows the answer
// until the hub speaks of that same question. For one question it never goes back.
((tabwire) => {
  "use strict";
  const { later, say } = tabwire;
  const BADLY = { partial: 4, stopped: 4, failed: 4, refused: 4 }; // how a question may end, too
  const RANK = { idle: 0, "prompt-sent": 1, streaming: 2, completed: 3, ...BADLY };
  const PATIENCE = 30_000; // for the hub to build a file
  const NOTICE = 8_000; // for a person to read a line
  const FORMATS = new Set(["original", "common"]);

  tabwire.view = ({ host, ask, hide, counts, trouble }) => {
    let control = null;
    let places = {}; // host → where the person put the control
    let line = { connected: false, paired: true, on: true, shown: true, format: "common" };
    let hub = null; // what it said last
    let mine = null; // {attempt, life} of the question that left last
    let kept = 0;
    let raced = false;
    let gone = false;
    let notice = "";
    const waiting = new Map(); // request → {copy, callOff}

    const lifeNow = () => {
      const told = hub ? hub.life : "idle";
      if (mine === null) return told;
      if (hub === null || hub.attempt !== mine.attempt) return mine.life;
      return RANK[told] > RANK[mine.life] ? told : mine.life;
    };

    const isMine = () => mine === null || hub?.attempt === mine.attempt;

    const whyNow = () => {
      if (gone) return say("why_gone");
      if (raced) return say("why_raced");
      if (notice) return notice;
      if (line.paired === false) return say("why_unpaired");
      if (!line.connected) return kept > 0 ? say("why_away_kept", size(kept)) : say("why_away");
      if (waiting.size > 0) return say("why_building");
      if (hub === null || !isMine()) return "";
      if (hub.save && !hub.degraded && !(lifeNow() in BADLY)) return "";
      if (hub.why_code === "nothing_seen" && lifeNow() === "idle") return ""; // there is nothing to say
      const known = hub.why_code ? say(`why_${hub.why_code}`) : "";
      return known || hub.why || "";
    };

    const size = (characters) =>
      characters < 1_000_000
        ? say("kilobytes", String(Math.max(1, Math.round(characters / 1000))))
        : say("megabytes", (characters / 1_000_000).toFixed(1));

    const draw = () => {
      if (control === null) return;
      control.hide(line.shown === false || line.on === false);
      const able = line.connected && !gone && hub !== null && isMine();
      control.show({
        life: lifeNow(),
        save: able && hub.save === true,
        force: able && hub.force === true && hub.save !== true,
        copy: able && (hub.save === true || hub.force === true),
        why: whyNow(),
      });
    };

    const tell = (text) => {
      notice = text;
      draw();
      later(() => {
        if (notice !== text) return;
        notice = "";
        draw();
      }, NOTICE);
    };

    const request = (message, copy) => {
      const id = crypto.randomUUID();
      const callOff = later(() => {
        if (waiting.delete(id)) tell(say("no_answer"));
      }, PATIENCE);
      waiting.set(id, { copy, callOff });
      if (!ask({ ...message, request: id })) {
        waiting.delete(id);
        callOff();
        tell(say("no_room"));
        return;
      }
      draw();
    };

    // Into the person's downloads: an anchor that is in no document, so that no page sees it.
    const download = ({ name, mime, text }) => {
      const url = URL.createObjectURL(new Blob([text], { type: mime || "application/json" }));
      const anchor = document.createElement("a");
      anchor.href = url;
      anchor.download = name;
      anchor.click();
      later(() => URL.revokeObjectURL(url), 60_000);
    };

    const copyText = async ({ text }) => {
      try {
        await navigator.clipboard.writeText(text);
        tell(say("copied"));
      } catch {
        tell(say("not_copied"));
      }
    };

    const answered = (message) => {
      const asked = waiting.get(message.request);
      if (!asked) return;
      waiting.delete(message.request);
      asked.callOff();
      if (message.kind === "failed") {
        tell([message.message, message.what_to_do].filter(Boolean).join(" "));
      } else if (asked.copy) copyText(message);
      else {
        download(message);
        tell(say("saved", message.name));
      }
    };

    const keepPlace = (wish) => {
      places = { ...places, [host]: wish };
      chrome.storage.local.set({ places }).catch(() => {}); // a page that outlived its extension
    };

    const readPlaces = async () => {
      try {
        ({ places = {} } = await chrome.storage.local.get("places"));
      } catch {
        // as if it had never been moved
      }
    };

    // Not before the page has drawn itself: some compare the document with what they sent.
    const whole = () =>
      new Promise((done) => {
        const later = () => requestIdleCallback(done, { timeout: 2000 });
        if (document.readyState === "complete") later();
        else addEventListener("load", later, { once: true });
      });

    const save = (force) => {
      const format = FORMATS.has(line.format) ? line.format : "common";
      request({ kind: "save", format, force }, false);
    };

    return {
      async start() {
        await Promise.all([readPlaces(), whole()]);
        control = new tabwire.Control({
          onSave: () => save(false),
          onForce: () => save(true),
          onCopy: () => request({ kind: "copy", force: hub?.save !== true }, true),
          onHide: () => {
            line.shown = false;
            hide();
            draw();
          },
          onPlace: keepPlace,
          onUnseen: () => tell(say("not_pressed")),
          onRemoved: () => trouble("removed"),
        });
        control.start(places[host]);
        draw();
      },
      // of the page's world
      heard({ what, kind, attempt, how, status }) {
        if (what === "left" || what === "sent") {
          if (kind !== "answer" || mine?.attempt === attempt) return;
          mine = { attempt, life: "prompt-sent", over: false };
        } else if (mine === null || attempt !== mine.attempt) return;
        else if (what === "head") mine.bad = status >= 400;
        else if (what === "bytes" && !mine.bad && mine.life === "prompt-sent") mine.life = "streaming";
        else if (what === "ended") {
          mine.over = true;
          if (how === "whole") mine.life = mine.bad ? "failed" : "completed";
        } else return;
        draw();
      },
      line(said) {
        for (const name of Object.keys(line)) line[name] = said[name] ?? line[name];
        draw();
      },
      told(message) {
        if (message.kind === "state") {
          hub = message;
          // the hub may know this question by another name, or of a later one
          if (mine?.over && (hub.attempt !== mine.attempt || mine.life !== "completed")) mine = null;
        } else if (message.kind === "file" || message.kind === "failed") answered(message);
        draw();
      },
      // From one conversation to another nothing runs on; into a new one the question does.
      moved() {
        if (mine !== null && !mine.over) return;
        mine = null;
        draw();
      },
      kept(characters) {
        kept = characters;
        if (!line.connected) draw();
      },
      dropped() {
        raced = counts().raced > 0;
        draw();
      },
      gone() {
        gone = true;
        draw();
      },
    };
  };
})((globalThis.tabwire ??= {}));
