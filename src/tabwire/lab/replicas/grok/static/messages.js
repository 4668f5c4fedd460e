// One message on the page: a question, or an answer with its thinking and its bar.
//
// The bar stands below the bubble, not in it. A question has its own at once; an answer's
// appears when it is over. Thinking and sources are in the bubble beside the text.

import { aloud } from "/assets/aloud.js";
import { Cards } from "/assets/cites.js";
import { codeBlock, settle } from "/assets/code.js";
import { make } from "/assets/element.js";
import { icon } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { Markdown } from "/assets/markdown.js";
import { Thinking } from "/assets/thinking.js";

const BARS = {
  human: ["edit", "copy"],
  assistant: ["regenerate", "thread", "copy", "share", "like", "dislike", "actions"],
};
const WORD_JOINER = "\u2060"; // what the text of a citation begins with

export class Message {
  // `pressed(name, message)` hears of a button in the bar.
  constructor(id, sender, { scroller, pressed = () => {} }) {
    const [testid, label] = sender === "human" ? ["user-message", t("you")] : ["assistant-message", "Grok"];
    this.sender = sender;
    this.scroller = scroller;
    this.pressed = pressed;
    this.text = "";
    this.cards = new Cards();
    this.inner = make("div", { class: "relative" });
    const bubble = { dir: "auto", class: "message-bubble prose", role: "article", "data-testid": testid, "aria-label": label };
    const place = sender === "human" ? "group items-end" : "group items-start";
    this.body = make("div", { class: `relative ${place}` }, make("div", bubble, this.inner));
    this.element = make("div", { class: "turn" }, this.body);
    this.name(id);
  }

  name(id) {
    this.id = id;
    this.body.id = `response-${id}`;
  }

  // Stand there without being seen, until `appear`: some pages draw a question late.
  wait() {
    this.body.remove();
  }

  appear() {
    this.element.append(this.body);
  }

  think(words, agent = "") {
    if (!this.thinking) {
      this.thinking = new Thinking();
      this.inner.prepend(this.thinking.element);
    }
    this.thinking.say(words, agent);
  }

  write(text) {
    this.text = text;
    if (this.shrunk) return;
    this.thinking?.fold();
    this.root ??= this.inner.appendChild(make("div", { class: "relative response-content-markdown markdown" }));
    this.markdown ??= new Markdown(this.root, codeBlock, () => this.drew());
    this.markdown.draw(this.cards.linked(text));
  }

  drew() {
    if (this.shrunk) return;
    this.cite();
    settle(this.root, this.scroller);
  }

  // A question is shown as it was typed.
  quote(text, files = []) {
    this.text = text;
    const words = make("p", { dir: "auto", class: "break-words", style: "white-space:pre-wrap" }, text);
    this.root = make("div", { class: "relative response-content-markdown markdown" }, words);
    const chips = files.map((name) => make("span", { class: "sent-file" }, icon("copy"), name));
    this.inner.replaceChildren(...(chips.length ? [make("div", { class: "sent-files" }, ...chips)] : []), this.root);
  }

  // Links whose words are only a number stand for sources, and so do those of cards. Only what is
  // new is looked at.
  cite() {
    const blocks = this.root.children;
    for (let at = Math.max(0, (this.cited ?? 0) - 1); at < blocks.length; at += 1) {
      for (const link of blocks[at].querySelectorAll("a:not(.citation)")) {
        if (!/^\d+$/.test(link.textContent) && !this.cards.has(link)) continue;
        link.classList.add("citation");
        link.prepend(WORD_JOINER);
      }
    }
    this.cited = blocks.length;
  }

  // Most of what is shown goes away; what is written meanwhile is shown when it comes back.
  shrink() {
    if (!this.markdown || this.shrunk) return;
    this.shrunk = true;
    this.markdown.draw(this.text.slice(0, 12));
  }

  grow() {
    if (!this.shrunk) return;
    this.shrunk = false;
    this.cited = 0;
    this.write(this.text);
  }

  // Nothing more comes.
  end(seconds = null) {
    this.grow();
    this.thinking?.fold();
    this.showBar(seconds);
  }

  showBar(seconds = null) {
    if (this.bar) return;
    this.bar = make("div", { class: "action-buttons" }, ...BARS[this.sender].map((name) => this.button(name)));
    if (this.sender === "assistant") {
      const words = { read: t("readAloud"), stop: t("stopReading") };
      aloud(this.bar, words, { dress: (button) => button.classList.add("quiet") });
      if (seconds !== null) this.bar.append(make("span", { class: "took" }, `${seconds.toFixed(1)}s`));
    }
    this.body.append(this.bar);
  }

  hideBar() {
    this.bar?.remove();
    this.bar = null;
  }

  button(name) {
    const button = make("button", { type: "button", "aria-label": t(name), title: t(name) }, icon(name));
    button.addEventListener("click", () => {
      if (name === "copy") navigator.clipboard.writeText(this.text);
      if (name === "like" || name === "dislike") button.toggleAttribute("data-on");
      this.pressed(name, this);
    });
    return button;
  }

  complain(words, retry) {
    const alert = make("div", { class: "error", role: "alert" }, make("p", {}, words));
    if (retry) {
      const button = make("button", { type: "button" }, t("retry"));
      button.addEventListener("click", () => {
        alert.remove();
        retry();
      });
      alert.append(button);
    }
    this.inner.append(alert);
  }
}

// What a stored response says, drawn whole.
export function stored(response, options) {
  const { responseId, sender, message, thinkingTrace, steps = [], fileAttachmentsMetadata: files = [] } = response;
  const { cardAttachmentsJson: cards = [] } = response;
  const drawn = new Message(responseId, sender, options);
  if (sender === "human") {
    drawn.quote(message, files.map((one) => one.fileName));
  } else {
    if (thinkingTrace) drawn.think(thinkingTrace);
    for (const step of steps) drawn.think(step.text.join(""));
    drawn.cards.take(cards);
    if (message) drawn.text = message;
  }
  return drawn;
}
