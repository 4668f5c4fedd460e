// Where the control may stand: where the person put it, unless the composer is there.
//
// A composer is found by what the sites have in common, not by each one's names: too much is
// better than too little, for whatever is found is only kept free.
((tabwire) => {
  "use strict";
  const COMPOSERS =
    'form[data-chatgpt-composer], [data-composer-editor-host], #prompt-textarea, rich-textarea, ' +
    '.query-bar, textarea, [contenteditable="true"], [role="textbox"]';
  const NOT = "[data-markdown-copy], [data-content-search-unit-key], [aria-hidden=true]";
  const GAP = 8; // between us and what is kept free
  const EDGE = 12; // between us and the window's edge
  const MOST = 12; // elements looked at: a page with more has no composer we know
  const CLIMB = 8; // steps outwards from the field
  const HIGH = 220; // pixels: what is higher is no longer the composer …
  const TALL = 0.6; // … nor what is as high as this part of the window

  const composers = () => {
    const found = [];
    for (const one of document.querySelectorAll(COMPOSERS)) {
      if (found.length >= MOST) break;
      if (!one.closest(NOT)) found.push(one);
    }
    return found;
  };

  // A composer with what belongs to it: Send stands beside the field, at times far out. So all
  // around it is taken along that is not too high to be one.
  const boxOf = (element) => {
    const inner = element.getBoundingClientRect();
    if (inner.width < 40 || inner.height < 8) return null;
    const box = { left: inner.left, top: inner.top, right: inner.right, bottom: inner.bottom };
    const limit = Math.min(Math.max(HIGH, innerHeight * 0.35), innerHeight * TALL);
    let outer = element.parentElement;
    for (let step = 0; step < CLIMB && outer && outer !== document.body; step += 1) {
      const { left, top, right, bottom, height } = outer.getBoundingClientRect();
      if (height > limit) break;
      box.left = Math.min(box.left, left);
      box.top = Math.min(box.top, top);
      box.right = Math.max(box.right, right);
      box.bottom = Math.max(box.bottom, bottom);
      outer = outer.parentElement;
    }
    return box;
  };

  const meet = (one, other) =>
    one.left < other.right + GAP && one.right > other.left - GAP &&
    one.top < other.bottom + GAP && one.bottom > other.top - GAP;

  const at = (left, top, { width, height }) => ({ left, top, right: left + width, bottom: top + height });

  const inside = (box, size) => {
    const left = Math.max(EDGE, Math.min(box.left, innerWidth - size.width - EDGE));
    const top = Math.max(EDGE, Math.min(box.top, innerHeight - size.height - EDGE));
    return at(left, top, size);
  };

  // The place nearest to the wish that is free, or null where the window has none.
  const free = (wish, size, taken) => {
    const right = innerWidth - size.width - EDGE;
    const bottom = innerHeight - size.height - EDGE;
    const tries = [wish];
    for (const box of taken) {
      tries.push({ left: wish.left, top: box.top - size.height - GAP - 1 });
      tries.push({ left: wish.left, top: box.bottom + GAP + 1 });
      tries.push({ left: box.right + GAP + 1, top: wish.top });
      tries.push({ left: box.left - size.width - GAP - 1, top: wish.top });
    }
    tries.push({ left: right, top: EDGE }, { left: EDGE, top: EDGE }, { left: right, top: bottom }, { left: EDGE, top: bottom });
    const fits = tries
      .map((one) => inside(one, size))
      .filter((one) => one.right <= innerWidth && one.bottom <= innerHeight)
      .filter((one) => !taken.some((box) => meet(one, box)));
    const far = (one) => Math.hypot(one.left - wish.left, one.top - wish.top);
    return fits.reduce((best, one) => (best === null || far(one) < far(best) ? one : best), null);
  };

  tabwire.place = { composers, boxOf, free, inside, EDGE };
})((globalThis.tabwire ??= {}));
