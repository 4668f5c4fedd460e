// The layout of September 2026, for people who are logged in: one element per exchange, marked
// with `data-turn-key`, and the bar of actions beside the answer's message, not in it.

import { make } from "/assets/element.js";
import { Composer } from "/assets/compose.js";
import { Editor } from "/assets/editor.js";
import { icon } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { models, plusMenu } from "/assets/menus.js";
import { start } from "/assets/page.js";
import { stage } from "/assets/stage.js";
import { button, chips, copies, Turn } from "/assets/turn.js";
import { Uploads } from "/assets/upload.js";
import { translate, View } from "/assets/view.js";

class TurnKeyView extends View {
  constructor() {
    super({
      scroller: document.querySelector("#scroll"),
      list: document.querySelector("#timeline"),
      notice: document.querySelector("#notice"),
    });
    translate();
    for (const one of document.querySelectorAll("[data-icon]")) one.append(icon(one.getAttribute("data-icon")));
    const menu = document.querySelector("#menu");
    menu.append(icon("menu"));
    menu.addEventListener("click", () => document.body.toggleAttribute("data-sidebar"));
    if (stage.login === "pinned") {
      document.querySelector("#account").append(make("button", { type: "button", "data-testid": "login-button" }, t("log_in")));
    }
  }

  turn(about) {
    const turn = new ExchangeTurn(about);
    this.add(turn.element);
    return turn;
  }

  clear() {
    super.clear();
    document.body.removeAttribute("data-sidebar");
  }

  composer({ send, stop, put, typed }) {
    const form = document.querySelector("form[data-chatgpt-composer]");
    const box = make("div", {
      class: "ProseMirror",
      contenteditable: "true",
      role: "textbox",
      "aria-multiline": "true",
      "aria-label": t("ask"),
      "data-composer-markdown": "",
      "data-hint-words": t("placeholder"),
      translate: "no",
    });
    const add = button(t("add"), "plus", { "data-composer-navigation-target": "add-context" });
    const pick = make("button", {
      type: "button",
      "aria-label": t("model"),
      "data-codex-intelligence-trigger": "",
      "data-selected-reasoning-effort": "medium",
    });
    const input = make("input", { type: "file", multiple: "", hidden: "", tabindex: "-1" });
    const files = make("div", { class: "files" });
    const control = make("span", { class: "control" });
    const row = make("div", { class: "row" }, add, pick, make("span", { class: "gap" }));
    row.append(button(t("dictate"), "mic"), control);
    form.replaceChildren(files, box, row, input);
    plusMenu(add, [{ name: "photos", label: t("photos"), input }]);
    models(pick, { chosen: (model, effort) => this.chosen(pick, model, effort) });

    const voice = button(t("voice"), "wave", { class: "voice" });
    const sends = button(t("send"), "up", { type: "submit", class: "round" });
    const stops = button(t("stop"), "stop", { class: "round" }, stop);
    let composer = null;
    const draw = ({ answering, ready, stop: name }) => {
      if (name !== null) stops.setAttribute("aria-label", name || t("stop"));
      const wanted = answering ? (name === null ? null : stops) : ready ? sends : voice;
      if (control.firstChild !== wanted) control.replaceChildren(...(wanted ? [wanted] : []));
    };
    const uploads = new Uploads({
      inputs: [input],
      drop: form,
      chips: files,
      put,
      changed: () => composer?.show(),
      words: { remove: t("remove_file"), failed: t("upload_failed") },
    });
    const editor = new Editor(box, {
      changed: () => {
        box.toggleAttribute("data-empty", !box.textContent);
        if (box.textContent) typed();
        composer?.show();
      },
      enter: () => form.requestSubmit(),
      paragraph,
    });
    box.toggleAttribute("data-empty", true);
    composer = new Composer({ form, editor, uploads, draw, send });
    if (!matchMedia("(max-width: 40rem)").matches) box.focus();
    return composer;
  }

  chosen(pick, model, effort) {
    this.model = model.name;
    this.effort = effort.name;
    pick.setAttribute("data-selected-reasoning-effort", effort.name);
    pick.replaceChildren(effort.label, icon("chevron"));
  }
}

function paragraph(line) {
  const made = make("p", {}, line || make("br", { class: "ProseMirror-trailingBreak" }));
  made.toggleAttribute("data-empty-paragraph", !line);
  return made;
}

class ExchangeTurn extends Turn {
  constructor(about) {
    super(about);
    this.again = about.again;
    const { key, prompt } = this;
    this.element = make("div", { "data-turn-key": key });
    this.said = make("div");
    this.parts = make("div", {}, this.said);
    this.column = make("div", {}, this.parts);
    const inner = make("div", { "data-content-search-turn-key": key }, make("div", {}, make("div", {}, this.column)));
    this.element.append(inner);
    const title = make("h4", { class: "sr-only" }, t("you_said"));
    this.askWith(about.stored, () => this.said.append(title, make("div", {}, this.asked(prompt))));
  }

  asked(prompt) {
    const key = `${this.key}:0:user`;
    const bubble = make("div", { "data-user-message-bubble": "true", dir: "auto" }, prompt);
    const tools = [
      button(t("copy_message"), "copy", {}, copies(() => prompt)),
      button(t("edit_message"), "edit"),
    ].map((one) => make("span", { "data-state": "closed" }, one));
    const bar = make("div", { class: "turn-action-controls" }, ...tools);
    const inside = make("div", {}, ...chips(this.files), bubble, make("div", {}, make("div", {}, bar)));
    return make("div", { "data-content-search-unit-key": key, "data-chatgpt-search-unit-key": key }, inside);
  }

  // The answer's message; made when the first thing of it is known.
  begin(id) {
    if (!this.unit) {
      const key = `${this.key}:2:assistant`;
      this.unit = make("div", { "data-content-search-unit-key": key, "data-chatgpt-search-unit-key": key });
      this.unit.append(make("h4", { class: "sr-only" }, t("it_said")));
      this.parts.append(make("div", {}, make("span", { "data-chatgpt-agent-turn-start": "", hidden: "" }), this.unit));
    }
    if (id) this.unit.setAttribute("data-chatgpt-search-message-ids", id);
    return this.unit;
  }

  thinkingPlace(id) {
    const place = make("div");
    this.begin(id).firstChild.after(place);
    return place;
  }

  textRoot(id) {
    const root = make("div", {
      "data-selected-text-overlay-target": `_r_${this.texts.size + 1}_`,
      "data-markdown-text-style": "assistant-message",
      dir: "auto",
    });
    this.begin(id).append(make("div", {}, root));
    return root;
  }

  codeBlock(language, text) {
    const head = make(
      "div",
      { "data-markdown-copy": "exclude" },
      make("span", {}, language || "text"),
      button(t("wrap"), "wrap"),
      button(t("run_code"), "play"),
      button(t("copy"), "copy", {}, copies(() => text)),
    );
    const code = make("code", language ? { class: `language-${language}` } : {}, text);
    const pre = make("pre", { dir: "ltr", "data-language": language }, code);
    const holder = make("div", {}, this.over ? editable(pre) : pre);
    const down = button(t("to_end"), "down", { class: "code-down" });
    return make("div", { "data-markdown-copy": "code-block", "data-theme": "dark" }, head, holder, down);
  }

  // Code can be edited once nothing more comes.
  finishCode() {
    for (const pre of this.unit?.querySelectorAll('[data-markdown-copy="code-block"] pre') ?? []) {
      pre.replaceWith(editable(pre));
    }
  }

  showBar() {
    if (this.bar) return;
    const more = button(t("more"), "more", { "aria-haspopup": "menu" });
    const wrapped = [
      button(t("copy"), "copy", {}, copies(() => this.source)),
      button(t("rate"), "thumb"),
    ].map((one) => make("span", {}, one));
    const again = button(t("again"), "again", {}, this.again);
    const controls = make("div", { class: "turn-action-controls" }, ...wrapped, again, more);
    this.bar = make("div", {}, controls);
    this.column.append(this.bar);
  }

  hideBar() {
    this.bar?.remove();
    this.bar = null;
  }
}

function editable(pre) {
  const attributes = {
    class: "code",
    contenteditable: "true",
    role: "textbox",
    "aria-label": t("edit_code"),
    "data-language": pre.getAttribute("data-language") ?? "",
    spellcheck: "false",
    dir: "ltr",
  };
  return make("div", attributes, pre.textContent);
}

start(() => new TurnKeyView());
