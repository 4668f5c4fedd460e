// Code in answers: a header at once, and the code itself only when somebody scrolls to it.

import { icon } from "/assets/icons.js";
import { make } from "/assets/element.js";
import { t } from "/assets/labels.js";

const LINE = 1.5; // em: what a line of code will take, kept free until it is drawn

const waiting = new WeakMap(); // of a block that is not drawn yet: how to draw it
const scrolled = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) if (isIntersecting) mount(target);
});

export function codeBlock(language, text) {
  const copy = make("button", { type: "button", class: "quiet" }, icon("copy"), t("copy"));
  copy.addEventListener("click", () => navigator.clipboard.writeText(text));
  const head = make("div", { class: "group/code-header" }, make("span", {}, language || "text"), copy);
  const space = make("div", { class: "code-space" });
  space.style.height = `${text.split("\n").length * LINE}em`;
  const block = make("div", { "data-testid": "code-block" }, head, space);
  waiting.set(block, () => {
    const code = make("code", language ? { class: `language-${language}` } : {}, text);
    space.replaceWith(make("pre", { dir: "ltr" }, code));
  });
  return block;
}

// Draw the blocks within an element that are in sight now; the others when they come in sight.
export function settle(root, scroller) {
  const blocks = [...root.querySelectorAll('[data-testid="code-block"]')].filter((one) => waiting.has(one));
  if (!blocks.length) return; // where things stand is known only once all is laid out
  const seen = scroller.getBoundingClientRect();
  for (const block of blocks) {
    const { top, bottom } = block.getBoundingClientRect();
    if (bottom > seen.top && top < seen.bottom) mount(block);
    else scrolled.observe(block);
  }
}

function mount(block) {
  scrolled.unobserve(block);
  waiting.get(block)?.();
  waiting.delete(block);
}
