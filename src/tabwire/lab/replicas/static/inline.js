// Markdown within a line: emphasis, code, links, maths. See markdown.js for the blocks.

import { make } from "/assets/element.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const MARKS = "`*_~[<$";

const SHAPES = [
  [/^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/, (found) => make("code", {}, found[2].replace(/^ (.*) $/s, "$1"))],
  [/^\$\$(?=\S)([^$\n]*?[^\s$\\])\$\$/, (found) => maths(found[1], true)],
  [/^\$(?=[^\s$])((?:\\.|[^$\\\n])*?)(?<!\s)\$(?!\d)/, (found) => maths(found[1], false)],
  [/^\*\*(?=\S)([\s\S]*?\S)\*\*(?!\*)/, (found) => inline(found[1], make("strong"))],
  [/^__(?=\S)([\s\S]*?\S)__(?!\w)/, (found) => inline(found[1], make("strong"))],
  [/^\*(?=[^\s*])([\s\S]*?[^\s*])\*(?!\*)/, (found) => inline(found[1], make("em"))],
  [/^_(?=[^\s_])([\s\S]*?[^\s_])_(?!\w)/, (found) => inline(found[1], make("em"))],
  [/^~~(?=\S)([\s\S]*?\S)~~/, (found) => inline(found[1], make("del"))],
  [/^\[([^\]]+)\]\((https?:(?:[^\s()]|\([^\s()]*\))+)\)/, (found) => link(found[2], found[1])],
  [/^<(https?:[^\s>]+)>/, (found) => link(found[1], found[1])],
];

// Draw a line's words into an element. What runs from right to left says so for itself.
export function inline(text, element) {
  let from = 0; // where the plain words begin that are not in the element yet
  let words = "";
  const flush = (at) => {
    words += text.slice(from, at);
    if (words) element.append(words);
    words = "";
  };
  for (let at = 0; at < text.length; ) {
    if (text[at] === "\\" && PUNCTUATION.test(text[at + 1] ?? "")) {
      words += text.slice(from, at);
      from = at + 1;
      at += 2;
      continue;
    }
    const found = MARKS.includes(text[at]) ? match(text, at) : null;
    if (found) {
      flush(at);
      element.append(found.element);
      at = from = at + found.length;
    } else {
      at += 1;
    }
  }
  flush(text.length);
  return element;
}

export function facing(element, text) {
  if (RIGHT_TO_LEFT.test(text)) element.dir = "auto";
  return element;
}

// A formula, as KaTeX leaves it: its source is kept beside what is shown.
export function maths(tex, display) {
  const shown = mathml("mtext", {}, tex);
  const source = mathml("annotation", { encoding: "application/x-tex" }, tex);
  const drawn = mathml("math", display ? { display: "block" } : {}, mathml("semantics", {}, shown, source));
  const formula = make("span", { class: "katex", "data-tex": tex }, make("span", { class: "katex-mathml" }, drawn));
  return display ? make("span", { class: "katex-display" }, formula) : formula;
}

function mathml(name, attributes, ...children) {
  const element = document.createElementNS(MATHML, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function match(text, at) {
  if (text[at] === "_" && /\w/.test(text[at - 1] ?? "")) return null;
  const rest = text.slice(at);
  for (const [shape, build] of SHAPES) {
    const found = shape.exec(rest);
    if (found) return { element: build(found), length: found[0].length };
  }
  return null;
}

function link(url, text) {
  const element = inline(text, make("a"));
  element.href = url;
  element.target = "_blank";
  element.rel = "noopener";
  return element;
}
