// needs: agent_rows
// Cards: what in the panel asks for a decision, with its controls and the text it is about.
//
// A card is found by its controls. Its frame is the nearest known one, else the smallest
// element that says more than its buttons do. A card's id stays with it through re-rendering,
// and a node that is used for another card gets another id.
((tabwire) => {
  if (tabwire.agent_cards) return;
  const { sha256, words, written } = tabwire.agent_text;
  const { controlsIn, isVisible, look, ruleOf } = tabwire.agent_controls;
  const { tokenOf } = tabwire.agent_rows;

  const GRACE_MS = 1500; // a card that comes back alike within this was only drawn anew
  const MIN_WORDS = 4;
  const MAX_UP = 8;
  const MAX_TEXT = 20000;
  const MAX_CARDS = 40;
  const STEP = new Set(["run", "execute", "accept", "confirm", "apply"]);
  const PART = new Set(["copy", "more", "review", "ask", "upgrade", "stop"]); // alone they ask nothing

  class Cards {
    constructor(reader) {
      this.reader = reader;
      this.css = reader.css;
      this.frames = ["command", "plan", "card", "dialog", "files"].map((part) => this.css[part]).filter(Boolean).join(",");
      this.open = new Map(); // id -> {element, key, seen}
      this.known = new WeakMap(); // scope -> its controls
      this.owner = new WeakMap(); // element -> {id, key}
      this.number = 0;
      this.session = Math.random().toString(36).slice(2, 8);
    }

    // All cards in these elements, outermost first.
    find(scopes, now) {
      const groups = new Map();
      for (const scope of scopes) {
        for (const control of this.controlsOf(scope)) {
          if (this.css.stop && control.closest(this.css.stop)) continue;
          if (this.css.user && control.closest(this.css.user)) continue;
          if (!isVisible(control)) continue;
          const frame = this.frameOf(control, scope);
          if (!groups.has(frame)) groups.set(frame, []);
          groups.get(frame).push(control);
        }
      }
      const cards = [...groups].slice(0, MAX_CARDS).map(([frame, controls]) => this.card(frame, controls)).filter(Boolean);
      return this.named(once(cards), now);
    }

    // Looked for once, until something below this element changes.
    controlsOf(scope) {
      if (!this.known.has(scope)) this.known.set(scope, controlsIn(scope, this.reader.rules, this.css.prose));
      return this.known.get(scope);
    }

    changed(scope) {
      this.known.delete(scope);
    }

    // Whether this stands in a card that is open.
    holds(node) {
      for (const { element } of this.open.values()) if (element.contains(node)) return true;
      return false;
    }

    frameOf(control, scope) {
      const known = this.frames ? control.closest(this.frames) : null;
      if (known && scope.contains(known)) return known;
      let frame = control.parentElement ?? scope;
      for (let up = 0; up < MAX_UP && frame !== scope && scope.contains(frame); up += 1) {
        if (this.textOf(frame).length >= MIN_WORDS) break;
        frame = frame.parentElement;
      }
      return scope.contains(frame) ? frame : scope;
    }

    // What it says without its controls.
    textOf(frame) {
      return words(frame, "textarea,.xterm", new Set(controlsIn(frame, this.reader.rules)));
    }

    card(frame, controls) {
      const rules = controls.map((one) => ruleOf(one, this.reader.rules));
      if (rules.every((rule) => PART.has(rule))) return null;
      const text = this.textOf(frame).slice(0, MAX_TEXT);
      // a list box says what happens by itself from now on; it asks nothing
      const asks = rules.filter((_, at) => controls[at].getAttribute("aria-haspopup") !== "listbox");
      const kind = this.kindOf(frame, asks, text);
      if (kind === null) return null;
      const { command, cwd, short } = this.commandOf(frame, controls, kind);
      const title = frame.querySelector("h1,h2,h3,h4,[class*='title'],span.inline-flex.break-all");
      return {
        element: frame, elements: controls, kind, text, command, cwd, short,
        title: title ? words(title) : "",
        pinned: this.css.pinned !== "" && frame.closest(this.css.pinned) !== null,
        place: frame.closest(this.css.root) ? "panel" : "overlay",
        hash: sha256([kind, text, cwd, command].join("\n")),
      };
    }

    kindOf(frame, rules, text) {
      const has = (...wanted) => wanted.some((one) => rules.includes(one));
      const { reader } = this;
      if (reader.says("requires", text) && has("expand")) return "hidden_step";
      if (has("accept_all", "reject_all")) return "files";
      if (reader.says("quota", text) || (reader.says("rate", text) && has("dismiss", "upgrade"))) return "quota";
      if (reader.says("error", text) && has("retry", "dismiss", "copy")) return "error";
      if (has("proceed") || (reader.is("plan", frame) && has("open", "review"))) return "plan";
      const line = reader.lineIn(frame);
      if (line && has("run", "execute")) return "command";
      if (reader.is("command", frame) && line && has(...STEP)) return "command";
      if ((has("allow", "allow_once") || (has("always") && has("reject"))) && !has("run")) return has("submit") ? "question" : "permission";
      if (has("run", "execute")) return "command";
      if (has("submit") && frame.querySelector("[role='radio'],[role='option'],input[type='radio'],label")) return "question";
      if (has("retry")) return "error";
      if (has("accept", "apply", "confirm")) return line ? "command" : "accept";
      if (has("continue")) return "continue";
      return null;
    }

    // The command a card is about: its own line, what is written beside it, or its label.
    commandOf(frame, controls, kind) {
      const { reader } = this;
      const none = { command: "", cwd: "", short: false };
      if (["files", "plan", "error", "quota", "continue", "hidden_step"].includes(kind)) return none;
      if (reader.is("command", frame)) {
        const line = reader.lineIn(frame);
        if (line) return this.linesOf(frame, line);
      }
      const blocks = outermost([...frame.querySelectorAll("pre,code")].filter((one) => this.isOutside(one)));
      if (blocks.length > 0) return this.joined(blocks);
      for (const beside of siblingsBefore(frame, 3)) {
        const near = beside.matches("pre,code") ? [beside] : outermost([...beside.querySelectorAll("pre,code")].filter((one) => this.isOutside(one)));
        if (near.length > 0) return this.joined(near);
      }
      for (const control of controls) {
        const label = control.getAttribute("aria-label") ?? control.getAttribute("title") ?? "";
        const said = /^[^:：]{1,30}[:：]\s*([\s\S]+)$/.exec(label)?.[1] ?? "";
        if (said.trim()) return { ...reader.whole(said.trim(), control), cwd: "" };
      }
      return none;
    }

    linesOf(frame, line) {
      const parsed = this.reader.parse(line);
      const others = [...frame.querySelectorAll("pre")].filter((one) => one !== line && !one.contains(line) && !line.contains(one) && one.textContent.trim());
      const command = [parsed.command, ...others.map((one) => written(one).trim())].join("\n");
      const { command: text, short } = this.reader.whole(command, line);
      const more = controlsIn(frame, this.reader.rules).some((one) => ruleOf(one, this.reader.rules) === "more");
      return { command: text, cwd: parsed.cwd, short: short || more };
    }

    joined(blocks) {
      const parsed = blocks.map((one) => this.reader.parse(one));
      const command = parsed.map((one) => one.command).join("\n");
      const { command: text, short } = this.reader.whole(command, blocks[0]);
      return { command: text, cwd: parsed[0].cwd, short };
    }

    isOutside(one) {
      return (!this.css.prose || one.closest(this.css.prose) === null) && one.textContent.trim() !== "";
    }

    // --- ids -------------------------------------------------------------------

    named(cards, now) {
      const met = new Set();
      for (const card of cards) {
        const key = `${card.kind}\n${card.hash}`;
        const mine = this.owner.get(card.element);
        let id = mine && mine.key === key && this.open.has(mine.id) && !met.has(mine.id) ? mine.id : null;
        id ??= this.orphan(key, card.element, met, now);
        id ??= `${this.session}-${this.number += 1}`;
        met.add(id);
        this.owner.set(card.element, { id, key });
        this.open.set(id, { element: card.element, key, seen: now });
        card.id = id;
      }
      for (const [id, one] of this.open) {
        // one whose element stayed and asks no more was answered; another may only be away
        if (!met.has(id) && (one.element.isConnected || now - one.seen > GRACE_MS)) this.open.delete(id);
      }
      return cards;
    }

    orphan(key, element, met, now) {
      for (const [id, one] of this.open) {
        if (met.has(id) || one.key !== key || one.element === element) continue;
        if (!one.element.isConnected && now - one.seen <= GRACE_MS) return id;
      }
      return null;
    }

    // As told: with the state of every control, which costs a layout.
    told(card, turns) {
      const { element, elements, pinned: _, ...rest } = card;
      const turn = turns.find((one) => one.contains(element));
      return { ...rest, t: tokenOf(element), turn: turn ? tokenOf(turn) : 0, controls: elements.map((one) => ({ t: tokenOf(one), ...look(one, this.reader.rules) })) };
    }
  }

  const outermost = (elements) => elements.filter((one) => !elements.some((other) => other !== one && other.contains(one)));

  const siblingsBefore = (element, limit) => {
    const found = [];
    for (let one = element.previousElementSibling; one && found.length < limit; one = one.previousElementSibling) found.push(one);
    return found;
  };

  // A step that is shown twice, above and in its place, is one card: the one in its place.
  const once = (cards) => cards.filter((card) => !card.pinned || !cards.some((other) => !other.pinned && other.hash === card.hash));

  tabwire.agent_cards = { Cards };
})((globalThis.tabwire ??= {}));
