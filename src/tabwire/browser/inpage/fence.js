// needs: deep
// Code in a page, as it was written: the block's text, its language, a fence that holds.
((tabwire) => {
  if (tabwire.fence) return;
  const { matches, query, queryAll } = tabwire.deep;

  // A block with things around its code, as the sites build it; `pre` stands for itself.
  const BLOCK = [
    '[data-markdown-copy="code-block"]', '[data-testid="code-block"]', "code-block", "pre", ".cm-editor",
  ].join(",");
  // Where the code is inside, best first. A finished block of ChatGPT is an editor, no `pre`.
  const CODE = [
    '[role="textbox"][data-language]', ".cm-content", "pre code", "code", "pre", '[role="textbox"]',
  ];
  const HEADER = '[class~="group/code-header"], .code-block-decoration, [data-markdown-copy="exclude"]';
  const NO_CODE = "button, [role='button'], .cm-gutters, .cm-gutter, .line-number, [data-line-number], script, style";
  const LINE = ".cm-line, .line, .view-line, [data-line]";
  const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]+)/;
  const WORD = /^[\w+#.-]{1,24}$/; // a language's name, as headers show it: one word

  // Text with line breaks where the page shows them.
  const written = (node) => {
    if (node instanceof Text) return node.data;
    if (!(node instanceof Element || node instanceof DocumentFragment)) return "";
    if (node instanceof Element && matches(node, NO_CODE)) return "";
    if (node.localName === "br") return "\n";
    const lines = node instanceof Element ? [...node.children].filter((one) => matches(one, LINE)) : [];
    if (lines.length > 0 && !directBreaks(node)) return lines.map(lineOf).join("\n");
    return [...(node.shadowRoot ?? node).childNodes].map((one) => paragraphed(one, written(one))).join("");
  };

  const directBreaks = (node) =>
    [...node.childNodes].some((one) => one instanceof Text && one.data.includes("\n"));
  const lineOf = (line) => written(line).replace(/\n$/, "");

  // An editor without lines of its own puts each in a paragraph.
  const paragraphed = (node, text) =>
    node instanceof Element && /^(div|p)$/.test(node.localName) && node.nextElementSibling && !text.endsWith("\n")
      ? `${text}\n` : text;

  const named = (element) => {
    for (const one of [element, ...queryAll(element, "*")]) {
      const given = one.getAttribute("data-language") ?? LANGUAGE.exec(one.getAttribute("class") ?? "")?.[1];
      if (given) return given;
    }
    return LANGUAGE.exec(element.parentElement?.getAttribute("class") ?? "")?.[1] ?? "";
  };

  // What stands above the code, if it is one word: the language, as the site names it.
  const captioned = (block, code) => {
    const headers = [...queryAll(block, HEADER), ...above(block, code)];
    for (const header of headers) {
      const words = [header, ...queryAll(header, "*")].filter((one) => one.childElementCount === 0);
      const word = words.filter((one) => !one.closest("button")).map((one) => one.textContent.trim());
      const found = word.find((one) => WORD.test(one));
      if (found) return found.toLowerCase();
    }
    return "";
  };

  const above = (block, code) => {
    const found = [];
    for (let one = code; one && one !== block; one = one.parentElement) {
      for (let other = one.previousElementSibling; other; other = other.previousElementSibling) found.push(other);
    }
    return found;
  };

  const codeIn = (block) => {
    for (const css of CODE) {
      const found = query(block, css);
      if (found) return found;
    }
    if (block.shadowRoot) return codeIn(block.shadowRoot);
    return null;
  };

  const longestRun = (text) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

  const fenced = (code, language) => {
    const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
    return `${fence}${language}\n${code}${code === "" ? "" : "\n"}${fence}`;
  };

  // A whole block as fenced Markdown. Code not drawn yet is an empty fence, not silence.
  const block = (element) => {
    const code = codeIn(element) ?? (element.localName === "pre" ? element : null);
    const language = code ? named(code) || named(element) || captioned(element, code) : named(element) || captioned(element, null);
    const text = code ? written(code).replace(/[\u200b\ufeff]/g, "").replace(/\n+$/, "") : "";
    return fenced(text, language);
  };

  // Inside a line: as many backticks as it takes.
  const inline = (text) => {
    if (text === "") return "";
    const run = "`".repeat(longestRun(text) + 1);
    const pad = /^`|`$|^ .* $/.test(text) && text.trim() !== "" ? " " : "";
    return `${run}${pad}${text}${pad}${run}`;
  };

  tabwire.fence = { BLOCK, block, inline };
})((globalThis.tabwire ??= {}));
