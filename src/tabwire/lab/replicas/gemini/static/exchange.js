// A question and its answer as they stand on the page, while it comes and afterwards.

import { aloud } from "/assets/aloud.js";
import { chips, unmarked } from "/assets/cites.js";
import { make } from "/assets/element.js";
import { icon, iconButton } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { Markdown } from "/assets/markdown.js";
import { stage } from "/assets/stage.js";

const SHRUNK = 12; // characters left of a text that has shrunk

export class Exchange {
  constructor(prompt, { files = [], late = 0 } = {}) {
    this.thoughts = make("div", { class: "thoughts-container" });
    this.content = make("div", { class: "container" });
    this.foot = make("div", { class: "response-footer gap" });
    this.actions = make("div", { class: "response-container-footer" });
    this.avatar = make("bard-avatar", { class: "avatar-component" });
    this.state = make("div", { class: "response-container-header-processing-state" });
    this.speech = make("tts-control");
    this.text = "";
    this.sources = new Map();
    const body = make(
      "div",
      { class: "response-content" },
      this.thoughts,
      make("h2", { class: "cdk-visually-hidden screen-reader-model-response-label" }, t("said")),
      make("structured-content-container", { class: "model-response-text" }, this.content),
      this.foot,
    );
    const head = make("div", { class: "response-container-header" }, this.state, this.speech);
    const presented = make("div", { class: "presented-response-container" }, this.avatar, body);
    const inner = make("div", { class: "response-container" }, head, presented, this.actions);
    const response = make("model-response", {}, make("response-container", {}, inner));
    this.element = make("div", { class: "conversation-container message-actions-hover-boundary" }, response);
    if (late) setTimeout(() => this.ask(prompt, files), late * 1000);
    else this.ask(prompt, files);
    this.wait(true);
  }

  ask(prompt, files) {
    const query = make("user-query");
    query.show(prompt, files);
    this.element.prepend(query);
  }

  wait(waiting) {
    this.avatar.classList.toggle("waiting", waiting);
    this.avatar.replaceChildren(icon("spark"), ...(waiting ? [make("div", { class: "avatar_spinner_animation" })] : []));
  }

  name(responseId) {
    if (this.responseId) return;
    this.responseId = responseId;
    this.element.id = responseId.replace(/^r_/, "");
  }

  think(thoughts) {
    if (!this.thinking) {
      this.thinking = make("div", { class: "thoughts-content" });
      this.toggle = make("button", { type: "button", class: "thoughts-header-button" });
      this.skip = make("button", { type: "button", class: "thoughts-skip-button" }, t("answerNow"));
      this.toggle.addEventListener("click", () => this.unfold(this.thinking.hidden));
      // it only folds the thoughts: what the site does upon it is not known
      this.skip.addEventListener("click", () => this.unfold(false));
      const head = make("div", { class: "thoughts-header" }, icon("spark"), this.toggle, this.skip);
      this.thoughts.append(make("model-thoughts", {}, head, this.thinking));
      this.thinkingText = new Markdown(this.thinking, codeBlock);
      this.unfold(true);
    }
    this.thinkingText.draw(thoughts);
  }

  unfold(open) {
    this.thinking.hidden = !open;
    this.toggle.setAttribute("aria-expanded", String(open));
    this.toggle.textContent = t(open ? "hideThinking" : "showThinking");
  }

  // A tool is at work, or none is.
  use(tool) {
    this.state.textContent = tool ? `${t("using")} ${tool}` : "";
  }

  write(text, sources = this.sources) {
    this.text = text;
    this.sources = sources;
    if (!this.message) {
      if (this.thinking) this.unfold(false);
      this.skip?.remove();
      const panel = { class: "markdown markdown-main-panel", "aria-live": "polite", "aria-busy": "true", dir: "auto" };
      this.panel = make("div", { id: `model-response-message-content${this.responseId}`, ...panel });
      this.message = make("message-content", { id: `message-content-id-${this.responseId}` }, this.panel);
      this.content.append(this.message);
      this.markdown = new Markdown(this.panel, codeBlock, () => chips(this.panel, this.sources));
    }
    const shown = unmarked(text, sources);
    this.markdown.draw(this.shrunk ? shown.slice(0, SHRUNK) : shown);
  }

  // Most of the text goes for a while, as in tabs that nobody sees.
  shrink(seconds) {
    this.shrunk = true;
    this.write(this.text);
    const back = () => {
      this.shrunk = false;
      this.write(this.text);
    };
    setTimeout(back, seconds * 1000);
  }

  // The bar appears before its time, and goes.
  flash(seconds) {
    this.showBar();
    setTimeout(() => !this.over && this.hideBar(), seconds * 1000);
  }

  showBar() {
    this.foot.classList.add("complete");
    this.actions.replaceChildren(actionBar());
  }

  hideBar() {
    this.foot.classList.remove("complete");
    this.actions.replaceChildren();
  }

  readAloud(reading) {
    if (this.speech.firstChild) return;
    const dress = (button, on) => {
      button.className = "mdc-icon-button tts-button";
      button.replaceChildren(icon(on ? "pause" : "volume_up"));
    };
    aloud(this.speech, { read: t("listen"), stop: t("stopListening") }, { dress, reading });
  }

  // The answer is over: its bar appears, unless the person stopped it.
  end({ whole }) {
    this.over = true;
    this.wait(false);
    this.use("");
    this.skip?.remove();
    this.panel?.setAttribute("aria-busy", "false");
    if (!whole) {
      this.hideBar();
      this.content.append(make("div", { class: "stopped-draft-message" }, t("stopped")));
      return;
    }
    this.showBar();
    this.readAloud(stage.aloud);
  }

  // It went wrong: the words say how, `retry` asks again where that may help.
  complain(words, retry = null) {
    this.over = true;
    this.wait(false);
    this.use("");
    this.skip?.remove();
    this.hideBar();
    this.panel?.setAttribute("aria-busy", "false");
    const said = make("div", { class: "error-message", role: "alert" }, make("span", {}, words));
    if (retry) {
      const again = make("button", { type: "button", class: "retry-button" }, t("retry"));
      again.addEventListener("click", retry, { once: true });
      said.append(again);
    }
    this.content.append(said);
  }
}

function actionBar() {
  const button = (host, label, name, id) => {
    const made = iconButton(name, label, id ? { "data-test-id": id } : {});
    return make(host, {}, made);
  };
  const buttons = make(
    "div",
    { class: "buttons-container-v2" },
    button("thumb-up-button", t("good"), "thumb_up"),
    button("thumb-down-button", t("bad"), "thumb_down"),
    button("regenerate-button", t("redo"), "refresh", "regenerate-button"),
    button("copy-button", t("copy"), "content_copy", "copy-button"),
    iconButton("more_vert", t("moreOptions"), { "data-test-id": "more-menu-button" }),
  );
  return make("message-actions", {}, make("div", { class: "actions-container-v2" }, buttons));
}

function codeBlock(language, text) {
  const head = make("div", { class: "code-block-decoration header-formatted gds-title-s" });
  head.append(make("span", {}, language), iconButton("content_copy", t("copyCode"), { class: "copy-code" }));
  const code = make("code", { role: "text", "data-test-id": "code-content", class: "code-container formatted" }, text);
  return make("code-block", { dir: "ltr" }, make("div", { class: "code-block" }, head, make("pre", {}, code)));
}
