// needs: agent/cards agent/classic agent/beside agent/stops
// Watches the agent panel and reports what it shows whenever that changed.
//
// One MutationObserver on the document. A change outside the panel is looked at only for what
// came: a panel, or something that lies over it. A change inside marks the turn it happened in;
// only marked turns are read again, of those only the last two, and of their prose only blocks
// that changed. A row already told is told again as its number and version alone. Reports keep
// a distance that grows with what a look costs, so that looking takes a tenth of the time at most.
// Words that are only added to an answer change nothing else: they are told in a calmer rhythm,
// and neither controls nor cards are looked at for them, as that would cost the page a layout.
((agent) => {
  if (agent.panel) return;
  const { sha256, squeeze, words } = agent.text;
  const { isVisible, rulesFrom } = agent.controls;
  const { Reader, tokenOf } = agent.rows;
  const { Cards } = agent.cards;
  const { Beside, MAX_TITLE, first, joined, readable } = agent.beside;
  const { MAX_LIMIT } = agent.limits;
  const { Stops, saidIn } = agent.stops;

  const FILTER = ["class", "style", "hidden", "inert", "disabled", "aria-disabled", "aria-expanded", "aria-label", "data-tooltip-id", "title", "open", "src"];
  const OPEN_TURNS = 2; // turns that may still change: the newest, and the one before it
  const GATHER_MS = 25;
  const SHARE = 10; // a look that took 3 ms is followed by 30 ms without one
  const MAX_WAIT_MS = 150; // on a machine that is busy; a person waits for an approval
  const GROW_MS = 400; // between two reports of an answer that only grows
  const FULL_MS = 2000; // after this it is looked at whole all the same
  const FRAMES = /cascade-panel/;
  const LIMIT_MS = 3000;

  const SPOKEN = new Set(["prose", "note", "narration"]); // rows that are one prose

  const openOf = (turns) => turns.filter(({ head }) => !head.gap).slice(-OPEN_TURNS);
  class Watch {
    constructor(wish) {
      this.wish = wish;
      this.tell = globalThis[wish.binding] ?? (() => {});
      this.rules = rulesFrom(wish.labels);
      this.heads = new WeakMap(); // turn -> what was read of it
      this.versions = new Map(); // row -> {row, json, v}, as told
      this.dirty = new Set(); // turns
      this.grew = new Set(); // prose
      this.met = new Map(); // what was marked since the last look -> whether only words changed
      this.limits = new Map(); // said lately -> when
      this.overlays = new Set();
      this.looks = 0;
      this.saidAt = this.fullAt = -Infinity;
      this.cost = 0;
      this.calm = false; // since the last report an answer grew, and nothing else happened
      this.choose();
      for (const one of document.querySelectorAll(this.over)) this.overlays.add(one);
      this.observer = new MutationObserver((records) => this.heard(records));
      this.observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: FILTER });
      this.ending = new AbortController();
      for (const name of ["focus", "visibilitychange", "pageshow"]) addEventListener(name, () => this.settle(), { signal: this.ending.signal });
      this.stops = new Stops({ controls: () => this.beside.stoppers(), heard: () => this.settle(), signal: this.ending.signal });
      this.tell("");
    }

    stop() {
      this.ending.abort();
      this.observer.disconnect();
      clearTimeout(this.timer);
      this.tell = () => {};
    }

    // The pack of which most stands here; the panel is the innermost root of it.
    choose() {
      this.root = null;
      this.pack = null;
      let best = 0;
      for (const pack of this.wish.packs) {
        const root = first(document, pack.parts.root);
        if (root === null) continue;
        const marks = ["turns", "composer", "send", "stop", "user", "prose"].filter((part) => first(root, pack.parts[part]) !== null);
        if (marks.length + 1 > best) [best, this.root, this.pack] = [marks.length + 1, root, pack];
      }
      this.css = Object.fromEntries(Object.entries((this.pack ?? this.wish.packs[0]).parts).map(([part, list]) => [part, joined(list)]));
      this.over = [this.css.dialog, "[role='alert']", ".notification-toast"].filter(Boolean).join(",");
      this.rootCss = this.wish.packs.map((pack) => joined(pack.parts.root)).filter(Boolean).join(",");
      this.reader = new Reader(this.css, this.wish, this.rules);
      this.cards = new Cards(this.reader);
      this.heads = new WeakMap();
      this.list = null;
      this.find();
    }

    find() {
      this.list = this.root && this.pack ? first(this.root, this.pack.parts.turns) : null;
      this.around();
    }

    around() {
      this.box = this.root && this.pack ? first(this.root, this.pack.parts.composer) ?? first(document, this.pack.parts.composer) : null;
      this.beside = new Beside(this.wish.labels.stop, this);
    }

    // --- noticing --------------------------------------------------------------

    heard(records) {
      // more words where words came already, and a report is due: most of what is ever heard
      if (this.timer !== undefined && records.every(({ type, target }) => type === "characterData" && this.met.has(target))) return;
      let concerns = false;
      let calm = true;
      for (const record of records) {
        const { target, type } = record; // its lists are made when they are asked for
        if (this.root?.contains(target)) {
          concerns = true;
          if (!this.met.has(target)) this.met.set(target, this.mark(target));
          calm &&= this.met.get(target);
          for (const node of type === "childList" ? record.addedNodes : []) {
            if (node.nodeType !== Node.ELEMENT_NODE) continue;
            this.limited(node);
            calm &&= node.localName !== "img" && node.querySelector("img") === null;
          }
          continue;
        }
        const over = type === "childList" ? this.came(record.addedNodes) || this.went(record.removedNodes)
          : target.nodeType === Node.ELEMENT_NODE && this.lies(target);
        if (over || this.beside.holder?.contains(target)) {
          concerns = true;
          calm = false;
          this.beside.changed();
          for (const one of this.overlays) this.cards.changed(one);
        }
      }
      if (concerns || (this.root !== null && !this.root.isConnected)) this.settle(calm);
    }

    // A limit may be said in a row that is folded away before anybody looks.
    limited(node) {
      const text = node.textContent;
      if (text.length > MAX_LIMIT || !this.reader.limits.isRow(squeeze(text))) return;
      const other = [this.css.prose, this.css.user, this.css.command, this.css.tool_line, "pre,code,[contenteditable]"].filter(Boolean).join(",");
      if (node.closest(other) === null && node.querySelector(other) === null) this.limits.set(squeeze(text), performance.now());
    }

    // Which turn changed, and which blocks of its prose are to be read again. True where only
    // words of an answer changed, which no card is about.
    mark(target) {
      let one = target;
      let prose = null;
      while (one && one !== this.root) {
        this.reader.changed(one);
        this.cards.changed(one);
        if (prose === null && one.nodeType === Node.ELEMENT_NODE && this.reader.is("prose", one)) prose = one;
        if (one.parentNode === this.list) {
          this.dirty.add(one);
          if (prose) this.grew.add(prose);
          return prose !== null && !this.cards.holds(target);
        }
        one = one.parentNode;
      }
      this.beside.changed();
      return false;
    }

    came(nodes) {
      let found = false;
      for (const node of nodes) {
        if (node.nodeType !== Node.ELEMENT_NODE) continue;
        if (node.matches(this.rootCss) || node.querySelector(this.rootCss)) found = true;
        if (this.over) {
          if (node.matches(this.over)) { this.overlays.add(node); found = true; }
          for (const one of node.querySelectorAll(this.over)) { this.overlays.add(one); found = true; }
          if (this.lies(node)) found = true;
        }
      }
      return found;
    }

    went(nodes) {
      return [...nodes].some((node) => node.nodeType === Node.ELEMENT_NODE && [...this.overlays].some((one) => node === one || node.contains(one)));
    }

    lies(element) {
      for (const one of this.overlays) if (one === element || one.contains(element) || element.contains(one)) return true;
      return false;
    }

    settle(calm = false) {
      if (this.timer !== undefined && this.calm && !calm) {
        clearTimeout(this.timer); // it was set for words; this is more
        this.timer = undefined;
      }
      this.calm = calm && (this.calm || this.timer === undefined);
      const least = this.calm ? GROW_MS : Math.min(Math.max(GATHER_MS, this.cost * SHARE), MAX_WAIT_MS);
      const wait = least - (performance.now() - this.saidAt);
      // a hidden page runs timers late and a busy one does too: nothing waits for one that need not
      if (wait <= 0 || document.hidden) this.report();
      else this.timer ??= setTimeout(() => this.report(), wait);
    }

    report() {
      clearTimeout(this.timer);
      this.timer = undefined;
      const began = performance.now();
      const said = JSON.stringify(this.calm && began - this.fullAt < FULL_MS ? this.grown() ?? this.state(false) : this.state(false));
      if (said !== this.said) {
        this.said = said;
        this.tell(said);
      }
      this.calm = false;
      this.saidAt = performance.now();
      this.cost = this.saidAt - began;
    }

    // --- looking ---------------------------------------------------------------

    // What was looked at last, with the words that came since. Null where more is new.
    grown() {
      if (!this.root?.isConnected || !this.list?.isConnected || !this.last) return null;
      const grew = [...this.grew];
      this.forgetMarks();
      if (grew.every((prose) => this.reread(prose))) return { ...this.last, open: this.toldOpen(this.open) };
      const turns = this.turns();
      return { ...this.last, ...this.told(turns, openOf(turns)) };
    }

    // The row of a prose that was known, with its words as they are now; its turn stays marked.
    reread(prose) {
      const rows = this.open.find(({ element }) => element.contains(prose))?.head.rows ?? [];
      const at = rows.findIndex(({ t, k }) => t === tokenOf(prose) && SPOKEN.has(k));
      const text = at < 0 ? "" : this.reader.wordsOf(prose);
      if (text) rows[at] = { ...rows[at], text };
      return text !== "";
    }

    forgetMarks() {
      this.met.clear();
      this.grew.clear();
    }

    told(turns, open) {
      this.open = open;
      return {
        turns: turns.map(({ element, head }) => ({ t: tokenOf(element), u: head.user?.hash ?? "", gap: head.gap, n: head.rows.length })),
        open: this.toldOpen(open),
      };
    }

    toldOpen(open) {
      return open.map(({ element, head }) => ({ t: tokenOf(element), user: head.user?.text ?? "", rows: head.rows.map((row) => this.row(row)) }));
    }

    // `whole`: every row again with its text, for one who does not know them.
    state(whole) {
      this.looks += 1;
      this.fullAt = performance.now();
      this.last = null;
      this.forgetMarks();
      if (this.root === null || !this.root.isConnected) this.choose();
      else if (this.list === null || !this.list.isConnected) this.find();
      if (whole) {
        // versions rise: one that was told before must not come again with other words
        for (const [t, { v }] of this.versions) this.versions.set(t, { row: null, json: "", v });
        this.said = "";
      }
      for (const one of this.overlays) if (!one.isConnected) this.overlays.delete(one);
      const common = {
        url: location.href, title: document.title.slice(0, MAX_TITLE), hidden: document.hidden,
        frame: window !== window.top, panel: this.root !== null, pack: this.pack?.name ?? null,
      };
      if (this.root === null) return common;
      const turns = this.turns();
      const open = openOf(turns);
      const cards = this.cards.find(this.beside.scopes(open.map(({ element }) => element)), performance.now());
      const loose = this.list === null ? this.loose() : null;
      const last = open.at(-1)?.element;
      const beside = this.beside.look();
      this.last = {
        ...common,
        ...beside,
        presses: this.stops.count(beside.stop),
        stopped: saidIn(open.at(-1)?.head.rows ?? [], this.reader),
        recognised: this.list !== null,
        composer: this.box !== null,
        status: this.status(last),
        closed: last !== undefined && this.closed(last),
        ...this.told(turns, open),
        cards: cards.map((card) => this.cards.told(card, open.map(({ element }) => element))),
        quota: this.quota(open, cards),
        loose,
      };
      return this.last;
    }

    // Only a turn that is over can be called good or bad.
    closed(turn) {
      return this.css.closed !== "" && [...turn.querySelectorAll(this.css.closed)].some(isVisible);
    }

    turns() {
      if (this.list === null) return [];
      const found = [];
      for (const element of this.list.children) {
        if (this.dirty.has(element) || !this.heads.has(element)) this.heads.set(element, this.head(element));
        const head = this.heads.get(element);
        if (head.questions > 1 && this.list.childElementCount === 1 && element.childElementCount > 0) return this.deeper();
        if (!head.empty) found.push({ element, head });
      }
      this.dirty.clear();
      return found;
    }

    // One element around all the turns was taken for their list.
    deeper() {
      this.list = this.list.firstElementChild;
      this.around();
      return this.turns();
    }

    head(element) {
      const { user, rows, questions } = this.reader.read(element);
      const real = rows.filter((row) => row.k !== "gap");
      return {
        user, rows, questions,
        gap: user === null && real.length === 0 && rows.length > 0,
        empty: user === null && (rows.length === 0 || real.every((row) => row.k === "notice" && row.state === "done")) && real.length === rows.length,
      };
    }

    row(row) {
      const told = this.versions.get(row.t);
      if (told?.row === row) return { t: row.t, v: told.v };
      const json = JSON.stringify(row);
      const v = told?.json === json ? told.v : (told?.v ?? 0) + 1;
      this.versions.set(row.t, { row, json, v });
      return v === told?.v ? { t: row.t, v } : { ...row, v };
    }

    status(turn) {
      if (this.css.status === "") return "";
      const inTurn = turn ? [...turn.querySelectorAll(this.css.status)] : [];
      const shown = (inTurn.length > 0 ? inTurn : this.beside.within("status")).filter((one) => one.closest(".hidden,.opacity-0,.invisible,[hidden]") === null);
      return shown.length > 0 ? words(shown.at(-1)).slice(0, MAX_TITLE) : "";
    }

    // A limit is said outside messages: by a card, in a row of its own, around the list, or over it.
    quota(open, cards) {
      const found = new Set(cards.filter((card) => card.kind === "quota").map((card) => card.text));
      for (const [text, at] of this.limits) {
        if (performance.now() - at < LIMIT_MS) found.add(text);
        else this.limits.delete(text);
      }
      for (const { head } of open.slice(-1)) for (const row of head.rows) {
        if (row.k === "notice" ? row.limit : row.k === "tool" && this.reader.limits.isRow(row.label)) found.add(row.k === "tool" ? row.label : row.text);
      }
      for (const text of this.beside.said) found.add(text);
      // one that is said whole is not said in parts
      return [...found].filter((text) => ![...found].some((other) => other !== text && other.includes(text)));
    }

    // The panel is there and its turns are not known: what can be told by scores and words.
    loose() {
      const { classify } = agent.classic;
      const { thinking, user } = this.css;
      const wish = { ...this.wish.classic, scope: this.css.root, thinking, user, steps: "" };
      return { text: agent.classic.text(wish), logs: agent.classic.logs(wish), by: classify.name };
    }
  }

  // --- what can be asked ---------------------------------------------------------

  const watches = new Map();
  const watchFor = (wish) => {
    if (!watches.has(wish.binding)) watches.set(wish.binding, new Watch(wish));
    return watches.get(wish.binding);
  };
  const isOurs = () => window === window.top || FRAMES.test(location.href);

  // Which parts of each pack stand here, and by which of their selectors.
  const health = (wish) => {
    const watch = watchFor(wish);
    return {
      url: location.href, panel: watch.root !== null, pack: watch.pack?.name ?? null, recognised: watch.list !== null,
      packs: wish.packs.map((pack) => ({
        name: pack.name,
        parts: Object.entries(pack.parts).map(([part, list]) => {
          const root = part === "root" ? document : first(document, pack.parts.root);
          const at = root === null ? -1 : list.findIndex((css) => readable(css) && root.querySelector(css) !== null);
          return { part, css: at < 0 ? "" : list[at], rung: at + 1, count: at < 0 ? 0 : root.querySelectorAll(list[at]).length, known: list.length };
        }),
      })),
    };
  };

  agent.panel = {
    begin: (wish) => { if (isOurs()) watchFor(wish).report(); },
    start: (wish) => watchFor(wish).state(true),
    look: (wish) => watchFor(wish).state(false),
    stop: ({ binding }) => { watches.get(binding)?.stop(); watches.delete(binding); },
    cost: ({ binding }) => ({ looks: watches.get(binding)?.looks ?? 0, last_ms: watches.get(binding)?.cost ?? 0 }),
    health,
    hash: ({ text }) => sha256(text),
  };
})(((globalThis.tabwire ??= {}).agent ??= {}));
