// A small Markdown renderer that draws while the text still grows.
//
// The text is cut into top-level blocks. A block that two others follow can no longer change:
// it is done, its source is never looked at again, so an answer costs what it is long. Of the
// others, those whose source has not changed keep their elements.
//
// Much at once is drawn in slices, as if it had grown, and the page does other things between
// them (`drawn` of draw.js waits for the last). The many blocks of a very long answer are laid
// out only where they are in sight.

import { later } from "/assets/draw.js";
import { make } from "/assets/element.js";
import { facing, inline, maths } from "/assets/inline.js";
import { stage } from "/assets/stage.js";

const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +|$)(.*)$/;
const TASK = /^\[([ xX])\] +/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const DASHES = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const MATHS = /^ {0,3}\$\$/;
const OPEN = 2; // blocks at the end that may still change
const SLICE = 100_000; // characters that are drawn at once, where they end a block
const MANY = 200; // blocks; those after them are laid out in sight only
const UNSEEN = "content-visibility: auto; contain-intrinsic-size: auto 5em";
const SMALL = 200_000; // characters: up to here every change of the text is noticed
const OTHER_WORDS = "Nobody has ever said what stands in this paragraph; the page made it up by itself.";
const SAMPLES = 8;
const SAMPLE = 1000; // characters

export class Markdown {
  constructor(root, codeBlock, drew = () => {}) {
    this.root = root;
    this.codeBlock = codeBlock; // (language, text, open) -> element
    this.drew = drew; // called when something was drawn
    this.clear();
  }

  clear() {
    this.done = ""; // what is drawn for good
    this.settled = 0; // in so many elements
    this.drawn = []; // the source of each block after them that stands there
    this.slice = SLICE; // never less again: what is drawn of a long block stays
  }

  draw(source) {
    this.source = stage.misdrawn ? misdrawn(source) : source;
    this.next();
  }

  next() {
    const { source } = this;
    if (!startsWith(source, this.done)) {
      this.clear(); // the text is another: everything is drawn anew
      this.root.replaceChildren();
    }
    const upto = this.done.length + this.slice;
    const { blocks, ends } = cutWithEnds(source.slice(this.done.length, upto));
    const keys = blocks.map((block) => JSON.stringify(block));
    let same = 0;
    while (same < keys.length && keys[same] === this.drawn[same]) same += 1;
    for (let stale = this.drawn.length; stale > same; stale -= 1) this.root.lastChild.remove();
    if (this.settled >= MANY) this.face();
    this.root.append(...blocks.slice(same).map((block, at) => this.block(block, this.settled + same + at)));
    const settling = Math.max(0, blocks.length - OPEN);
    if (settling) this.done = source.slice(0, this.done.length + ends[settling - 1]);
    this.settled += settling;
    this.drawn = keys.slice(settling);
    this.drew();
    if (upto >= source.length) return;
    if (!settling) this.slice *= 2;
    later(this, () => this.next());
  }

  // `dir=auto` looks at all that is there whenever something is added; by now it is known.
  face() {
    const auto = this.root.closest("[dir=auto]");
    if (auto) auto.dir = getComputedStyle(auto).direction;
  }

  block(block, number) {
    const element = this.element(block);
    if (number >= MANY) element.style.cssText += UNSEEN;
    return element;
  }

  element(block) {
    switch (block.kind) {
      case "code":
        return this.codeBlock(block.language, block.text, block.open);
      case "heading":
        return words(block.text, make(`h${block.level}`));
      case "rule":
        return make("hr");
      case "quote":
        return this.fill(facing(make("blockquote"), block.text), cut(block.text));
      case "list":
        return this.list(block);
      case "table":
        return table(block);
      case "maths":
        return make("p", {}, maths(block.text, true));
      default:
        return words(block.text, make("p"));
    }
  }

  list(block) {
    const list = make(block.ordered ? "ol" : "ul");
    if (block.ordered && block.start !== 1) list.start = block.start;
    for (const item of block.items) {
      const task = TASK.exec(item);
      const text = task ? item.slice(task[0].length) : item;
      const element = facing(make("li"), text);
      if (task) element.append(checkbox(task[1] !== " "), " ");
      const blocks = cut(text);
      if (!block.loose && blocks[0]?.kind === "paragraph") {
        inline(blocks.shift().text, element);
      }
      list.append(this.fill(element, blocks));
    }
    return list;
  }

  fill(element, blocks) {
    element.append(...blocks.map((block) => this.element(block)));
    return element;
  }
}

// The second paragraph in other words, once a third one follows it.
function misdrawn(source) {
  const [first, second, ...rest] = source.split("\n\n");
  return rest.length ? [first, OTHER_WORDS, ...rest].join("\n\n") : [first, second].filter(Boolean).join("\n\n");
}

// Whether a text begins with what is drawn. Of a long one only samples are compared: whoever
// compares all of it with each piece takes longer the longer it gets.
function startsWith(text, begin) {
  if (text.length < begin.length || begin.length <= SMALL) return text.startsWith(begin);
  const step = Math.floor((begin.length - SAMPLE) / (SAMPLES - 1));
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const at = sample * step;
    if (begin.slice(at, at + SAMPLE) !== text.slice(at, at + SAMPLE)) return false;
  }
  return true;
}

function words(text, element) {
  return inline(text, facing(element, text));
}

function checkbox(checked) {
  return make("input", { type: "checkbox", disabled: "", ...(checked ? { checked: "" } : {}) });
}

// -- blocks -----------------------------------------------------------------------------

export function cut(source) {
  return cutWithEnds(source).blocks;
}

// The blocks, and for each the character at which the next line after it begins.
function cutWithEnds(source) {
  const raw = source.split("\n");
  const lines = raw.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const blocks = [];
  const ends = [];
  let at = 0;
  let end = 0;
  let counted = 0; // lines whose characters are in `end`
  while (at < lines.length) {
    if (!lines[at].trim()) {
      at += 1;
      continue;
    }
    const [block, next] = read(lines, at);
    blocks.push(block);
    at = next;
    for (; counted < Math.min(at, raw.length); counted += 1) end += raw[counted].length + 1;
    ends.push(Math.min(end, source.length));
  }
  return { blocks, ends };
}

function read(lines, at) {
  const line = lines[at];
  const fence = FENCE.exec(line);
  if (fence) return code(lines, at, fence);
  const heading = HEADING.exec(line);
  if (heading) return [{ kind: "heading", level: heading[1].length, text: heading[2] }, at + 1];
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  if (QUOTE.test(line)) return quote(lines, at);
  if (ITEM.test(line)) return list(lines, at);
  if (isTable(lines, at)) return readTable(lines, at);
  if (MATHS.test(line)) return readMaths(lines, at) ?? paragraph(lines, at);
  return paragraph(lines, at);
}

function code(lines, at, [, indent, mark, language]) {
  const closing = new RegExp(`^ {0,3}${mark[0]}{${mark.length},}\\s*$`);
  const text = [];
  let end = at + 1;
  while (end < lines.length && !closing.test(lines[end])) {
    text.push(lines[end].replace(new RegExp(`^ {0,${indent.length}}`), ""));
    end += 1;
  }
  const open = end >= lines.length;
  return [{ kind: "code", language, text: text.join("\n"), open }, end + 1];
}

function quote(lines, at) {
  const text = [];
  while (at < lines.length && QUOTE.test(lines[at])) text.push(QUOTE.exec(lines[at++])[1]);
  return [{ kind: "quote", text: text.join("\n") }, at];
}

function list(lines, at) {
  const first = ITEM.exec(lines[at]);
  const ordered = /\d/.test(first[2]);
  const block = { kind: "list", ordered, start: parseInt(first[2], 10) || 1, loose: false, items: [] };
  while (at < lines.length) {
    const item = ITEM.exec(lines[at]);
    if (!item || item[1].length > first[1].length + 1 || /\d/.test(item[2]) !== ordered) break;
    const inside = item[1].length + item[2].length + Math.max(1, Math.min(item[3].length, 4));
    const text = [item[4]];
    at += 1;
    while (at < lines.length) {
      const blank = !lines[at].trim();
      const depth = lines[at].length - lines[at].trimStart().length;
      if (blank && !belongs(lines, at, inside)) break;
      if (!blank && depth < Math.min(inside, item[1].length + 2)) break;
      if (blank) block.loose = block.loose || text.length === 1;
      text.push(lines[at].slice(Math.min(depth, inside)));
      at += 1;
    }
    block.items.push(text.join("\n"));
    const next = skipBlank(lines, at);
    const more = next > at && ITEM.exec(lines[next] ?? "");
    if (more && more[1].length === item[1].length && /\d/.test(more[2]) === ordered) {
      block.loose = true;
      at = next;
    }
  }
  return [block, at];
}

function belongs(lines, at, inside) {
  const next = lines[skipBlank(lines, at)];
  return next !== undefined && next.length - next.trimStart().length >= inside;
}

function skipBlank(lines, at) {
  while (at < lines.length && !lines[at].trim()) at += 1;
  return at;
}

function isTable(lines, at) {
  return lines[at].includes("|") && DASHES.test(lines[at + 1] ?? "") && lines[at + 1].includes("-");
}

function readTable(lines, at) {
  const rows = [cells(lines[at])];
  const sides = cells(lines[at + 1]).map(side);
  at += 2;
  while (at < lines.length && lines[at].includes("|")) rows.push(cells(lines[at++]));
  return [{ kind: "table", rows, sides }, at];
}

function side(dashes) {
  const [left, right] = [dashes.startsWith(":"), dashes.endsWith(":")];
  return left && right ? "center" : right ? "right" : left ? "left" : "";
}

// A formula of its own: from one pair of dollars to the next, without an empty line between.
// While its end has not come, its lines are words.
function readMaths(lines, at) {
  let text = lines[at].trim().slice(2);
  let end = at + 1;
  while (!text.trimEnd().endsWith("$$")) {
    // the line that has just begun is not empty, it is not there yet
    const over = end >= lines.length - 1 && !lines[end]?.trim();
    if (over) return [{ kind: "paragraph", text: `$$${text}` }, end];
    if (!lines[end].trim()) return null;
    text += `\n${lines[end]}`;
    end += 1;
  }
  const tex = text.trimEnd().slice(0, -2).trim();
  return !tex || tex.includes("$$") ? null : [{ kind: "maths", text: tex }, end];
}

function cells(line) {
  const inner = line.trim().replace(/^\|/, "").replace(/(^|[^\\])\|$/, "$1");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function paragraph(lines, at) {
  const text = [];
  while (at < lines.length && lines[at].trim()) {
    if (text.length && startsBlock(lines, at)) break;
    text.push(lines[at++].trim());
  }
  return [{ kind: "paragraph", text: text.join("\n") }, at];
}

function startsBlock(lines, at) {
  const line = lines[at];
  const item = ITEM.exec(line);
  const tests = [FENCE, HEADING, RULE, QUOTE].some((shape) => shape.test(line));
  return tests || MATHS.test(line) || (item && item[4] && !/^(?!1[.)])\d/.test(item[2])) || isTable(lines, at);
}

function table({ rows, sides }) {
  const element = make("table");
  const dressed = (name, column) => make(name, sides[column] ? { style: `text-align: ${sides[column]}` } : {});
  const head = element.createTHead().insertRow();
  rows[0].forEach((cell, column) => head.append(words(cell, dressed("th", column))));
  const body = element.createTBody();
  for (const row of rows.slice(1)) {
    const line = body.insertRow();
    rows[0].forEach((_, column) => line.append(words(row[column] ?? "", dressed("td", column))));
  }
  return element;
}
