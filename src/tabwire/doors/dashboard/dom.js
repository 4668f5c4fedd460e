// Elements, made without a line of HTML in a string: what others wrote is only ever text.

export const one = (id) => document.getElementById(id);

export function make(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Words of a person, a page or a site. They may run from right to left; what is around them not.
export function words(tag, name, text) {
  const made = make(tag, name, text);
  made.dir = "auto";
  return made;
}

// Words of the hub, in which what is to be typed stands between backticks.
export function spoken(element, text) {
  if (element.dataset.spoken === text) return element;
  element.dataset.spoken = text;
  element.dir = "auto";
  const parts = text.split("`").map((part, index) => (index % 2 ? make("code", "", part) : part));
  element.replaceChildren(...parts);
  return element;
}

// Set only what differs: whatever is read aloud or selected is left alone while it stays the same.
export function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// A list whose items keep their elements, so that a finger or the focus stays on what it is on.
// `draw(item, element)` fills the element of an item; `element` is empty the first time.
export function list(parent, items, key, draw, none) {
  const there = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const shown = items.length > 0 ? items : none === undefined ? [] : [null];
  shown.forEach((item, index) => {
    const name = item === null ? "none" : `is ${key(item)}`;
    let element = there.get(name);
    there.delete(name);
    if (element === undefined) {
      element = make("li", item === null ? "soft none" : "", item === null ? none : undefined);
      element.dataset.key = name;
    }
    const drawn = JSON.stringify(item);
    if (item !== null && element.dataset.drawn !== drawn) {
      draw(item, element);
      element.dataset.drawn = drawn;
    }
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
  });
  for (const gone of there.values()) gone.remove();
}

// Draw an element's insides anew; a button in it that had the focus has it again.
export function refill(element, ...children) {
  const held = element.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  element.replaceChildren(...children);
  if (held) element.querySelector(`[data-name="${held}"]`)?.focus();
}

export function button(name, text, label, act) {
  const made = make("button", "", text);
  made.type = "button";
  made.dataset.name = name;
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", () => act(made));
  return made;
}

export function facts(parent, pairs) {
  const now = JSON.stringify(pairs);
  if (parent.dataset.drawn === now) return;
  parent.dataset.drawn = now;
  parent.replaceChildren(...pairs.flatMap(([name, value]) => [make("dt", "", name), words("dd", "", value)]));
}
