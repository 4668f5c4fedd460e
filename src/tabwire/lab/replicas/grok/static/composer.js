// Where a question is written and sent: the editor, its files, the model, Send and Stop.

import { Editor } from "/assets/editor.js";
import { make } from "/assets/element.js";
import { icon } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { Picker } from "/assets/picker.js";
import { stage } from "/assets/stage.js";
import { Uploads } from "/assets/upload.js";
import { upload } from "/assets/wire.js";

const NAMELESS = "⏹ 7f3a"; // a label nobody knows

export class Composer {
  // `send(prompt, files)` hears what is sent, `stop()` that the answer shall end.
  constructor(form, { send, stop }) {
    Object.assign(this, { form, send, stop });
    this.answering = false;
    this.stopHidden = false; // the page takes Stop away for a while
    this.stopLabel = t("stop");
    this.swallow = stage.swallow;
    this.held = false; // sent, and still in the box: a second click sends again
    this.bar = form.querySelector(".query-bar-controls");
    this.build();
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  // The server's textarea goes, and the editor takes its place.
  build() {
    const box = make("div", { contenteditable: "true", translate: "no", class: "tiptap ProseMirror", tabindex: "0" });
    this.form.querySelector(".before").replaceWith(box);
    this.editor = new Editor(box, { changed: () => this.show(), enter: () => this.form.requestSubmit(), paragraph });
    const attach = tool("attach", "attach");
    this.picks = make("button", { type: "button", id: "model-select-trigger", "aria-label": t("model") }, t("auto"), icon("down"));
    this.voice = make("div", {}, tool("voice", "voice"));
    this.submitting = make("button", { type: "submit", "aria-label": t("submit"), disabled: "" }, icon("send"));
    this.sending = make("div", { class: "hidden" }, this.submitting);
    this.stopping = make("div", {});
    const right = make("div", { class: "ms-auto" }, this.picks, this.voice, this.sending, this.stopping);
    this.bar.replaceChildren(attach, right);
    const input = this.form.querySelector('input[name="files"]');
    this.uploads = new Uploads({
      inputs: [input],
      drop: document.querySelector('[data-testid="drop-container"]'),
      chips: this.form.querySelector(".chips"),
      put: upload,
      changed: () => this.show(),
      words: { remove: t("removeFile"), failed: t("uploadFailed") },
    });
    const items = [{ name: "file", label: t("uploadFile") }];
    new Picker(attach, items, { chosen: () => input.click() });
    this.picked = "auto";
    const chosen = ({ name, label }) => {
      this.picked = name;
      this.picks.firstChild.replaceWith(label);
    };
    new Picker(this.picks, models(), { picked: this.picked, chosen });
    this.editor.clear();
  }

  get prompt() {
    return this.editor.text;
  }

  // As the request says it: modes are ways to use the newest model.
  get model() {
    const modelName = this.picked.startsWith("grok") ? this.picked : "grok-4";
    return { modelName, modelMode: `MODEL_MODE_${this.picked.toUpperCase().replaceAll("-", "_")}` };
  }

  submit() {
    if (this.editor.empty || (this.answering && !this.held) || !this.uploads.ready) return;
    if (this.swallow > 0) {
      this.swallow -= 1;
      return;
    }
    const sent = [this.prompt, this.uploads.files];
    if (stage.slow_send) this.hold();
    else this.clear();
    this.send(...sent);
  }

  hold() {
    if (this.held) return;
    this.held = true;
    setTimeout(() => {
      this.held = false;
      this.clear();
    }, stage.slow_send * 1000);
  }

  clear() {
    this.uploads.clear();
    this.editor.clear();
  }

  begin() {
    this.answering = true;
    this.stopLabel = t("stop");
    this.show();
  }

  end() {
    this.answering = false;
    this.stopHidden = false;
    this.show();
  }

  hideStop(hidden) {
    this.stopHidden = hidden;
    this.show();
  }

  renameStop() {
    this.stopLabel = NAMELESS;
    this.stopping.replaceChildren();
    this.show();
  }

  show() {
    if (!this.uploads) return; // still being built
    const { editor } = this;
    const empty = !editor.text;
    const first = editor.box.firstElementChild;
    for (const line of editor.box.children) {
      line.classList.toggle("is-empty", empty && line === first);
      line.classList.toggle("is-editor-empty", empty && line === first);
    }
    first?.setAttribute("data-placeholder", t("ask"));
    const stops = this.answering && !this.held && !this.stopHidden;
    const busy = this.answering && !this.held;
    this.submitting.disabled = editor.empty || !this.uploads.ready;
    this.voice.className = busy || !empty ? "hidden" : "";
    this.sending.className = busy || empty ? "hidden" : "";
    const standing = this.stopping.firstElementChild !== null;
    if (stops !== standing) this.stopping.replaceChildren(...(stops ? [this.stopButton()] : []));
  }

  stopButton() {
    const button = make("button", { type: "button", class: "stop", "aria-label": this.stopLabel }, icon("stop"));
    button.addEventListener("click", () => this.stop());
    return button;
  }
}

function tool(name, label) {
  return make("button", { type: "button", "aria-label": t(label) }, icon(name));
}

function paragraph(line) {
  if (line) return make("p", {}, line);
  return make("p", {}, make("br", { class: "ProseMirror-trailingBreak" }));
}

function models() {
  const spent = stage.tier_exhausted ? { disabled: true, note: t("exhausted") } : { note: t("expertNote") };
  return [
    { name: "auto", label: t("auto"), note: t("autoNote") },
    { name: "fast", label: t("fast"), note: t("fastNote") },
    { name: "expert", label: t("expert"), ...spent },
    { name: "heavy", label: t("heavy"), note: t("heavyNote"), disabled: true },
    {
      name: "models",
      label: t("models"),
      items: [
        { name: "grok-4", label: "Grok 4" },
        { name: "grok-3", label: "Grok 3" },
        { name: "grok-4-mini", label: "Grok 4 mini", items: [
          { name: "grok-4-mini-thinking", label: t("expert") },
          { name: "grok-4-mini-fast", label: t("fast") },
        ] },
      ],
    },
  ];
}
