// Carries messages to the worker, in order, and brings back what the hub says.
//
// The port is opened anew whenever it is cut: that wakes a worker Chrome has ended. What the hub
// has not confirmed is kept here, so much and no more, and said again on a new port. Only part
// of it is under way at once, so that the rest can still be counted and bounded here.
((tabwire) => {
  "use strict";
  const MAX_KEPT = 16 * 1024 * 1024; // characters not yet confirmed by the hub
  const MAX_COUNT = 20_000; // … or messages
  const WINDOW = 4 * 1024 * 1024; // characters under way
  const SLICE = 4; // milliseconds of work in one go: the thread is the page's
  const AGAIN = [50, 250, 1000, 5000, 15_000]; // before a port that could not be opened is tried anew

  class Courier {
    #hello; // () => who we are, as of now
    #hear;
    #port = null;
    #kept = []; // {k, message, size}, oldest first
    #next = 0; // which of them is said next
    #size = 0;
    #flying = 0;
    #number = 0;
    #tries = 0;
    #pumping = false;
    #held = false; // the worker had no room
    dead = false; // the extension was reloaded or removed: nobody is there any more

    constructor(hello, hear) {
      this.#hello = hello;
      this.#hear = hear;
    }

    get size() {
      return this.#size;
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
      this.#next = 0;
      this.#flying = 0;
      this.#held = false;
      port.postMessage({ t: "hello", ...this.#hello() });
      this.#pump();
    }

    // False where there is no room: it is for the caller to count.
    say(message, size = 0) {
      const weight = size + 300;
      const spare = size > 0 ? 0 : MAX_KEPT / 16; // for words that begin or end something
      if (this.dead || this.#size + weight > MAX_KEPT + spare || this.#kept.length >= MAX_COUNT) return false;
      this.#number += 1;
      this.#kept.push({ k: this.#number, message, size: weight });
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
      while (this.#port !== null && !this.#held && this.#next < this.#kept.length && this.#flying < WINDOW) {
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
          setTimeout(() => {
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
      this.#size -= gone.size;
      if (at < this.#next) {
        this.#next -= 1;
        this.#flying -= gone.size;
      }
      this.#goOn();
    }

    #goOn() {
      this.#held = false;
      this.#pump();
    }

    #refused(k) {
      const at = this.#kept.findIndex((one) => one.k === k);
      if (at === -1 || at >= this.#next) return;
      for (const one of this.#kept.slice(at, this.#next)) this.#flying -= one.size;
      this.#next = at;
      this.#held = true; // until the hub takes something, or comes back
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
      setTimeout(() => this.connect(), wait);
    }

    #die() {
      this.dead = true;
      this.#port = null;
      this.#kept = [];
      this.#next = this.#size = this.#flying = 0;
      this.#hear({ t: "gone" });
    }
  }

  tabwire.Courier = Courier;
})((globalThis.tabwire ??= {}));
