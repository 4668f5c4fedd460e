// Turns and step rows of the IDE's panel, as measured in spring 2026 (generations 1.x and 2.0).

import { command, imitation, limit, notify, permission, plan } from "/assets/cards.js";
import { el, icon, keyed } from "/assets/dom.js";
import { control } from "/assets/press.js";
import { markdown } from "/assets/text.js";

const opened = new Set(); // thinking blocks that were unfolded
let again = () => {};

export function onUnfold(redraw) {
  again = redraw;
}

// `look`: what differs between generations: { bubble, bot }
export function turn(one, words, look, last) {
  if (one.unmounted) return unmounted(one);
  const parts = [el("div", "", {}, user(one, look)), steps(one.rows, "", look), status(one)];
  if (last && one.over && one.rows.length) parts.push(look.thumbs ? thumbs(words) : feedback(one, words));
  return keyed(el("div", "", {}, parts), one.id);
}

// Out of sight: a grey box for each row.
function unmounted(one) {
  const boxes = Array.from({ length: one.rows.length + 1 }, () => el("div", "rounded-lg bg-gray-500/10", { style: "height: 24px" }));
  return keyed(el("div", "", {}, boxes), `${one.id}-unmounted`);
}

function user(one, look) {
  const files = one.files.map((name) => el("div", "relative inline-block overflow-hidden rounded-md border border-gray-500/25", { title: name }, icon("image")));
  return el(
    "div",
    "flex w-full flex-row",
    {},
    el(
      "div",
      "flex min-w-0 grow flex-col",
      {},
      el(
        "div",
        "flex flex-col w-full gap-2 group pb-2 pt-4",
        {},
        el(
          "div",
          look.bubble,
          {},
          el(
            "div",
            "flex flex-row items-end gap-2",
            {},
            el(
              "div",
              "flex-1 flex flex-col gap-2",
              {},
              el("div", "", {}, files.length ? el("div", "relative flex flex-wrap gap-2 mb-2", {}, files) : null, el("div", "flex flex-wrap gap-2"), el("div", "whitespace-pre-wrap text-sm", {}, one.prompt)),
            ),
            el(
              "div",
              "flex-shrink-0 pb-1",
              {},
              control(el("div", "cursor-pointer opacity-50 hover:opacity-100 transition-opacity", { role: "button", "data-tooltip-id": `undo-tooltip-${one.id}` }, icon("undo-2", "w-4 h-4")), "undo"),
            ),
          ),
        ),
      ),
    ),
  );
}

function steps(rows, under, look) {
  const made = rows.filter((row) => row.under === under).map((row) => step(row, rows, look));
  return el("div", "flex flex-col space-y-2", {}, made);
}

const DRAWN = { command, permission, plan, notify, limit };

function step(row, rows, look) {
  if (row.kind === "reply") return reply(row, look);
  if (row.kind === "task") return task(row, rows, look);
  if (row.kind === "imitation") {
    return keyed(el("div", "flex flex-row my-2", {}, el("div", "min-w-0 grow", {}, el("div", "flex flex-col gap-y-3", {}, imitation(row)))), row.key);
  }
  const inner = DRAWN[row.kind]?.(row) ?? (row.kind === "tool" ? tool(row) : plain(row));
  return keyed(el("div", "flex flex-row", {}, el("div", "min-w-0 grow", {}, inner)), row.key);
}

function reply(row, look) {
  const parts = [];
  if (row.thought) parts.push(thought(row));
  if (row.text) {
    const text = markdown(row.text);
    parts.push(look.bot ? el("div", look.bot, {}, text) : text);
  }
  return keyed(el("div", "flex flex-row my-2", {}, el("div", "min-w-0 grow", {}, el("div", "flex flex-col gap-y-3", {}, parts))), row.key);
}

function thought(row) {
  const shown = opened.has(row.id) || !row.thought.over;
  const button = control(
    el(
      "button",
      "flex items-center gap-1 cursor-pointer select-none opacity-70 hover:opacity-100 text-sm",
      { "aria-expanded": String(shown) },
      el("span", "", {}, row.thought.label),
      icon("chevron-right", "h-3.5 w-3.5"),
    ),
    "thought",
    {
      local: () => {
        if (!opened.delete(row.id)) opened.add(row.id);
        again();
      },
    },
  );
  const fold = shown ? "max-h-96 opacity-100" : "max-h-0 opacity-0";
  return el("div", "isolate", {}, button, el("div", `overflow-hidden transition-all duration-200 ${fold}`, {}, el("div", "pl-6 pt-1 opacity-70", {}, markdown(row.thought.text))));
}

export function chip(target, detail) {
  return el(
    "div",
    "flex items-center overflow-hidden",
    {},
    el(
      "span",
      "inline-flex items-center gap-0.5 rounded-md align-middle text-sm font-medium transition-[opacity,background-color] cursor-pointer hover:bg-gray-500/20 select-text",
      { draggable: "true" },
      el("div", "", {}, icon("file", "h-3.5 w-3.5")),
      el("span", "inline-flex break-all", {}, el("span", "", {}, target, detail.startsWith("#") ? el("span", "opacity-50 ml-0.5", {}, detail) : null)),
    ),
  );
}

export function counts(detail) {
  const found = /^\+(\d+) -(\d+)$/.exec(detail);
  if (found) {
    return el("div", "flex items-center gap-1 text-xs", {}, el("span", "text-green-500", {}, `+${found[1]}`), " ", el("span", "text-red-500", {}, `-${found[2]}`));
  }
  return detail && !detail.startsWith("#") ? el("span", "opacity-50", {}, detail) : null;
}

function tool(row) {
  return el(
    "div",
    "flex flex-col",
    {},
    el(
      "div",
      "group flex w-full min-w-0 items-center justify-between py-1",
      {},
      el(
        "div",
        "flex min-w-0 flex-1 items-center gap-x-1 text-sm",
        {},
        el("div", "-ml-1 w-6 flex items-center justify-center flex-none", {}, icon("file", "h-3.5 w-3.5 flex-none opacity-50")),
        el(
          "div",
          "truncate",
          {},
          el(
            "div",
            "flex flex-row items-center gap-1 overflow-hidden whitespace-nowrap",
            {},
            el("span", "shrink-0", {}, row.verb),
            row.target ? [" ", chip(row.target, row.detail)] : null,
            counts(row.detail) ? [" ", counts(row.detail)] : null,
          ),
        ),
        el(
          "div",
          `ml-0.5 flex items-center text-sm text-gray-500/50 ${row.live ? "" : "invisible opacity-0"}`,
          {},
          el("div", "h-3 w-3 animate-spin rounded-full border-2 border-gray-400 border-t-transparent"),
        ),
      ),
    ),
    el("div", "flex gap-x-1 w-full text-sm"),
  );
}

export function plain(row) {
  if (row.kind === "picture") return picture(row);
  if (row.kind === "quota") return el("div", "flex items-center gap-1 text-sm", {}, el("span", "", {}, el("span", "font-medium", {}, "Error"), " ", row.text));
  return el("div", "text-sm opacity-70", {}, row.text ?? "");
}

function picture(row) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${row.width}" height="${row.height}"><rect width="100%" height="100%" fill="#47a"/></svg>`;
  return el("img", "rounded-lg max-w-full", { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: row.alt, width: row.width, height: row.height });
}

// A task with its progress. Its outermost box has the class of thinking blocks, and is none.
function task(row, rows, look) {
  const inner = steps(rows, row.id, look);
  return keyed(
    el(
      "div",
      "",
      {},
      el(
        "div",
        "isolate mb-2 overflow-hidden rounded-lg border border-gray-500/20",
        {},
        el(
          "div",
          "flex items-center justify-between px-2 py-2",
          {},
          el("div", "flex flex-col", {}, el("span", "font-semibold text-ide-text-color", {}, row.title), el("div", "text-sm", {}, markdown(row.summary))),
        ),
        el(
          "div",
          "",
          {},
          el(
            "div",
            "border-t border-gray-500/20 p-2 text-sm",
            {},
            el("div", "flex items-center justify-between", {}, el("div", "text-sm opacity-50", {}, "Progress Updates"), el("span", "select-none opacity-50 cursor-pointer", { role: "button" }, "Collapse all")),
            el("div", "mt-2", {}, inner),
          ),
        ),
      ),
    ),
    row.key,
  );
}

function status(one) {
  const idle = one.status ? "" : "hidden opacity-0";
  return el("div", `whitespace-nowrap transition-opacity opacity-50 pt-2 ${idle}`.trim(), {}, el("span", "block max-w-full overflow-hidden text-ellipsis text-sm", {}, one.status));
}

function thumbs(words) {
  return el("div", "flex flex-row my-2", {}, el("div", "min-w-0 grow", {}, [words.good, words.bad].map((label) => el("div", "leading-relaxed select-text", {}, label))));
}

function feedback(one, words) {
  const thumb = (side, label) =>
    control(el("div", "cursor-pointer flex items-center gap-1 opacity-50 hover:opacity-100 text-sm", { "data-tooltip-id": `${side}-${one.id}` }, icon(`thumbs-${side}`), el("span", "", {}, label)), side);
  return el("div", "flex items-center gap-2 pt-2", {}, thumb("up", words.good), thumb("down", words.bad));
}
