// A small Markdown renderer that draws while the text still grows.
//
// The text is cut into top-level blocks. A block whose source has not changed keeps its
// elements, so only the end of an answer is drawn again with each piece.

const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +|$)(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const DASHES = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export class Markdown {
  constructor(root, codeBlock) {
    this.root = root;
    this.codeBlock = codeBlock; // (language, text, open) -> element
    this.drawn = []; // the source of each block that stands there
  }

  draw(source) {
    const blocks = cut(source);
    const keys = blocks.map((block) => JSON.stringify(block));
    let same = 0;
    while (same < keys.length && keys[same] === this.drawn[same]) same += 1;
    while (this.root.childNodes.length > same) this.root.lastChild.remove();
    for (const block of blocks.slice(same)) this.root.append(this.element(block));
    this.drawn = keys;
  }

  element(block) {
    switch (block.kind) {
      case "code":
        return this.codeBlock(block.language, block.text, block.open);
      case "heading":
        return inline(block.text, make(`h${block.level}`));
      case "rule":
        return make("hr");
      case "quote":
        return this.fill(make("blockquote"), cut(block.text));
      case "list":
        return this.list(block);
      case "table":
        return table(block);
      default:
        return inline(block.text, make("p"));
    }
  }

  list(block) {
    const list = make(block.ordered ? "ol" : "ul");
    if (block.ordered && block.start !== 1) list.start = block.start;
    for (const item of block.items) {
      const element = make("li");
      const blocks = cut(item);
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

function make(name) {
  return document.createElement(name);
}

// -- blocks -----------------------------------------------------------------------------

export function cut(source) {
  const lines = source.replace(/\r\n?/g, "\n").split("\n");
  const blocks = [];
  let at = 0;
  while (at < lines.length) {
    if (!lines[at].trim()) {
      at += 1;
      continue;
    }
    const [block, next] = read(lines, at);
    blocks.push(block);
    at = next;
  }
  return blocks;
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
  at += 2;
  while (at < lines.length && lines[at].includes("|")) rows.push(cells(lines[at++]));
  return [{ kind: "table", rows }, at];
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
  return tests || (item && item[4] && !/^(?!1[.)])\d/.test(item[2])) || isTable(lines, at);
}

function table({ rows }) {
  const element = make("table");
  const head = element.createTHead().insertRow();
  for (const cell of rows[0]) head.append(inline(cell, make("th")));
  const body = element.createTBody();
  for (const row of rows.slice(1)) {
    const line = body.insertRow();
    rows[0].forEach((_, column) => line.append(inline(row[column] ?? "", make("td"))));
  }
  return element;
}

// -- inside a line ----------------------------------------------------------------------

const INLINE = [
  [/^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/, (found) => plain("code", found[2].replace(/^ (.*) $/s, "$1"))],
  [/^\*\*(?=\S)([\s\S]*?\S)\*\*(?!\*)/, (found) => inline(found[1], make("strong"))],
  [/^__(?=\S)([\s\S]*?\S)__(?!\w)/, (found) => inline(found[1], make("strong"))],
  [/^\*(?=[^\s*])([\s\S]*?[^\s*])\*(?!\*)/, (found) => inline(found[1], make("em"))],
  [/^_(?=[^\s_])([\s\S]*?[^\s_])_(?!\w)/, (found) => inline(found[1], make("em"))],
  [/^~~(?=\S)([\s\S]*?\S)~~/, (found) => inline(found[1], make("del"))],
  [/^\[([^\]]+)\]\((https?:[^\s)]+)\)/, (found) => link(found[2], found[1])],
  [/^<(https?:[^\s>]+)>/, (found) => link(found[1], found[1])],
];

function inline(text, element) {
  let words = "";
  const flush = () => {
    if (words) element.append(words);
    words = "";
  };
  for (let at = 0; at < text.length; ) {
    const escaped = text[at] === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "");
    const found = escaped ? null : match(text, at);
    if (found) {
      flush();
      element.append(found.element);
      at += found.length;
    } else {
      at += escaped ? 1 : 0;
      words += text[at];
      at += 1;
    }
  }
  flush();
  return element;
}

function match(text, at) {
  if (!"`*_~[<".includes(text[at])) return null;
  if (text[at] === "_" && /\w/.test(text[at - 1] ?? "")) return null;
  const rest = text.slice(at);
  for (const [shape, build] of INLINE) {
    const found = shape.exec(rest);
    if (found) return { element: build(found), length: found[0].length };
  }
  return null;
}

function plain(name, text) {
  const element = make(name);
  element.textContent = text;
  return element;
}

function link(url, text) {
  const element = inline(text, make("a"));
  element.href = url;
  element.target = "_blank";
  element.rel = "noopener";
  return element;
}
