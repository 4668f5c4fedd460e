// A list of which only what is near the window is in the page, as long chats are drawn.
//
// Elements far away are taken out, and a spacer as high as they were stands for them; scrolling
// towards them puts them back. The newest two are always there, and a short list is whole.

import { eased } from "/assets/draw.js";

const NEWEST = 2;
const NEAR = 160; // pixels from the end within which one follows it
const GUESS = 200; // pixels: the height of what was never drawn

export class Virtual {
  constructor(scroller, list, { keep = 8 } = {}) {
    this.scroller = scroller;
    this.list = list;
    this.keep = keep; // so many are in the page at once, besides the newest
    this.rows = []; // { element, height, mounted }
    this.above = spacer();
    this.below = spacer(); // between what is near and the newest
    this.end = 0; // where the end was when we last went there
    // to know where the end is the whole page is laid out: of a long answer that takes a while
    this.follow = eased(() => this.stay());
    list.append(this.above, this.below);
    scroller.addEventListener("scroll", () => this.look(), { passive: true });
  }

  add(element) {
    this.rows.push({ element, height: 0, mounted: true });
    this.list.append(element);
    const away = this.rows.length - NEWEST;
    if (away > this.keep) this.look();
  }

  clear() {
    this.rows = [];
    this.end = 0;
    this.above.style.height = this.below.style.height = "0px";
    this.list.replaceChildren(this.above, this.below);
  }

  toEnd() {
    this.look(true);
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.end = this.scroller.scrollTop;
  }

  // Go with the end as it moves down. A reader who has scrolled up is left where he is.
  stay() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    if (scrollTop > this.end - NEAR || scrollHeight - scrollTop - clientHeight < NEAR) this.toEnd();
  }

  // Which of the older ones are near, and put those into the page.
  look(end = false) {
    const older = this.rows.slice(0, -NEWEST);
    for (const row of older) if (row.mounted) row.height = row.element.offsetHeight || row.height;
    const [from, to] = older.length <= this.keep ? [0, older.length] : this.near(older, end);
    if (this.shown?.from === from && this.shown.to === to && this.shown.of === older.length) return;
    this.shown = { from, to, of: older.length };
    older.forEach((row, at) => {
      const wanted = at >= from && at < to;
      if (row.mounted && !wanted) row.element.remove();
      row.mounted = wanted;
    });
    // in order, and without touching what stands where it belongs: nothing loses its focus
    let before = this.above;
    for (const { element } of older.slice(from, to)) {
      if (before.nextSibling !== element) before.after(element);
      before = element;
    }
    if (before.nextSibling !== this.below) before.after(this.below);
    this.above.style.height = `${total(older.slice(0, from))}px`;
    this.below.style.height = `${total(older.slice(to))}px`;
  }

  near(older, end) {
    if (end) return [older.length - this.keep, older.length];
    const top = this.scroller.scrollTop - this.list.offsetTop + this.scroller.offsetTop;
    let at = 0;
    for (let height = 0; at < older.length - 1; at += 1) {
      height += older[at].height || GUESS;
      if (height > top) break;
    }
    const from = Math.max(0, Math.min(at - Math.floor(this.keep / 2), older.length - this.keep));
    return [from, from + this.keep];
  }
}

function total(rows) {
  return rows.reduce((sum, row) => sum + (row.height || GUESS), 0);
}

function spacer() {
  const made = document.createElement("div");
  made.setAttribute("aria-hidden", "true");
  made.style.height = "0px";
  return made;
}
