// Text of the agent panel: words of a row, prose as Markdown, and a hash both sides can make.
//
// Nothing is escaped: what the agent wrote is passed on as it stands. Buttons are no words,
// but a file mentioned in a sentence is one, though newer panels make it a button.
((agent) => {
  if (agent.text) return;

  const NO_TEXT = new Set(["script", "style", "template", "noscript", "svg", "canvas", "textarea", "select", "input", "iframe"]);
  const BLOCKS = new Set("address article aside blockquote div dl dd dt fieldset figure figcaption h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table ul".split(" "));
  const MENTION = ".context-scope-mention";
  const CODE_BAR = ".font-sans, [class*='rounded-t'][class*='border-b']";
  const HIDDEN = /(^|\s)(hidden|invisible|sr-only)(\s|$)/;

  const FLEX = /(^|\s)(inline-)?flex(\s|$)/;
  const CHIP = /(^|\s)inline-flex(\s|$)/;

  const isHidden = (element) => element.hidden || HIDDEN.test(element.getAttribute("class") ?? "") || element.style?.display === "none";
  const squeeze = (text) => text.replace(/\s+/g, " ").trim();

  // The words in an element, parts apart by a blank; what `skip` matches is left out, and
  // what is `without`.
  const words = (element, skip = "", without = null) => {
    const found = [];
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) { found.push(node.data); return; }
      if (node.nodeType !== Node.ELEMENT_NODE || NO_TEXT.has(node.localName) || isHidden(node)) return;
      if (node !== element && ((skip && node.matches(skip)) || without?.has(node))) return;
      const block = BLOCKS.has(node.localName) || node.localName === "button" || CHIP.test(node.getAttribute("class") ?? "");
      const apart = FLEX.test(node.getAttribute("class") ?? ""); // drawn apart, with no blank between
      if (block) found.push(" ");
      for (const child of node.childNodes) {
        if (apart) found.push(" ");
        walk(child);
      }
      if (block || node.localName === "br") found.push(" ");
    };
    walk(element);
    return squeeze(found.join(""));
  };

  // --- prose -------------------------------------------------------------------

  const lineOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/\s+/g, " ");
    if (node.localName === "input" && node.type === "checkbox") return node.checked ? "[x] " : "[ ] ";
    if (node.nodeType !== Node.ELEMENT_NODE || NO_TEXT.has(node.localName) || isHidden(node)) return "";
    const name = node.localName;
    if (name === "br") return "\n";
    if (name === "button" && !node.closest(MENTION)) return "";
    if (name === "img") return node.closest(MENTION) || !node.alt ? "" : `![${node.alt}]`;
    if (name === "code") return tick(node.textContent);
    const inner = [...node.childNodes].map(lineOf).join("");
    if (!inner.trim()) return inner;
    if (name === "strong" || name === "b") return marked("**", inner);
    if (name === "em" || name === "i") return marked("*", inner);
    if (name === "del" || name === "s") return marked("~~", inner);
    if (name === "a") return linked(node, inner);
    return inner;
  };

  const marked = (mark, text) => text.replace(/^(\s*)([\s\S]*?)(\s*)$/, `$1${mark}$2${mark}$3`);
  const linked = (node, inner) => {
    const where = node.getAttribute("href") ?? "";
    return /^https?:/.test(where) && where !== inner.trim() ? `[${inner.trim()}](${where})` : inner;
  };
  const tick = (text) => {
    const run = "`".repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([one]) => one.length)) + 1);
    return `${run}${text}${run}`;
  };
  const tidy = (text) => text.split("\n").map((line) => line.replace(/[ \t]+/g, " ").trim()).join("\n").trim();

  const codeOf = (pre) => {
    const lines = [...pre.querySelectorAll(".code-line, .line-content")].filter((one) => !one.parentElement.closest(".code-line"));
    const head = pre.querySelector(".font-sans");
    const named = /language-([\w+#.-]+)/.exec(pre.querySelector("code")?.className ?? "")?.[1];
    const body = pre.querySelector(".code-block, code") ?? pre;
    const text = lines.length > 0 ? lines.map((one) => (one.querySelector(".line-content") ?? one).textContent.replace(/\n$/, "")).join("\n")
      : body === pre ? written(pre, barOf(pre)) : written(body);
    const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([one]) => one.length + 1)));
    return `${fence}${named ?? (head && head !== body ? squeeze(head.textContent) : "")}\n${text.replace(/\n+$/, "")}\n${fence}`;
  };

  // Over the code: its language, and what copies it.
  const barOf = (pre) => new Set([...pre.querySelectorAll(CODE_BAR), ...[...pre.querySelectorAll("*")].filter((one) => one.childElementCount === 0 && /^copy$/i.test(one.textContent.trim()))]);

  // As it was written, without buttons and styles.
  const written = (node, skip = new Set()) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || NO_TEXT.has(node.localName) || node.localName === "button") return "";
    if (node.localName === "br") return "\n";
    if (skip.has(node)) return "";
    return [...node.childNodes].map((one) => written(one, skip)).join("");
  };

  const listOf = (list) => {
    let number = Number(list.getAttribute("start") ?? 1) || 1;
    const items = [...list.children].filter((one) => one.localName === "li").map((item) => {
      const mark = list.localName === "ol" ? `${number++}. ` : "- ";
      const inner = blocksOf(item).join("\n");
      return mark + inner.split("\n").map((line, at) => (at && line ? " ".repeat(mark.length) + line : line)).join("\n");
    });
    return items.join("\n");
  };

  const tableOf = (table) => {
    const rows = [...table.rows].map((row) => [...row.cells].map((cell) => tidy(lineOf(cell)).replace(/\n/g, " ").replace(/\|/g, "\\|")));
    if (rows.length === 0) return "";
    const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
    lines.splice(1, 0, `|${rows[0].map(() => " --- |").join("")}`);
    return lines.join("\n");
  };

  const isBlock = (node) => node.nodeType === Node.ELEMENT_NODE
    && (BLOCKS.has(node.localName) || (node.children.length > 0 && node.querySelector("p,pre,ul,ol,table,blockquote") !== null));

  const blocksOf = (element) => {
    const found = [];
    let line = "";
    const flush = () => { const text = tidy(line); if (text) found.push(text); line = ""; };
    for (const node of element.childNodes) {
      if (!isBlock(node)) { line += lineOf(node); continue; }
      flush();
      if (isHidden(node)) continue;
      const text = blockOf(node);
      if (text) found.push(text);
    }
    flush();
    return found;
  };

  const blockOf = (node) => {
    const name = node.localName;
    if (name === "pre") return codeOf(node);
    if (name === "hr") return "---";
    if (name === "table") return tableOf(node);
    if (name === "ul" || name === "ol") return listOf(node);
    if (/^h[1-6]$/.test(name)) return `${"#".repeat(Number(name[1]))} ${tidy(lineOf(node)).replace(/\n/g, " ")}`;
    if (name === "blockquote") return blocksOf(node).join("\n\n").split("\n").map((one) => (one ? `> ${one}` : ">")).join("\n");
    return blocksOf(node).join("\n\n");
  };

  // Blocks that did not change are not read again: an answer that grows changes its last one.
  const prose = (element, read = new WeakMap()) => {
    if ([...element.children].every((one) => isBlock(one)) && element.children.length > 0) {
      const parts = [];
      for (const child of element.children) {
        if (!read.has(child)) read.set(child, isHidden(child) ? "" : blockOf(child));
        if (read.get(child)) parts.push(read.get(child));
      }
      return parts.join("\n\n");
    }
    return blocksOf(element).join("\n\n");
  };

  // --- hash --------------------------------------------------------------------

  const K = [];
  const START = [];
  for (let at = 2, found = 0; found < 64; at += 1) {
    let prime = true;
    for (let by = 2; by * by <= at; by += 1) if (at % by === 0) { prime = false; break; }
    if (!prime) continue;
    if (found < 8) START.push((Math.sqrt(at) * 2 ** 32) | 0);
    K.push((Math.cbrt(at) * 2 ** 32) | 0);
    found += 1;
  }
  const turn = (word, by) => (word >>> by) | (word << (32 - by));

  // SHA-256 of a text in UTF-8, as Python's hashlib writes it. Subtle crypto would be a promise.
  const sha256 = (text) => {
    const said = new TextEncoder().encode(text);
    const bytes = new Uint8Array((((said.length + 8) >> 6) + 1) << 6);
    bytes.set(said);
    bytes[said.length] = 0x80;
    const view = new DataView(bytes.buffer);
    view.setUint32(bytes.length - 8, Math.floor(said.length / 2 ** 29));
    view.setUint32(bytes.length - 4, said.length << 3);
    const state = [...START];
    const w = new Int32Array(64);
    for (let at = 0; at < bytes.length; at += 64) {
      for (let i = 0; i < 64; i += 1) {
        if (i < 16) { w[i] = view.getInt32(at + 4 * i); continue; }
        const a = w[i - 15];
        const b = w[i - 2];
        w[i] = (w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))) | 0;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i += 1) {
        const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
        const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] = (state[i] + word) | 0; });
    }
    return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  };

  agent.text = { NO_TEXT, isHidden, prose, sha256, squeeze, words, written };
})(((globalThis.tabwire ??= {}).agent ??= {}));
