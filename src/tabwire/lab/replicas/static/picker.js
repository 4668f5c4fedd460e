// A menu of choices with menus inside it, as the sites' model pickers are.
//
// items = [{ name, label, note?, disabled?, items? }]. A row with `items` opens a menu beside
// it; any other is chosen by a click. A disabled row shows its note and takes no click.

import { make } from "/assets/element.js";

const MENU =
  "position:fixed;z-index:1000;min-width:11rem;padding:.3rem;border-radius:.75rem;background:Canvas;" +
  "color:CanvasText;border:1px solid #8884;box-shadow:0 4px 24px #0004;font:14px/1.5 system-ui,sans-serif;";
const ROW = "display:block;padding:.35rem .7rem;border-radius:.5rem;cursor:pointer;";

export class Picker {
  // `dress(row, item)` puts a site's attributes on a row or, with no item, on a menu;
  // `chosen(item)` hears of a choice.
  constructor(button, items, { dress = () => {}, chosen = () => {}, picked = null } = {}) {
    this.button = button;
    this.items = items;
    this.dress = dress;
    this.chosen = chosen;
    this.picked = picked; // the name of what is chosen now
    this.menus = []; // those that are open, outermost first
    button.setAttribute("aria-haspopup", "menu");
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => (this.open ? this.close() : this.show()));
    document.addEventListener("pointerdown", (event) => this.elsewhere(event), true);
    document.addEventListener("keydown", (event) => this.key(event), true);
  }

  get open() {
    return this.menus.length > 0;
  }

  show() {
    const box = this.button.getBoundingClientRect();
    this.menus = [this.menu(this.items, 0)];
    place(this.menus[0], box.left, box.bottom + 4, box.top - 4);
    this.button.setAttribute("aria-expanded", "true");
  }

  close() {
    for (const menu of this.menus) menu.remove();
    this.menus = [];
    this.button.setAttribute("aria-expanded", "false");
  }

  // Close what is deeper than this.
  prune(depth) {
    for (const menu of this.menus.splice(depth + 1)) menu.remove();
    for (const row of this.menus[depth]?.querySelectorAll("[aria-expanded=true]") ?? []) {
      row.setAttribute("aria-expanded", "false");
    }
  }

  menu(items, depth) {
    const menu = make("div", { role: "menu", style: MENU }, ...items.map((item) => this.row(item, depth)));
    this.dress(menu, null);
    document.body.append(menu);
    return menu;
  }

  row(item, depth) {
    const role = item.items ? "menuitem" : "menuitemradio";
    const row = make("div", { role, tabindex: "-1", style: ROW }, make("span", {}, item.label));
    if (item.note) row.append(make("div", { style: "font-size:.8em;opacity:.7" }, item.note));
    if (!item.items) row.setAttribute("aria-checked", String(item.name === this.picked));
    if (item.items) row.setAttribute("aria-haspopup", "menu");
    if (item.items) row.setAttribute("aria-expanded", "false");
    if (item.disabled) row.setAttribute("aria-disabled", "true");
    if (item.disabled) row.style.opacity = ".5";
    this.dress(row, item);
    row.addEventListener("click", () => this.take(item, row, depth));
    return row;
  }

  take(item, row, depth) {
    if (item.disabled) return;
    this.prune(depth);
    if (!item.items) {
      this.picked = item.name;
      this.close();
      this.chosen(item);
      return;
    }
    const box = row.getBoundingClientRect();
    const inner = this.menu(item.items, depth + 1);
    this.menus.push(inner);
    row.setAttribute("aria-expanded", "true");
    place(inner, box.right + 4, box.top, box.bottom, box.left - 4);
  }

  elsewhere(event) {
    const inside = event.composedPath().some((one) => one === this.button || this.menus.includes(one));
    if (this.open && !inside) this.close();
  }

  key(event) {
    if (!this.open) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      if (this.menus.length > 1) this.prune(this.menus.length - 2);
      else this.close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const rows = [...this.menus.at(-1).querySelectorAll("[role^=menuitem]")];
      const step = event.key === "ArrowDown" ? 1 : -1;
      const at = rows.indexOf(document.activeElement);
      rows[(at + step + rows.length) % rows.length]?.focus();
    } else if (event.key === "Enter" && this.menus.at(-1).contains(document.activeElement)) {
      event.preventDefault();
      document.activeElement.click();
    }
  }
}

// Beside a point, within the window: below `top` or else above `bottom`, right of `left` or
// else left of `other`.
function place(menu, left, top, bottom, other = left) {
  const { width, height } = menu.getBoundingClientRect();
  const x = left + width > innerWidth ? Math.max(4, (other === left ? innerWidth : other) - width - 4) : left;
  const y = top + height > innerHeight ? Math.max(4, bottom - height) : top;
  menu.style.left = `${x}px`;
  menu.style.top = `${y}px`;
}
