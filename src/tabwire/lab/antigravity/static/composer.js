// The composer: an editor with a model of its own, its typeahead, send and stop, the pickers.

import { el, icon, morph } from "/assets/dom.js";
import { Editor } from "/assets/editor.js";
import { control } from "/assets/press.js";
import { pickers } from "/assets/pickers.js";

const CALLS = /(^|\s)([@/])(\w*)$/;
const ITEMS = { "@": ["Files", "Directories", "Code Context Items", "Rules", "Terminals"], "/": ["deploy", "review", "release-notes"] };

export class Composer {
  constructor(newer, send) {
    this.newer = newer; // the composer of 2.0 and later
    this.send = send;
    this.state = null;
    this.files = [];
    this.items = [];
    this.active = 0;
    this.trusted = true;
    this.box = el("div", BOX[newer ? "newer" : "older"], ATTRIBUTES[newer ? "newer" : "older"]);
    this.placeholder = el(
      "p",
      "pointer-events-none absolute left-2 right-2 top-2 z-0 select-none overflow-hidden text-ellipsis whitespace-nowrap text-sm opacity-40",
      {},
      newer ? "Ask anything, @ to mention, / for actions" : "Ask anything, @ to mention, / for workflows",
    );
    this.file = el("input", "hidden", { type: "file", accept: ".png,.jpg,.jpeg,.gif", multiple: true });
    this.file.addEventListener("change", () => this.attached());
    this.left = el("div", "flex min-w-0 flex-1 items-center gap-0.5");
    this.right = el("div", "shrink-0 flex items-center gap-1");
    this.chips = el("div", "flex flex-wrap gap-1");
    this.menu = el("div", "", { "aria-label": "Typeahead menu", role: "listbox" });
    this.root = this.frame();
    // heard before the editor: it says whether the key that sends came from a hand
    this.box.addEventListener("keydown", (event) => this.key(event), true);
    this.editor = new Editor(this.box, {
      changed: () => this.changed(),
      enter: () => this.entered(),
      paragraph: lexical,
    });
    this.box.addEventListener("blur", () => this.close());
  }

  frame() {
    const classes = this.newer ? "relative flex flex-col p-px rounded-2xl bg-card-border" : "relative flex flex-col gap-0 p-1 rounded-lg bg-gray-500/10 border border-gray-500/20";
    return el(
      "div",
      classes,
      { id: "antigravity.agentSidePanelInputBox" },
      el("div", "absolute bottom-[calc(100%+1rem)] inset-x-0 flex flex-col gap-1 drop-shadow-lg lab-zero"),
      this.chips,
      el("div", "relative w-full", {}, el("div", "w-full rounded-lg transition-all duration-10", {}, el("div", "relative w-full", {}, this.box, this.placeholder))),
      el("div", "mt-1 flex w-full items-center justify-between gap-1 px-0.5", {}, this.left, this.file, this.right),
    );
  }

  update(state) {
    this.state = state;
    const again = () => this.update(this.state);
    morph(this.left, pickers(state, this.newer, this.send, again, () => this.file.click()));
    morph(this.right, this.controls());
  }

  controls() {
    const { state } = this;
    const right = el("div", "shrink-0 flex items-center gap-1");
    const mic = this.newer ? "input-send-button-record-tooltip" : "audio-tooltip";
    right.append(
      el("div", "", {}, control(el("button", "flex items-center justify-center p-1 rounded-full", { "data-tooltip-id": mic, "aria-label": "Record voice memo" }, icon("mic", "w-4 h-4")), "mic")),
    );
    right.append(state.running && state.stop_shown ? this.stop() : this.sender());
    return right;
  }

  stop() {
    const { stop } = this.state;
    if (stop) return control(el("button", "p-1 rounded-full text-xs", { type: "button" }, stop), "stop");
    const square = el("div", "bg-red-500 w-[0.625rem] h-[0.625rem] rounded-xs");
    const tooltip = { "data-tooltip-id": "input-send-button-cancel-tooltip" };
    const node = this.newer
      ? el("button", "bg-secondary hover:opacity-90 w-7 h-7 rounded-full cursor-pointer flex items-center justify-center transition-colors", { type: "button", "aria-label": "Cancel (Ctrl+D)", ...tooltip }, square)
      : el("div", "bg-gray-500/20 hover:bg-gray-500/30 w-6 h-6 rounded-full cursor-pointer flex items-center justify-center transition-colors", tooltip, square);
    return control(node, "stop");
  }

  sender() {
    const empty = this.editor.empty;
    return control(
      el(
        "button",
        "flex items-center p-1 rounded-full transition-all duration-150 opacity-50 bg-gray-500/50",
        { "data-tooltip-id": "input-send-button-send-tooltip", disabled: empty },
        el("span", "text-xs font-medium text-white overflow-hidden transition-all duration-150 max-w-0 max-h-0 whitespace-nowrap opacity-0", {}, "Send"),
        icon("arrow-right", "w-4 h-4 stroke-2 stroke-white"),
      ),
      "send",
      {
        local: (event) => {
          this.trusted = event.isTrusted;
          this.submit("button");
        },
      },
    );
  }

  // -- writing ---------------------------------------------------------------------------

  key(event) {
    this.trusted = event.isTrusted;
    if (!this.items.length) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.active = (this.active + step + this.items.length) % this.items.length;
      this.show();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.close();
    } else if (event.key === "Tab") {
      event.preventDefault();
      this.pick();
    }
  }

  entered() {
    if (this.items.length) this.pick();
    else this.submit("enter");
  }

  submit(by) {
    const { text } = this.editor;
    if (!text.trim()) return;
    this.send({ do: "prompt", text, by, trusted: this.trusted, files: this.files });
    this.files = [];
    this.file.value = "";
    this.chips.replaceChildren();
    this.editor.clear();
  }

  changed() {
    if (!this.editor) return;
    this.placeholder.style.display = this.editor.model ? "none" : "";
    if (this.state) morph(this.right, this.controls());
    const called = this.state?.typeahead ? CALLS.exec(this.editor.model) : null;
    const items = called ? ITEMS[called[2]].filter((name) => name.toLowerCase().startsWith(called[3].toLowerCase())) : [];
    if (String(items) !== String(this.items)) this.active = 0;
    this.items = items;
    this.show();
  }

  attached() {
    this.files = [...this.file.files].map((one) => one.name);
    this.chips.replaceChildren(...this.files.map((name) => el("div", "rounded-md border px-1 text-xs", { title: name }, name)));
    this.send({ do: "attach", files: this.files });
  }

  // -- typeahead -------------------------------------------------------------------------

  show() {
    const open = this.items.length > 0;
    this.box.toggleAttribute("aria-activedescendant", false);
    if (this.newer) this.box.setAttribute("aria-expanded", String(open));
    if (!open) {
      this.menu.replaceChildren();
      return;
    }
    this.box.setAttribute("aria-activedescendant", `typeahead-item-${this.active}`);
    const items = this.items.map((name, at) =>
      control(
        el("div", `px-2 py-1 cursor-pointer text-xs ${at === this.active ? "bg-gray-500/20" : ""}`, { role: "option", id: `typeahead-item-${at}`, "aria-selected": String(at === this.active) }, name),
        "typeahead",
        {
          text: () => name,
          local: () => {
            this.active = at;
            this.pick();
          },
        },
      ),
    );
    this.menu.replaceChildren(el("div", "lexical-typeahead-menu lab-typeahead", {}, items));
  }

  pick() {
    const name = this.items[this.active];
    const [whole, before, sign] = CALLS.exec(this.editor.model);
    this.send({ do: "pick", text: name });
    this.items = [];
    const end = this.editor.model.length;
    this.editor.replace({ start: end - whole.length, end }, `${before}${sign}${name} `);
  }

  close() {
    this.items = [];
    this.show();
  }
}

function lexical(line) {
  const made = el("p", "", { dir: line ? "ltr" : null });
  made.append(line ? el("span", "", { "data-lexical-text": "true" }, line) : document.createElement("br"));
  return made;
}

const BOX = {
  older: "max-h-[300px] rounded cursor-text overflow-y-auto text-md p-2 outline-none transition-all duration-100 text-sm",
  newer: "max-h-[300px] rounded-md cursor-text overflow-y-auto text-sm leading-6 p-2 outline-none transition-all duration-100",
};
const ATTRIBUTES = {
  older: { contenteditable: "true", role: "textbox", spellcheck: "true", "data-lexical-editor": "true" },
  newer: {
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-label": "Message input",
    contenteditable: "true",
    role: "combobox",
    spellcheck: "false",
    "data-lexical-editor": "true",
  },
};
