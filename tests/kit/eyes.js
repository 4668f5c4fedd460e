// What a person sees and does, whatever the page is made of: no names, no labels, no marks of
// any site. The box to write in is the lowest one; Send is the button that wakes up with text.

globalThis.eyes = (() => {
  const roots = (root = document) => [
    root,
    ...[...root.querySelectorAll("*")].filter((one) => one.shadowRoot).flatMap((one) => roots(one.shadowRoot)),
  ];
  const all = (css) => roots().flatMap((root) => [...root.querySelectorAll(css)]);
  const parent = (one) => one.parentElement ?? one.getRootNode().host ?? null;
  const seen = (one) => {
    const box = one.getBoundingClientRect();
    if (box.width < 4 || box.height < 4) return false;
    return one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const usable = (one) => seen(one) && !one.disabled && one.getAttribute("aria-disabled") !== "true";
  const bottom = (one) => one.getBoundingClientRect().bottom;

  const box = () =>
    all("textarea, [contenteditable='true']")
      .filter((one) => usable(one) && !one.readOnly && one.getAttribute("tabindex") !== "-1")
      .sort((a, b) => bottom(b) - bottom(a))[0] ?? null;

  // A button is another one when it does another thing: pages give one element several parts.
  const face = (one) => `${one.type}|${one.className}|${one.getAttribute("aria-label")}`;
  const faces = new WeakMap();
  const buttons = () => all("button").filter(usable);

  const look = () => {
    faces.clear?.();
    for (const one of all("button")) faces.set(one, usable(one) ? face(one) : null);
  };
  const near = (one, to) => {
    const a = one.getBoundingClientRect();
    const b = to.getBoundingClientRect();
    // Send stands where the line ends: at the left where one writes from the right
    const aside = getComputedStyle(document.documentElement).direction === "rtl" ? a.right - b.left : a.left - b.right;
    return Math.abs(a.top + a.height / 2 - b.bottom) + Math.abs(aside) / 4;
  };
  const send = () => {
    const to = box();
    if (!to) return null;
    const woken = buttons().filter((one) => faces.get(one) !== face(one));
    return woken.sort((a, b) => near(a, to) - near(b, to))[0] ?? null;
  };

  const text = (node = document.body) => {
    let said = "";
    const walk = (one) => {
      if (one.nodeType === Node.TEXT_NODE) said += one.data;
      else if (one.nodeType === Node.ELEMENT_NODE || one.nodeType === Node.DOCUMENT_FRAGMENT_NODE) {
        if (["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT"].includes(one.nodeName)) return;
        if (one.nodeName === "TEXTAREA") said += one.value;
        for (const child of one.shadowRoot?.childNodes ?? []) walk(child);
        for (const child of one.childNodes) walk(child);
      }
    };
    walk(node);
    return said;
  };
  const letters = (words) => words.replace(/[^\p{L}\p{N}]+/gu, "");

  // Whether all lines stand in the page, in this order.
  const shows = (lines) => {
    const page = letters(text());
    let at = 0;
    for (const line of lines) {
      const found = page.indexOf(line, at);
      if (found < 0) return false;
      at = found + line.length;
    }
    return true;
  };

  const middle = (one) => {
    one.scrollIntoView({ block: "nearest" });
    const at = one.getBoundingClientRect();
    return [at.x + at.width / 2, at.y + at.height / 2];
  };
  // Put the cursor into the box, with all that stands there marked: it is written over.
  const takeUp = () => {
    const one = box();
    one.focus();
    if (one.select) one.select();
    else if (one.textContent) getSelection().selectAllChildren(one);
  };
  const held = () => {
    const one = box();
    return one ? letters(one.value ?? one.textContent) : null;
  };

  // Wait for something to be true, looked at whenever anything changes in the page or in a
  // shadow root, and when a control becomes usable by time alone.
  const until = (test) =>
    new Promise((settle) => {
      const watched = new Set();
      const kinds = { subtree: true, childList: true, attributes: true, characterData: true };
      const check = () => {
        for (const root of roots()) {
          if (!watched.has(root)) watch.observe(root, kinds);
          watched.add(root);
        }
        const found = test();
        if (!found) return;
        watch.disconnect();
        settle(found);
      };
      const watch = new MutationObserver(check);
      check();
    });

  return { all, box, buttons, held, letters, look, middle, parent, send, shows, takeUp, text, until };
})();
