// needs: agent/text agent/controls agent/drawn agent/limits
// One turn of the conversation as rows, told apart by where they stand.
//
// A walk from the turn down: the first element that is known decides what it is, and nothing
// below it is looked at again. So the cost is the number of elements, each asked once.
((agent) => {
  if (agent.rows) return;
  const { isHidden, prose, sha256, squeeze, words, written } = agent.text;
  const { controlsIn, isVisible, nameOf, ruleOf } = agent.controls;
  const { lines } = agent.drawn;
  const { Limits } = agent.limits;

  const MIN_PICTURE = 96; // pixels: smaller ones are icons
  const MAX_OUTPUT = 2000; // characters kept of what a command wrote
  const MAX_SRC = 400;
  const BUTTONS = "button,[role='button'],[role='listbox'],[aria-haspopup]";
  const TIME = /^\d{1,2}:\d{2}(\s*[AP]\.?M\.?)?(,?\s+\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4})?$/i;
  const SERVER_TOOL = /^(?:MCP tool:? ?)?[\w.-]+ \/ [\w.-]+$/i;
  const MORE = /^(show|see|view)\s+\d+\s+more(\s+(steps?|actions?|commands?|tools?))?$|^(他|あと|さらに)\s*\d+\s*件(を|の)?.{0,6}表示(する)?$/i;
  const SIGN = /^\s*[$>%#❯»]\s*$/;
  const LEAD = /^\s*[$>%#❯»]\s/;
  const DOLLAR = /^\s*\$\s/;
  const GO_ON = new Set(["run", "execute", "accept", "confirm", "apply", "allow", "allow_once"]);

  let last = Math.floor(Math.random() * 2 ** 40); // no two documents number alike
  const tokens = new WeakMap();
  // `fresh` false: the number it has, if any.
  const tokenOf = (element, fresh = true) => {
    if (fresh && !tokens.has(element)) tokens.set(element, last += 1);
    return tokens.get(element);
  };

  // Whether nothing stands in an element before this part of it, but what comes `after`.
  const begins = (element, part, after = null) => {
    const range = document.createRange();
    range.setStart(element, 0);
    if (after) range.setStartAfter(after);
    range.setEndBefore(part);
    return range.toString().trim() === "";
  };

  class Reader {
    // css: part -> one selector list; words, limits and rules: as the page data says
    constructor(css, { words: said, limits }, rules) {
      this.css = css;
      this.said = said;
      this.limits = new Limits(limits);
      this.rules = rules;
      this.blocks = new WeakMap(); // prose that did not change
      this.read1 = new WeakMap(); // element -> the rows below it and the question, unchanged
      this.pinned = new WeakSet();
      this.known = ["prose", "thinking", "command", "plan", "task", "user", "fold"].map((one) => css[one]).filter(Boolean).join(",");
    }

    is(part, element) {
      return this.css[part] !== "" && element.matches(this.css[part]);
    }

    says(kind, text) {
      const low = text.toLowerCase();
      return this.said[kind].some((one) => low.includes(one));
    }

    // A turn: its question, and its rows in their order.
    read(turn) {
      this.rows = [];
      this.user = null;
      this.questions = 0;
      this.walk(turn, "");
      const rows = this.rows.filter((row) => !this.pinned.has(row)
        || !this.rows.some((other) => !this.pinned.has(other) && other.k === row.k && other.command === row.command));
      return { user: this.user, rows, questions: this.questions };
    }

    // Something below this element changed.
    changed(element) {
      this.blocks.delete(element);
      this.read1.delete(element);
    }

    add(element, row) {
      const found = { t: tokenOf(element), ...row };
      if (this.css.pinned && element.closest(this.css.pinned)) this.pinned.add(found);
      this.rows.push(found);
      return found;
    }

    gap(element) {
      if (this.rows.at(-1)?.k !== "gap") this.add(element, { k: "gap" });
    }

    walk(element, inside) {
      const known = this.read1.get(element);
      if (known) {
        for (const row of known.rows) if (row.k !== "gap" || this.rows.at(-1)?.k !== "gap") this.rows.push(row);
        this.user = known.user ?? this.user;
        this.questions += known.questions;
        return;
      }
      const [before, user, questions] = [this.rows.length, this.user, this.questions];
      this.user = null;
      this.look(element, inside);
      this.read1.set(element, { rows: this.rows.slice(before), user: this.user, questions: this.questions - questions });
      this.user ??= user;
    }

    look(element, inside) {
      if (this.is("placeholder", element)) return this.gap(element);
      if (this.is("skip", element) || isHidden(element)) return undefined;
      if (this.is("user", element)) return this.asked(element);
      if (this.is("status", element)) return undefined;
      if (this.is("dialog", element)) return undefined;
      if (this.is("plan", element) && this.asksPlan(element)) return this.add(element, { k: "plan", text: words(element, BUTTONS) });
      if (this.is("thinking", element)) return this.thought(element);
      if (this.is("command", element) && this.lineIn(element)) return this.command(element, element);
      if (this.is("task", element)) return this.task(element);
      if (this.is("artifact", element)) return this.add(element, { k: "artifact", text: words(element) });
      if (this.is("files", element)) return this.add(element, { k: "files", text: words(element, BUTTONS) });
      if (this.is("prose", element)) return this.wrote(element, inside);
      if (this.is("fold", element)) return this.folded(element);
      if (this.is("tool", element) && this.tool(element)) return undefined;
      if (this.is("tool_line", element)) return this.line(element);
      if (element.localName === "img") return this.picture(element);
      if (element.matches(BUTTONS)) return this.more(element);
      if (this.loose(element)) return this.noticed(element);
      for (const child of element.children) this.walk(child, inside);
      return undefined;
    }

    // --- kinds -----------------------------------------------------------------

    asked(element) {
      const inner = this.css.user_text ? element.querySelector(this.css.user_text) : null;
      const text = inner ? written(inner).trim() : words(element, BUTTONS);
      this.questions += 1;
      this.user = { t: tokenOf(element), text, hash: sha256(squeeze(text)).slice(0, 16), pictures: element.querySelectorAll("img").length };
    }

    wordsOf(element) {
      return prose(element, this.blocks);
    }

    wrote(element, inside) {
      const text = this.wordsOf(element);
      if (this.isThumb(element, text)) return;
      const kind = inside === "task" ? "note" : inside === "fold" ? "narration" : "prose";
      if (text) this.add(element, { k: kind, text });
      for (const image of element.querySelectorAll("img")) this.picture(image);
    }

    // Below a turn: to call it good or bad. An answer may be "Good", so it must stand alone.
    isThumb(element, text) {
      if (!this.said.thumbs.includes(nameOf(text))) return false;
      const paired = [element.previousElementSibling, element.nextElementSibling].some((one) => one !== null && this.said.thumbs.includes(nameOf(words(one))));
      return paired || this.rows.some((row) => row.k === "prose" || row.k === "note");
    }

    thought(element) {
      const label = element.querySelector("button");
      const parts = this.is("prose", element) ? [element] : [...element.querySelectorAll(this.css.prose)];
      const texts = parts.map((one) => prose(one, this.blocks));
      this.add(element, { k: "thinking", label: label ? words(label) : "", text: texts.filter(Boolean).join("\n\n") });
    }

    folded(element) {
      const button = element.querySelector("button");
      const label = words(button);
      const inner = [...element.children].filter((one) => one !== button);
      const shown = label !== "" && !isHidden(button); // while it is live its line is hidden
      const row = shown ? this.add(element, { k: "fold", label, state: this.says("running", label) ? "running" : "done" }) : null;
      const before = this.rows.length;
      for (const child of inner) this.walk(child, shown ? "fold" : "");
      if (row && this.rows.length > before) row.state = "open";
    }

    // Steps beside those that are shown, behind a button that says how many.
    more(element) {
      const label = words(element);
      if (label.length < 40 && MORE.test(label)) this.add(element, { k: "fold", label, state: "more" });
    }

    task(element) {
      const [head, ...rest] = element.children;
      if (head === undefined) return;
      const lines = [...head.querySelectorAll(this.css.prose)];
      const title = words(head, [this.css.prose, BUTTONS].join(","));
      this.add(element, { k: "task", label: title, text: lines.map((one) => prose(one, this.blocks)).join("\n") });
      for (const child of rest) this.walk(child, "task");
    }

    // Whether this step is one line; what stands first in it decides.
    tool(element) {
      const line = this.css.tool_line;
      const first = element.querySelector([line, this.known].filter(Boolean).join(","));
      if (first === null) {
        const text = words(element, BUTTONS);
        if (!text) return false;
        this.noticed(element);
        return true;
      }
      if (this.is("prose", first)) {
        const called = this.before(first, element);
        if (!SERVER_TOOL.test(called)) return false;
        this.add(element, { k: "tool", label: called, text: called, target: "", state: "done" }); // what follows is what it was given and gave
        return true;
      }
      if (!first.matches(line) || (this.known && first.matches(this.known))) return false;
      const head = first.closest(".group") ?? first.parentElement;
      const name = first.querySelector("span,div:not(:has(*))") ?? first;
      const label = words(name);
      const whole = words(head);
      const card = this.css.command ? element.querySelector(this.css.command) : null;
      const mono = first.querySelector(".font-mono");
      if ((card && this.lineIn(card)) || mono) return this.command(element, card ?? element, { label, mono, head });
      const runs = this.turning(head) || this.says("doing", `${squeeze(label)} `);
      this.add(element, {
        k: "tool", label, text: whole, target: this.targetOf(name, first),
        state: runs ? "running" : this.says("failed", label) ? "failed" : "done",
      });
      return true;
    }

    // A line of a step that is built otherwise: what was done, and to what.
    line(element) {
      const name = element.querySelector("span,div:not(:has(*))") ?? element;
      const [label, text] = [words(name), words(element)];
      if (text) this.add(element, { k: "tool", label, text, target: this.targetOf(name, element), state: this.says("failed", label) ? "failed" : "done" });
    }

    // What stands before an element in its step, buttons apart.
    before(element, step) {
      const found = [];
      for (let one = element; one !== step; one = one.parentElement) {
        for (let other = one.previousElementSibling; other; other = other.previousElementSibling) found.unshift(words(other, BUTTONS));
      }
      return squeeze(found.join(" "));
    }

    // What stands beside the label: a file's chip, a query. What follows it is a count.
    targetOf(name, line) {
      for (let one = name.nextElementSibling; one; one = one.nextElementSibling) {
        const text = words(one);
        if (text) return text;
      }
      const text = words(line);
      const label = words(name);
      return text.startsWith(label) ? text.slice(label.length).trim() : text;
    }

    turning(element) {
      return this.css.spinner !== "" && [...element.querySelectorAll(this.css.spinner)].some((one) => one.closest(".invisible,.hidden") === null);
    }

    loose(element) {
      return [...element.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim().length > 1);
    }

    // What code in it says is the agent's work: no limit, and no failure of the run.
    noticed(element) {
      const text = words(element, BUTTONS);
      const said = element.closest("pre,code") ? "" : words(element, `${BUTTONS},pre,code`);
      if (this.css.task && element.closest(this.css.task)) return; // captions of its parts
      const faded = element.closest(".opacity-0,.cursor-pointer,[data-tooltip-id]") !== null;
      if (text.length < 4 || TIME.test(text) || this.said.thumbs.includes(nameOf(text)) || faded || ruleOf(element, this.rules)) return;
      const limit = this.limits.isRow(said);
      this.add(element, { k: "notice", text, limit, state: limit || this.says("failed", said) || this.says("error", said) ? "failed" : "done" });
    }

    picture(element) {
      const [width, height] = [element.naturalWidth || element.width, element.naturalHeight || element.height];
      if (width < MIN_PICTURE || height < MIN_PICTURE || element.closest(".context-scope-mention") || isHidden(element)) return;
      const src = element.currentSrc || element.src;
      this.add(element, { k: "image", text: element.alt, src: src.slice(0, MAX_SRC), width, height });
    }

    // --- commands --------------------------------------------------------------

    lineIn(card) {
      const found = this.css.command_line ? card.querySelectorAll(this.css.command_line) : [];
      return [...found].find((one) => one.closest(this.css.prose) === null && one.textContent.trim() !== "") ?? null;
    }

    // The command as it stands, without the folder and the sign before it. Both stand at its
    // beginning, and a folder before a sign: elsewhere they are parts of the command.
    parse(line) {
      const find = (part) => (this.css[part] ? line.querySelector(this.css[part]) : null);
      const [first, sign] = [find("cwd"), find("prompt_mark")];
      let folder = first && begins(line, first) ? first : null;
      const isSign = sign !== null && sign !== folder && SIGN.test(sign.textContent) && begins(line, sign, folder);
      let text = lines(line, [folder, isSign ? sign : null]);
      const lead = isSign ? "" : (folder ? LEAD : DOLLAR).exec(text)?.[0] ?? null;
      if (folder && lead === null) [folder, text] = [null, lines(line)];
      return { command: text.slice(lead?.length ?? 0).trim(), cwd: folder ? squeeze(folder.textContent) : "" };
    }

    // Shortened: an ellipsis stands in it. The whole may stand in a title, with an ellipsis or
    // without: what a title adds would run too.
    whole(command, element) {
      const short = command.includes("\u2026") || /(^|[^/.])\.\.\.$/.test(command);
      const stem = short ? command.replace(/\s*(\u2026|\.\.\.)$/, "") : command;
      for (const one of [element, ...element.querySelectorAll("[title],[aria-label]"), ...(element.parentElement ? [element.parentElement] : [])]) {
        const full = (one.getAttribute("title") ?? one.getAttribute("aria-label") ?? "").trim();
        if (stem.length > (short ? 3 : 0) && full.startsWith(stem) && full.length > command.length && !full.includes("\u2026")) return { command: full, short: false };
      }
      return { command, short };
    }

    command(element, card, { label = "", mono = null, head = null } = {}) {
      const line = this.lineIn(card);
      const parsed = line ? this.parse(line) : { command: written(mono ?? card).trim(), cwd: "" };
      const { command, short } = this.whole(parsed.command, line ?? mono ?? card);
      const rest = words(card, `pre,code,${BUTTONS},textarea,.xterm`);
      const said = label || this.headOf(card, line) || rest;
      const exit = this.exitIn(head ? `${words(head)} ${rest}` : rest);
      const folded = controlsIn(card, this.rules, this.css.prose).filter(isVisible).map((one) => ruleOf(one, this.rules));
      const waits = folded.some((rule) => GO_ON.has(rule));
      const state = waits ? "waiting"
        : exit !== null ? "done"
        : this.says("rejected", said) ? "rejected"
        : this.says("running", said) || folded.includes("cancel") || this.turning(head ?? card) ? "running"
        : this.says("asks_command", said) ? "waiting" : "done";
      const outputs = [...card.querySelectorAll("pre")].filter((one) => one !== line && !one.contains(line) && !line?.contains(one));
      const output = outputs.map((one) => written(one)).join("\n").trim();
      const more = controlsIn(card, this.rules).some((one) => ruleOf(one, this.rules) === "more" && line?.parentElement?.contains(one));
      this.add(element, {
        k: "command", label: said.slice(0, 200), command, cwd: parsed.cwd, short: short || more,
        exit, state, text: output.slice(-MAX_OUTPUT),
      });
      return true;
    }

    headOf(card, line) {
      for (const one of card.querySelectorAll("span,div,p,h3,h4")) {
        if (line && (one.contains(line) || line.contains(one))) continue;
        if (one.closest("pre,button") === null && one.childElementCount === 0 && one.textContent.trim()) return squeeze(one.textContent);
      }
      return "";
    }

    exitIn(text) {
      const low = text.toLowerCase();
      for (const word of this.said.exit) {
        const found = new RegExp(`${word}[:：]?\\s*(-?\\d+)`, "i").exec(low);
        if (found) return Number(found[1]);
      }
      return null;
    }

    asksPlan(element) {
      return controlsIn(element, this.rules).some((one) => ["proceed", "open", "review"].includes(ruleOf(one, this.rules)));
    }
  }

  agent.rows = { BUTTONS, Reader, tokenOf };
})(((globalThis.tabwire ??= {}).agent ??= {}));
