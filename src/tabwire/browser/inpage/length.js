// needs: deep
// How much text stands under some elements, kept up to date by what changed.
//
// Each text node is remembered with the length it was counted with, so a node may be looked
// at again in any order and any number of times: what is added is the difference. This runs
// for every word of an answer: it asks the page as little as possible.
((tabwire) => {
  if (tabwire.length) return;
  const { contains, matches } = tabwire.deep;
  const within = Node.prototype.contains;

  class Length {
    constructor(skip) {
      this.skip = skip; // what is no part of the text, as CSS
      this.begin([]);
    }

    begin(roots) {
      this.roots = roots;
      this.first = roots[0] ?? null;
      this.counted = new WeakMap();
      this.clean = new WeakSet(roots); // elements that are no part of what is skipped
      this.total = 0;
    }

    // Count anew, under these elements.
    reset(roots) {
      this.begin(roots);
      for (const root of roots) this.below(root, true);
    }

    holds(node) {
      if (this.first === null) return false;
      if (within.call(this.first, node)) return true;
      for (const root of this.roots) if (contains(root, node)) return true;
      return false;
    }

    // Bring all up to date, where changes were not heard of.
    catchUp() {
      for (const root of this.roots) this.below(root, true);
    }

    // A text of ours that changed and was counted before: true where that was all.
    grew(text) {
      const before = this.counted.get(text);
      if (before === undefined || this.first === null || !within.call(this.first, text)) return false;
      const now = text.length;
      this.total += now - before;
      this.counted.set(text, now);
      return true;
    }

    // Bring a node and all below it up to date, be it still in the text or no more.
    recount(node) {
      const here = this.holds(node);
      if (node instanceof Text) this.count(node, here && this.isClean(node.parentElement));
      else if (node instanceof Element) this.below(node, here && this.isClean(node));
    }

    below(node, here) {
      if (node.shadowRoot) this.below(node.shadowRoot, here);
      for (let child = node.firstChild; child; child = child.nextSibling) {
        if (child instanceof Text) this.count(child, here);
        else if (child instanceof Element) this.below(child, here && !this.isSkipped(child));
      }
    }

    count(text, here) {
      const before = this.counted.get(text) ?? 0;
      const now = here ? text.length : 0;
      this.total += now - before;
      if (here || before > 0) this.counted.set(text, now);
    }

    isSkipped(element) {
      if (this.clean.has(element)) return false;
      if (matches(element, this.skip)) return true;
      this.clean.add(element);
      return false;
    }

    // Whether an element of the text is outside of all that is no part of it.
    isClean(element) {
      for (let one = element; one; one = one.parentElement) {
        if (this.clean.has(one)) return true; // whoever is clean stands in what is clean
        if (matches(one, this.skip)) return false;
        if (one.parentElement === null || this.clean.has(one.parentElement)) {
          this.clean.add(one);
          return true;
        }
      }
      return true;
    }
  }

  tabwire.length = { Length };
})((globalThis.tabwire ??= {}));
