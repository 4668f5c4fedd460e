// Carries messages to the worker, in order, and brings back what the hub says.
//
// The port is opened anew whenever it is cut: that wakes a worker Chrome has ended. What the hub
// has not confirmed is kept here, so much and no more, and said again on a new port. Only part
// of it is under way at once, so that the rest can still be counted and bounded here.
//
// A hub that is started anew knows nothing of an answer it confirmed half of. So what belongs to
// the question under way is held after it was confirmed, until the caller releases it, and said
// again from its beginning; the hub knows by the numbers what it has heard already.
((tabwire) => {
  "use strict";
  const MAX_KEPT = 16 * 1024 * 1024; // characters not yet confirmed by the hub
  const MAX_COUNT = 20_000; // … or messages
  const MAX_HELD = 8 * 1024 * 1024; // characters confirmed and held all the same
  const WINDOW = 4 * 1024 * 1024; // characters under way
  const SLICE = 4; // milliseconds of work in one go: the thread is the page's
  const AGAIN = [50, 250, 1000, 5000, 15_000]; // before a port that could not be opened is tried anew

  class Courier {
    #hello; // () => who we are, as of now
    #hear;
    #port = null;
    #kept = []; // {k, message, size, hold, again}, oldest first; `again`: it was confirmed once
    #held = []; // the same, confirmed: all of them older than those that are kept
    #heldSize = 0;
    #next = 0; // which of them is said next
    #size = 0;
    #flying = 0;
    #number = 0;
    #tries = 0;
    #pumping = false;
    #full = false; // the worker had no room
    dead = false; // the extension was reloaded or removed: nobody is there any more

    constructor(hello, hear) {
      this.#hello = hello;
      this.#hear = hear;
    }

    get size() {
      return this.#size;
    }

    // Whether anything was ever said: a page that comes back is not one that was just loaded.
    get spoke() {
      return this.#number > 0;
    }

    connect() {
      if (this.dead || this.#port !== null) return;
      let port;
      try {
        port = chrome.runtime.connect({ name: "page" });
      } catch {
        this.#die();
        return;
      }
      this.#port = port;
      port.onMessage.addListener((said) => this.#heard(said));
      port.onDisconnect.addListener(() => this.#cut(port));
      this.#begin();
    }

    // From the first word on: this port is new, or the hub behind it is.
    #begin() {
      const again = this.#held.map((one) => ({ ...one, again: true }));
      this.#kept = [...again, ...this.#kept];
      this.#held = [];
      this.#heldSize = 0;
      this.#next = 0;
      this.#flying = 0;
      this.#full = false;
      this.tell({ t: "hello", ...this.#hello() });
      this.#pump();
    }

    // Let go of what is held and does not fit any more.
    release(fits) {
      this.#held = this.#held.filter((one) => fits(one.message));
      this.#heldSize = this.#held.reduce((sum, one) => sum + one.size, 0);
      for (const one of this.#kept) one.hold &&= fits(one.message);
    }

    // False where there is no room: it is for the caller to count. `hold`: see above.
    say(message, size = 0, hold = false) {
      const weight = size + 300;
      const spare = size > 0 ? 0 : MAX_KEPT / 16; // for words that begin or end something
      if (this.dead || this.#size + weight > MAX_KEPT + spare || this.#kept.length >= MAX_COUNT) return false;
      this.#number += 1;
      this.#kept.push({ k: this.#number, message, size: weight, hold, again: false });
      this.#size += weight;
      this.#pump();
      return true;
    }

    // Something for the worker itself, now or never.
    tell(word) {
      try {
        this.#port?.postMessage(word);
      } catch {
        // it is being cut
      }
    }

    #pump() {
      if (this.#pumping) return;
      const until = performance.now() + SLICE;
      while (this.#port !== null && !this.#full && this.#next < this.#kept.length && this.#flying < WINDOW) {
        const one = this.#kept[this.#next];
        this.#next += 1;
        this.#flying += one.size;
        try {
          this.#port.postMessage({ t: "say", k: one.k, message: one.message });
        } catch {
          return; // it is being cut: all is said again on the next one
        }
        if (performance.now() > until) {
          this.#pumping = true;
          tabwire.later(() => {
            this.#pumping = false;
            this.#pump();
          }, 0);
          return;
        }
      }
    }

    #heard(said) {
      this.#tries = 0;
      if (said.t === "taken") this.#taken(said.k);
      else if (said.t === "again") this.#begin();
      else if (said.t === "refused") this.#refused(said.k);
      else {
        if (said.t === "line") this.#goOn(); // it also says that there is room again
        this.#hear(said);
      }
    }

    #taken(k) {
      const at = this.#kept.findIndex((one) => one.k === k);
      if (at === -1) return;
      const [gone] = this.#kept.splice(at, 1);
      if (!gone.again) this.#size -= gone.size;
      if (gone.hold) this.#hold(gone);
      if (at < this.#next) {
        this.#next -= 1;
        this.#flying -= gone.size;
      }
      this.#goOn();
    }

    // Of an answer that is too long to be held only the frame stays: whoever hears it misses the
    // pieces, and has the conversation read instead.
    #hold(one) {
      this.#held.push(one);
      this.#heldSize += one.size;
      if (this.#heldSize > MAX_HELD) this.release(({ kind }) => kind !== "bytes" && kind !== "frame");
    }

    #goOn() {
      this.#full = false;
      this.#pump();
    }

    #refused(k) {
      const at = this.#kept.findIndex((one) => one.k === k);
      if (at === -1 || at >= this.#next) return;
      for (const one of this.#kept.slice(at, this.#next)) this.#flying -= one.size;
      this.#next = at;
      this.#full = true; // until the hub takes something, or comes back
    }

    #cut(port) {
      void chrome.runtime.lastError; // a page in the back-forward cache is cut with words
      if (this.#port !== port) return;
      this.#port = null;
      this.#hear({ t: "line", connected: false, paired: null, on: null });
      if (!chrome.runtime?.id) {
        this.#die();
        return;
      }
      const wait = AGAIN[Math.min(this.#tries, AGAIN.length - 1)];
      this.#tries += 1;
      tabwire.later(() => this.connect(), wait);
    }

    #die() {
      this.dead = true;
      this.#port = null;
      this.#kept = [];
      this.#held = [];
      this.#next = this.#size = this.#flying = this.#heldSize = 0;
      this.#hear({ t: "gone" });
    }
  }

  tabwire.Courier = Courier;
})((globalThis.tabwire ??= {}));
