// The box one writes in: a contenteditable of paragraphs, with Send or Stop beside it.
//
// Send is in the page only while there is text, Stop only while an answer comes.

import { Editor } from "/assets/editor.js";

export class Composer {
  constructor(form, { send, stop }) {
    this.form = form;
    this.box = form.querySelector("[data-composer-markdown]");
    this.control = form.querySelector("#control");
    this.onStop = stop;
    this.answering = false;
    const enter = () => this.form.requestSubmit();
    this.editor = new Editor(this.box, { changed: () => this.show(), enter });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.editor.text;
      if (this.editor.empty || this.answering) return;
      this.editor.clear();
      send(text);
    });
    this.show();
  }

  setAnswering(answering) {
    this.answering = answering;
    this.show();
  }

  show() {
    const empty = this.editor.empty;
    this.box.toggleAttribute("data-empty", empty);
    const wanted = this.answering ? "Stop" : empty ? null : "Send";
    const shown = this.control.firstElementChild?.getAttribute("aria-label") ?? null;
    if (wanted !== shown) this.control.replaceChildren(...(wanted ? [this.button(wanted)] : []));
  }

  button(label) {
    const button = document.createElement("button");
    button.type = label === "Send" ? "submit" : "button";
    button.setAttribute("aria-label", label);
    button.textContent = label === "Send" ? "↑" : "■";
    if (label === "Stop") button.addEventListener("click", () => this.onStop());
    return button;
  }
}
