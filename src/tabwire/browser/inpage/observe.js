// needs: reading sight
// Watches a page and reports whenever something in its state changed.
//
// One MutationObserver on the document and on every open shadow root. A batch of changes is
// sorted into three: growth of the answer's text (counted by differences), changes that could
// concern a part of the page (that part is looked for again), and all others (forgotten).
// A report leaves in the turn in which its cause was seen; what follows within a few
// milliseconds is gathered into the next. Nothing waits for a timer, which a hidden tab runs
// late, except growth that follows growth.
((tabwire) => {
  if (tabwire.observe) return;
  const { contains, shadowsUnder } = tabwire.deep;
  const { Interest } = tabwire.parts;
  const { PARTS, Sight } = tabwire.sight;

  const SHOWS = ["class", "style", "hidden", "open", "inert", "aria-hidden"];
  const SWITCHES = ["disabled", "aria-disabled", "type", "contenteditable"];
  const GATHER_MS = 4; // reports closer than this are gathered
  const GROWTH_MS = 1000; // between two reports of nothing but growth; a hidden tab is as slow
  const LETTERS = { subtree: true, characterData: true };
  const LOADS = new Set(["script", "link", "iframe"]); // an image that loads makes no elements
  const EVENTS = ["input", "click", "keydown", "focusin"]; // composed: they leave shadow roots

  // What runs after what the page has to do now; in hidden tabs too.
  const channel = new MessageChannel();
  const waiting = [];
  channel.port1.onmessage = () => waiting.shift()();
  const soon = (work) => { waiting.push(work); channel.port2.postMessage(0); };
  const later = (work) => globalThis.scheduler?.postTask
    ? void scheduler.postTask(work, { priority: "background" })
    : soon(work);

  class Watch extends Sight {
    constructor({ binding, page }) {
      super(page);
      this.tell = globalThis[binding] ?? (() => {});
      this.hosts = new Set(); // custom elements that may yet get a shadow root
      this.observer = new MutationObserver((records) => this.heard(records));
      this.letters = new MutationObserver((records) => this.heard(records));
      this.saidAt = 0;
      this.saidLength = 0;
      this.nearby = new Set(); // elements already asked about in this batch
      this.said = "";
      this.gathering = false;
      this.looking = false;
      this.ending = new AbortController();
      this.tell(""); // here is a document that is watched
      this.attend();
    }

    // --- beginning ---------------------------------------------------------

    attend() {
      this.interested();
      this.watchShadows(document);
      this.everything();
      this.look();
      const { signal } = this.ending;
      const on = (target, names, work) => {
        for (const name of names) target.addEventListener(name, work, { capture: true, passive: true, signal });
      };
      if (globalThis.navigation) on(navigation, ["currententrychange"], () => this.report());
      on(window, ["popstate", "hashchange"], () => this.report());
      on(window, ["pageshow"], ({ persisted }) => { if (persisted) this.resume(); });
      on(window, ["load"], ({ target }) => { if (!(target instanceof Element) || LOADS.has(target.localName)) this.again(); });
      on(document, ["readystatechange"], () => this.again());
      on(window, EVENTS, () => soon(() => this.touched()));
    }

    // Back from the browser's cache of pages: others were heard of in between.
    resume() {
      this.said = "";
      this.report();
    }

    stop() {
      this.ending.abort();
      this.observer.disconnect();
      this.letters.disconnect();
      clearTimeout(this.timer);
      this.tell = () => {};
    }

    // Which parts are to be noticed: all of this layout, and the marks of the others.
    interested() {
      const own = this.layout ? PARTS.slice(0, -1).map((name) => this.layout.parts[name]) : [];
      const marks = this.layouts.map((one) => one.parts.recognise);
      this.interest = new Interest([...own, ...marks, ...this.notices.parts]);
      this.filter = [...new Set([...SHOWS, ...SWITCHES, ...this.interest.byAttribute.keys()])];
      for (const root of this.roots) this.listen(root);
    }

    listen(root) {
      this.observer.observe(root, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeOldValue: true,
        attributeFilter: this.filter,
      });
      if (this.timer === undefined) this.letters.observe(root, LETTERS);
    }

    watchShadows(node) {
      const { shadows, hosts } = shadowsUnder(node);
      for (const host of hosts) this.hosts.add(host);
      return shadows.filter((one) => this.adopt(one));
    }

    adopt(root) {
      if (this.roots.includes(root)) return false;
      this.roots.push(root);
      this.listen(root);
      return true;
    }

    // An element made known to the browser later gets its shadow without a trace.
    watchHosts() {
      for (const host of this.hosts) {
        if (!host.isConnected) this.hosts.delete(host);
        else if (host.shadowRoot) {
          this.hosts.delete(host);
          if (this.adopt(host.shadowRoot)) this.came(host.shadowRoot);
        }
      }
    }

    again() {
      for (const root of this.watchShadows(document)) this.came(root);
      this.settle();
    }

    touched() {
      this.dirty.add("written");
      this.watchHosts();
      this.settle();
    }

    // --- noticing ----------------------------------------------------------

    // An answer that grows is heard of twenty times a second, so that comes first and is short.
    heard(records) {
      let others = false;
      for (let at = 0; at < records.length; at += 1) {
        const record = records[at];
        if (record.type === "characterData" && this.length.grew(record.target)) continue;
        if (!others) this.nearby.clear();
        others = true;
        this.sort(record);
      }
      if (others) {
        if (this.hosts.size > 0) this.watchHosts();
        if (this.notices.silenced) this.dirty.add("notices");
      }
      this.settle();
    }

    sort(record) {
      const { target, type } = record;
      const text = this.length.holds(target);
      if (type === "attributes") this.turned(record, text);
      else if (type === "characterData") {
        if (text) this.length.recount(target);
        else this.wrote(target);
      } else {
        if (text) this.rewrote(record);
        if (!text || this.loose) this.moved(record);
      }
    }

    // Inside the answer's text only its length is of interest, and shadow roots.
    rewrote(record) {
      for (const node of record.removedNodes) this.length.recount(node);
      for (const node of record.addedNodes) {
        this.length.recount(node);
        if (node instanceof Element && (node.shadowRoot || node.localName.includes("-"))) this.watchShadows(node);
      }
    }

    moved(record) {
      if (this.controls.composer === null) this.dirty.add("wall");
      for (const node of record.removedNodes) {
        if (node instanceof Element) this.interest.moved(node, this.dirty);
      }
      for (const node of record.addedNodes) {
        if (node instanceof Element) this.came(node);
        else if (this.notices.hear(node)) this.dirty.add("notices");
      }
      if (record.target instanceof Element) this.near(record.target);
    }

    came(node) {
      if (this.controls.composer === null) this.dirty.add("wall");
      const shadows = node instanceof Element ? this.watchShadows(node) : [];
      if (node instanceof Element) this.interest.moved(node, this.dirty);
      else for (const child of node.children) this.interest.moved(child, this.dirty);
      for (const root of shadows) for (const child of root.children) this.interest.moved(child, this.dirty);
      if (this.notices.hear(node)) this.dirty.add("notices");
    }

    wrote(text) {
      if (this.notices.hear(text)) this.dirty.add("notices");
      if (text.parentElement) this.near(text.parentElement);
    }

    // What stands in a notice, in the composer or in the title may have changed.
    near(element) {
      if (this.nearby.has(element)) return;
      this.nearby.add(element);
      if (element.localName === "title") this.dirty.add("notices");
      else if (this.notices.concerns(element)) this.dirty.add("notices");
      if (this.controls.composer?.contains(element)) this.dirty.add("written");
    }

    turned({ target, attributeName: name, oldValue: old }, text) {
      if (!text || this.loose || this.length.roots.includes(target)) {
        this.interest.changed(target, name, old, this.dirty);
      }
      if (SHOWS.includes(name)) {
        if (this.notices.candidates.some((one) => target.contains(one))) this.dirty.add("notices");
        const controls = [...Object.values(this.controls), ...Object.values(this.hidden).flat()];
        if (controls.some((one) => one && contains(target, one))) this.dirty.add("controls");
      } else if (SWITCHES.includes(name) && Object.values(this.controls).includes(target)) {
        this.dirty.add("controls");
      }
    }

    // --- looking -----------------------------------------------------------

    // Look again now, unless that took too much of late; then when the page has time.
    settle() {
      if (this.looking) return;
      if (this.dirty.size === 0) this.grow();
      else if (performance.now() >= this.lookedUntil) {
        this.look();
        this.report();
      } else {
        this.looking = true;
        later(() => { this.looking = false; this.look(); this.report(); });
      }
    }

    // Growth alone: the first is told at once, then once a second, and in between nobody
    // listens to letters. Whatever else changes brings the length with it.
    grow() {
      if (this.timer !== undefined || this.length.total === this.saidLength) return;
      if (this.saidLength === 0 || performance.now() - this.saidAt >= GROWTH_MS) this.say();
      else {
        this.letters.disconnect();
        this.timer = setTimeout(() => this.relisten(), GROWTH_MS);
      }
    }

    // A hidden tab comes here late, by a second at most.
    relisten() {
      this.timer = undefined;
      for (const root of this.roots) this.letters.observe(root, LETTERS);
      this.length.catchUp();
      if (this.notices.candidates.length > 0) this.dirty.add("notices");
      if (this.dirty.size > 0) this.settle();
      else this.say();
    }

    // --- telling -----------------------------------------------------------

    report() {
      if (this.gathering) return;
      const now = performance.now();
      if (now - this.saidAt < GATHER_MS) {
        this.gathering = true;
        soon(() => { this.gathering = false; this.say(); });
        return;
      }
      this.say();
    }

    say() {
      if (this.timer !== undefined) this.length.catchUp();
      const state = JSON.stringify(this.state);
      this.saidLength = this.length.total;
      if (state === this.said) return;
      this.said = state;
      this.saidAt = performance.now();
      this.tell(state);
    }
  }

  const watches = new Map();

  const watchFor = (wish) => {
    if (!watches.has(wish.binding)) watches.set(wish.binding, new Watch(wish));
    return watches.get(wish.binding);
  };

  // In a new document: begin, and report at once where we are. Frames are not the page.
  const begin = (wish) => {
    if (window.parent === window) watchFor(wish).say();
  };

  // In the document that is there: begin where nobody has, and look at all of it again.
  const fresh = (wish) => {
    const watch = watchFor(wish);
    watch.again();
    watch.everything();
    watch.look();
    return watch;
  };

  // Told as well as returned: what is told comes in its order, a reply may be read too late.
  const start = (wish) => {
    const watch = fresh(wish);
    watch.said = "";
    watch.say();
    return watch.state;
  };

  const stop = (wish) => {
    watches.get(wish.binding)?.stop();
    watches.delete(wish.binding);
  };

  const read = (wish) => tabwire.reading.read(fresh(wish));
  const health = (wish) => tabwire.reading.health(fresh(wish), wish.layout);

  tabwire.observe = { begin, start, stop, read, health };
})((globalThis.tabwire ??= {}));
