// Searching through open shadow roots, and asking where things stand in the page as drawn.
//
// "a b" also finds a `b` in the shadow of `a`, which CSS does not. What is asked of a node is
// asked through its prototype: a page may hold a form with a field named `matches`.
((tabwire) => {
  if (tabwire.deep) return;

  const protoOf = (node) =>
    node instanceof Element ? Element.prototype
    : node instanceof Document ? Document.prototype
    : DocumentFragment.prototype;

  const queryAll = (root, css) => protoOf(root).querySelectorAll.call(root, css);
  const query = (root, css) => protoOf(root).querySelector.call(root, css);
  const matches = (element, css) => Element.prototype.matches.call(element, css);

  const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const titleOf = getter(Document.prototype, "title");
  const title = () => titleOf.call(document);

  // The host of the shadow root a node stands in, or null in the document itself.
  const hostOf = (node) => {
    const root = Node.prototype.getRootNode.call(node);
    return root instanceof ShadowRoot ? root.host : null;
  };

  // `css` cut at the top level wherever `isCut(char)` says so; brackets and quotes hold.
  const cut = (css, isCut) => {
    const parts = [];
    let depth = 0;
    let quote = "";
    let part = "";
    for (let at = 0; at < css.length; at += 1) {
      const char = css[at];
      if (char === "\\") {
        part += char + (css[at += 1] ?? "");
        continue;
      }
      if (quote) quote = char === quote ? "" : quote;
      else if (char === '"' || char === "'") quote = char;
      else if (char === "[" || char === "(") depth += 1;
      else if (char === "]" || char === ")") depth -= 1;
      else if (depth === 0 && isCut(char)) {
        parts.push(part);
        part = "";
        continue;
      }
      part += char;
    }
    return [...parts, part].map((one) => one.trim()).filter(Boolean);
  };

  // "a b > c" -> ["a", "b > c"]: cut where a space means "somewhere inside".
  const stepsOf = (css) => {
    const steps = [];
    let joined = false;
    for (const word of cut(css, (char) => /\s/.test(char))) {
      if (/^[>+~]$/.test(word)) {
        steps.push(`${steps.pop()} ${word}`);
        joined = true;
      } else if (joined) {
        steps.push(`${steps.pop()} ${word}`);
        joined = false;
      } else steps.push(word);
    }
    return steps;
  };

  // One selector made ready. `last` is what the element itself must match, whatever is around
  // it; `inside` stands for it where that says nothing ("x *").
  const compile = (css) => {
    query(document, css); // throws where it is no selector
    const steps = stepsOf(css);
    const compounds = cut(css, (char) => /[\s>+~]/.test(char));
    const last = compounds.at(-1);
    const any = last === "*";
    return {
      css,
      outer: steps.slice(0, -1),
      step: steps.at(-1),
      last: any ? null : last,
      inside: any ? compounds.slice(0, -1).join(" ") : null,
      compounds,
    };
  };

  const parentOf = (node) => node.parentElement ?? hostOf(node);

  const isInside = (element, outer) => {
    let wanted = outer.length - 1;
    for (let one = parentOf(element); one && wanted >= 0; one = parentOf(one)) {
      if (matches(one, outer[wanted])) wanted -= 1;
    }
    return wanted < 0;
  };

  // Every open shadow root below a node, outermost first, and the custom elements without one.
  const shadowsUnder = (node) => {
    const [shadows, hosts] = [[], []];
    const look = (element) => {
      if (element.shadowRoot) shadows.push(element.shadowRoot);
      else if (element.localName.includes("-")) hosts.push(element);
    };
    if (node instanceof Element) look(node);
    queryAll(node, "*").forEach(look);
    for (const root of shadows) queryAll(root, "*").forEach(look); // grows while we walk it
    return { shadows, hosts };
  };

  // All elements that match in these roots (documents, shadow roots or elements).
  const findAll = (selector, roots, crossing = roots.length > 1) => {
    const found = new Set();
    for (const root of roots) {
      if (root instanceof Element && matches(root, selector.css)) found.add(root);
      for (const element of queryAll(root, selector.css)) found.add(element);
    }
    if (crossing && selector.outer.length > 0) {
      for (const root of roots) {
        if (hostOf(root) === null) continue; // in the document itself the CSS was enough
        for (const element of queryAll(root, selector.step)) {
          if (isInside(element, selector.outer)) found.add(element);
        }
      }
    }
    return [...found];
  };

  const contains = (outer, inner) => {
    for (let one = inner; one; one = hostOf(one)) {
      if (Node.prototype.contains.call(outer, one)) return true;
    }
    return false;
  };

  const closest = (element, css) => {
    for (let one = element; one; one = hostOf(one)) {
      const found = Element.prototype.closest.call(one, css);
      if (found) return found;
    }
    return null;
  };

  // A node and the hosts it stands in, outermost first.
  const chain = (node) => {
    const nodes = [];
    for (let one = node; one; one = hostOf(one)) nodes.unshift(one);
    return nodes;
  };

  // Whether `a` begins before `b` in the page.
  const precedes = (a, b) => {
    let [one, two] = [a, b];
    if (one.getRootNode() !== two.getRootNode()) {
      const [first, second] = [chain(a), chain(b)];
      const at = first.findIndex((node, index) => node !== second[index]);
      if (at === -1) return true; // `a` is a host of `b`
      if (at >= second.length) return false;
      [one, two] = [first[at], second[at]];
    }
    return (Node.prototype.compareDocumentPosition.call(one, two) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  };

  const inOrder = (elements) => [...elements].sort((a, b) => (precedes(a, b) ? -1 : 1));

  // Without those that stand inside another of them. They must be in order.
  const outermost = (elements) => {
    const kept = [];
    for (const one of elements) {
      if (kept.length === 0 || !contains(kept.at(-1), one)) kept.push(one);
    }
    return kept;
  };

  // Not by opacity: what fades in is there from its first moment, and tells us nothing later.
  const isVisible = (element) => {
    if (Element.prototype.checkVisibility.call(element, { visibilityProperty: true })) return true;
    if (getComputedStyle(element).display !== "contents") return false;
    const inner = element.localName === "slot" ? element.assignedElements() : [...element.children];
    return inner.length === 0 || inner.some(isVisible); // no box of its own; its texts have none either
  };

  tabwire.deep = {
    closest, compile, contains, cut, findAll, hostOf, inOrder, isVisible, matches, outermost,
    precedes, query, queryAll, shadowsUnder, title,
  };
})((globalThis.tabwire ??= {}));
