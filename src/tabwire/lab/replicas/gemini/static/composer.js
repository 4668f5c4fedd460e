// Where a person writes: the editor, files, the mode, and the one button that sends and stops.

import { make } from "/assets/element.js";
import { Editor } from "/assets/editor.js";
import { icon, iconButton } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { Picker } from "/assets/picker.js";
import { stage } from "/assets/stage.js";
import { Uploads } from "/assets/upload.js";
import { put } from "/assets/wire.js";

// What the picker offers; `key` is what the request says of it.
const MODES = [
  { name: "fast", label: t("fast"), note: t("fastNote"), key: "fbb127bbb056c959" },
  { name: "thinking", label: t("thinking"), note: t("thinkingNote"), key: "5bf011840784117a" },
  { name: "pro", label: t("pro"), note: t("proNote"), key: "9d8ca3786ebdfbea" },
  {
    name: "older",
    label: t("older"),
    items: [
      { name: "2.5-flash", label: "2.5 Flash", key: "61530e79959ab139" },
      { name: "2.5-pro", label: "2.5 Pro", key: "4af6c7f5da75d65d" },
    ],
  },
  { name: "deep-think", label: t("deep"), note: t("deepNote"), disabled: true },
];

export class Composer {
  constructor(host, { send, stop }) {
    this.answering = false;
    this.hidden = false; // Stop is not shown although there is something to stop
    this.renamed = false; // Stop has names nobody knows
    this.asked = { send, stop };
    this.build(host);
    this.editor = new Editor(this.box, { changed: () => this.show(), enter: () => this.press(true) });
    this.uploads = this.takeFiles(host);
    this.pickMode();
    this.button.addEventListener("click", () => this.press(false));
    this.show();
  }

  get prompt() {
    return this.editor.text;
  }

  get files() {
    return this.uploads.files;
  }

  // Whether there is something to send, and nothing to wait for.
  get ready() {
    return !this.editor.empty && this.uploads.ready && !this.answering;
  }

  clear() {
    this.editor.clear();
    this.uploads.clear();
  }

  set(state) {
    Object.assign(this, state);
    this.show();
  }

  press(byKey) {
    if (this.answering && !byKey) this.asked.stop();
    else if (this.ready) this.asked.send();
  }

  show() {
    const stops = this.answering && !this.hidden;
    const kind = stops ? (this.renamed ? "hold" : "stop") : "submit";
    const sign = kind === "submit" ? "send" : kind;
    const label = stops ? t(this.renamed ? "renamed" : "stop") : t("send");
    this.box.classList.toggle("ql-blank", !this.editor?.text);
    this.button.className = `mdc-icon-button send-button ${kind}`;
    this.button.setAttribute("aria-label", label);
    this.button.setAttribute("aria-disabled", String(!stops && !(this.editor && this.ready)));
    if (this.sign !== sign) this.button.replaceChildren(icon(sign));
    this.sign = sign;
    this.mic.hidden = this.answering || !(this.editor?.empty ?? true);
  }

  build(host) {
    this.box = make(
      "div",
      {
        class: "ql-editor textarea new-input-ui ql-blank",
        contenteditable: "true",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": t("prompt"),
        "data-placeholder": t("ask"),
      },
      make("p", {}, make("br")),
    );
    const clipboard = make("div", { class: "ql-clipboard", contenteditable: "true", tabindex: "-1" });
    const rich = make("rich-textarea", { class: "text-input-field_textarea ql-container ql-bubble" }, this.box, clipboard);
    this.chips = make("div", { class: "file-preview-container" });
    this.plus = iconButton("add_2", t("upload"), { class: "mdc-icon-button upload-card-button" });
    this.uploader = make("uploader", { class: "upload-button" }, make("div", { class: "file-uploader" }, this.plus));
    const tools = make("button", { type: "button", class: "toolbox-drawer-button" }, icon("page_info"), t("tools"));
    this.modeLabel = make("span", {}, "");
    this.mode = make(
      "button",
      { type: "button", class: "input-area-switch", "data-test-id": "bard-mode-menu-button", "aria-label": t("mode") },
      make("div", { class: "logo-pill-label-container input-area-switch-label" }, this.modeLabel, icon("keyboard_arrow_down")),
    );
    const micButton = iconButton("mic", t("mic"), { class: "mdc-icon-button speech_dictation_mic_button" });
    this.mic = make("div", { class: "mic-button-container" }, make("speech-dictation-mic-button", {}, micButton));
    this.button = make("button", { type: "button" });
    const leading = make("div", { class: "leading-actions-wrapper has-model-picker" }, this.uploader);
    leading.append(make("toolbox-drawer", {}, tools));
    const picker = make("div", { class: "model-picker-container" }, make("bard-mode-switcher", {}, this.mode));
    const send = make("div", { class: "send-button-container" }, this.button);
    const trailing = make("div", { class: "trailing-actions-wrapper" }, picker);
    trailing.append(make("div", { class: "input-buttons-wrapper-bottom" }, this.mic, send));
    const field = make("div", { class: "text-input-field" }, this.chips, rich, leading, trailing);
    const area = make("input-area-v2", {}, make("div", { class: "input-area" }, field));
    this.notices = make("div", { class: "input-notices" });
    const quota = make("freemium-file-upload-quota-exceeded-disclaimer");
    host.replaceChildren(this.notices, quota, make("fieldset", { class: "input-area-container" }, area));
  }

  // The site opens a file chooser of its own making: no input stands in the page before.
  takeFiles(host) {
    const kinds = [
      ["hidden-local-upload-button", "hidden-local-image-upload-button", "image/*"],
      ["hidden-local-file-upload-button", "hidden-local-file-upload-button", ""],
    ];
    const inputs = kinds.map(([name, id, accept], at) => {
      const input = make("input", { type: "file", name: "Filedata", multiple: "", ...(accept && { accept }) });
      input.hidden = true;
      const hidden = make("button", { type: "button", "aria-hidden": "true", tabindex: `${-1 - at}` });
      hidden.className = name;
      hidden.setAttribute("data-test-id", id);
      hidden.addEventListener("click", () => {
        this.uploader.append(input);
        input.click();
      });
      this.uploader.append(hidden);
      return { input, hidden };
    });
    const [photos, files] = inputs;
    const rows = [
      { name: "files", label: t("files"), hidden: files.hidden },
      { name: "photos", label: t("photos"), hidden: photos.hidden },
      { name: "drive", label: t("drive"), note: t("driveNote"), disabled: true },
    ];
    const dress = (row, item) => {
      if (!item) return row.setAttribute("id", "upload-file-menu");
      row.setAttribute("role", "menuitem");
      row.removeAttribute("aria-checked");
      row.setAttribute("data-test-id", `local-images-files-uploader-${item.name}`);
    };
    new Picker(this.plus, rows, { dress, chosen: (item) => item.hidden.click() });
    return new Uploads({
      inputs: inputs.map(({ input }) => input),
      drop: host.closest(".chat-container"),
      chips: this.chips,
      put,
      changed: () => this.editor && this.show(),
      dress: (chip) => chip.classList.add("file-preview-chip"),
      words: { remove: t("remove"), failed: t("uploadFailed") },
    });
  }

  pickMode() {
    const spent = { disabled: true, note: t("spent") };
    const items = MODES.map((one) => (stage.tier_exhausted && one.name === "pro" ? { ...one, ...spent } : one));
    const dress = (row, item) =>
      item
        ? row.setAttribute("data-test-id", `bard-mode-option-${item.name}`)
        : row.setAttribute("data-test-id", "desktop-nested-mode-menu");
    const chosen = ({ label, key }) => {
      this.modeLabel.textContent = label;
      this.modeKey = key;
    };
    const first = items.find((one) => one.name === (stage.tier_exhausted ? "fast" : "pro"));
    new Picker(this.mode, items, { dress, chosen, picked: first.name });
    chosen(first);
  }
}
