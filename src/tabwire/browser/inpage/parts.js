// needs: deep
// A site's page data made ready: what each part of a layout looks like, and which changes of
// the page could concern it.
//
// A part is a list of candidates, best first: the first that matches is the one used. Asking
// the whole page after each change would cost more than the page itself, so changes are first
// tried against `last` of each selector: what the element itself must match, whatever is
// around it. That errs only towards looking once too often.
((tabwire) => {
  if (tabwire.parts) return;
  const { compile, findAll, matches, query } = tabwire.deep;

  const ATTRIBUTE = /\[\s*([\w-]+)\s*(?:([*^$~|]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s\]]+)))?[^\]]*\]/g;
  const CLASS = /\.(-?[_a-zA-Z][\w-]*)/g;
  const ID = /#[\w-]/;
  const TAG = /^[a-zA-Z][\w-]*/;

  const compiled = (list) => {
    const selectors = [];
    for (const css of list) {
      try {
        selectors.push(compile(css));
      } catch {
        selectors.push(null); // no selector in this browser: it matches nothing, health says so
      }
    }
    return selectors;
  };

  // Which attributes a selector asks about, on which tag, and by which piece of a class.
  const interests = (selector) => selector.compounds.flatMap((compound) => {
    const tag = TAG.exec(compound)?.[0].toLowerCase() ?? null;
    const found = [];
    const bare = compound.replace(ATTRIBUTE, (_, name, sign, one, two, three) => {
      const piece = name === "class" && sign ? one ?? two ?? three : "";
      found.push({ name, tag, piece });
      return "";
    });
    for (const [, piece] of bare.matchAll(CLASS)) found.push({ name: "class", tag, piece });
    if (ID.test(bare)) found.push({ name: "id", tag, piece: "" });
    return found;
  });

  class Part {
    constructor(name, list) {
      this.name = name;
      this.list = list;
      this.selectors = compiled(list);
      const real = this.selectors.filter(Boolean);
      this.last = [...new Set(real.map((one) => one.last).filter(Boolean))].join(",");
      this.inside = real.map((one) => one.inside).filter(Boolean).join(",");
      this.css = real.map((one) => one.css).join(",");
      this.interests = real.flatMap(interests);
    }

    // Whether an element that came or went is one of these, or holds one.
    concerns(element) {
      return this.last !== "" && (matches(element, this.last) || query(element, this.last) !== null);
    }

    // The first candidate of which any element is `fit`, with all that are; where none is,
    // `unfit` are those that matched all the same.
    find(roots, fit = () => true, crossing = undefined) {
      const unfit = [];
      for (const [index, selector] of this.selectors.entries()) {
        if (selector === null) continue;
        const matching = findAll(selector, roots, crossing);
        const elements = matching.filter(fit);
        if (elements.length > 0) return { index, css: selector.css, elements, unfit: [] };
        unfit.push(...matching);
      }
      return { index: -1, css: "", elements: [], unfit };
    }

    any(roots) {
      if (this.css === "") return false;
      this.seen = null;
      for (const root of roots) this.seen ??= query(root, this.css);
      if (roots.length > 1) this.seen ??= this.find(roots).elements[0] ?? null;
      return this.seen !== null;
    }

    // Whether what `any` found last is still one of these.
    get stands() {
      return this.seen?.isConnected === true && matches(this.seen, this.css);
    }
  }

  // Several parts looked at together: which of them a change could concern.
  class Interest {
    constructor(parts) {
      this.parts = parts;
      this.last = [...new Set(parts.map((part) => part.last).filter(Boolean))].join(",");
      this.byAttribute = new Map();
      for (const part of parts) {
        for (const { name, tag, piece } of part.interests) {
          const list = this.byAttribute.get(name) ?? [];
          if (!list.some((one) => one.part === part && one.tag === tag && one.piece === piece)) {
            list.push({ part, tag, piece });
          }
          this.byAttribute.set(name, list);
        }
      }
    }

    // Add to `dirty` the parts that an element concerns that came or went.
    moved(element, dirty) {
      if (this.last === "") return;
      if (!matches(element, this.last) && query(element, this.last) === null) return;
      for (const part of this.parts) {
        if (!dirty.has(part.name) && part.concerns(element)) dirty.add(part.name);
      }
    }

    // The same for an attribute that changed; classes come and go by their names.
    changed(element, name, old, dirty) {
      const list = this.byAttribute.get(name);
      if (list === undefined) return;
      const both = name === "class" ? `${old ?? ""} ${element.getAttribute("class") ?? ""}` : "";
      for (const { part, tag, piece } of list) {
        if (tag !== null && tag !== element.localName) continue;
        if (!both.includes(piece)) continue;
        dirty.add(part.name);
      }
    }
  }

  class Layout {
    constructor({ name, parts }) {
      this.name = name;
      this.parts = Object.fromEntries(
        Object.entries(parts).map(([part, list]) => [part, new Part(part, list)]),
      );
    }
  }

  tabwire.parts = { Interest, Layout, Part };
})((globalThis.tabwire ??= {}));
