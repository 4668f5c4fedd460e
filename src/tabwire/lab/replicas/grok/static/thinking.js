// The thinking of an answer: a line that says how long, its words by whoever thought them, and
// the cards of the tools that were used, which come as text among the words.

import { make } from "/assets/element.js";
import { icon } from "/assets/icons.js";
import { counted, t } from "/assets/labels.js";

const OPEN = "<xai:tool_usage_card>";
const CLOSE = "</xai:tool_usage_card>";

export class Thinking {
  constructor() {
    this.since = performance.now();
    this.card = null; // what has come of a card that is not whole yet
    this.words = make("div", { class: "thinking-body" });
    this.label = make("span", {}, t("thinking"));
    this.trigger = make("button", { type: "button", "data-testid": "canvas-trigger" }, this.label, icon("down"));
    this.trigger.addEventListener("click", () => this.words.toggleAttribute("hidden"));
    this.skip = make("button", { type: "button", class: "skip" }, t("skip"));
    this.skip.addEventListener("click", () => this.words.setAttribute("hidden", ""));
    const head = make("div", { class: "thinking-head" }, this.trigger, this.skip);
    this.element = make("div", { class: "thinking-container" }, head, this.words);
  }

  say(words, agent) {
    if (this.folded) this.unfold();
    if (this.card !== null || words.includes(OPEN)) {
      this.card = (this.card ?? "") + words;
      if (this.card.includes(CLOSE)) this.showCard();
      return;
    }
    if (!this.line || this.line.dataset.agent !== agent) {
      this.line = make("div", { class: "thought", "data-agent": agent });
      this.words.append(this.line);
    }
    this.line.append(words);
  }

  showCard() {
    const [, name = "tool"] = /<xai:tool_name>(.*?)<\/xai:tool_name>/s.exec(this.card) ?? [];
    const [, args = ""] = /<!\[CDATA\[(.*?)\]\]>/s.exec(this.card) ?? [];
    const did = name === "web_search" ? t("searched") : name === "code_execution" ? t("ran") : name;
    this.words.append(make("div", { class: "tool-usage" }, `${did}: `, make("code", {}, shown(args))));
    this.card = null;
    this.line = null;
  }

  // The words of the answer come: only the line stays in sight.
  fold() {
    if (this.folded) return;
    this.folded = true;
    const seconds = Math.max(1, Math.round((performance.now() - this.since) / 1000));
    this.words.hidden = true;
    this.skip.remove();
    this.label.textContent = counted("worked", seconds);
  }

  unfold() {
    this.folded = false;
    this.words.hidden = false;
    this.trigger.after(this.skip);
    this.label.textContent = t("thinking");
  }
}

function shown(args) {
  try {
    return Object.values(JSON.parse(args)).join(", ");
  } catch {
    return args;
  }
}
