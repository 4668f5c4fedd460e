// The list of chats at the side, a page of it at a time, and the projects above it.

import { make } from "/assets/element.js";
import { icon } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { keep } from "/assets/stage.js";
import { get, projects } from "/assets/wire.js";

const SIZE = 30; // chats asked for at once

export class History {
  constructor(box, folders) {
    this.box = box;
    this.folders = folders;
    this.known = []; // the chats that are shown
    this.current = null;
    this.asked = 0; // of several lists under way only the newest is shown
  }

  async start() {
    const found = await projects();
    this.folders.replaceChildren(
      ...found.map(({ workspaceId, name }) => make("a", { href: keep(`/project/${workspaceId}`) }, icon("folder"), name)),
    );
  }

  // The first page anew: the chat asked in last is on top.
  async refresh(current) {
    this.current = current;
    const asked = (this.asked += 1);
    const page = await get(`/conversations?pageSize=${SIZE}`);
    if (asked !== this.asked) return;
    this.known = page.conversations;
    this.show(page.nextCursor);
  }

  async more(cursor) {
    const asked = (this.asked += 1);
    const page = await get(`/conversations?pageSize=${SIZE}&cursor=${encodeURIComponent(cursor)}`);
    if (asked !== this.asked) return;
    this.known = [...this.known, ...page.conversations];
    this.show(page.nextCursor);
  }

  show(cursor) {
    const links = this.known.map(({ conversationId, title, workspaces }) => {
      const project = workspaces?.[0]?.workspaceId;
      const address = project ? `/project/${project}?chat=${conversationId}` : `/c/${conversationId}`;
      const link = make("a", { href: keep(address) }, title);
      if (conversationId === this.current) link.setAttribute("aria-current", "page");
      return link;
    });
    this.box.replaceChildren(...links);
    if (!cursor) return;
    const more = make("button", { type: "button", class: "quiet" }, t("more"));
    more.addEventListener("click", () => this.more(cursor));
    this.box.append(more);
  }

  // The address of a chat that is not on show.
  get elsewhere() {
    return this.box.querySelector("a:not([aria-current])")?.href ?? keep("/");
  }
}
