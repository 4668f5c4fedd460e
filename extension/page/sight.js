// Whether a person could see what they pressed.
//
// A page can put something over the control, make it transparent, or move it under the pointer, so
// that a person who means to press something else presses ours. So a press counts only where the
// control was seen whole, in one place, for a moment before. Two ways of looking at it, as each
// finds something the other does not:
// - the browser's own (IntersectionObserver with `trackVisibility`), which knows what was painted
//   over it, also by elements that let clicks through. It looks every 100 ms;
// - ours, at the press itself: styles, size, place, and which element is there.
((tabwire) => {
  "use strict";
  const { later } = tabwire;
  const MOMENT = 500; // milliseconds: longer than a double click, shorter than reading a word
  const WHOLE = 0.99; // of its area; edges of pixels are not exact
  const SMALLEST = 0.75; // of its size without the page's zoom
  const PLAIN = {
    opacity: ["1"],
    visibility: ["visible"],
    filter: ["none"],
    backdropFilter: ["none", ""],
    clipPath: ["none"],
    maskImage: ["none", ""],
    mixBlendMode: ["normal"],
    transform: ["none"],
    translate: ["none", ""],
    rotate: ["none", ""],
    scale: ["none", ""],
    perspective: ["none"],
    pointerEvents: ["auto"],
  };

  const isPlain = (element) => {
    const style = getComputedStyle(element);
    return Object.entries(PLAIN).every(([name, values]) => values.includes(style[name] ?? ""));
  };

  class Sight {
    #host;
    #box;
    #seen = false; // as the browser said last
    #since = Infinity; // from when on it was seen and left in peace
    #at = null; // where it was then
    #waits = () => {}; // calls off the end of the moment

    constructor(host, box) {
      this.#host = host;
      this.#box = box;
      const how = { trackVisibility: true, delay: 100, threshold: [0, WHOLE, 1] };
      new IntersectionObserver((all) => this.#told(all.at(-1)), how).observe(box);
    }

    #told(entry) {
      const seen = entry.isVisible !== false && entry.intersectionRatio >= WHOLE;
      if (seen === this.#seen) return;
      this.#seen = seen;
      this.disturbed();
    }

    // It moved, changed its size, or the window has just come to the front: the moment begins anew.
    disturbed() {
      this.#waits();
      delete this.#box.dataset.steady;
      this.#since = this.#seen ? performance.now() : Infinity;
      this.#at = this.#box.getBoundingClientRect();
      if (this.#seen) this.#waits = later(() => this.#steady(), MOMENT);
    }

    #steady() {
      if (this.#isThere()) this.#box.dataset.steady = "";
      else this.disturbed();
    }

    // Now and then, for what comes without any event. One point is enough here: what covers only
    // an edge is seen by the browser, and a press looks at all of them.
    look() {
      if ("steady" in this.#box.dataset && !this.#isThere(true)) this.disturbed();
    }

    // Whether a press now is one of somebody who sees the control.
    holds() {
      const long = performance.now() - this.#since >= MOMENT;
      const whole = long && document.visibilityState === "visible" && this.#isThere();
      if (!whole) this.disturbed();
      return whole;
    }

    #isThere(briefly = false) {
      const [host, box] = [this.#host, this.#box];
      const html = document.documentElement;
      if (host.parentNode !== html || !box.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
        return false;
      }
      const around = host.matches(":popover-open") ? [host] : [host, html]; // above all else: html cannot reach it
      if (!around.every(isPlain)) return false;
      const now = box.getBoundingClientRect();
      const still = ["x", "y", "width", "height"].every((name) => Math.abs(now[name] - this.#at[name]) < 1);
      const large = now.width >= box.offsetWidth * SMALLEST && now.height >= box.offsetHeight * SMALLEST;
      return still && large && this.#isOnTop(now, briefly);
    }

    #isOnTop({ left, top, right, bottom }, briefly) {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const edge = 6; // inside of the round corners
      const edges = [[left + edge, y], [right - edge, y], [x, top + edge], [x, bottom - edge]];
      const points = briefly ? [[x, y]] : [[x, y], ...edges];
      return points.every(([across, down]) => document.elementFromPoint(across, down) === this.#host);
    }
  }

  tabwire.Sight = Sight;
})((globalThis.tabwire ??= {}));
