// What the page says beside the conversation: dialogs, banners, a snack bar with Retry.

import { overlay } from "/assets/dialog.js";
import { make } from "/assets/element.js";
import { icon, iconButton } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { stage } from "/assets/stage.js";

export const SIGN_IN = "https://accounts.google.com/ServiceLogin?passive=1209600&continue=https://gemini.google.com/app";
const SIGN_OUT = "https://accounts.google.com/SignOutOptions?continue=https://gemini.google.com/app";
const DIALOG = { class: "mat-mdc-dialog-container" };

// Cover the page: with a question about cookies, an offer, or a request to load it anew.
export function cover(kind) {
  const words = {
    cookies: { title: t("cookies"), text: t("cookiesText"), buttons: [t("reject"), t("accept")] },
    upsell: { title: t("upsell"), text: t("upsellText"), buttons: [t("later"), t("upgrade")] },
    update: { title: t("update"), text: t("updateText"), buttons: [t("later"), t("reload")] },
  };
  return overlay(kind, { words: words[kind], attributes: { ...DIALOG, "data-test-id": `${kind}-dialog` } });
}

// The session is over although the page looks logged in.
export function signInAgain() {
  if (document.querySelector("session-over-dialog")) return;
  const link = make("a", { class: "gate-button", href: SIGN_IN }, t("signIn"));
  document.body.append(dialog("session-over-dialog", make("p", {}, t("over")), link));
}

// The site wants to know whether one is human.
export function challenge() {
  if (document.querySelector("#captcha-form")) return;
  const box = make("label", {}, make("input", { type: "checkbox" }), ` ${t("human")}`);
  const form = make("form", { id: "captcha-form", action: "/sorry/index" }, box);
  document.body.append(dialog("challenge-dialog", make("p", {}, t("unusual")), form));
}

function dialog(name, ...children) {
  const box = make("div", { class: "mat-mdc-dialog-container", role: "alertdialog", "aria-modal": "true" }, ...children);
  return make(name, { class: "dialog-cover" }, box);
}

// No more questions for now; `until` in seconds since 1970, where the site said so.
export function limit(place, until) {
  const words = [t("limit")];
  if (until) {
    const time = new Date(until * 1000).toLocaleTimeString(stage.lang, { hour: "numeric", minute: "2-digit" });
    words.push(`${t("until")} ${time}`);
  }
  const banner = make("usage-limit-disclaimer", { role: "status", "data-test-id": "usage-limit-banner" });
  banner.append(make("span", {}, words.join(" ")), make("button", { type: "button" }, t("upgrade")));
  place.replaceChildren(banner);
}

// A notice over the page that goes by itself or by a click.
export function snack(words, retry) {
  const again = make("button", { type: "button", class: "mat-mdc-snack-bar-action" }, t("retry"));
  const bar = make("simple-snack-bar", { role: "alert", class: "mat-mdc-snack-bar-container" }, make("span", {}, words));
  bar.append(again);
  again.addEventListener("click", () => {
    bar.remove();
    retry?.();
  });
  document.body.append(bar);
  setTimeout(() => bar.remove(), 8000);
}

export function announce(place) {
  const close = iconButton("close", t("close"));
  const banner = make("bot-banner", { class: "announcement-banner" }, make("span", {}, t("news")), close);
  close.addEventListener("click", () => banner.remove());
  place.replaceChildren(banner);
}

// Whose page it is, at its top: an account, a way to sign in, or both.
export function account(place) {
  const upgrade = make("button", { type: "button", class: "gds-button-tonal" }, icon("spark"), t("upgrade"));
  upgrade.setAttribute("data-test-id", "bard-g1-dynamic-upsell-menu-button");
  upgrade.addEventListener("click", () => cover("upsell"));
  const said = { class: "gb_B", role: "button", "aria-label": `${t("account")}: Lab (lab@example.com)`, href: SIGN_OUT };
  const signIn = make("a", { class: "gate-button sign-in-button", href: SIGN_IN }, t("signIn"));
  const guest = stage.login === "out";
  const shown = guest ? [] : [upgrade, make("a", said, "L")];
  if (guest || stage.login === "pinned") shown.unshift(signIn);
  place.replaceChildren(...shown);
}
