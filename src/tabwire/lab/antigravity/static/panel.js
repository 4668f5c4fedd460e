// A panel: what the lab tells, drawn; generations differ in how turns look and where things are.

import { notice, onLocal } from "/assets/cards.js";
import { Composer } from "/assets/composer.js";
import { el, icon, morph } from "/assets/dom.js";
import { toggleHistory } from "/assets/history.js";
import { onFold, turn as modernTurn } from "/assets/modern.js";
import { control } from "/assets/press.js";
import { onUnfold, turn as olderTurn } from "/assets/rows.js";

const LOOKS = {
  "1.x": { bubble: "bg-gray-500/15 p-2 rounded-lg w-full text-sm select-text", bot: "" },
  "2.0": { bubble: "bg-input p-2 rounded-lg w-full text-sm select-text", bot: "text-ide-message-block-bot-color" },
  cascade: { bubble: "bg-gray-500/15 p-2 rounded-lg w-full text-sm select-text", bot: "prose prose-sm" },
};

export class Panel {
  constructor(generation, send) {
    this.app = generation === "app";
    this.newer = this.app || generation === "2.0";
    this.look = LOOKS[generation] ?? LOOKS["1.x"];
    this.send = send;
    this.state = null;
    this.nodes = new Map();
    this.turns = el("div", "relative flex flex-col gap-y-3 px-4");
    this.scroller = el(
      "div",
      "h-full overflow-y-auto min-h-0 w-full relative flex w-full grow flex-col lab-scroll",
      {},
      el("div", "mx-auto w-full", {}, el("div", "", {}, this.turns)),
    );
    this.notices = el("div", "lab-notices");
    this.bar = el("div", "relative flex flex-col mb-2");
    this.title = this.app ? el("span", "truncate inline-block") : el("div", "flex min-w-0 items-center overflow-hidden text-ellipsis whitespace-nowrap gap-1");
    this.links = el("div", "flex items-center gap-2 px-0.5");
    this.composer = new Composer(this.newer, send);
    onLocal(() => this.redraw());
    onUnfold(() => this.redraw());
    onFold(() => this.redraw());
    document.addEventListener("keydown", (event) => this.shortcut(event));
  }

  apply(patch) {
    if (patch.op === "state") {
      this.state = patch;
      this.nodes.clear();
      this.turns.replaceChildren();
      for (const one of patch.turns) this.put(one);
      this.fill(patch.nodes);
      this.around();
    } else if (patch.op === "turn") {
      this.put(patch.turn);
    } else if (patch.op === "set") {
      Object.assign(this.state, patch);
      this.around();
    } else if (patch.op === "fill") {
      this.fill(patch.nodes);
    } else if (patch.op === "rerender") {
      this.rerender();
    }
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  // -- turns -------------------------------------------------------------------------------

  put(one) {
    const at = this.state.turns.findIndex((other) => other.id === one.id);
    if (at >= 0) this.state.turns[at] = one;
    else this.state.turns.push(one);
    this.draw(one);
    const before = this.state.turns.at(-2);
    if (at < 0 && before) this.draw(before); // it is the last one no more
  }

  fresh(one) {
    const last = one === this.state.turns.at(-1);
    return (this.app ? modernTurn : olderTurn)(one, this.state.words, { ...this.look, most: this.state.most, thumbs: this.state.plain_thumbs }, last);
  }

  draw(one) {
    const there = this.nodes.get(one.id);
    const fresh = this.fresh(one);
    if (!there) this.turns.append(fresh);
    this.nodes.set(one.id, there ? morph(there, fresh) : fresh);
  }

  redraw() {
    for (const one of this.state.turns) this.draw(one);
  }

  rerender() {
    for (const one of this.state.turns) {
      const fresh = this.fresh(one);
      this.nodes.get(one.id).replaceWith(fresh);
      this.nodes.set(one.id, fresh);
    }
    for (const part of [this.bar, this.notices]) part.replaceChildren();
    this.around();
  }

  // A long past: an answer with so many nodes of code in it, before all turns.
  fill(nodes) {
    this.filler?.remove();
    this.filler = null;
    if (!nodes) return;
    const code = el("div", "code-block");
    for (let made = 0; made < nodes; made += 4) {
      code.append(el("div", "code-line", {}, el("div", "line-content", {}, el("span", "token", {}, "const "), el("span", "token button-name", {}, "run"))));
    }
    const row = el("div", "flex flex-row my-2", {}, el("div", "min-w-0 grow", {}, el("div", "flex flex-col gap-y-3", {}, el("div", "leading-relaxed select-text text-sm", {}, el("pre", "", {}, code)))));
    const user = el("div", "", {}, el("div", this.look.bubble, {}, el("div", "whitespace-pre-wrap text-sm", {}, "Show me everything.")));
    this.filler = el("div", "", {}, user, el("div", "flex flex-col space-y-2", {}, row));
    this.turns.prepend(this.filler);
  }

  // -- what stands around them ---------------------------------------------------------------

  around() {
    const { state } = this;
    this.title.textContent = state.title || state.words.empty;
    morph(this.notices, el("div", "lab-notices", {}, state.notices.map(notice)));
    morph(this.bar, this.changes());
    morph(this.links, this.header());
    this.composer.update(state);
  }

  header() {
    const empty = !this.state.turns.length;
    const link = (name, attributes, image, classes = "cursor-pointer opacity-100", what = {}) =>
      control(
        el("a", `group relative text-sm text-ide-text-color font-medium flex w-4 items-center justify-center ${classes}`, attributes, icon(image), el("div", "absolute -bottom-1 -left-1 -right-1 -top-1 rounded-sm bg-gray-500 opacity-0 pointer-events-none")),
        name,
        what,
      );
    return el(
      "div",
      "flex items-center gap-2 px-0.5",
      {},
      link("new_chat", { "data-tooltip-id": "new-conversation-tooltip" }, "plus", empty ? "cursor-not-allowed opacity-50" : undefined),
      link("history", { "data-tooltip-id": "history-tooltip", "data-past-conversations-toggle": "true" }, "history", undefined, { local: () => toggleHistory(this.state) }),
      el("div", "", { role: "button", "aria-haspopup": "dialog", "aria-expanded": "false" }, link("more", {}, "ellipsis")),
      el(
        "div",
        "w-max border-gray-500/20 bg-ide-chat-background z-50 w-72 rounded-md border shadow-md opacity-0 pointer-events-none",
        { role: "dialog", "aria-modal": "false", style: "position: absolute" },
        el("div", "rounded-bg py-1", {}, ["Customization", "MCP Servers", "Export"].map((name) => el("div", "px-2 py-1 cursor-pointer text-xs whitespace-nowrap", {}, el("div", "font-xs", {}, name)))),
      ),
    );
  }

  changes() {
    const { changes, words } = this.state;
    const count = changes.length;
    if (this.app && !count) return el("div", "relative flex flex-col mb-2");
    const said = (count === 1 ? words.change : words.changes).replace("{0}", count);
    const tabs = ["changesOverview", "terminal", "artifacts", "browser"].map((name) => el("div", "rounded-xs cursor-pointer p-[2px]", { "data-tooltip-id": `tooltip-${name}` }, icon("file", "h-4 w-4 stroke-1 opacity-60")));
    const plain = this.state.plain_bar;
    const press = (name, label, classes) => control(el("div", plain ? "text-sm" : `cursor-pointer select-none rounded px-1 text-sm ${classes}`, {}, label), name);
    const files = changes.map(([name, more, less]) =>
      el("div", "flex cursor-pointer select-none flex-row items-center gap-x-2 p-1 px-2", {}, el("span", "min-w-5 text-xs text-green-500", {}, `+${more}`), el("span", "min-w-5 text-xs text-red-500", {}, `-${less}`), el("span", "whitespace-nowrap text-sm opacity-80", {}, name)),
    );
    return el(
      "div",
      "relative flex flex-col mb-2",
      {},
      el(
        "div",
        "px-2",
        {},
        el(
          "div",
          "outline-solid relative z-20 flex min-h-[1.8rem] justify-between px-1 py-1 outline-1 outline-gray-500/10",
          {},
          el(
            "div",
            "flex min-w-0 gap-x-2 overflow-hidden",
            {},
            el("div", "flex flex-row items-center", {}, tabs),
            el("span", "block w-full select-none overflow-hidden text-ellipsis whitespace-nowrap text-sm opacity-70", { "data-tooltip-id": "toolbar-title-tooltip" }, said),
          ),
          el(
            "div",
            "flex flex-none items-center gap-1",
            {},
            count
              ? [press("reject_all", words.reject_all, "opacity-50 hover:opacity-70"), press("accept_all", words.accept_all, "bg-ide-button-background text-ide-button-color")]
              : control(el("button", "cursor-pointer text-sm opacity-50", {}, words.review), "review"),
          ),
        ),
        count ? el("div", "max-h-80 overflow-y-auto rounded-md border border-gray-500/25", {}, el("div", "flex flex-col", {}, files)) : null,
      ),
    );
  }

  shortcut(event) {
    const command = (event.ctrlKey || event.metaKey) && event.shiftKey;
    if (!command || event.key.toLowerCase() !== "l" || !this.state) return;
    event.preventDefault();
    this.send({ do: "click", control: "new_chat", label: "Ctrl+Shift+L", trusted: event.isTrusted, took: true });
  }
}
