// The list of chats and gems at the side, and the way to a new chat.

import { make } from "/assets/element.js";
import { icon, iconButton } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { keep, stage } from "/assets/stage.js";
import { askAll, base } from "/assets/wire.js";

const LIST = "MaZiqc";
const SETTINGS = "ESY5D";
const STATUS = "otAQ7b";
const MANY = 20; // chats in one answer
const GEMS = [
  ["lab-partner", "Lab partner"],
  ["copy-editor", "Copy editor"],
];

export class Side {
  constructor(host, { go }) {
    this.go = go;
    this.rows = [];
    this.cursor = null;
    this.asked = 0;
    this.items = make("div", { class: "conversations-container", role: "region" });
    this.more = make("button", { type: "button", class: "show-more-button", "data-test-id": "show-more-button" }, t("more"));
    this.more.hidden = true;
    this.more.addEventListener("click", () => this.load(this.cursor));
    const fresh = this.link("/app", "side-nav-action-button", icon("edit_square"), make("span", {}, t("newChat")));
    fresh.setAttribute("aria-label", t("newChat"));
    this.temporary = iconButton("chat_dashed", t("temporary"), { "data-test-id": "temp-chat-button" });
    this.temporary.addEventListener("click", () => go("/app", { temporary: true }));
    const start = make("side-nav-action-button", { "data-test-id": "new-chat-button" }, fresh);
    const gems = GEMS.map(([id, name]) => this.link(`/gem/${id}`, "bot-item", icon("spark"), make("span", {}, name)));
    const list = make("conversations-list", { "data-test-id": "all-conversations" });
    list.append(make("h1", { class: "title gds-label-l" }, t("chats")), this.items, this.more);
    host.replaceChildren(
      make("div", { class: "top-action-list" }, start, ...(stage.no_temporary ? [] : [this.temporary])),
      make("bot-list", {}, make("h1", { class: "title gds-label-l" }, t("gems")), ...gems),
      list,
    );
    host.addEventListener("click", (event) => this.follow(event));
  }

  link(path, name, ...children) {
    return make("a", { class: name, href: keep(`${base}${path}`), "data-path": path }, ...children);
  }

  // A click on a link changes the page without loading it anew.
  follow(event) {
    const link = event.target.closest("a[data-path]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.go(link.getAttribute("data-path"));
  }

  // Read the list, from its beginning or from where it went on. What is read settles `named`.
  async load(cursor = null) {
    const asked = (this.asked += 1);
    const calls = [[LIST, [MANY, cursor, [0, null, 1]]]];
    if (!this.known) calls.push([SETTINGS, [[]]], [STATUS, []]); // asked once, with the list
    const [[, next, rows]] = await askAll(calls);
    this.known = true;
    if (asked !== this.asked) return;
    this.rows = cursor ? [...this.rows, ...rows] : rows;
    this.cursor = next;
    this.more.hidden = !next;
    this.draw();
  }

  show(id) {
    this.shown = id;
    this.draw();
  }

  title(id) {
    return this.rows.find(([one]) => one === id)?.[1] ?? null;
  }

  draw() {
    const made = this.rows.map(([id, words]) => {
      const selected = id === this.shown;
      const title = make("div", { class: "conversation-title gds-label-l", dir: "auto" }, words);
      const link = this.link(`/app/${id.replace(/^c_/, "")}`, "conversation", title);
      link.classList.toggle("selected", selected);
      link.setAttribute("data-test-id", "conversation");
      link.setAttribute("role", "button");
      if (selected) link.setAttribute("aria-current", "true");
      const more = iconButton("more_vert", `${t("options")} ${words}`, { "data-test-id": "actions-menu-button" });
      return make("div", { class: "conversation-items-container" }, link, more);
    });
    this.items.replaceChildren(...made);
    if (stage.login === "out") this.items.replaceChildren(make("p", { class: "guest-note" }, t("wall")));
  }
}
