// The box one writes in: a contenteditable of paragraphs, with Send or Stop beside it.
//
// Send is in the page only while there is text, Stop only while an answer comes.

export class Composer {
  constructor(form, { send, stop }) {
    this.form = form;
    this.box = form.querySelector("[data-composer-markdown]");
    this.control = form.querySelector("#control");
    this.onStop = stop;
    this.answering = false;
    this.box.addEventListener("input", (event) => {
      if (!event.isComposing) this.tidy();
      this.show();
    });
    this.box.addEventListener("paste", (event) => this.paste(event));
    this.box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.form.requestSubmit();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.text();
      if (!text.trim() || this.answering) return;
      this.write("");
      send(text);
    });
    this.show();
  }

  // What stands there, one line per paragraph, as the site sends it.
  text() {
    return lines(this.box).join("\n").replaceAll("\u00a0", " ").trimEnd();
  }

  write(text) {
    this.box.replaceChildren(...text.split("\n").map(paragraph));
    this.show();
  }

  setAnswering(answering) {
    this.answering = answering;
    this.show();
  }

  show() {
    const empty = !this.text().trim();
    this.box.toggleAttribute("data-empty", empty);
    const wanted = this.answering ? "Stop" : empty ? null : "Send";
    const shown = this.control.firstElementChild?.getAttribute("aria-label") ?? null;
    if (wanted !== shown) this.control.replaceChildren(...(wanted ? [this.button(wanted)] : []));
  }

  button(label) {
    const button = document.createElement("button");
    button.type = label === "Send" ? "submit" : "button";
    button.setAttribute("aria-label", label);
    button.textContent = label === "Send" ? "↑" : "■";
    if (label === "Stop") button.addEventListener("click", () => this.onStop());
    return button;
  }

  // An editor keeps its own shape whatever is put into it: paragraphs, one per line.
  tidy() {
    const shaped = [...this.box.childNodes].every(
      (node) => node.nodeName === "P" && !node.textContent.includes("\n") && !node.querySelector("div, p"),
    );
    if (shaped && this.box.firstChild) return;
    this.box.replaceChildren(...lines(this.box).map(paragraph));
    this.toEnd();
  }

  toEnd() {
    const selection = getSelection();
    selection.selectAllChildren(this.box.lastElementChild);
    selection.collapseToEnd();
  }

  paste(event) {
    event.preventDefault();
    document.execCommand("insertText", false, event.clipboardData.getData("text/plain"));
  }
}

function paragraph(line) {
  const element = document.createElement("p");
  element.append(line || document.createElement("br"));
  return element;
}

function lines(box) {
  const found = [""];
  let begun = false; // whether the line we are in has any content, be it empty
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
        // the last break of a paragraph only keeps its line open
        if (child.nextSibling) found.push("");
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
