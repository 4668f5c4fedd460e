// Every press on the page, told before anything comes of it. A control says what it needs:
// a click, pointer events before it (`press`), or a hand the browser trusts (`trusted`).

import { tie, tied } from "/assets/dom.js";

const LONG_AGO_MS = 5000;
let pressed = { node: null, at: 0 };
let strict = false;
let tell = () => {};

// `what`: { name, card, command(), shown(), text, needs, local }
export function control(node, name, what = {}) {
  return tie(node, { name, ...what });
}

export function listen(send, wantsPointers = false) {
  tell = send;
  strict = wantsPointers;
  for (const kind of ["pointerdown", "mousedown"]) {
    document.addEventListener(kind, (event) => {
      pressed = { node: found(event), at: performance.now() };
    }, true);
  }
  document.addEventListener("click", clicked);
}

function found(event) {
  return event.composedPath().find((node) => node instanceof Element && tied(node)) ?? null;
}

function clicked(event) {
  const node = found(event);
  const what = node ? tied(node) : null;
  const on = node ?? event.target;
  const label = (on.getAttribute?.("aria-label") || on.textContent || "").trim().slice(0, 200);
  const took = Boolean(what) && able(node) && enough(what, node, event);
  tell({
    do: "click",
    control: what?.name ?? "",
    label: what?.label ?? label,
    card: what?.card ?? "",
    command: what?.command?.() ?? "",
    shown: what?.shown?.() ?? "",
    text: what?.text?.() ?? "",
    trusted: event.isTrusted,
    took,
  });
  if (took) what.local?.(event, node);
}

function able(node) {
  return !node.closest("[disabled], [aria-disabled='true']") && !node.closest("[data-untouchable]");
}

function enough(what, node, event) {
  const needs = what.needs ?? (strict ? "press" : "click");
  if (needs === "trusted") return event.isTrusted;
  return needs === "click" || (pressed.node === node && performance.now() - pressed.at < LONG_AGO_MS);
}
