// One message on the page: a question, or an answer with its thinking and its bar.
//
// The bar stands below the bubble, not in it. A question has its own at once; an answer's
// appears when it is over. Thinking and sources are in the bubble beside the text.

import { make } from "/assets/element.js";
import { Markdown } from "/assets/markdown.js";

const BARS = {
  human: ["Edit", "Copy"],
  assistant: ["Regenerate", "Start thread", "Copy", "Create share link", "Like", "Dislike", "More actions"],
};
const WORD_JOINER = "\u2060"; // what the text of a citation begins with

export class Message {
  constructor(id, sender) {
    const [testid, label] = sender === "human" ? ["user-message", "You"] : ["assistant-message", "Grok"];
    this.sender = sender;
    this.inner = make("div", { class: "relative" });
    const bubble = { class: "message-bubble prose", role: "article", "data-testid": testid, "aria-label": label };
    const place = sender === "human" ? "group items-end" : "group items-start";
    this.element = make("div", { class: `relative ${place}` }, make("div", bubble, this.inner));
    this.name(id);
  }

  name(id) {
    this.id = id;
    this.element.id = `response-${id}`;
  }

  think(words) {
    if (!this.thoughts) {
      this.thoughts = make("div", { class: "thinking-body" });
      this.trigger = make("button", { type: "button", "data-testid": "canvas-trigger" }, "Thinking");
      this.trigger.addEventListener("click", () => this.thoughts.toggleAttribute("hidden"));
      this.inner.prepend(make("div", { class: "thinking-container" }, this.trigger, this.thoughts));
      this.since = performance.now();
    }
    this.thoughts.append(words);
  }

  write(text) {
    if (!this.markdown) {
      if (this.thoughts) this.fold();
      const root = make("div", { class: "relative response-content-markdown markdown" });
      this.inner.append(root);
      this.markdown = new Markdown(root, codeBlock);
      this.root = root;
    }
    this.markdown.draw(text);
    for (const link of this.root.querySelectorAll("a:not(.citation)")) cite(link);
  }

  fold() {
    const seconds = Math.max(1, Math.round((performance.now() - this.since) / 1000));
    this.thoughts.hidden = true;
    this.trigger.textContent = `Worked for ${seconds}s`;
  }

  // Nothing more comes.
  end() {
    if (this.element.querySelector(".action-buttons")) return;
    const buttons = BARS[this.sender].map((label) =>
      make("button", { type: "button", "aria-label": label }, label),
    );
    this.element.append(make("div", { class: "action-buttons" }, ...buttons));
  }

  complain(words) {
    this.inner.append(make("div", { class: "error", role: "alert" }, words));
  }
}

// A link whose words are only a number stands for a source.
function cite(link) {
  if (!/^\d+$/.test(link.textContent)) return;
  link.classList.add("citation");
  link.prepend(WORD_JOINER);
}

function codeBlock(language, text) {
  const copy = make("button", { type: "button" }, "Copy");
  copy.addEventListener("click", () => navigator.clipboard.writeText(text));
  const head = make("div", { class: "group/code-header" }, make("span", {}, language || "text"), copy);
  const code = make("code", language ? { class: `language-${language}` } : {}, text);
  return make("div", { "data-testid": "code-block" }, head, make("pre", {}, code));
}
