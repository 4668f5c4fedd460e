// The layout of October 2026 for guests: a textarea, one button that sends and stops, and one
// list item per message that says by its attributes how far it got.

import { make } from "/assets/element.js";
import { Area, Composer } from "/assets/compose.js";
import { icon } from "/assets/icons.js";
import { say, t } from "/assets/labels.js";
import { plusMenu } from "/assets/menus.js";
import { start } from "/assets/page.js";
import { button, chips, copies, Turn } from "/assets/turn.js";
import { Uploads } from "/assets/upload.js";
import { translate, View } from "/assets/view.js";

const CLIENT = `chat-${crypto.randomUUID()}`; // the page's own name for the chat, no one else's

class OctaneView extends View {
  constructor() {
    const list = document.querySelector("ol[data-conversation-transcript]");
    super({ scroller: document.querySelector("#scroll"), list, notice: document.querySelector("#notice") });
    this.guest = true;
    this.addressSeconds = 1.2; // the address of a new chat was seen 1.1 to 1.4 s after Enter
    this.section = document.querySelector("section[data-web-mobile-conversation]");
    this.status = document.querySelector("[data-composer-submission-status]");
    translate();
    this.section.setAttribute("aria-label", `ChatGPT ${CLIENT}`);
  }

  turn(about) {
    this.newest = new MessageTurn(about, (element) => this.add(element));
    return this.newest;
  }

  clear() {
    super.clear();
    this.section.removeAttribute("data-conversation-id");
  }

  addressed(id) {
    this.section.setAttribute("data-conversation-id", id);
    // the site loses this mark here, while words still come
    this.newest?.item?.removeAttribute("data-message-streaming");
  }

  composer({ send, stop, put, typed }) {
    const form = document.querySelector("form[data-logged-out]");
    const area = form.querySelector("#mobile-composer-prompt");
    const submit = form.querySelector("button[data-composer-submit]");
    const inputs = ["photos", "files", "camera"].map((name) => ({ name, label: t(name) }));
    inputs[0].input = form.querySelector("#octane-mobile-composer-photos-input");
    inputs[1].input = form.querySelector("#octane-mobile-composer-files-input");
    inputs[2].input = form.querySelector("#octane-mobile-composer-camera-input");
    const add = form.querySelector("#add");
    add.append(icon("plus"));
    plusMenu(add, inputs);
    submit.setAttribute("data-send-label", t("send"));
    submit.setAttribute("data-stop-label", t("stop"));
    submit.addEventListener("click", (event) => {
      if (submit.getAttribute("type") !== "button") return;
      event.preventDefault();
      stop();
    });
    let composer = null;
    const draw = ({ answering, ready, stop: name }) => {
      // while Stop is out of sight the button looks as if nothing were under way
      const stops = answering && name !== null;
      submit.setAttribute("type", stops ? "button" : "submit");
      submit.toggleAttribute("data-stop-generating", stops);
      submit.setAttribute("aria-label", stops ? name || t("stop") : t("send"));
      const off = !stops && (!ready || answering);
      submit.setAttribute("aria-disabled", String(off));
      submit.toggleAttribute("data-visually-disabled", off);
      submit.replaceChildren(icon(stops ? "stop" : "up"));
    };
    const uploads = new Uploads({
      inputs: inputs.map(({ input }) => input),
      drop: form,
      chips: form.querySelector(".files"),
      put,
      changed: () => composer?.show(),
      words: { remove: t("remove_file"), failed: t("upload_failed") },
    });
    const changed = () => {
      if (area.value) typed();
      composer?.show();
    };
    const editor = new Area(area, { changed, enter: () => form.requestSubmit() });
    composer = new Composer({ form, editor, uploads, draw, send });
    if (area.value) changed(); // what was typed before the page came alive stays
    return composer;
  }

  // -- notices --------------------------------------------------------------------------

  quiet() {
    super.quiet();
    this.status.hidden = true;
    this.status.querySelector("[data-composer-submission-retry]").hidden = true;
  }

  alert(title, text = "", retry = null) {
    this.status.hidden = false;
    this.status.querySelector("span").textContent = [title, text].filter(Boolean).join(". ");
    const again = this.status.querySelector("[data-composer-submission-retry]");
    again.hidden = retry === null;
    again.onclick = retry;
  }

  limit(until) {
    const dialog = document.querySelector("#no-auth-soft-rate-limit-dialog");
    dialog.querySelector("h2").textContent = until ? t("limit_until_title") : t("limit_title");
    dialog.querySelector("p").textContent = until ? say("limit_until", { time: until }) : t("limit");
    if (!dialog.open) dialog.showModal();
  }

  login() {
    const shell = document.querySelector("[data-octane-recurring-login-banner-shell]");
    shell.setAttribute("data-urgent", "");
    shell.querySelector("strong").textContent = t("expired_title");
    shell.querySelector("p").textContent = t("expired");
  }
}

class MessageTurn extends Turn {
  constructor(about, add) {
    super(about);
    this.add = add;
    this.askWith(about.stored, () => add(this.asked()));
  }

  asked() {
    const words = make("p", { "data-user-message-copy": "", dir: "auto" }, this.prompt);
    const bubble = make("button", { type: "button", "data-user-message-bubble": "" }, words);
    const copy = button(t("copy_message"), "copy", { "data-copy-message": "" }, copies(() => this.prompt));
    return make("li", { "data-message-role": "user", id: this.key }, ...chips(this.files), bubble, copy);
  }

  wait() {
    this.begin();
  }

  begin() {
    if (this.item) return this.item;
    this.slot = make("div", { "data-assistant-placeholder-slot": "" }, t("thinking"));
    this.markdown = make("div", { "data-assistant-markdown": "" });
    this.item = make(
      "li",
      { "data-message-role": "assistant", "data-message-streaming": "", id: `pending-${crypto.randomUUID()}` },
      this.slot,
      this.markdown,
    );
    this.afterQuestion(() => this.add(this.item));
    return this.item;
  }

  thinkingPlace(id) {
    this.begin(id);
    this.slot.replaceChildren();
    return this.slot;
  }

  textRoot(id) {
    const item = this.begin(id);
    item.setAttribute("data-assistant-content-started", "");
    if (!this.disclosure) this.slot.replaceChildren();
    const block = make("div", { "data-assistant-stream-block": "", dir: "auto" });
    this.markdown.append(block);
    return block;
  }

  codeBlock(language, text) {
    const code = make("code", language ? { class: `language-${language}` } : {}, text);
    return make("pre", { dir: "ltr" }, code);
  }

  finishCode() {}

  ended() {
    if (!this.item) return;
    if (!this.texts.size && !this.disclosure) {
      this.item.remove(); // nothing came of it
      return;
    }
    if (!this.disclosure) this.slot.replaceChildren();
    this.item.removeAttribute("data-message-streaming");
    this.item.setAttribute("data-message-complete", "");
    this.item.id = [...this.texts.keys()].at(-1) ?? this.key;
  }

  showBar() {
    if (this.bar || !this.item) return;
    const copy = button(t("copy_response"), "copy", { "data-copy-message": "" }, copies(() => this.source));
    this.bar = make("div", { "data-assistant-message-actions": "" }, copy, button(t("good"), "thumb"), button(t("bad"), "thumbdown"));
    this.item.append(this.bar);
  }

  hideBar() {
    this.bar?.remove();
    this.bar = null;
  }
}

start(() => new OctaneView());
