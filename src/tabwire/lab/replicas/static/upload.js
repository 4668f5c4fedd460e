// Files a person adds to a question: chosen, dropped or pasted, uploaded at once, shown as chips.
//
// `put(file)` is the site's own upload and resolves with its id. It begins after half of
// `stage.upload_seconds` and counts as done after the other half, as a slow network would.

import { make } from "/assets/element.js";
import { stage } from "/assets/stage.js";

const CHIP =
  "display:inline-flex;align-items:center;gap:.4rem;max-width:16rem;padding:.2rem .3rem .2rem .7rem;" +
  "border:1px solid #8884;border-radius:.75rem;font-size:.85rem;";
const WORDS = { remove: "Remove file", failed: "Upload failed" };

export class Uploads {
  constructor({ inputs = [], drop = null, chips, put, changed = () => {}, dress = () => {}, words = {} }) {
    this.chips = chips;
    this.put = put;
    this.changed = changed; // hears every change: begun, done, failed, removed
    this.dress = dress; // dress(chip, file) lets a site put its attributes
    this.words = { ...WORDS, ...words };
    this.all = []; // { file, id, chip, state: "going" | "done" | "failed" }
    for (const input of inputs) {
      input.addEventListener("change", () => {
        this.take(input.files);
        input.value = ""; // so that the same file can be chosen again
      });
    }
    if (!drop) return;
    drop.addEventListener("dragover", (event) => event.preventDefault());
    drop.addEventListener("drop", (event) => this.given(event, event.dataTransfer));
    // before the editor sees it: an editor pastes words, never files
    drop.addEventListener("paste", (event) => this.given(event, event.clipboardData), true);
  }

  given(event, transfer) {
    const files = [...(transfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.take(files);
  }

  take(files) {
    for (const file of files) this.begin(file);
  }

  // What a question can take along.
  get files() {
    const done = this.all.filter((one) => one.state === "done");
    return done.map(({ id, file }) => ({ id, name: file.name, size: file.size, type: file.type }));
  }

  // Nothing is under way.
  get ready() {
    return this.all.every((one) => one.state !== "going");
  }

  clear() {
    this.all = [];
    this.chips.replaceChildren();
    this.changed();
  }

  async begin(file) {
    const one = { file, id: null, chip: null, state: "going" };
    one.chip = this.chip(one);
    this.all.push(one);
    this.chips.append(one.chip);
    this.changed();
    try {
      await wait(stage.upload_seconds / 2);
      if (stage.upload_fails) throw new Error(this.words.failed);
      one.id = await this.put(file);
      await wait(stage.upload_seconds / 2);
      one.state = "done";
      one.chip.querySelector("progress")?.remove();
    } catch (error) {
      one.state = "failed";
      one.chip.querySelector("progress")?.remove();
      one.chip.setAttribute("aria-invalid", "true");
      one.chip.children[0].after(make("span", { role: "alert" }, error.message || this.words.failed));
    }
    one.chip.setAttribute("data-state", one.state);
    if (this.all.includes(one)) this.changed();
  }

  chip(one) {
    const name = make("span", { style: "overflow:hidden;text-overflow:ellipsis;white-space:nowrap" }, one.file.name);
    const label = `${this.words.remove} ${one.file.name}`;
    const remove = make("button", { type: "button", "aria-label": label }, "×");
    const chip = make("div", { style: CHIP, "data-state": "going", title: one.file.name }, name);
    chip.append(make("progress", { style: "width:4rem" }), remove);
    this.dress(chip, one.file);
    remove.addEventListener("click", () => {
      this.all = this.all.filter((other) => other !== one);
      chip.remove();
      this.changed();
    });
    return chip;
  }
}

function wait(seconds) {
  return new Promise((done) => setTimeout(done, seconds * 1000));
}
