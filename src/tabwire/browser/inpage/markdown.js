// needs: fence
// An answer as it stands in the page, as Markdown. Nothing is clicked, nothing unfolded.
//
// Buttons, what only screen readers read, what is hidden and what a caller names as no part
// of the text (thinking, decoys) never enter it. Characters are escaped only where they would
// mean something.
((tabwire) => {
  if (tabwire.markdown) return;
  const { isVisible, matches, query, queryAll } = tabwire.deep;
  const { fence } = tabwire;

  const SKIP = [
    "button", "[role='button']", "script", "style", "template", "noscript", "select", "input", "svg", "canvas",
    "[aria-hidden='true']", "[hidden]", "[role='tooltip']", "[data-markdown-copy='exclude']",
    ".sr-only", ".visually-hidden", ".cdk-visually-hidden",
  ].join(",");
  const MATH = ".katex-display, .katex, math, mjx-container, [data-math], .katex-error";
  const DISPLAY = ".katex-display, math[display='block'], mjx-container[display='true'], .math-block, .math-display";
  const TEX = 'annotation[encoding="application/x-tex"]';
  const BLOCKS = new Set((
    "address article aside blockquote dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    + "header hr li main nav ol p pre section summary table ul"
  ).split(" "));
  const BLOCK = [...BLOCKS].join(",");
  const MARKS = { strong: "**", b: "**", em: "*", i: "*", del: "~~", s: "~~", strike: "~~" };
  const BREAK = "  \n";
  const KEPT = "\ue0a0"; // a blank in code, while blanks around it are gathered
  const INVISIBLE = /[\u2060\u200b\ufeff]/g;

  // The children as drawn: of the shadow root, or what a slot was given.
  const childrenOf = (element) => {
    if (element.shadowRoot) return [...element.shadowRoot.childNodes];
    const given = element.localName === "slot" ? element.assignedNodes() : [];
    return given.length > 0 ? given : [...element.childNodes];
  };

  class Writer {
    constructor(root, { skip = "", citation = "" } = {}) {
      this.skip = [SKIP, skip].filter(Boolean).join(",");
      this.citation = [citation, "a.citation", "source-footnote"].filter(Boolean).join(",");
      this.drawn = isVisible(root); // where all is hidden, that says nothing of a part
    }

    isSkipped(element) {
      if (isMath(element)) return false;
      return matches(element, this.skip) || (this.drawn && !isVisible(element));
    }

    // --- blocks ------------------------------------------------------------

    isBlock(node) {
      if (!(node instanceof Element)) return false;
      if (isMath(node)) return matches(node, DISPLAY) || node.closest(DISPLAY) !== null;
      if (matches(node, fence.BLOCK) || BLOCKS.has(node.localName)) return true;
      if (node.shadowRoot) return childrenOf(node).some((one) => this.isBlock(one));
      return query(node, `${BLOCK},${fence.BLOCK},${DISPLAY}`) !== null;
    }

    // Blocks in their order; what stands between them in a line becomes a paragraph.
    blocks(nodes) {
      const found = [];
      let line = [];
      const flush = () => {
        const text = this.paragraph(line);
        if (text) found.push(text);
        line = [];
      };
      for (const node of nodes) {
        if (node instanceof Element && this.isSkipped(node)) continue;
        if (!this.isBlock(node)) line.push(node);
        else {
          flush();
          found.push(...this.block(node));
        }
      }
      flush();
      return found;
    }

    block(element) {
      const name = element.localName;
      if (isMath(element)) return [`$$\n${texOf(element)}\n$$`];
      if (matches(element, fence.BLOCK)) return [fence.block(element)];
      if (/^h[1-6]$/.test(name)) return this.heading(element, Number(name[1]));
      if (name === "ul" || name === "ol") return this.list(element);
      if (name === "blockquote") return this.quote(element);
      if (name === "table") return this.table(element);
      if (name === "hr") return ["---"];
      return this.blocks(childrenOf(element));
    }

    heading(element, level) {
      const text = this.line(childrenOf(element)).replace(/\s*\n\s*/g, " ").trim();
      return text ? [`${"#".repeat(level)} ${text}`] : [];
    }

    quote(element) {
      const inner = this.blocks(childrenOf(element)).join("\n\n");
      return inner ? [inner.split("\n").map((line) => (line ? `> ${line}` : ">")).join("\n")] : [];
    }

    list(element) {
      const ordered = element.localName === "ol";
      let number = ordered ? Number(element.getAttribute("start") ?? 1) || 0 : 0;
      const items = [];
      for (const child of childrenOf(element)) {
        if (!(child instanceof Element) || this.isSkipped(child)) continue;
        if (child.localName !== "li" && items.length > 0) {
          items.at(-1).blocks.push(...this.blocks([child]));
          continue;
        }
        if (ordered && child.hasAttribute("value")) number = Number(child.getAttribute("value"));
        items.push({ marker: ordered ? `${number}. ` : "- ", blocks: this.item(child) });
        number += 1;
      }
      return items.length > 0 ? [joinItems(items)] : [];
    }

    item(element) {
      const box = query(element, "input[type='checkbox']");
      const mine = box !== null && box.closest("li") === element;
      const blocks = this.blocks(childrenOf(element));
      if (!mine) return blocks;
      const [first = "", ...rest] = blocks;
      return [`[${box.checked ? "x" : " "}] ${first}`, ...rest];
    }

    paragraph(nodes) {
      const text = this.line(nodes);
      return text === "" ? "" : text.split("\n").map(atLineStart).join("\n");
    }

    // --- tables ------------------------------------------------------------

    table(element) {
      const rows = [...queryAll(element, "tr")]
        .filter((row) => row.closest("table") === element)
        .map((row) => [...row.children].filter((one) => /^t[dh]$/.test(one.localName)))
        .filter((row) => row.length > 0);
      if (rows.length === 0) return this.blocks(childrenOf(element));
      const caption = [...element.children].filter((one) => one.localName === "caption");
      const cells = rows.map((row) => row.flatMap((one) => [this.cell(one), ...Array(one.colSpan - 1).fill("")]));
      const width = Math.max(...cells.map((row) => row.length));
      const wide = cells.map((row) => [...row, ...Array(width - row.length).fill("")]);
      const signs = wide[0].map((_, index) => alignment(rows[0][index] ?? rows[1]?.[index]));
      const lines = [wide[0], signs, ...wide.slice(1)].map((row) => `| ${row.join(" | ")} |`);
      return [...this.blocks(caption), lines.join("\n")];
    }

    cell(element) {
      const text = this.flat(childrenOf(element)).replace(/ *\n */g, "<br>").replace(/[^\S\n]+/g, " ").trim();
      return text.replace(/(\\*)\|/g, (_, before) => `${before}${before.length % 2 ? "" : "\\"}|`);
    }

    // Blocks inside a cell: one after the other, in one line.
    flat(nodes) {
      if (!nodes.some((one) => this.isBlock(one))) return this.line(nodes);
      return nodes.map((one) => {
        if (!(one instanceof Element)) return this.line([one]);
        if (this.isSkipped(one)) return "";
        if (matches(one, fence.BLOCK)) return fence.inline(one.textContent.trim().replace(/\s+/g, " "));
        if (one.localName === "li") return `• ${this.flat(childrenOf(one))}`;
        return this.isBlock(one) && !isMath(one) ? this.flat(childrenOf(one)) : this.line([one]);
      }).map((one) => one.trim()).filter(Boolean).join(isListed(nodes) ? "<br>" : " ");
    }

    // --- lines -------------------------------------------------------------

    // Everything in one line (with its hard breaks), blanks as they are drawn.
    line(nodes) {
      const text = this.spans(nodes).map((one) => this.span(one)).join("");
      return text.trim().replace(/[ \t\r\f]+/g, " ").replace(/ *\n */g, BREAK);
    }

    // Neighbours with the same mark are one: `**a****b**` would mean something else.
    spans(nodes) {
      const spans = [];
      for (const node of nodes) {
        const mark = node instanceof Element ? MARKS[node.localName] : undefined;
        const last = spans.at(-1);
        if (mark && last?.mark === mark) last.nodes.push(...childrenOf(node));
        else spans.push({ mark, nodes: mark ? childrenOf(node) : [node], node });
      }
      return spans;
    }

    span({ mark, nodes, node }) {
      if (mark && !this.isSkipped(node)) return this.marked(mark, nodes);
      return node instanceof Text ? this.text(node) : node instanceof Element ? this.element(node) : "";
    }

    marked(mark, nodes) {
      if (this.open === mark) return this.spans(nodes).map((one) => this.span(one)).join("");
      const before = this.open;
      this.open = mark;
      const text = this.spans(nodes).map((one) => this.span(one)).join("");
      this.open = before;
      const [, left, inner, right] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text);
      return inner ? `${left}${mark}${inner}${mark}${right}` : text;
    }

    text(node) {
      const parent = node.parentElement;
      const kept = parent && node.data.includes("\n") && /^(pre|pre-wrap|pre-line|break-spaces)$/.test(getComputedStyle(parent).whiteSpace);
      const data = kept ? node.data : node.data.replace(/[\n\r\t]/g, " ");
      return escaped(data);
    }

    element(element) {
      if (this.isSkipped(element)) return "";
      const name = element.localName;
      if (name === "br") return "\n";
      if (isMath(element)) return `$${texOf(element)}$`;
      if (matches(element, this.citation)) return this.cited(element);
      if (name === "a") return this.link(element);
      if (name === "img") return image(element);
      if (name === "code" || name === "samp" || name === "tt") {
        return fence.inline(element.textContent.replace(/\s/g, " ")).replaceAll(" ", KEPT);
      }
      const inner = this.spans(childrenOf(element)).map((one) => this.span(one)).join("");
      if ((name === "sup" || name === "sub") && inner.trim()) return `<${name}>${inner.trim()}</${name}>`;
      return inner;
    }

    link(element) {
      const text = this.line(childrenOf(element)).replaceAll(BREAK, " ");
      const where = element.getAttribute("href") === null ? "" : element.href;
      if (/^\u2060/.test(element.textContent)) return this.cited(element);
      if (!/^(https?|mailto|tel|ftp):/.test(where) || !text) return text;
      const plain = element.textContent.trim();
      if (plain === where || `${plain}/` === where) return `<${where}>`;
      return linked(text.replace(/(?<!\\)\](?!\()/g, "\\]"), where);
    }

    // A source: a link where there is an address, else its number in brackets.
    cited(element) {
      const link = element.localName === "a" ? element : query(element, "a[href]");
      const words = element.textContent.replace(INVISIBLE, "").replace(/\s+/g, " ").trim();
      const label = words.replace(/\+\d+.*$/, "").trim() || words;
      const where = link?.href ?? "";
      if (/^https?:/.test(where)) return linked(escaped(label.replace(/^\[|\]$/g, "") || new URL(where).hostname), where);
      const index = query(element, "[data-turn-source-index]")?.getAttribute("data-turn-source-index");
      const number = label || index || "";
      return number ? `[${number.replace(/^\[|\]$/g, "")}]` : "";
    }
  }

  // --- small things ----------------------------------------------------------

  const isMath = (element) => matches(element, MATH) && element.parentElement?.closest(".katex, .katex-display") == null;

  const texOf = (element) => {
    const given = query(element, TEX)?.textContent ?? element.closest("[data-math]")?.getAttribute("data-math");
    return (given ?? query(element, "[data-math]")?.getAttribute("data-math") ?? element.textContent).trim();
  };

  const linked = (text, where) => `[${text}](${/[\s()<>]/.test(where) ? `<${where.replace(/[<>]/g, encodeURIComponent)}>` : where})`;

  const image = (element) => {
    const alt = (element.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim();
    if (alt && (/^\p{Extended_Pictographic}/u.test(alt) || element.classList.contains("emoji"))) return alt;
    const where = element.currentSrc || element.src;
    const told = /^https?:/.test(where) ? where : "";
    return alt || told ? `!${linked(escaped(alt), told)}` : "";
  };

  const alignment = (cell) => {
    const how = cell ? cell.style.textAlign || cell.getAttribute("align") || "" : "";
    return { left: ":---", center: ":---:", right: "---:" }[how] ?? "---";
  };

  const isListed = (nodes) => nodes.some((one) => one instanceof Element && /^(li|ul|ol)$/.test(one.localName));

  const joinItems = (items) => {
    const isList = (block) => /^(- |\d+\. )/.test(block);
    const tight = items.every(({ blocks }) => blocks.slice(1).every(isList));
    const lines = items.map(({ marker, blocks }) => {
      const inner = (blocks.length > 0 ? blocks : [""]).join(tight ? "\n" : "\n\n");
      const space = " ".repeat(marker.length);
      return inner.split("\n").map((line, index) => (index === 0 ? marker + line : line && space + line)).join("\n").trimEnd();
    });
    return lines.join(tight ? "\n" : "\n\n");
  };

  // Escape what would mean something inside a line.
  const escaped = (text) => text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "\\\\")
    .replace(/`/g, "\\`")
    .replace(/\*/g, (star, at, all) => (isFree(all, at) ? star : "\\*"))
    .replace(/_/g, (low, at, all) => (isFree(all, at) || isInWord(all, at) ? low : "\\_"))
    .replace(/~(?=~)|(?<=~)~/g, "\\~")
    .replace(/\[(?=[^\]]*\][([:])/g, "\\[")
    .replace(/<(?=[a-zA-Z/!?])/g, "\\<")
    .replace(/&(?=#?\w{1,31};)/g, "&amp;");

  const isBlank = (char) => char === undefined || /\s/.test(char);
  const isFree = (text, at) => at > 0 && at + 1 < text.length && isBlank(text[at - 1]) && isBlank(text[at + 1]);
  const isInWord = (text, at) => /[\p{L}\p{N}]/u.test(text[at - 1] ?? " ") && /[\p{L}\p{N}]/u.test(text[at + 1] ?? " ");

  // Escape what would mean something at the beginning of a line.
  const atLineStart = (line) => line
    .replace(/^(#{1,6})(?=\s|$)/, "\\$1")
    .replace(/^>/, "\\>")
    .replace(/^([-+*])(?=\s|$)/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2")
    .replace(/^(-{2,}|=+)\s*$/, "\\$1");

  // The Markdown of what stands under an element.
  const of = (root, options) => {
    const writer = new Writer(root, options);
    const whole = matches(root, fence.BLOCK) ? writer.block(root) : writer.blocks(childrenOf(root));
    return whole.join("\n\n").replaceAll(KEPT, " ").trim();
  };

  tabwire.markdown = { SKIP, of };
})((globalThis.tabwire ??= {}));
