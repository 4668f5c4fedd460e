// What every layout's exchange has in common: thinking, tools, words that grow, and an end.
//
// A layout says where things stand: `thinkingPlace(id)`, `textRoot(id)`, `codeBlock(...)`,
// `finishCode()`, `showBar()`, `hideBar()`, and what else it does at the `ended(how)`.

import { icon } from "/assets/icons.js";
import { make } from "/assets/element.js";
import { say, t } from "/assets/labels.js";
import { Markdown } from "/assets/markdown.js";
import { stage } from "/assets/stage.js";

export class Turn {
  constructor({ prompt, key, files = [] }) {
    this.prompt = prompt;
    this.key = key;
    this.files = files;
    this.texts = new Map(); // by message: { root, markdown, source, references }
    this.thoughts = "";
    this.tools = [];
    this.begun = performance.now();
    this.over = false;
  }

  // Draw the question; on some stages it comes late, and what belongs after it waits for it.
  askWith(stored, draw) {
    this.unplaced = [];
    const ask = () => {
      const after = this.unplaced;
      this.unplaced = null;
      draw();
      for (const place of after) place();
    };
    if (stage.late_message && !stored) setTimeout(ask, stage.late_message * 1000);
    else ask();
  }

  afterQuestion(place) {
    if (this.unplaced) this.unplaced.push(place);
    else place();
  }

  // All words of the answer, as they were written.
  get source() {
    return [...this.texts.values()].map(({ source }) => source).join("\n\n");
  }

  get length() {
    let sum = 0;
    for (const { source } of this.texts.values()) sum += source.length;
    return sum;
  }

  think(text, id) {
    this.thoughts = text;
    this.disclose(id);
  }

  tool(name, asks, id) {
    this.tools = [...this.tools.filter((one) => one.id !== id), { id, name, asks }];
    this.disclose(id, say("searching", { what: asks || name }));
  }

  // The thinking block: folded, with a button that would skip it.
  disclose(id, words = t("thinking")) {
    if (!this.disclosure) {
      this.disclosure = make("button", { type: "button", "aria-expanded": "false" }, words);
      this.disclosure.addEventListener("click", () => this.unfold());
      this.thinking = make("div", { class: "thinking" }, this.disclosure);
      this.thinkingPlace(id).append(this.thinking);
      this.fresh = true;
    }
    if (this.over) return;
    if (!this.skip) {
      this.skip = make("button", { type: "button", class: "skip" }, t("skip"));
      // nothing is asked of the site: it thinks on, and the page says that it was told
      this.skip.addEventListener("click", () => this.thinking.setAttribute("data-skipped", ""));
      this.disclosure.after(this.skip);
    }
    this.pondering = true;
    if (this.disclosure.textContent !== words) this.disclosure.textContent = words;
    if (this.unfolded) this.unfolded.textContent = this.inside;
  }

  get inside() {
    return [this.thoughts, ...this.tools.map(({ name, asks }) => `${name}: ${asks}`)].filter(Boolean).join("\n\n");
  }

  unfold() {
    const open = !this.unfolded;
    this.disclosure.setAttribute("aria-expanded", String(open));
    this.unfolded?.remove();
    this.unfolded = open ? make("div", { class: "thoughts" }, this.inside) : null;
    if (open) this.thinking.append(this.unfolded);
  }

  // Thinking is over; how long it took, where the site said so.
  thought(seconds = null) {
    if (!this.disclosure || (!this.pondering && seconds === null)) return;
    this.pondering = false;
    this.skip?.remove();
    this.skip = null;
    const took = seconds ?? (this.fresh && !this.over ? (performance.now() - this.begun) / 1000 : 0);
    const words = took >= 1 ? say("thought_for", { seconds: Math.round(took) }) : t("thought_moment");
    this.disclosure.textContent = words;
  }

  write(source, id, references = []) {
    if (this.pondering) this.thought();
    let text = this.texts.get(id);
    if (!text) {
      const root = this.textRoot(id);
      text = { root, source: "", references };
      const drew = () => text.references.length && pills(root, text.references);
      text.markdown = new Markdown(root, (...block) => this.codeBlock(...block), drew);
      this.texts.set(id, text);
    }
    Object.assign(text, { source, references });
    if (!this.shrunk) text.markdown.draw(cited(source, references));
  }

  // Most of what is shown goes for a while, as in tabs that are not seen.
  shrink(milliseconds) {
    const [, text] = [...this.texts].at(-1) ?? [];
    if (!text || this.shrunk) return;
    this.shrunk = text;
    text.markdown.draw(text.source.slice(0, 20));
    setTimeout(() => this.grow(), milliseconds);
  }

  grow() {
    const text = this.shrunk;
    this.shrunk = null;
    text?.markdown.draw(text.source);
  }

  // Nothing more comes.
  end(how = "whole") {
    if (this.over) return;
    if (this.pondering) this.thought();
    this.grow();
    this.over = true;
    this.finishCode();
    this.ended(how);
    // an answer that failed has its notice, and nothing one could do with it
    if (how === "failed" || how === "lost") this.hideBar();
    else if (this.texts.size || this.disclosure) this.showBar();
  }

  ended() {}
}

// The site marks what it cites with characters of its own; the page shows a link instead.
function cited(source, references) {
  for (const one of references) {
    const { url, title } = linked(one);
    const shown = url ? ` [${title}](${url})` : (one.alt ?? "");
    if (one.matched_text?.trim()) source = source.replaceAll(one.matched_text, shown);
  }
  return source;
}

function linked(reference) {
  const first = reference.items?.[0] ?? reference;
  return { url: first.url ?? null, title: first.attribution ?? first.title ?? first.url };
}

function pills(root, references) {
  const urls = new Set(references.map((one) => linked(one).url));
  for (const link of root.querySelectorAll("a")) {
    if (!urls.has(link.getAttribute("href")) || link.closest(".pill")) continue;
    const pill = make("span", { class: "pill", "data-testid": "webpage-citation-pill" });
    link.replaceWith(pill);
    pill.append(link);
  }
}

// A button with a picture and a name for those who cannot see it.
export function button(label, picture, attributes = {}, act = null) {
  const made = make("button", { type: "button", "aria-label": label, ...attributes }, icon(picture));
  if (act) made.addEventListener("click", act);
  return made;
}

export function copies(text) {
  return () => navigator.clipboard.writeText(text()).catch(() => {});
}

export function chips(files) {
  if (!files.length) return [];
  return [make("div", { class: "sent-files" }, ...files.map(({ name }) => make("span", { class: "sent-file" }, name)))];
}
