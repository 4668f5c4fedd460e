// An editable box with a model of its own, as ProseMirror and Quill have: the text, where the
// caret is, and what was there before. The box shows one paragraph per line of it.
//
// Theory of operation. What a person does arrives as `beforeinput`: the editor keeps the
// browser from doing it, changes its model, and draws what changed. What the browser does
// all the same (an input method composing, a page's editing command) arrives as a trusted
// `input`: the box is read, and becomes the model. What a script writes into the box comes
// with neither, and is drawn over; an `input` event made by a script is not listened to.

const UNDO_MOST = 100;
const TYPING_MS = 600; // letters that follow each other this closely are undone together
const NOTHING = { start: 0, end: 0 };

export class Editor {
  // `changed` hears every change, `enter` the key that sends; `paragraph(line)` makes one line.
  constructor(box, { changed, enter, paragraph = plainParagraph }) {
    this.box = box;
    this.changed = changed;
    this.enter = enter;
    this.paragraph = paragraph;
    this.lines = null; // as they are drawn
    this.model = "";
    this.caret = NOTHING; // in characters of the model; kept for when the box has no focus
    this.undone = [];
    this.redone = [];
    this.typed = 0; // when the last single letter came
    // as both editors do: spaces are spaces, at the ends of lines too
    box.style.whiteSpace = "break-spaces";
    this.watch = new MutationObserver(() => this.draw(true));
    this.draw(true);
    box.addEventListener("beforeinput", (event) => this.before(event));
    box.addEventListener("input", (event) => this.after(event));
    box.addEventListener("compositionend", (event) => event.isTrusted && this.readBox({ shape: true }));
    box.addEventListener("paste", (event) => this.pasted(event));
    box.addEventListener("keydown", (event) => this.key(event));
  }

  get text() {
    return this.model.replaceAll("\u00a0", " ").trimEnd();
  }

  get empty() {
    return !this.text.trim();
  }

  clear() {
    this.undone = [];
    this.redone = [];
    this.become("", NOTHING);
  }

  // -- what a person does ---------------------------------------------------------------

  key(event) {
    const composing = event.isComposing || event.keyCode === 229;
    if (composing) return;
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    const letter = event.key.toLowerCase();
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.enter();
    } else if (command && (letter === "z" || letter === "y")) {
      event.preventDefault();
      this.undo(letter === "y" || event.shiftKey);
    }
  }

  before(event) {
    const kind = event.inputType;
    if (!event.isTrusted || event.isComposing || kind === "insertCompositionText") return;
    if (kind.startsWith("history")) {
      event.preventDefault();
      this.undo(kind === "historyRedo");
      return;
    }
    const words = wordsOf(event);
    if (words === null) {
      event.preventDefault(); // bold and the like: this editor knows no formats
      return;
    }
    event.preventDefault();
    const [range] = event.getTargetRanges();
    const place = range ? this.span(range) : this.selected();
    this.replace(place, words, kind === "insertText" && words.length === 1);
  }

  after(event) {
    if (event.isTrusted) this.readBox({ shape: !event.isComposing });
  }

  pasted(event) {
    const words = event.clipboardData?.getData("text/plain");
    if (!words) return;
    event.preventDefault();
    this.replace(this.selected(), words);
  }

  undo(again) {
    const [from, to] = again ? [this.redone, this.undone] : [this.undone, this.redone];
    const before = from.pop();
    if (!before) return;
    to.push({ text: this.model, caret: this.selected() });
    this.typed = 0;
    this.become(before.text, before.caret);
  }

  // -- the model ------------------------------------------------------------------------

  replace({ start, end }, words, letter = false) {
    const said = words.replace(/\r\n?/g, "\n");
    if (start === end && !said) return;
    this.remember(letter && start === end);
    const text = this.model.slice(0, start) + said + this.model.slice(end);
    const at = start + said.length;
    this.become(text, { start: at, end: at });
  }

  remember(letter) {
    const now = performance.now();
    const together = letter && now - this.typed < TYPING_MS && this.undone.length;
    this.typed = letter ? now : 0;
    this.redone = [];
    if (together) return;
    this.undone.push({ text: this.model, caret: this.selected() });
    if (this.undone.length > UNDO_MOST) this.undone.shift();
  }

  become(text, caret) {
    this.model = text;
    this.caret = caret;
    this.draw();
    this.changed();
  }

  // The browser wrote into the box by itself: what stands there is the text now.
  readBox({ shape }) {
    this.watch.takeRecords();
    const lines = linesOf(this.box);
    const text = lines.join("\n");
    if (text !== this.model) this.remember(false);
    this.model = text;
    this.lines = lines;
    this.caret = this.selected();
    // while an input method composes, the box is its own: whoever redraws it ends the composing
    if (shape && !shaped(this.box, lines)) this.draw(true);
    this.changed();
  }

  // -- the box --------------------------------------------------------------------------

  // Show the model: only the lines that changed, or all of them.
  draw(all = false) {
    this.watch.disconnect();
    const lines = this.model.split("\n");
    const old = all || !this.lines ? [] : this.lines;
    let top = 0;
    while (top < old.length && top < lines.length && old[top] === lines[top]) top += 1;
    let end = 0;
    const most = Math.min(old.length, lines.length) - top;
    while (end < most && old[old.length - 1 - end] === lines[lines.length - 1 - end]) end += 1;
    const fresh = lines.slice(top, lines.length - end).map((line) => this.paragraph(line));
    if (old.length === 0) {
      this.box.replaceChildren(...fresh);
    } else {
      const gone = [...this.box.children].slice(top, old.length - end);
      const after = this.box.children[old.length - end] ?? null;
      for (const one of gone) one.remove();
      for (const one of fresh) this.box.insertBefore(one, after);
    }
    this.lines = lines;
    this.watch.observe(this.box, { childList: true, characterData: true, subtree: true });
    if (this.focused) this.point();
  }

  get focused() {
    return this.box.getRootNode().activeElement === this.box;
  }

  get selection() {
    const root = this.box.getRootNode();
    return root.getSelection?.() ?? getSelection();
  }

  // Put the browser's caret where the model has it.
  point() {
    const start = this.place(this.caret.start);
    const end = this.place(this.caret.end);
    this.selection.setBaseAndExtent(...start, ...end);
    if (this.caret.end === this.model.length) this.box.scrollTop = this.box.scrollHeight;
  }

  // Where in the box a character of the model is.
  place(at) {
    let line = 0;
    while (line < this.lines.length - 1 && at > this.lines[line].length) {
      at -= this.lines[line].length + 1;
      line += 1;
    }
    const paragraph = this.box.children[line];
    const walk = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (at <= node.data.length) return [node, at];
      at -= node.data.length;
    }
    return [paragraph, 0];
  }

  // What is selected, in characters of the model; where it was, if the caret is elsewhere.
  selected() {
    const { selection, box } = this;
    const inside = selection?.rangeCount && box.contains(selection.anchorNode) && box.contains(selection.focusNode);
    return inside ? this.span(selection.getRangeAt(0)) : this.caret;
  }

  span({ startContainer, startOffset, endContainer, endOffset }) {
    const start = this.offset(startContainer, startOffset);
    const same = startContainer === endContainer && startOffset === endOffset;
    return { start, end: same ? start : Math.max(start, this.offset(endContainer, endOffset)) };
  }

  // Which character of what stands in the box a place in it is.
  offset(node, within) {
    if (!this.box.contains(node)) return this.model.length;
    const before = document.createRange();
    before.setStart(this.box, 0);
    before.setEnd(node, within);
    const lines = linesOf(before.cloneContents());
    const length = lines.reduce((sum, line) => sum + line.length + 1, -1);
    // a place before a whole paragraph is the beginning of its line, not the end of the one before
    const between = node === this.box && within > 0 && within < this.box.childNodes.length;
    return Math.min(length + (between ? 1 : 0), this.model.length);
  }
}

export function plainParagraph(line) {
  const made = document.createElement("p");
  made.append(line || document.createElement("br"));
  return made;
}

// What an input says: "" deletes, null is nothing this editor does.
function wordsOf({ inputType, data, dataTransfer }) {
  if (inputType === "insertParagraph" || inputType === "insertLineBreak") return "\n";
  if (inputType.startsWith("delete")) return "";
  if (inputType.startsWith("insert")) return data ?? dataTransfer?.getData("text/plain") ?? "";
  return null;
}

function shaped(box, lines) {
  const simple = (node) => node.nodeName === "P" && !node.textContent.includes("\n") && !node.querySelector("div, p");
  return box.childNodes.length === lines.length && [...box.childNodes].every(simple);
}

// What stands in a box, line by line.
function linesOf(box) {
  const found = [""];
  let begun = false; // whether the line we are in holds anything, be it nothing
  const walk = (node) => {
    for (const child of node.childNodes) {
      const block = child.nodeName === "P" || child.nodeName === "DIV";
      if (block && begun) found.push("");
      if (child.nodeType === Node.TEXT_NODE) {
        const [first, ...more] = child.data.split("\n");
        found[found.length - 1] += first;
        found.push(...more);
        begun = true;
      } else if (child.nodeName === "BR") {
        if (child.nextSibling) found.push(""); // the last one only keeps its line open
        begun = true;
      } else {
        walk(child);
        begun = begun || block;
      }
    }
  };
  walk(box);
  return found;
}
