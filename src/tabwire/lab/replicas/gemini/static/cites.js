// Sources: the text marks them, the candidate names them, the page shows a number and a chip.
// A mark is never shown, nor half of one while it grows; without a named source it is dropped.

import { make } from "/assets/element.js";
import { t } from "/assets/labels.js";

const RICH = 12;
const GROUPS = "44"; // the field after index 43, in the object at the end of a sparse list
const MARK = / ?\[cite: ([\d, ]+)\]/g;
const START = /\[cite_start\]/g;
const HALF = /\[(?:c(?:i(?:t(?:e(?:_\w*|:[\d, ]*)?)?)?)?)?$/;
const LINKED = /^cite ([\d ]+)$/;

// Number -> {url, title}, of one candidate.
export function sources(candidate) {
  const known = new Map();
  for (const [[mark], listed] of candidate[RICH]?.at(-1)?.[GROUPS] ?? []) {
    const numbers = mark.match(/\d+/g) ?? [];
    numbers.forEach((number, at) => {
      const [, url, title] = listed[at][3][0];
      known.set(number, { url, title });
    });
  }
  return known;
}

// The text to draw: a mark is a link to its first source, which `chips` puts something else for.
export function unmarked(text, known) {
  const shown = text.replace(START, "").replace(MARK, (_mark, said) => {
    const numbers = (said.match(/\d+/g) ?? []).filter((one) => known.has(one));
    return numbers.length ? `[cite ${numbers.join(" ")}](${known.get(numbers[0]).url})` : "";
  });
  return shown.replace(HALF, "");
}

export function chips(root, known) {
  if (!known.size) return;
  for (const link of root.querySelectorAll("a")) {
    const numbers = LINKED.exec(link.textContent)?.[1].split(" ");
    if (numbers) link.replaceWith(...numbers.map(footnote), carousel(known.get(numbers[0]).title));
  }
}

// The number is drawn by the style sheet: the element itself is empty.
function footnote(number) {
  return make("source-footnote", {}, make("sup", { class: "superscript", "data-turn-source-index": number }));
}

function carousel(title) {
  const shown = make("span", { class: "source-title" }, title);
  const button = make("button", { type: "button", "aria-label": `${t("source")} ${title}` }, shown);
  return make("sources-carousel-inline", {}, make("source-inline-chip", {}, button));
}
