// The page's custom elements. The history lives in an open shadow root, and each question
// in one of its own, so whoever reads this page must look through both.

import { make } from "/assets/element.js";
import { Markdown } from "/assets/markdown.js";

const ICONS = {
  send: "M2 12 22 3 15 21 11 14Z",
  stop: "M6 6h12v12H6Z",
  mic: "M9 3h6v10H9Z M6 11v2a6 6 0 0 0 12 0v-2 M12 19v3",
  thumb_up: "M3 11h4v10H3Z M8 11l4-8 3 2-1 5h6l-2 11H8Z",
  thumb_down: "M3 3h4v10H3Z M8 13l4 8 3-2-1-5h6L18 3H8Z",
  refresh: "M12 4a8 8 0 1 0 8 8h-3a5 5 0 1 1-5-5v4l6-5-6-5Z",
  content_copy: "M4 4h11v3H7v10H4Z M9 9h11v12H9Z",
};

export function icon(name) {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="gray" d="${ICONS[name]}"/></svg>`;
  const picture = make("img", { alt: name, src: `data:image/svg+xml,${encodeURIComponent(drawing)}` });
  const attributes = { role: "img", fonticon: name, "data-mat-icon-name": name, "aria-hidden": "true" };
  return make("mat-icon", attributes, picture);
}

function shadow(host, ...children) {
  const root = host.attachShadow({ mode: "open" });
  root.append(make("link", { rel: "stylesheet", href: "/assets/style.css" }), ...children);
  return root;
}

// The conversation on show.
customElements.define(
  "chat-window-content",
  class extends HTMLElement {
    constructor() {
      super();
      this.scroller = make("infinite-scroller", { class: "chat-history", "data-test-id": "chat-history-container" });
      this.area = make("div", { id: "chat-history", class: "chat-history-scroll-container" }, this.scroller);
      const heading = make("h1", { class: "cdk-visually-hidden" }, "Conversation with Gemini");
      shadow(this, heading, this.area);
    }

    clear() {
      this.scroller.replaceChildren();
    }

    add(exchange) {
      this.scroller.append(exchange.element);
      this.toEnd();
    }

    toEnd() {
      this.area.scrollTop = this.area.scrollHeight;
    }
  },
);

// What the person asked.
customElements.define(
  "user-query",
  class extends HTMLElement {
    show(prompt) {
      const said = make("span", { class: "cdk-visually-hidden" }, "You said");
      const lines = prompt.split("\n").map((line) => make("p", { class: "query-text-line" }, line || make("br")));
      const text = make("div", { class: "query-text gds-body-l", role: "heading", "aria-level": "2" }, said, ...lines);
      shadow(this, make("user-query-content", { class: "user-query-container" }, text));
    }
  },
);

// A question and its answer.
export class Exchange {
  constructor(prompt) {
    const query = make("user-query");
    query.show(prompt);
    this.thoughts = make("div", { class: "thoughts-container" });
    this.content = make("div", { class: "container" });
    this.foot = make("div", { class: "response-footer gap" });
    this.actions = make("div", { class: "response-container-footer" });
    this.avatar = make("bard-avatar");
    const body = make(
      "div",
      { class: "response-content" },
      this.thoughts,
      make("h2", { class: "cdk-visually-hidden" }, "Gemini said"),
      make("structured-content-container", { class: "model-response-text" }, this.content),
      this.foot,
    );
    const presented = make("div", { class: "presented-response-container" }, this.avatar, body);
    const inner = make("div", { class: "response-container" }, presented, this.actions);
    const response = make("model-response", {}, make("response-container", {}, inner));
    this.element = make("div", { class: "conversation-container" }, query, response);
    this.wait(true);
  }

  wait(waiting) {
    this.avatar.replaceChildren(...(waiting ? [make("div", { class: "avatar_spinner_animation" })] : []));
  }

  name(responseId) {
    if (this.responseId) return;
    this.responseId = responseId;
    this.element.id = responseId.replace(/^r_/, "");
  }

  think(thoughts) {
    if (!this.thinking) {
      this.thinking = make("div", { class: "thoughts-content" });
      const toggle = make("button", { type: "button", class: "thoughts-header-button" }, "Show thinking");
      toggle.addEventListener("click", () => this.thinking.toggleAttribute("hidden"));
      this.thoughts.append(make("model-thoughts", {}, toggle, this.thinking));
      this.thinkingText = new Markdown(this.thinking, codeBlock);
    }
    this.thinkingText.draw(thoughts);
  }

  write(text) {
    if (!this.message) {
      this.thinking?.setAttribute("hidden", "");
      const panel = { class: "markdown markdown-main-panel", "aria-live": "polite", "aria-busy": "true" };
      this.panel = make("div", { id: `model-response-message-content${this.responseId}`, ...panel });
      this.message = make("message-content", { id: `message-content-id-${this.responseId}` }, this.panel);
      this.content.append(this.message);
      this.markdown = new Markdown(this.panel, codeBlock);
    }
    this.markdown.draw(text);
  }

  // The answer is over: its bar appears, unless the person stopped it.
  end({ whole }) {
    this.wait(false);
    this.panel?.setAttribute("aria-busy", "false");
    if (!whole) {
      this.content.append(make("div", { class: "stopped-draft-message" }, "You stopped this response"));
      return;
    }
    this.foot.classList.add("complete");
    this.actions.replaceChildren(actionBar());
  }

  complain(words) {
    this.wait(false);
    this.content.append(make("div", { class: "error-message", role: "alert" }, words));
  }
}

function actionBar() {
  const button = (host, label, name) =>
    make(host, {}, make("button", { type: "button", "aria-label": label }, icon(name)));
  const buttons = make(
    "div",
    { class: "buttons-container-v2" },
    button("thumb-up-button", "Good response", "thumb_up"),
    button("thumb-down-button", "Bad response", "thumb_down"),
    button("regenerate-button", "Redo", "refresh"),
    button("copy-button", "Copy", "content_copy"),
  );
  return make("message-actions", {}, make("div", { class: "actions-container-v2" }, buttons));
}

function codeBlock(language, text) {
  const head = make("div", { class: "code-block-decoration header-formatted gds-title-s" });
  head.append(make("span", {}, language), make("button", { type: "button", "aria-label": "Copy code" }, icon("content_copy")));
  const code = make("code", { role: "text", "data-test-id": "code-content", class: "code-container formatted" }, text);
  return make("code-block", {}, make("div", { class: "code-block" }, head, make("pre", {}, code)));
}
