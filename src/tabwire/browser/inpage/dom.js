// needs: deep
// What a selector finds on the page, for a person to read. What fields hold stays in the page.
((tabwire) => {
  const HIDDEN = new Set(["value", "nonce"]);
  const SECRET = /token|secret|csrf|session|auth|password|nonce|key$/i;
  const SEARCH_KEY = /search-(unit|turn)-key$|turn-key$/; // ids of messages, not secrets
  const MAX_VALUE = 200;

  const cut = (text, limit) => (text.length > limit ? `${text.slice(0, limit)}…` : text);

  const isSecret = (name) => SECRET.test(name) && !SEARCH_KEY.test(name);

  function attributes(element) {
    const said = {};
    for (const { name, value } of element.attributes) {
      if (HIDDEN.has(name)) continue;
      said[name] = isSecret(name) ? "(not shown)" : cut(value, MAX_VALUE);
    }
    return said;
  }

  // The HTML without what fields hold. Copied into a document without scripts, so that no
  // element of the page's own comes to life in the copy.
  function html(element) {
    const inert = document.implementation.createHTMLDocument("");
    const copy = inert.importNode(element, true);
    for (const one of [copy, ...copy.querySelectorAll("*")]) {
      for (const { name } of [...one.attributes]) {
        if (HIDDEN.has(name)) one.removeAttribute(name);
        else if (isSecret(name)) one.setAttribute(name, "(not shown)");
      }
      if (one.localName === "textarea") one.textContent = "";
    }
    return copy.outerHTML;
  }

  function visible(element) {
    const box = element.getBoundingClientRect();
    const drawn = element.checkVisibility?.({ visibilityProperty: true }) ?? true;
    return drawn && box.width > 0 && box.height > 0;
  }

  tabwire.dom = {
    // {css, limit, characters, html} -> {count, elements}; `wrong` where it is no selector
    show({ css, limit, characters, html: wantsHtml }) {
      let found;
      try {
        const { shadows } = tabwire.deep.shadowsUnder(document);
        found = [...tabwire.deep.findAll(tabwire.deep.compile(css), [document, ...shadows])];
      } catch {
        return { count: 0, elements: [], wrong: true };
      }
      const elements = found.slice(0, limit).map((element) => {
        const text = (element.textContent ?? "").replace(/\s+/g, " ").trim();
        const one = {
          tag: element.localName,
          attributes: attributes(element),
          visible: visible(element),
          text: cut(text, characters),
        };
        if (wantsHtml) one.html = cut(html(element), 20 * characters);
        return one;
      });
      return { count: found.length, elements, wrong: false };
    },
  };
})((globalThis.tabwire ??= {}));
