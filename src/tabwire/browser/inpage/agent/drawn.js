// needs: agent/text
// A command as it is drawn. What a person sees and what stands in the page must be one text:
// a part with a line of its own is a line, and what is there and not seen, or seen and not there,
// is told.
((agent) => {
  if (agent.drawn) return;
  const { NO_TEXT } = agent.text;

  const INLINE = /^(inline|contents|none|ruby)/;
  const MONO = /mono|courier|consolas|menlo/i;
  const TYPED = "textarea,.xterm,.monaco-editor,[contenteditable='true'],input:not([type='checkbox'],[type='radio'],[type='hidden'],[type='button'],[type='submit'])";
  const CLEAR = /^(rgba\(.*,\s*0\)|.*\/\s*0\)|transparent)$/;
  const MIN_FONT = 4; // pixels: smaller letters are dots
  const MIN_OPACITY = 0.1;
  const MAX_PARTS = 2000; // of a command; one of more is not looked at in all its parts

  const isWord = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "";
  const isText = (node) => node.nodeType === Node.ELEMENT_NODE && !NO_TEXT.has(node.localName) && node.localName !== "button";

  // As it was written, without buttons, styles and what is to be left out.
  const lines = (root, leave = []) => {
    let text = "";
    const fresh = () => { if (text !== "" && !text.endsWith("\n")) text += "\n"; };
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) { text += node.data; return; }
      if (!isText(node) || leave.includes(node)) return;
      if (node.localName === "br") { text += "\n"; return; }
      const apart = node !== root && !INLINE.test(getComputedStyle(node).display);
      if (apart) fresh();
      for (const child of node.childNodes) walk(child);
      if (apart) fresh();
    };
    walk(root);
    return text;
  };

  // The texts under an element, with what is no text of its own left out.
  const textsIn = (root, without = () => false) => {
    const found = [];
    const walk = (node) => {
      if (isWord(node)) found.push(node);
      else if (isText(node) && !without(node)) for (const child of node.childNodes) walk(child);
    };
    walk(root);
    return found;
  };

  const isClipped = (element, style) => style.overflow !== "visible" && (element.clientWidth <= 1 || element.clientHeight <= 1) && !INLINE.test(style.display.replace("inline-", ""));

  const hides = (element, isCode) => {
    const style = getComputedStyle(element);
    return parseFloat(style.opacity) < MIN_OPACITY || parseFloat(style.fontSize) < MIN_FONT || CLEAR.test(style.color)
      || style.clipPath !== "none" || style.clip !== "auto" || (isCode && style.textTransform !== "none") || style.unicodeBidi.includes("override")
      || isClipped(element, style);
  };

  const isDrawn = (text, root, frame) => {
    const holder = text.parentElement;
    if (!holder.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    for (let one = holder; one && one !== root.parentElement; one = one.parentElement) if (hides(one, root.matches("pre,code"))) return false;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    const [x, y] = [root.scrollLeft - frame.left, root.scrollTop - frame.top];
    return box.width >= 1 && box.height >= 1 && box.right + x > 0 && box.bottom + y > 0;
  };

  // Words that a style sheet puts there; a picture of an icon font is none.
  const isAdded = (element) => ["::before", "::after"].some((part) => {
    const { content } = getComputedStyle(element, part);
    return /["'(]/.test(content) && !/^(["'])[\s\ue000-\uf8ff]*\1$/.test(content);
  });

  // Whether all of an element's text is seen, and no other.
  const isSeen = (root, without = () => false) => {
    const texts = textsIn(root, without);
    const parts = [root, ...root.querySelectorAll("*")].filter((one) => isText(one) && one.closest("button") === null);
    if (texts.length + parts.length > MAX_PARTS) return false;
    const frame = root.getBoundingClientRect();
    return texts.every((one) => isDrawn(one, root, frame)) && !parts.some(isAdded);
  };

  const isMono = (element) => MONO.test(getComputedStyle(element).fontFamily) || MONO.test(element.getAttribute("class") ?? "");

  // Whether a frame shows code besides what was read of it: a field, or words in letters of code.
  const hasMore = (frame, isRead) => {
    for (const one of frame.querySelectorAll(TYPED)) {
      if (!isRead(one) && one.checkVisibility() && (one.value ?? one.textContent).trim() !== "") return true;
    }
    if (isMono(frame)) return false;
    return textsIn(frame, isRead).some((one) => isMono(one.parentElement) && one.parentElement.checkVisibility());
  };

  agent.drawn = { hasMore, isSeen, lines };
})(((globalThis.tabwire ??= {}).agent ??= {}));
