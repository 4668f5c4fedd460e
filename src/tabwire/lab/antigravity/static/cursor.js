// A panel of another editor of the same make: buttons that are no buttons, classes `anysphere`.

import { el, keyed, morph } from "/assets/dom.js";
import { control } from "/assets/press.js";
import { markdown } from "/assets/text.js";

const BUTTON = "anysphere-button flex flex-nowrap items-center justify-center gap-[2px] px-[6px] rounded cursor-pointer";

export class CursorPanel {
  constructor() {
    this.state = null;
    this.list = el("div", "composer-messages-container");
    this.bar = el("div", "composer-toolbar-section");
    this.root = el("div", "composite auxiliarybar lab-cursor", { id: "workbench.parts.auxiliarybar" }, el("div", "composer-bar editor", {}, this.list, this.bar, el("div", "aislash-editor-input", { contenteditable: "true", role: "textbox", "data-lexical-editor": "true" })));
  }

  apply(patch) {
    if (patch.op === "state") this.state = patch;
    if (patch.op === "set") Object.assign(this.state, patch);
    if (patch.op === "turn") {
      const at = this.state.turns.findIndex((one) => one.id === patch.turn.id);
      this.state.turns[at < 0 ? this.state.turns.length : at] = patch.turn;
    }
    morph(this.list, el("div", "composer-messages-container", {}, this.state.turns.map(turn)));
    morph(this.bar, this.controls());
    this.list.scrollTop = this.list.scrollHeight;
  }

  controls() {
    const { changes, running, words } = this.state;
    const bar = el("div", "composer-toolbar-section");
    if (changes.length) bar.append(press("reject_all", "Reject all"), press("accept_all", words.accept_all, "anysphere-primary-button"));
    if (running) bar.append(press("stop", "Stop"));
    return bar;
  }
}

function press(name, label, classes = "", what = {}) {
  return control(el("div", `${BUTTON} ${classes}`.trim(), {}, el("span", "truncate", {}, label)), name, what);
}

function turn(one) {
  return keyed(el("div", "composer-rendered-message", {}, el("div", "composer-human-message", {}, one.prompt), one.rows.map(row)), one.id);
}

function row(one) {
  const what = { card: one.id, command: () => one.command ?? "", shown: () => one.shown ?? "" };
  if (one.kind === "reply") return keyed(el("div", "markdown-section", {}, markdown(one.text || one.thought?.text || "")), one.key);
  if (one.kind === "command") {
    const asked = one.state === "asked";
    return keyed(
      el(
        "div",
        "composer-tool-former-message composer-terminal",
        {},
        el("div", "composer-terminal-top-header", {}, one.header),
        el("div", "composer-terminal-command", {}, el("pre", "", {}, el("code", "", {}, `${one.shown}`))),
        asked ? el("div", "composer-tool-call-buttons", {}, press("reject", "Skip", "anysphere-secondary-button", what), press("run", `${one.label}⏎`, "anysphere-primary-button composer-run-button", what)) : el("div", "", {}, one.exit ?? ""),
      ),
      one.key,
    );
  }
  if (one.kind === "permission" && one.state === "asked") {
    return keyed(el("div", "composer-tool-former-message", {}, el("span", "", {}, one.question), press("deny", one.words.deny, "", what), press("allow", one.words.accept, "anysphere-primary-button", what)), one.key);
  }
  return keyed(el("div", "composer-tool-former-message", {}, `${one.verb ?? one.text ?? one.title ?? ""} ${one.target ?? ""}`.trim()), one.key);
}
