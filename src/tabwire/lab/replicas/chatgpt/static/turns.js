// One exchange on the page: the question, the thinking, the answer, and the bar under it.
//
// The bar stands beside the answer's message, not in it, and only when the answer is over.
// A code block is `pre` and `code` while it is written and an editor afterwards.

import { Markdown } from "/assets/markdown.js";

export class Turn {
  constructor(timeline, key, prompt) {
    this.element = make("div", { "data-turn-key": key });
    this.inner = make("div", { "data-content-search-turn-key": key });
    this.key = key;
    this.source = "";
    this.thoughts = "";
    this.over = false;
    const bubble = make("div", { "data-user-message-bubble": "true" }, prompt);
    const asked = make("div", { "data-content-search-unit-key": `${key}:0:user` }, bubble);
    asked.setAttribute("data-chatgpt-search-unit-key", `${key}:0:user`);
    this.inner.append(asked, bar("user", [["Copy message", "Copy"], ["Edit message", "Edit"]], () => prompt));
    this.element.append(this.inner);
    timeline.append(this.element);
  }

  // The answer's message; made when the first thing of it is known.
  unit(messageId) {
    if (!this.answer) {
      const key = `${this.key}:1:assistant`;
      this.answer = make("div", { "data-content-search-unit-key": key, "data-chatgpt-search-unit-key": key });
      this.inner.append(make("span", { "data-chatgpt-agent-turn-start": "", hidden: "" }), this.answer);
    }
    if (messageId) this.answer.setAttribute("data-chatgpt-search-message-ids", messageId);
    return this.answer;
  }

  think(text, messageId) {
    this.thoughts = text;
    if (!this.disclosure) {
      this.disclosure = make("button", { type: "button", class: "thinking", "aria-expanded": "false" }, "Thinking");
      this.disclosure.addEventListener("click", () => this.unfold());
      this.unit(messageId).append(this.disclosure);
    }
    if (this.unfolded) this.unfolded.textContent = text;
  }

  unfold() {
    const open = !this.unfolded;
    this.disclosure.setAttribute("aria-expanded", String(open));
    this.unfolded?.remove();
    this.unfolded = open ? make("div", { class: "thoughts" }, this.thoughts) : null;
    if (open) this.disclosure.after(this.unfolded);
  }

  write(source, messageId) {
    this.source = source;
    if (!this.markdown) {
      if (this.disclosure) this.disclosure.textContent = "Thought for a moment";
      const root = make("div", { "data-markdown-text-style": "assistant-message" });
      this.unit(messageId).append(root);
      this.markdown = new Markdown(root, (language, text) => this.codeBlock(language, text));
    }
    this.markdown.draw(source);
  }

  // Nothing more comes: code can be edited now, and the answer gets its bar.
  end() {
    if (this.over) return;
    this.over = true;
    if (this.disclosure) this.disclosure.textContent = "Thought for a moment";
    for (const pre of this.element.querySelectorAll("pre")) pre.replaceWith(editor(pre));
    if (!this.answer) return;
    const labels = [["Copy"], ["Rate response", "Rate"], ["Regenerate response", "Again"], ["More actions", "…"]];
    const actions = bar("assistant", labels, () => this.source);
    actions.lastElementChild.setAttribute("aria-haspopup", "menu");
    this.inner.append(actions);
  }

  codeBlock(language, text) {
    const block = make("div", { "data-markdown-copy": "code-block" });
    const copy = make("button", { type: "button", "aria-label": "Copy" }, "Copy");
    copy.addEventListener("click", () => navigator.clipboard.writeText(text));
    const head = make("div", { class: "code-head" }, make("span", {}, language || "text"), copy);
    const code = make("code", language ? { class: `language-${language}` } : {}, text);
    const pre = make("pre", { "data-language": language }, code);
    block.append(head, this.over ? editor(pre) : pre);
    return block;
  }
}

function editor(pre) {
  return make(
    "div",
    {
      class: "code",
      contenteditable: "true",
      role: "textbox",
      "aria-label": "Edit code",
      "data-language": pre.dataset.language ?? "",
      spellcheck: "false",
    },
    pre.textContent,
  );
}

function bar(of, labels, text) {
  const buttons = labels.map(([label, shown]) =>
    make("button", { type: "button", "aria-label": label }, shown ?? label),
  );
  buttons[0].addEventListener("click", () => navigator.clipboard.writeText(text()));
  return make("div", { class: "turn-action-controls", "data-of": of }, ...buttons);
}

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
