// The page's custom elements. The history lives in an open shadow root, and each question
// in one of its own, so whoever reads this page must look through both.

import { make } from "/assets/element.js";
import { iconButton } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { Virtual } from "/assets/virtual.js";

const NEAR_TOP = 300; // pixels from the top within which older turns are fetched

// One style sheet for all shadow roots: a link in each would be fetched for each.
const sheet = new CSSStyleSheet();
fetch("/assets/style.css").then(async (response) => sheet.replace(await response.text()));

function shadow(host, ...children) {
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheet];
  root.append(...children);
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
      shadow(this, make("h1", { class: "cdk-visually-hidden" }, t("history")), this.area);
      this.virtual = new Virtual(this.area, this.scroller);
      this.wantsOlder = null; // called near the top
      this.area.addEventListener("scroll", () => this.area.scrollTop < NEAR_TOP && this.wantsOlder?.(), {
        passive: true,
      });
    }

    clear() {
      this.virtual.clear();
      this.wantsOlder = null;
    }

    add(exchange) {
      this.virtual.add(exchange.element);
      this.toEnd();
    }

    // Older turns, above what stands there; what one reads stays where it is.
    prepend(exchanges) {
      const before = this.area.scrollHeight;
      const rows = exchanges.map(({ element }) => ({ element, height: 0, mounted: false }));
      this.virtual.rows.unshift(...rows);
      this.virtual.shown = null;
      this.virtual.look();
      this.area.scrollTop += this.area.scrollHeight - before;
    }

    // Stay with the end, unless the person has scrolled away from it.
    follow() {
      this.virtual.follow();
    }

    toEnd() {
      this.virtual.toEnd();
    }
  },
);

// What the person asked.
customElements.define(
  "user-query",
  class extends HTMLElement {
    show(prompt, files) {
      const said = make("span", { class: "cdk-visually-hidden screen-reader-user-query-label" }, t("youSaid"));
      const lines = prompt.split("\n").map((line) => make("p", { class: "query-text-line" }, line || make("br")));
      const heading = { class: "query-text gds-body-l", role: "heading", "aria-level": "2", dir: "auto" };
      const text = make("div", heading, said, ...lines);
      const chips = files.map((name) => make("span", { class: "file-preview-chip", title: name }, name));
      const bubble = make("span", { class: "user-query-bubble-with-background" }, text);
      const buttons = [iconButton("content_copy", t("copyPrompt"), { class: "action-button" })];
      const row = make("div", { class: "query-content" }, ...buttons, bubble);
      const content = make("user-query-content", { class: "user-query-container" });
      content.append(make("div", { class: "file-preview-container" }, ...chips), row);
      shadow(this, content);
    }
  },
);
