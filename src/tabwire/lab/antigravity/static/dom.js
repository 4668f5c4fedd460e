// Elements in one expression, and a tree made equal to another while its nodes stay.

const keys = new WeakMap(); // what a node is of: nodes of other things are never reused
const passed = new WeakMap(); // what was tied to a node besides

export function el(name, classes = "", attributes = {}, ...children) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const DRAWN = {
  plus: "M12 5v14M5 12h14",
  history: "M12 7v5l3 2M4 12a8 8 0 1 0 3-6L4 8",
  ellipsis: "M5 12h.1M12 12h.1M19 12h.1",
  "chevron-up": "M6 15l6-6 6 6",
  "chevron-down": "M6 9l6 6 6-6",
  "chevron-right": "M9 6l6 6-6 6",
  "arrow-right": "M5 12h14M13 6l6 6-6 6",
  copy: "M9 9h10v11H9zM5 15V4h10",
  file: "M6 3h8l4 4v14H6zM14 3v5h4",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-2 4 4",
  mic: "M12 4a2 2 0 0 1 2 2v6a2 2 0 0 1-4 0V6a2 2 0 0 1 2-2M6 12a6 6 0 0 0 12 0M12 18v3",
  "undo-2": "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
};

// An icon, known by the classes of the set it comes from; the drawing is ours.
export function icon(name, classes = "h-4 w-4") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("class", `lucide lucide-${name} ${classes}`.trim());
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("width", "16");
  made.setAttribute("height", "16");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", DRAWN[name] ?? "M6 12h12");
  path.setAttribute("stroke-width", "2");
  made.append(path);
  return made;
}

export function keyed(node, key) {
  keys.set(node, key);
  return node;
}

export function tie(node, what) {
  passed.set(node, what);
  return node;
}

export function tied(node) {
  return passed.get(node);
}

// Make `old` as `fresh` is, as React would: what can stay stays. Returns the node that stands.
export function morph(old, fresh) {
  const same =
    old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && keys.get(old) === keys.get(fresh);
  if (!same) {
    old.replaceWith(fresh);
    return fresh;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return old;
  }
  const what = passed.get(fresh);
  if (what) passed.set(old, what);
  else passed.delete(old);
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const wanted = [...fresh.childNodes];
  for (const [at, child] of wanted.entries()) {
    const there = old.childNodes[at];
    if (there) morph(there, child);
    else old.append(child);
  }
  while (old.childNodes.length > wanted.length) old.lastChild.remove();
  return old;
}
