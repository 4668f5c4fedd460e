// The old layout, until September 2026 and on some accounts after it: one section per message,
// `data-testid` on most things, and a textarea that stands in until the page has come alive.

import { make } from "/assets/element.js";
import { Composer } from "/assets/compose.js";
import { Editor } from "/assets/editor.js";
import { icon } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { models, plusMenu } from "/assets/menus.js";
import { aloud } from "/assets/aloud.js";
import { start } from "/assets/page.js";
import { stage } from "/assets/stage.js";
import { button, chips, copies, Turn } from "/assets/turn.js";
import { Uploads } from "/assets/upload.js";
import { translate, View } from "/assets/view.js";

class ClassicView extends View {
  constructor() {
    super({
      scroller: document.querySelector("[data-scroll-root]"),
      list: document.querySelector("#turns"),
      notice: document.querySelector("#notice"),
    });
    this.guest = stage.login === "out";
    this.addressless = this.guest; // a guest's chat has no address of its own here
    translate();
    for (const one of document.querySelectorAll("[data-icon]")) one.append(icon(one.getAttribute("data-icon")));
    const toggle = () => document.body.toggleAttribute("data-sidebar");
    for (const css of ["#menu", '[data-testid="close-sidebar-button"]']) {
      const one = document.querySelector(css);
      one.append(icon("menu"));
      one.addEventListener("click", toggle);
    }
    if (this.guest) this.forGuests();
    document.querySelector(".tailored").hidden = !this.guest;
    if (this.guest || stage.login === "pinned") this.offerLogin();
    const pick = document.querySelector('[data-testid="model-switcher-dropdown-button"]');
    pick.append(icon("chevron"));
    const chosen = (model, effort) => Object.assign(this, { model: model.name, effort: effort.name });
    models(pick, { chosen, dress: named });
  }

  // Nobody is logged in: no chats, no projects, no name.
  forGuests() {
    document.querySelector("#history").replaceChildren();
    for (const one of document.querySelectorAll("nav [data-for-members]")) one.remove();
  }

  offerLogin() {
    document
      .querySelector("#conversation-header-actions")
      .append(
        make("button", { type: "button", "data-testid": "login-button" }, t("log_in")),
        make("button", { type: "button", "data-testid": "signup-button" }, t("sign_up")),
      );
  }

  turn(about) {
    return new SectionTurn(about, this);
  }

  clear() {
    super.clear();
    document.body.removeAttribute("data-sidebar");
  }

  composer({ send, stop, put, typed }) {
    const form = document.querySelector('form[data-type="unified-composer"]');
    const decoy = form.querySelector('textarea[name="prompt-textarea"]');
    decoy.style.display = "none"; // it stays in the page, and nothing in it is sent
    decoy.value = "";
    const box = make("div", {
      class: "ProseMirror",
      id: "prompt-textarea",
      contenteditable: "true",
      role: "textbox",
      "aria-multiline": "true",
      "aria-label": t("ask_classic"),
      "data-virtualkeyboard": "true",
      translate: "no",
    });
    decoy.after(box);
    const add = form.querySelector('[data-testid="composer-plus-btn"]');
    add.append(icon("plus"));
    const rows = [
      { name: "photos", label: t("photos"), input: form.querySelector("#upload-files") },
      { name: "camera", label: t("camera"), input: document.querySelector("#upload-camera") },
    ];
    plusMenu(add, rows);
    const trailing = form.querySelector(".trailing");
    const speech = make("div", { "data-testid": "composer-speech-button-container" });
    speech.append(button(t("voice"), "wave", { "data-testid": "composer-speech-button" }));
    // voice, send and stop take turns in one place, two of them under one id
    const sends = button(t("send_classic"), "up", {
      type: "submit",
      id: "composer-submit-button",
      "data-testid": "send-button",
    });
    const stops = button(t("stop_classic"), "stop", { id: "composer-submit-button", "data-testid": "stop-button" }, stop);
    let composer = null;
    const draw = ({ answering, ready, stop: name }) => {
      if (name !== null) stops.setAttribute("aria-label", name || t("stop_classic"));
      const wanted = answering ? (name === null ? speech : stops) : ready ? sends : speech;
      if (trailing.firstChild !== wanted) trailing.replaceChildren(wanted);
    };
    const uploads = new Uploads({
      inputs: [...document.querySelectorAll("#upload-files, #upload-photos, #upload-camera")],
      drop: form,
      chips: form.querySelector(".files"),
      put,
      changed: () => composer?.show(),
      words: { remove: t("remove_file"), failed: t("upload_failed") },
    });
    const editor = new Editor(box, {
      changed: () => {
        if (box.textContent) typed();
        composer?.show();
      },
      enter: () => form.requestSubmit(),
      paragraph,
    });
    trailing.replaceChildren(speech);
    composer = new Composer({ form, editor, uploads, draw, send });
    if (!matchMedia("(max-width: 40rem)").matches) box.focus();
    return composer;
  }
}

function named(row, item) {
  if (item) row.setAttribute("data-testid", `model-switcher-${item.name}`);
}

function paragraph(line) {
  if (line) return make("p", {}, line);
  const empty = make("p", { "data-placeholder": t("placeholder"), class: "placeholder" });
  empty.append(make("br", { class: "ProseMirror-trailingBreak" }));
  return empty;
}

class SectionTurn extends Turn {
  constructor(about, view) {
    super(about);
    this.view = view;
    this.again = about.again;
    this.messages = new Map(); // by id
    const asked = this.section("user", this.key, t("you_said"), this.asked(), this.askedBar());
    this.askWith(about.stored, () => this.place(asked));
  }

  // Into the page, with the number it has there.
  place(section) {
    section.setAttribute("data-testid", `conversation-turn-${this.view.count + 1}`);
    this.view.add(section);
  }

  section(role, id, said, ...inside) {
    const attributes = {
      dir: "auto",
      "data-turn-id": id,
      "data-scroll-anchor": String(role === "assistant"),
      "data-turn": role,
    };
    const column = make("div", {}, ...inside);
    return make("section", attributes, make("h4", { class: "sr-only" }, said), make("div", {}, column));
  }

  asked() {
    const words = make("div", { class: "whitespace-pre-wrap" }, this.prompt);
    const bubble = make("div", { class: "user-message-bubble-color" }, words);
    const about = { "data-message-author-role": "user", "data-message-id": this.key, dir: "auto" };
    return make("div", about, make("div", {}, ...chips(this.files), bubble));
  }

  askedBar() {
    const group = make("div", { role: "group", "aria-label": t("your_actions"), tabindex: "-1" });
    const attributes = { "data-testid": "copy-turn-action-button", "data-state": "closed" };
    group.append(button(t("copy_message"), "copy", attributes, copies(() => this.prompt)));
    return make("div", { class: "bar" }, group);
  }

  // The answer's section; made when the first thing of it is known.
  get answer() {
    if (!this.answering) {
      const id = `request-WEB:${crypto.randomUUID()}-${this.view.count}`;
      this.answering = this.section("assistant", id, t("it_said"));
      this.column = this.answering.lastChild.firstChild;
      this.afterQuestion(() => this.place(this.answering));
    }
    return this.column;
  }

  // The question is out: something empty stands there, with dots, until words come.
  wait() {
    this.waiting = this.begin(`placeholder-request-${crypto.randomUUID()}`);
  }

  // One message of it; the first takes the place of what stood there before it.
  begin(id) {
    let message = this.messages.get(id);
    if (!message && this.waiting) {
      message = this.waiting;
      this.waiting = null;
      message.element.setAttribute("data-message-id", id);
      this.messages.clear();
      this.messages.set(id, message);
    }
    if (!message) {
      const about = {
        "data-message-author-role": "assistant",
        "data-message-id": id,
        dir: "auto",
        "data-message-model-slug": "gpt-5-3",
        "data-turn-start-message": "true",
      };
      const words = make("div", { class: "markdown prose result-thinking" });
      message = { words, element: make("div", about, make("div", {}, words)) };
      this.messages.set(id, message);
      this.answer.append(message.element);
    }
    return message;
  }

  thinkingPlace() {
    const place = make("div");
    this.answer.prepend(place);
    return place;
  }

  textRoot(id) {
    const { words } = this.begin(id);
    words.className = "markdown prose streaming-animation";
    return words;
  }

  codeBlock(language, text) {
    const head = make("div", { class: "code-head" }, make("span", {}, language || "text"));
    head.append(button(t("copy"), "copy", {}, copies(() => text)));
    const code = make("code", { "data-language": language, class: `language-${language || "text"}` }, text);
    return make("pre", { dir: "ltr" }, head, this.over ? mirrored(code) : code);
  }

  // An editor nobody may write into, line by line.
  finishCode() {
    for (const code of this.answering?.querySelectorAll("pre > code") ?? []) code.replaceWith(mirrored(code));
  }

  ended() {
    if (this.waiting) this.waiting.element.remove();
    if (this.waiting && !this.disclosure) this.answering.remove();
    for (const { words } of this.messages.values()) words.classList.remove("streaming-animation", "result-thinking");
  }

  showBar() {
    if (this.bar || !this.answering) return;
    const group = make("div", { role: "group", "aria-label": t("response_actions"), tabindex: "-1" });
    const marks = { "data-state": "closed" };
    group.append(
      button(t("copy_response"), "copy", { ...marks, "data-testid": "copy-turn-action-button" }, copies(() => this.source)),
      button(t("good"), "thumb", { ...marks, "data-testid": "good-response-turn-action-button" }),
      button(t("bad"), "thumbdown", { ...marks, "data-testid": "bad-response-turn-action-button" }),
    );
    const dress = (one) => one.setAttribute("data-testid", "voice-play-turn-action-button");
    aloud(group, { read: t("read_aloud"), stop: t("stop_reading") }, { dress });
    group.append(button(t("share"), "share", marks), button(t("more"), "more", { ...marks, "aria-haspopup": "menu" }));
    this.bar = make("div", { class: "bar" }, group);
    this.column.append(this.bar);
  }

  hideBar() {
    this.bar?.remove();
    this.bar = null;
  }
}

function mirrored(code) {
  const lines = code.textContent.split("\n").map((line) => make("div", { class: "cm-line" }, line || make("br")));
  const language = code.getAttribute("data-language");
  const about = { class: "cm-content", role: "textbox", "aria-readonly": "true", "data-language": language };
  return make("div", { class: "cm-editor" }, make("div", { class: "cm-scroller" }, make("div", about, ...lines)));
}

start(() => new ClassicView());
