// The page's fixed parts get their words and, by the state of the account, their controls.

import { make } from "/assets/element.js";
import { icon } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { keep, stage } from "/assets/stage.js";

const $ = (css) => document.querySelector(css);
const FACE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E" +
  "%3Crect width='8' height='8' fill='%23778'/%3E%3Ccircle cx='4' cy='3' r='1.5' fill='%23fff'/%3E" +
  "%3Cpath d='M1 8a3 3 0 0 1 6 0' fill='%23fff'/%3E%3C/svg%3E";

export function dress() {
  for (const one of document.querySelectorAll("[data-says]")) one.textContent = t(one.dataset.says);
  const fresh = $('[data-testid="new-chat"]');
  fresh.setAttribute("href", keep("/"));
  fresh.prepend(icon("newChat"));
  $(".home").setAttribute("href", keep("/"));
  $(".home").setAttribute("aria-label", t("home"));
  $(".home").replaceChildren(icon("mark"));
  $(".private").setAttribute("href", keep("/c#private"));
  $(".private").setAttribute("aria-label", t("private"));
  $(".private").replaceChildren(icon("private"));
  if (stage.login !== "out") $(".account").append(account());
  if (stage.login === "out" || stage.login === "pinned") $("header").append(...doors());
}

function account() {
  const face = make("img", { alt: "pfp", src: FACE });
  return make("button", { type: "button", "aria-haspopup": "menu", "aria-label": t("account") }, face);
}

function doors() {
  return [
    make("a", { class: "door", "data-slot": "button", href: "/sign-in" }, t("signIn")),
    make("a", { class: "door filled", "data-slot": "button", href: "/sign-up" }, t("signUp")),
  ];
}
