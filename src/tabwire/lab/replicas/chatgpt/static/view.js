// What every layout shows in its own way, and how most of them do it: the list of turns,
// notices, dialogs, the list of chats.

import { aloud } from "/assets/aloud.js";
import { overlay } from "/assets/dialog.js";
import { make } from "/assets/element.js";
import { say, t } from "/assets/labels.js";
import { keep } from "/assets/stage.js";
import { Virtual } from "/assets/virtual.js";

const TOAST_MS = 6_000;

export class View {
  constructor({ scroller, list, notice }) {
    this.scroller = scroller;
    this.notice = notice;
    this.turns = new Virtual(scroller, list);
    this.count = 0;
    this.guest = false;
  }

  // A turn's elements come into the list as they are made.
  add(element) {
    this.turns.add(element);
    this.count += 1;
    document.body.removeAttribute("data-empty");
  }

  clear() {
    this.turns.clear();
    this.count = 0;
    document.body.setAttribute("data-empty", "");
    this.quiet();
  }

  toEnd() {
    this.turns.toEnd();
  }

  follow() {
    this.turns.follow();
  }

  // -- notices --------------------------------------------------------------------------

  quiet() {
    this.notice.replaceChildren();
  }

  // Something went wrong; with `retry` there is a button, and only who presses it asks again.
  alert(title, text = "", retry = null) {
    const words = make("div", {}, make("strong", {}, title), text ? make("p", {}, text) : "");
    const made = make("div", { role: "alert", class: "alert" }, words);
    if (retry) made.append(this.retryButton(made, retry));
    this.notice.replaceChildren(made);
  }

  retryButton(notice, retry) {
    const again = make("button", { type: "button", class: "retry" }, t("retry"));
    again.addEventListener("click", () => {
      notice.remove();
      retry();
    });
    return again;
  }

  toast(text, retry = null) {
    const made = make("div", { role: "alert", class: "toast" }, make("span", {}, text));
    if (retry) made.append(this.retryButton(made, retry));
    document.body.append(made);
    if (!retry) setTimeout(() => made.remove(), TOAST_MS);
  }

  // A limit: with a time it is a banner over the composer, without one a dialog over the page.
  limit(until) {
    if (until) {
      const words = make("div", {}, make("strong", {}, t("limit_until_title")));
      words.append(make("p", {}, say("limit_until", { time: until })));
      const more = make("button", { type: "button" }, t("upgrade"));
      this.notice.replaceChildren(make("div", { class: "banner", "data-limit": "" }, words, more));
    } else {
      this.dialog("limit", { title: t("limit_title"), text: t("limit"), buttons: [t("got_it")] });
    }
  }

  login() {
    const attributes = { "data-testid": "modal-session-expired" };
    const words = { title: t("expired_title"), text: t("expired"), buttons: [t("log_in")] };
    const cover = this.dialog("expired", words, attributes);
    cover.querySelector("button").setAttribute("data-testid", "login-button");
  }

  challenge(html) {
    document.open();
    document.write(html);
    document.close();
  }

  // Something that covers the page: cookies, an offer, a new version.
  cover(kind) {
    const buttons = [t(`${kind}_no`), t(`${kind}_yes`)];
    return this.dialog(kind, { title: t(`${kind}_title`), text: t(kind), buttons });
  }

  dialog(kind, words, attributes = {}) {
    return overlay(kind, { words, attributes });
  }

  // Reading aloud has a control that says Stop, outside the composer.
  player() {
    const bar = document.querySelector("#player");
    if (bar.childElementCount) return;
    aloud(bar, { read: t("read_aloud"), stop: t("stop_reading") }, { reading: true });
  }

  // -- the list of chats ----------------------------------------------------------------

  history(items, current, more) {
    const list = document.querySelector("#history");
    if (!list) return;
    const links = items.map(({ id, title }) => {
      const link = make("a", { href: keep(`/c/${id}`), title }, title);
      if (id === current) link.setAttribute("aria-current", "page");
      return link;
    });
    list.replaceChildren(...links);
    const scroller = list.closest("[data-history-scroll]");
    if (scroller) scroller.onscroll = () => nearEnd(scroller) && more();
  }

  // Which kind of chat this is: in a project, or one that is kept nowhere.
  mode({ temporary, folder }) {
    document.body.toggleAttribute("data-temporary", temporary);
    document.body.toggleAttribute("data-project", Boolean(folder));
    const greeting = document.querySelector("#greeting");
    if (!greeting) return;
    const name = t("project");
    const words = temporary ? t("temporary") : folder ? say("project_new", { name }) : t("greeting");
    const note = temporary ? [make("small", {}, t("temporary_note"))] : [];
    greeting.replaceChildren(words, ...note);
  }

  addressed() {}
}

function nearEnd({ scrollTop, scrollHeight, clientHeight }) {
  return scrollHeight - scrollTop - clientHeight < 200;
}

// Words of the page that its server wrote in English: `data-words="key"` names their own, and
// `data-label`, `data-hint` those of an aria-label and a placeholder.
export function translate(root = document) {
  for (const one of root.querySelectorAll("[data-words]")) one.textContent = t(one.getAttribute("data-words"));
  for (const one of root.querySelectorAll("[data-label]")) {
    one.setAttribute("aria-label", t(one.getAttribute("data-label")));
  }
  for (const one of root.querySelectorAll("[data-hint]")) {
    one.setAttribute("placeholder", t(one.getAttribute("data-hint")));
  }
  for (const link of root.querySelectorAll("a[data-keep]")) link.href = keep(link.getAttribute("href"));
}
