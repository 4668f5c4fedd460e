// An editable box that keeps its own shape, as Quill and ProseMirror do: one paragraph per
// line, whatever was typed, pasted or put there by a script.

export class Editor {
  // `changed` hears every change, `enter` the key that sends; `paragraph(line)` makes one line.
  constructor(box, { changed, enter, paragraph = plainParagraph }) {
    this.box = box;
    this.changed = changed;
    this.paragraph = paragraph;
    box.addEventListener("input", (event) => {
      if (!event.isComposing) this.tidy();
      changed();
    });
    box.addEventListener("paste", (event) => {
      event.preventDefault();
      document.execCommand("insertText", false, event.clipboardData.getData("text/plain"));
    });
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      enter();
    });
  }

  get text() {
    return lines(this.box).join("\n").replaceAll("\u00a0", " ").trimEnd();
  }

  get empty() {
    return !this.text.trim();
  }

  clear() {
    this.box.replaceChildren(this.paragraph(""));
    this.changed();
  }

  tidy() {
    const shaped = [...this.box.childNodes].every(
      (node) => node.nodeName === "P" && !node.textContent.includes("\n") && !node.querySelector("div, p"),
    );
    if (shaped && this.box.firstChild) return;
    this.box.replaceChildren(...lines(this.box).map((line) => this.paragraph(line)));
    if (this.box.contains(getSelection().anchorNode) || document.activeElement === this.box) {
      getSelection().selectAllChildren(this.box.lastElementChild);
      getSelection().collapseToEnd();
    }
  }
}

export function plainParagraph(line) {
  const made = document.createElement("p");
  made.append(line || document.createElement("br"));
  return made;
}

// What stands in a box, line by line.
function lines(box) {
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
