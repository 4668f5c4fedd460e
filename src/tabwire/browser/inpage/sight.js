// needs: exchange length markdown notices
// The page looked at: which layout, the newest exchange, the controls, the notices; its state.
//
// Only what is `dirty` is looked for again: names of parts, and `controls` (whether stop,
// composer and send can be seen), `notices`, `texts` (words anywhere in the page). What the
// composer holds (`written`) is asked whenever the state is told.
((tabwire) => {
  if (tabwire.sight) return;
  const { closest, isVisible, matches, title } = tabwire.deep;
  const { Layout } = tabwire.parts;
  const { Exchange } = tabwire.exchange;
  const { Length } = tabwire.length;
  const { Notices, wallIn } = tabwire.notices;

  const SKIP = tabwire.markdown.SKIP;
  const PARTS = [
    "user_message", "assistant_message", "exchange", "text_root", "thinking", "actions", "streaming",
    "stop", "composer", "send", "logged_in", "recognise",
  ];
  const CONVERSATION = new Set([...PARTS.slice(0, 7), "stop", "controls"]);
  const NOTICED = ["notices", "texts", "logged_in", "layout"];
  const SHARE = 10; // looking again may take one tenth of the time at most

  // Some of what shows thinking stands empty and without height where nothing was thought.
  const isFilled = (element) =>
    element.textContent.trim() !== "" || element.getBoundingClientRect().height > 0;

  class Sight {
    constructor(page) {
      this.layouts = page.layouts.map((one) => new Layout(one));
      this.notices = new Notices(page.notices);
      this.loginWords = page.login_words ?? [];
      this.roots = [document];
      this.layout = null;
      this.exchange = null;
      this.length = new Length(SKIP);
      this.controls = { stop: null, composer: null, send: null };
      this.hidden = {}; // controls that are there and cannot be seen, or not yet
      this.seen = [];
      this.dirty = new Set();
      this.lookedUntil = 0;
    }

    // Called when another layout is recognised.
    interested() {}

    everything() {
      for (const name of [...PARTS, "notices", "texts"]) this.dirty.add(name);
    }

    look() {
      const began = performance.now();
      const dirty = this.dirty;
      this.dirty = new Set();
      if (this.roots.some((one) => !one.isConnected)) this.roots = this.roots.filter((one) => one.isConnected);
      if (dirty.has("recognise")) this.recognise(dirty);
      this.seeControls(dirty);
      if ([...dirty].some((name) => CONVERSATION.has(name))) this.converse();
      if (dirty.has("texts")) for (const root of this.roots) this.notices.hear(root.body ?? root);
      if (NOTICED.some((one) => dirty.has(one)) || (dirty.has("user_message") && this.notices.candidates.length > 0)) {
        this.seeNotices();
      }
      const ended = performance.now();
      this.lookedUntil = ended + (ended - began) * (SHARE - 1);
    }

    recognise(dirty) {
      if (this.layout !== null && this.layout === this.layouts[0] && this.layout.parts.recognise.stands) return;
      const layout = this.layouts.find((one) => one.parts.recognise.any(this.roots)) ?? null;
      if (layout === this.layout) return;
      this.layout = layout;
      this.interested();
      for (const name of [...PARTS, "notices", "layout"]) dirty.add(name);
    }

    converse() {
      if (this.layout === null) {
        this.exchange = null;
        this.length.reset([]);
        return;
      }
      this.exchange = new Exchange(this.layout, this.roots);
      this.streaming = this.exchange.isStreaming();
      const still = this.controls.stop === null && !this.streaming;
      const { elements, loose } = this.exchange.textRoots(still);
      this.loose = loose;
      this.actions = this.exchange.hasActions(loose ? [] : elements);
      this.thinks = this.exchange.thinking().some(isFilled);
      const skip = [SKIP, this.layout.parts.thinking.css, this.layout.parts.decoys.css].filter(Boolean).join(",");
      const same = elements.length === this.length.roots.length
        && elements.every((one, index) => one === this.length.roots[index]);
      if (!same || this.length.skip !== skip) {
        this.length.skip = skip;
        this.length.reset(elements);
      }
    }

    seeControls(dirty) {
      if (this.layout === null) {
        this.controls = { stop: null, composer: null, send: null };
        this.hidden = {};
        this.loggedIn = false;
        return;
      }
      const { parts } = this.layout;
      const decoy = (one) => parts.decoys.css !== "" && closest(one, parts.decoys.css) !== null;
      const fit = (one) => isVisible(one) && !decoy(one);
      for (const name of ["stop", "composer", "send"]) {
        if (!dirty.has(name) && !dirty.has("controls")) continue;
        const { elements, unfit } = parts[name].find(this.roots, fit);
        this.controls[name] = elements[0] ?? null;
        this.hidden[name] = unfit;
      }
      if (dirty.has("logged_in")) this.loggedIn = parts.logged_in.any(this.roots);
    }

    seeNotices() {
      const holders = this.exchange?.messages ?? [];
      const seen = this.notices.see(this.roots, this.layout !== null, holders);
      this.seen = this.loggedIn ? seen.filter((one) => one.kind !== "login") : seen;
    }

    // Nothing to write in, and something that asks for a login: by what it says, for a site
    // rebuilds its wall and we may not know the new one.
    wall() {
      const known = this.loggedIn || this.seen.some((one) => one.kind === "login");
      if (known || document.readyState === "loading") return [];
      const text = wallIn(this.roots, this.loginWords);
      return text ? [{ kind: "login", which: "its words", text }] : [];
    }

    get state() {
      const { stop, composer, send } = this.controls;
      const exchange = this.exchange;
      const written = this.length.total;
      const seen = composer === null ? [...this.seen, ...this.wall()] : this.seen;
      const login = seen.some((one) => one.kind === "login");
      return {
        url: location.href,
        title: title(),
        layout: this.layout?.name ?? null,
        generating: stop !== null || (exchange !== null && this.streaming),
        stop: stop !== null,
        exchanges: exchange?.questions.length ?? 0,
        answers: exchange?.allAnswers.length ?? 0,
        newest: exchange?.name ?? "",
        text_length: written,
        actions: exchange !== null && this.actions,
        thinking: exchange !== null && this.thinks && written === 0 && !this.actions,
        composer: composer !== null,
        composer_empty: composer !== null && (composer.value ?? composer.textContent).trim() === "",
        send: send !== null && !matches(send, ":disabled, [aria-disabled='true']"),
        logged_in: this.loggedIn ? true : login ? false : null,
        notices: seen,
      };
    }
  }

  tabwire.sight = { PARTS, Sight };
})((globalThis.tabwire ??= {}));
