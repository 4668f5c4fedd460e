// What the page tells besides messages: notices in a corner, a banner above the composer, the
// question whether one is human, dialogs that cover everything.

import { overlay } from "/assets/dialog.js";
import { make } from "/assets/element.js";
import { counted, t } from "/assets/labels.js";
import { keep } from "/assets/stage.js";
import { allowance } from "/assets/wire.js";

const $ = (css) => document.querySelector(css);
const DRESS = {
  cookies: { id: "onetrust-banner-sdk", "data-cookie-banner": "true" },
  upsell: { "data-testid": "upsell-dialog" },
  update: { "data-testid": "update-dialog" },
};

export function toast(words, retry = null) {
  const shown = make("div", { class: "toast", role: "alert" }, make("span", {}, words));
  const button = make("button", { type: "button" }, retry ? t("retry") : t("close"));
  button.addEventListener("click", () => {
    shown.remove();
    retry?.();
  });
  shown.append(button);
  $("#notifications").append(shown);
}

export function cover(kind) {
  overlay(kind, { words: t(kind), attributes: DRESS[kind] ?? {} });
}

// A limit is reached: the site is asked how long that lasts, and does not always know.
export async function limited() {
  const { waitTimeSeconds = 0 } = await allowance().catch(() => ({}));
  const words = waitTimeSeconds ? counted("limitUntil", Math.ceil(waitTimeSeconds / 60)) : t("limit");
  const upgrade = make("button", { type: "button" }, t("upgrade"));
  upgrade.addEventListener("click", () => cover("upsell"));
  banner(make("span", {}, words), upgrade);
}

export function loggedOut() {
  banner(make("span", {}, t("expired")), make("a", { href: keep("/sign-in") }, t("signIn")));
}

// The answer to a request was a page that asks whether one is human: it is put over this one.
export function challenged() {
  const box = make("button", { type: "button", role: "checkbox", "aria-checked": "false" }, t("human"));
  const text = make("p", { id: "challenge-error-text" }, t("humanText"));
  const shown = make("div", { class: "challenge", role: "dialog", "aria-modal": "true" }, make("div", {}, text, box));
  box.addEventListener("click", () => shown.remove());
  document.body.append(shown);
}

export function clear() {
  $("#banner").replaceChildren();
}

function banner(...parts) {
  $("#banner").replaceChildren(make("div", { class: "banner", role: "status" }, ...parts));
}
