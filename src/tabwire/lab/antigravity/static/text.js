// A text of the agent as the panel draws it: paragraphs, lists, code blocks with their header.

import { el, icon } from "/assets/dom.js";
import { inline } from "/assets/inline.js";

const MARKDOWN =
  "leading-relaxed select-text text-sm flex flex-col [&_code:not(pre_code)]:bg-code-background " +
  "[&_code:not(pre_code)]:rounded [&_code:not(pre_code)]:px-1 [&_code:not(pre_code)]:py-0.5";

// `words`: each word in a span of its own, as while it grows in the newer app.
export function markdown(text, { live = false, classes = "" } = {}) {
  const box = el("div", `${MARKDOWN} ${classes}`.trim());
  const lines = text.split("\n");
  let list = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const item = /^(?:[-*]|\d+[.)]) +(.*)$/.exec(line);
    const fence = /^```(\S*)/.exec(line);
    const heading = /^(#{1,4}) +(.*)$/.exec(line);
    if (!item) list = null;
    if (fence) {
      const body = [];
      for (at += 1; at < lines.length && !lines[at].startsWith("```"); at += 1) body.push(lines[at]);
      box.append(code(fence[1], body));
    } else if (item) {
      if (!list) box.append((list = el(/^\d/.test(line) ? "ol" : "ul")));
      list.append(dressed(inline, item[1], "li"));
    } else if (heading) {
      box.append(dressed(inline, heading[2], `h${heading[1].length}`));
    } else if (line.trim()) {
      box.append(live ? growing(line) : dressed(inline, line, "p"));
    }
  }
  return box;
}

function dressed(draw, line, name) {
  const made = el(name);
  draw(line, made);
  for (const one of made.querySelectorAll("code")) one.className = "whitespace-pre-wrap";
  return made;
}

function growing(line) {
  const words = line.split(/(?<=\s)/).map((word) => el("span", "", {}, word));
  return el("p", "", {}, el("span", "!mb-0 mt-0 animate-markdown", {}, words));
}

function code(language, lines) {
  const head = el(
    "div",
    "min-h-7 relative box-border flex flex-row items-center justify-between rounded-t border-b border-gray-500/50 px-2 py-0.5",
    {},
    el("div", "font-sans text-sm text-ide-text-color opacity-60", {}, language || "text"),
    el("div", "flex flex-row gap-2 justify-end", {}, el("button", "", { "aria-label": "Copy code" }, icon("copy"))),
  );
  const drawn = lines.map((line, at) =>
    el("div", "code-line", { "data-line-number": at + 1 }, el("div", "line-content", {}, line || "\n")),
  );
  return el(
    "pre",
    "",
    {},
    el(
      "div",
      "relative whitespace-pre-wrap word-break-all my-2 rounded-lg bg-list-hover-subtle border border-gray-500/20",
      {},
      head,
      el("style", "", {}, ".code-line { display: block; }"),
      el("div", "p-3", {}, el("div", "w-full h-full text-xs cursor-text", {}, el("div", "code-block", {}, drawn))),
    ),
  );
}
