// Dialogs that cover the page: a question about cookies, an offer, a request to reload.
//
// While one stands there no click reaches what is below it, and what is below cannot be
// focused by a click either; its own buttons close it.

import { make } from "/assets/element.js";

const WORDS = {
  cookies: {
    title: "We use cookies",
    text: "This stand-in keeps none, and asks all the same.",
    buttons: ["Reject non-essential", "Accept all"],
  },
  upsell: {
    title: "Try the larger plan",
    text: "More of everything, for a price. In the lab it costs nothing and does nothing.",
    buttons: ["Maybe later", "Upgrade"],
  },
  update: {
    title: "A new version is available",
    text: "Reload the page to go on.",
    buttons: ["Not now", "Reload"],
  },
};

const COVER = "position:fixed;inset:0;z-index:2147483000;display:grid;place-items:center;background:#0008;";
const BOX =
  "max-width:26rem;margin:1rem;padding:1.2rem 1.5rem;border-radius:1rem;background:Canvas;color:CanvasText;" +
  "box-shadow:0 8px 40px #0008;font:16px/1.5 system-ui,sans-serif;";
const ROW = "display:flex;gap:.5rem;justify-content:flex-end;margin-top:1rem;";

// Cover the page. `words` = { title, text, buttons } replaces what this kind says, `attributes`
// dresses the dialog as the site does. Returns the element; `closed` is told when it is closed.
export function overlay(kind, { words = {}, attributes = {}, closed = () => {} } = {}) {
  const said = { ...(WORDS[kind] ?? WORDS.upsell), ...words };
  const buttons = said.buttons.map((label) => make("button", { type: "button" }, label));
  const title = make("h2", { style: "margin:0 0 .5rem;font-size:1.1rem" }, said.title);
  const box = make(
    "div",
    { role: "dialog", "aria-modal": "true", "aria-label": said.title, style: BOX, ...attributes },
    title,
    make("p", { style: "margin:0" }, said.text),
    make("div", { style: ROW }, ...buttons),
  );
  const cover = make("div", { "data-overlay": kind, style: COVER }, box);
  for (const button of buttons) {
    button.addEventListener("click", () => {
      cover.remove();
      closed(button.textContent);
      if (kind === "update" && button === buttons.at(-1)) location.reload();
    });
  }
  document.body.append(cover);
  return cover;
}
