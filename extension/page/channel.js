// Our end of the private line from the page's world (hook/channel.js tells how it is made).
//
// Why it holds. The port and the secret are handed over before any script of the page runs, on
// an element that is in no document by then, to its first and only listener; the page's world
// keeps them in a closure and uses the browser's own functions, copied at that same moment. So
// a page can neither read nor forge them. Still every message is judged: a secret that is
// wrong or missing, a number that was there, something too large is dropped and counted, and
// so is whatever a page posts to its own window in our manner.
// What we cannot know of is a window that another window of the same site held before we came
// and prepared so well that all functions look the browser's own. Such a page gains nothing: it
// could as well answer its own requests from a service worker.
((tabwire) => {
  "use strict";
  const MAX_MESSAGE = 66 * 1024 * 1024; // bytes in one message: a frame of a socket comes whole
  const MAX_TEXT = 64 * 1024; // an address, a reason, a name
  const WORDS = new Set(["left", "sent", "head", "bytes", "frame", "ended"]);
  const ATTEMPT = /^[a-z]+:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const LIKE_OURS = new Set([...WORDS, "moved", "named", "save", "copy", "ask_state", "dropped", "dump"]);

  class Gate {
    counts = { forged: 0, replayed: 0, tokenless: 0, oversized: 0, overflow: 0, raced: 0 };
    #secret;
    #last = 0;

    constructor(secret) {
      this.#secret = secret;
    }

    // Whether a message that came over the port is let in.
    takes(message) {
      const fault = this.faultOf(message);
      if (fault === null) this.#last = message.n;
      else this.counts[fault] += 1;
      return fault === null;
    }

    faultOf(message) {
      if (message === null || typeof message !== "object") return "forged";
      if (message.secret === undefined) return "tokenless";
      if (message.secret !== this.#secret) return "forged";
      if (!Number.isSafeInteger(message.n) || message.n <= this.#last) return "replayed";
      if (weightOf(message) > MAX_MESSAGE) return "oversized";
      const known = message.what === "bypassed" || (WORDS.has(message.what) && ATTEMPT.test(message.attempt));
      return known ? null : "forged";
    }

    // Something came another way, where nothing of ours ever comes.
    refuses(message) {
      const fault = this.faultOf(message);
      this.counts[fault ?? "forged"] += 1;
    }
  }

  const weightOf = (message) => {
    let weight = 0;
    for (const value of Object.values(message)) {
      if (typeof value === "string") weight += value.length * 2;
      else if (value instanceof Uint8Array) weight += value.byteLength;
      else if (value !== null && typeof value === "object") return Infinity; // nothing of ours
    }
    return weight;
  };

  // Only what is meant to look like ours is counted; pages post to themselves all day long.
  const looksLikeOurs = (data) => {
    if (data === null || typeof data !== "object") return false;
    const { tabwire: name, what, kind, attempt, secret, token } = data;
    if (name !== undefined) return true;
    const word = LIKE_OURS.has(what) || LIKE_OURS.has(kind);
    return word && (attempt !== undefined || secret !== undefined || token !== undefined || data.n !== undefined);
  };

  // Hands `onMessage` what came; `onFault` hears whenever something was dropped.
  const open = ({ onMessage, onFault }) => {
    const { port1, port2 } = new MessageChannel();
    const secret = crypto.randomUUID() + crypto.randomUUID();
    const gate = new Gate(secret);
    const line = { gate, works: false, tell: (word) => port1.postMessage(word) };
    let toldOverflow = 0;

    const race = () => {
      if (gate.counts.raced > 0) return;
      gate.counts.raced = 1;
      line.works = false;
      port1.close();
      onFault();
    };

    port1.onmessage = ({ data }) => {
      if (gate.counts.raced > 0) return;
      if (!gate.takes(data)) {
        onFault();
        return;
      }
      line.tell({ taken: data.cost });
      if (data.overflow > toldOverflow) {
        gate.counts.overflow += data.overflow - toldOverflow;
        toldOverflow = data.overflow;
        onFault();
      }
      onMessage(data);
    };

    const html = document.documentElement;
    const [door, ...more] = document.querySelectorAll("[data-tabwire-door]");
    const alone = document.readyState === "loading" && more.length === 0 && door?.parentNode === html;
    if (door) {
      for (const one of [door, ...more]) one.remove();
      const hello = { data: secret, ports: [port2], cancelable: true };
      // it is canceled by who takes it: nobody took it, or the page is not as new as it should be
      line.works = alone && !door.dispatchEvent(new MessageEvent("message", hello));
    }
    if (!line.works) race();
    else {
      // a name that only the two of us know: no page can say it for the hook, and end the recording
      const alone = `data-tabwire-${door.getAttribute("data-tabwire-door")}`;
      new MutationObserver(race).observe(html, { attributes: true, attributeFilter: [alone] });
    }

    addEventListener(
      "message",
      (event) => {
        if (event.source !== window || !looksLikeOurs(event.data)) return;
        gate.refuses(event.data);
        onFault();
      },
      { capture: true, passive: true },
    );
    return line;
  };

  tabwire.channel = { Gate, open, MAX_TEXT };
})((globalThis.tabwire ??= {}));
