// needs: agent/rows
// Cards: what in the panel asks for a decision, with its controls and the text it is about.
//
// A card is found by its controls. Its frame is the nearest known one, else the smallest
// element that says more than its buttons do. A card's id stays with it through re-rendering,
// and a node that is used for another card gets another id.
((agent) => {
  if (agent.cards) return;
  const { sha256, words } = agent.text;
  const { hasMore, isSeen } = agent.drawn;
  const { CONTROLS, controlsIn, isVisible, labelOf, look, nameOf, ruleOf } = agent.controls;
  const { tokenOf } = agent.rows;
  const { MAX_LIMIT } = agent.limits;

  const BUTTONS = "button,[role='button'],kbd";

  const GRACE_MS = 1500; // a card that comes back alike within this was only drawn anew
  const MIN_WORDS = 4;
  const MAX_UP = 8;
  const MAX_TEXT = 20000;
  const MAX_CARDS = 40;
  const STEP = new Set(["run", "execute", "accept", "confirm", "apply"]);
  const GRANTS = [...STEP, "allow", "allow_once", "always", "submit"];
  const AGAIN = ["retry", "continue", "proceed"]; // on a card with a command they run it
  const BY_PATH = new Set(["permission", "accept"]);
  const RUNS = /\b(run|execute|command|terminal)\b|実行|コマンド/i;
  const RUNS_NOTHING = new Set(["plan", "error", "continue"]);
  const MAX_MORE = 40; // characters of a label that says how much is not shown
  const MORE = /^\+?\s*\d+\s+(more|lines?)\b|^(show|see|view|expand)\b.*\b(more|all|full|whole|lines?|command)\b|(全体|全文|すべて|残り|行).*表示/i;
  const ASKS = /^[\p{L}\p{N}\s,.'’()]{0,80}[?？:：]?$/u; // plain words, no code
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
    textOf(frame, skip = "") {
      return words(frame, ["textarea,.xterm", skip].filter(Boolean).join(","), new Set(controlsIn(frame, this.reader.rules)));
    }

    card(frame, controls) {
      const rules = controls.map((one) => ruleOf(one, this.reader.rules));
      if (rules.every((rule) => PART.has(rule))) return null;
      const text = this.textOf(frame).slice(0, MAX_TEXT);
      // a list box says what happens by itself from now on; it asks nothing
      const asks = rules.filter((_, at) => controls[at].getAttribute("aria-haspopup") !== "listbox");
      const kind = this.kindOf(frame, asks);
      if (kind === null) return null;
      const { command, cwd, short: cut } = this.commandOf(frame, controls, kind);
      const short = cut || (BY_PATH.has(kind) && !isSeen(frame, (one) => controls.includes(one)));
      const title = frame.querySelector("h1,h2,h3,h4,[class*='title'],span.inline-flex.break-all");
      return {
        element: frame, elements: controls, kind, text, command, cwd, short,
        title: title ? words(title) : "",
        pinned: this.css.pinned !== "" && frame.closest(this.css.pinned) !== null,
        place: frame.closest(this.css.root) ? "panel" : "overlay",
        hash: sha256([kind, text, cwd, command].join("\n")),
      };
    }

    // What code in it says decides nothing: `grep "quota exceeded"` is no limit.
    kindOf(frame, rules) {
      const has = (...wanted) => wanted.some((one) => rules.includes(one));
      const { reader } = this;
      const line = reader.lineIn(frame);
      if (line && reader.is("command", frame) && has(...STEP, ...AGAIN)) return "command";
      const text = this.textOf(frame, line ? "pre,code" : "");
      if (reader.says("requires", text) && has("expand")) return "hidden_step";
      if (has("accept_all", "reject_all")) return "files";
      if (reader.is("plan", frame) && has("proceed", "open", "review", "continue")) return "plan";
      if (!has(...GRANTS) && reader.limits.is(text.slice(0, MAX_LIMIT), rules)) return "quota";
      if (reader.says("error", text) && has("retry", "dismiss", "copy")) return "error";
      if (has("proceed")) return "plan";
      if (line && has("run", "execute")) return "command";
      if ((has("allow", "allow_once") || (has("always") && has("reject"))) && !has("run")) return has("submit") ? "question" : "permission";
      if (has("run", "execute")) return "command";
      if (has("submit") && frame.querySelector("[role='radio'],[role='option'],input[type='radio'],label")) return "question";
      if (has("retry")) return "error";
      if (has("accept", "apply", "confirm")) return line && RUNS.test(text) ? "command" : "accept";
      if (has("continue")) return "continue";
      return null;
    }

    // The command a card is about: all code in it, what is written beside it, or its label.
    commandOf(frame, controls, kind) {
      const { reader } = this;
      const none = { command: "", cwd: "", short: false };
      if (["files", "quota", "hidden_step"].includes(kind)) return none;
      const css = kind === "plan" ? "pre" : "pre,code"; // the words of a plan name files
      const blocks = this.codeIn(frame, css);
      if (blocks.length > 0) return this.joined(frame, blocks, controls);
      if (RUNS_NOTHING.has(kind)) return none;
      const asked = this.textOf(frame);
      if (ASKS.test(asked) && (RUNS.test(asked) || /[?？]$/.test(asked))) {
        for (const beside of siblingsBefore(frame, 3)) {
          const near = beside.matches("pre,code") ? [beside] : this.codeIn(beside, css);
          if (near.length > 0) return this.isOwn(beside) ? this.joined(frame, near, controls) : none;
        }
      }
      const said = this.saidBy(controls);
      return said.length > 0 ? { ...reader.whole(said.join("\n"), controls[0]), cwd: "" } : none;
    }

    codeIn(element, css) {
      return outermost([...element.querySelectorAll(css)].filter((one) => this.isOutside(one)));
    }

    // Code beside a card is the card's where it is no row of its own, with words or a card.
    isOwn(beside) {
      const { command, tool, user } = this.css;
      if ([command, tool, user].some((css) => css && beside.closest(css))) return false;
      return beside.matches("pre,code") || (words(beside, "pre,code") === "" && !beside.querySelector(BUTTONS));
    }

    // Commands in labels: `Run: npm test`. A key that is named there is none.
    saidBy(controls) {
      const found = controls.flatMap((one) => [one.getAttribute("aria-label"), one.getAttribute("title")])
        .map((label) => /^[^:：]{1,30}[:：]\s*([\s\S]+)$/.exec(label ?? "")?.[1].trim() ?? "");
      return [...new Set(found)].filter((one) => one !== "" && nameOf(`run ${one}`) !== "run");
    }

    // All that would run: each block, and what a label says besides. `short`: there is more, or
    // a part of it is not seen.
    joined(frame, blocks, controls) {
      const parsed = blocks.map((one) => this.reader.parse(one));
      const wholes = parsed.map((one, at) => this.reader.whole(one.command, blocks[at]));
      const text = wholes.map((one) => one.command).join("\n");
      const said = this.saidBy(controls).filter((one) => !text.includes(one));
      const isRead = (one) => blocks.includes(one) || controls.includes(one) || one.matches(BUTTONS) || (this.css.prose !== "" && one.matches(this.css.prose));
      const short = wholes.some((one) => one.short) || blocks.some((one) => !isSeen(one)) || hasMore(frame, isRead) || this.hidesMore(frame);
      return { command: [text, ...said].join("\n"), cwd: parsed[0].cwd, short };
    }

    hidesMore(frame) {
      return [...frame.querySelectorAll(CONTROLS)].some((one) => {
        const label = labelOf(one);
        return label.length < MAX_MORE && (ruleOf(one, this.reader.rules) === "more" || MORE.test(label));
      });
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

  agent.cards = { Cards };
})(((globalThis.tabwire ??= {}).agent ??= {}));
