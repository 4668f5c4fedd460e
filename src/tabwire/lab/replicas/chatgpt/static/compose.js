// What every layout's composer has in common: when one can send, when one can stop.
//
// A layout draws it: `draw({ answering, ready, stop })`, where `stop` is the name of the Stop
// control, "" for its usual one, and null while it is not shown.

import { stage } from "/assets/stage.js";

export class Composer {
  constructor({ form, editor, uploads, draw, send }) {
    this.form = form;
    this.editor = editor;
    this.uploads = uploads;
    this.draw = draw;
    this.answering = false;
    this.hidden = false; // Stop is out of sight for a moment
    this.named = ""; // Stop has another name
    this.swallow = stage.swallow;
    this.held = 0; // so many sent questions that the page has not noticed yet
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit(send);
    });
    this.show();
  }

  get ready() {
    const something = !this.editor.empty || (this.uploads?.files.length ?? 0) > 0;
    return something && (this.uploads?.ready ?? true);
  }

  submit(send) {
    if (!this.ready || (this.answering && !this.held)) return;
    if (this.swallow > 0) {
      this.swallow -= 1;
      return;
    }
    const text = this.editor.text;
    const files = this.uploads?.files ?? [];
    if (stage.slow_send > 0) this.hold(text);
    else this.clear();
    send(text, files);
  }

  // The page is slow to see that it has sent: text and Send stay as they are.
  hold(text) {
    this.held += 1;
    const notice = () => {
      this.held -= 1;
      if (this.editor.text === text) this.clear();
      this.show();
    };
    setTimeout(notice, stage.slow_send * 1000);
  }

  clear() {
    this.editor.clear();
    this.uploads?.clear();
  }

  setAnswering(answering) {
    this.answering = answering;
    if (!answering) this.named = "";
    this.show();
  }

  hideStop(hidden) {
    this.hidden = hidden;
    this.show();
  }

  renameStop(name) {
    this.named = name;
    this.show();
  }

  show() {
    const answering = this.answering && !this.held;
    const stop = answering && !this.hidden ? this.named : null;
    this.draw({ answering, ready: this.ready, stop });
  }
}

// A plain textarea with what the editors have: text, empty, clear.
export class Area {
  constructor(area, { changed, enter }) {
    this.area = area;
    this.changed = changed;
    area.addEventListener("input", () => {
      this.grow();
      changed();
    });
    area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      enter();
    });
  }

  get text() {
    return this.area.value.trimEnd();
  }

  get empty() {
    return !this.area.value.trim();
  }

  clear() {
    this.area.value = "";
    this.grow();
    this.changed();
  }

  grow() {
    this.area.style.height = "auto";
    this.area.style.height = `${Math.min(this.area.scrollHeight, innerHeight * 0.4)}px`;
  }
}
