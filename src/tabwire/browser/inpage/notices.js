// needs: parts
// What the page says that matters: a limit, a login, a challenge, an error, a question.
//
// Only what can be seen counts: pages keep closed dialogs and empty live regions. What can
// never be seen (a script) and a title's words are believed only where no layout was
// recognised, for both occur on healthy pages. Words count outside of the conversation only:
// an answer may quote them.
((tabwire) => {
  if (tabwire.notices) return;
  const { contains, closest, findAll, isVisible, matches, query, title } = tabwire.deep;
  const { Part } = tabwire.parts;

  const LONGEST = 200; // characters told of a notice's text
  const MOST = 40; // hidden elements kept in view; a page full of alerts is no page of ours
  const UNSEEN = "script, link, meta, style, template, noscript, head, title";
  const SPEAKS = "img, svg, iframe, button, input, a[href]";

  const short = (text) => text.replace(/\s+/g, " ").trim().slice(0, LONGEST);
  const CONTROLS = "button, a[href], [role='button'], [role='link'], input, summary";
  const GLYPHS = "svg, [aria-hidden='true'], script, style, mat-icon";
  const SAYS = /\p{L}{2}/u; // a glyph, an arrow or a lone letter says nothing

  // What a person would read there: a control by its name, all else without the controls in it.
  const wordsOf = (element) => {
    const skip = matches(element, CONTROLS) ? GLYPHS : `${GLYPHS}, ${CONTROLS}`;
    const spoken = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.data;
      if (node !== element && node instanceof Element && matches(node, skip)) return " ";
      return [...node.childNodes].map(spoken).join("");
    };
    const label = short(element.getAttribute("aria-label") ?? "");
    return [short(spoken(element)), label].find((words) => SAYS.test(words)) ?? "";
  };
  const isHeld = (element, holders) => holders.some((one) => contains(one, element));

  class Notices {
    constructor(list) {
      this.list = list.map((one) => ({
        kind: one.kind,
        part: new Part("notices", one.selectors),
        titles: one.title_contains.map((words) => words.toLowerCase()),
        texts: one.text_contains.map((words) => words.toLowerCase()),
      }));
      this.parts = this.list.map((one) => one.part);
      this.texts = this.list.flatMap((one) => one.texts);
      this.css = this.parts.map((one) => one.css).filter(Boolean).join(",");
      this.inside = this.parts.map((one) => one.inside).filter(Boolean).join(",");
      this.candidates = []; // in the page, visible or not
      this.spoken = new Map(); // words -> the elements that say them
    }

    // Whether a change at this element may be a change of a notice.
    concerns(element) {
      if (this.candidates.some((one) => contains(one, element))) return true;
      return this.inside !== "" && closest(element, this.inside) !== null;
    }

    // Look for words in what was added; true where some were found.
    hear(node) {
      if (this.texts.length === 0) return false;
      const said = (node.textContent ?? "").toLowerCase();
      let heard = false;
      for (const words of this.texts) {
        if (said.includes(words)) heard = this.remember(words, node) || heard;
      }
      return heard;
    }

    // The innermost element that still says all of the words.
    remember(words, node) {
      let inner = node instanceof Element ? node : node.parentElement;
      while (inner) {
        const next = [...inner.children].find((one) => one.textContent.toLowerCase().includes(words));
        if (!next) break;
        inner = next;
      }
      if (!inner || matches(inner, UNSEEN)) return false;
      const elements = this.spoken.get(words) ?? new Set();
      this.spoken.set(words, elements);
      if (elements.size < MOST) elements.add(inner);
      return true;
    }

    // Whether words that were heard are gone with their element.
    get silenced() {
      for (const elements of this.spoken.values()) {
        for (const element of elements) if (!element.isConnected) return true;
      }
      return false;
    }

    // Everything that speaks now. `holders` are the conversation's messages.
    see(roots, recognised, holders) {
      this.candidates = [];
      const seen = [];
      // one look for all of them: most of the time there is none; across shadows only one by one
      const none = roots.length === 1 && (this.css === "" || query(roots[0], this.css) === null);
      for (const notice of this.list) {
        for (const selector of none ? [] : notice.part.selectors.filter(Boolean)) {
          const said = this.shown(findAll(selector, roots), recognised, holders);
          if (said) seen.push({ kind: notice.kind, which: selector.css, text: wordsOf(said) });
        }
        seen.push(...this.titled(notice, recognised), ...this.said(notice, holders));
      }
      return seen;
    }

    shown(elements, recognised, holders) {
      const outside = elements.filter((one) => !isHeld(one, holders));
      this.candidates.push(...outside.slice(0, MOST));
      return outside.find((one) => {
        if (matches(one, UNSEEN)) return !recognised;
        return isVisible(one) && (wordsOf(one) !== "" || matches(one, SPEAKS) || query(one, SPEAKS) !== null);
      });
    }

    titled(notice, recognised) {
      if (recognised) return [];
      const now = title().toLowerCase();
      const which = notice.titles.find((words) => now.includes(words));
      return which === undefined ? [] : [{ kind: notice.kind, which, text: short(title()) }];
    }

    said(notice, holders) {
      return notice.texts.flatMap((words) => {
        const elements = this.spoken.get(words) ?? new Set();
        for (const one of elements) {
          if (!one.isConnected || !one.textContent.toLowerCase().includes(words)) elements.delete(one);
        }
        this.candidates.push(...elements);
        const shown = [...elements].find((one) => !isHeld(one, holders) && isVisible(one));
        return shown ? [{ kind: notice.kind, which: words, text: wordsOf(shown) }] : [];
      });
    }
  }

  // The control, or the field, by which a page that offers nothing else asks for a login.
  const WALL = "input[type='password'], input[autocomplete~='username'], input[type='email']";
  const MORE = 25; // letters that may follow: "Log in with Google"

  const wallIn = (roots, words) => {
    const asks = (one) => {
      const said = wordsOf(one).toLowerCase();
      return words.some((word) => said.startsWith(word) && said.length <= word.length + MORE);
    };
    for (const root of roots) {
      const controls = [...root.querySelectorAll(CONTROLS)].filter((one) => asks(one) && isVisible(one));
      if (controls.length > 0) return wordsOf(controls[0]);
      const field = [...root.querySelectorAll(WALL)].find((one) => isVisible(one));
      if (field) return wordsOf(field) || "a form to log in";
    }
    return "";
  };

  tabwire.notices = { Notices, wallIn };
})((globalThis.tabwire ??= {}));
