// The profile `classic` inside the page: one look (`see`), one attempt to read (`read`).
//
// Selectors and words come as data (`Marks` of sites/classic.py). Nothing is clicked,
// nothing is changed. Open shadow roots are searched everywhere.
((tabwire) => {
  const BLOCKS = /^(block|flex|grid|list-item|table|table-row|table-caption|flow-root)$/;
  const APART = /^(p|h[1-6]|pre|table)$/; // with an empty line around them
  const UNSEEN = "script, style, noscript, template, [hidden], svg";
  const TALKING = 'button, [role="button"]';

  // Every tree there is to search: the document and all open shadow roots below it.
  function trees() {
    const found = [document];
    for (let at = 0; at < found.length; at += 1) {
      for (const element of found[at].querySelectorAll("*")) {
        if (element.shadowRoot) found.push(element.shadowRoot);
      }
    }
    return found;
  }

  // An element and the hosts around it, innermost first: one per tree on the way up.
  function hosts(element) {
    const chain = [element];
    for (let root = element.getRootNode(); root.host; root = root.host.getRootNode()) {
      chain.push(root.host);
    }
    return chain;
  }

  // -1 where a stands before b on the page, 1 where behind; what holds comes before the held.
  function order(a, b) {
    if (a === b) return 0;
    const others = new Map(hosts(b).map((one) => [one.getRootNode(), one]));
    for (const mine of hosts(a)) {
      const theirs = others.get(mine.getRootNode());
      if (theirs === mine) return mine === a ? -1 : 1;
      if (theirs) {
        return mine.compareDocumentPosition(theirs) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
      }
    }
    return 0;
  }

  const parent = (node) => node.parentElement ?? node.getRootNode().host ?? null;

  function within(node, holder) {
    for (let at = node; at; at = parent(at)) if (at === holder) return true;
    return false;
  }

  function closest(node, css) {
    for (let at = node; at; at = at.getRootNode().host) {
      const found = at.closest(css);
      if (found) return found;
    }
    return null;
  }

  function outermost(list) {
    const all = new Set(list);
    const held = (one) => {
      for (let at = parent(one); at; at = parent(at)) if (all.has(at)) return true;
      return false;
    };
    return list.filter((one) => !held(one));
  }

  function visible(element) {
    return element.getClientRects().length > 0
      && element.checkVisibility({ visibilityProperty: true });
  }

  const disabled = (button) => button.disabled || button.getAttribute("aria-disabled") === "true";
  const has = (text, words) => words.some((word) => text.includes(word));

  // A search of this moment: the trees are listed once, and asked often.
  function search() {
    const roots = trees();
    return (css) => {
      if (!css) return [];
      const found = roots.flatMap((root) => [...root.querySelectorAll(css)]);
      return roots.length > 1 ? found.sort(order) : found;
    };
  }

  // What a person would read in an element, as innerText has it, but through shadow roots and
  // without buttons, hidden things and whatever else `skip` names.
  function textOf(element, skip) {
    let text = "";
    let owed = 0; // line ends that come if more text does
    const add = (more) => {
      if (!more) return;
      if (text) text += "\n".repeat(owed);
      text += more;
      owed = 0;
    };
    const children = (node) => {
      if (node.shadowRoot) return node.shadowRoot.childNodes;
      const given = node.localName === "slot" ? node.assignedNodes() : [];
      return given.length ? given : node.childNodes;
    };
    const words = (node, style) => {
      if (/^(pre|break-spaces)/.test(style.whiteSpace)) return add(node.data);
      const spaced = node.data.replace(/\s+/g, " ");
      return add(owed || !text || /\s$/.test(text) ? spaced.replace(/^ /, "") : spaced);
    };
    const visit = (node, style) => {
      if (node.nodeType === Node.TEXT_NODE) return words(node, style);
      if (node.nodeType !== Node.ELEMENT_NODE || node.matches(skip)) return undefined;
      if (node.localName === "br") return add("\n");
      const own = getComputedStyle(node);
      if (own.display === "none" || own.visibility === "hidden") return undefined;
      const ends = BLOCKS.test(own.display) ? 1 + APART.test(node.localName) : 0;
      owed = Math.max(owed, ends);
      if (own.display === "table-cell" && !owed && text) add("\t");
      for (const child of children(node)) visit(child, own);
      owed = Math.max(owed, ends);
      return undefined;
    };
    visit(element, getComputedStyle(element));
    return text.replace(/[^\S\n]+$/gm, "").replace(/^\n+/, "").trimEnd();
  }

  const skipOf = (marks) => (marks.skip ? `${UNSEEN}, ${marks.skip}` : UNSEEN);

  // Buttons in sight, and those an icon inside stands for.
  const buttonsOf = (found) => found
    .map((element) => closest(element, TALKING) ?? element)
    .filter(visible);

  const called = (button, words) => has(button.textContent, words)
    || has(button.getAttribute("aria-label") ?? "", words);

  function composerEmpty(all, css) {
    const [composer] = all(css).filter(visible);
    if (!composer) return false;
    return (composer.value ?? composer.innerText).trim() === "";
  }

  function see(marks) {
    const all = search();
    const answers = outermost(all(marks.answer));
    const newest = answers.at(-1);
    const buttons = all(TALKING).filter(visible);
    const stop = buttonsOf(all(marks.stop)).length > 0
      || buttons.some((one) => !disabled(one) && called(one, marks.stop_words));
    const send = [
      ...buttonsOf(all(marks.send)),
      ...buttons.filter((one) => called(one, marks.send_words)),
    ];
    const body = document.body?.innerText ?? "";
    return {
      url: location.href,
      title: document.title,
      questions: outermost(all(marks.question)).length,
      answers: answers.length,
      text_length: newest ? textOf(newest, skipOf(marks)).length : 0,
      stop,
      send: send.length > 0,
      send_enabled: !stop && send.some((one) => !disabled(one)),
      composer_empty: composerEmpty(all, marks.composer),
      mic: all(marks.mic).some((icon) => closest(icon, "button")),
      feedback: all(marks.feedback).length > 0,
      generating_words: has(body, marks.generating_words),
      thinking_over: marks.thinking_over.some((pattern) => new RegExp(pattern).test(body)),
      skip_thinking: has(body, marks.skip_words),
      turns: all(marks.turn).length,
      roots: newest && marks.root ? all(marks.root).filter((one) => within(one, newest)).length : 0,
      body_length: body.length,
      body_begin: body.slice(0, 200),
    };
  }

  // One text from several elements, each of them once.
  const join = (elements, skip) => outermost(elements)
    .map((one) => textOf(one, skip))
    .filter(Boolean)
    .join("\n\n");

  const WAYS = {
    within({ all, turn, skip }, step) {
      return turn ? join(all(step.css).filter((one) => within(one, turn)), skip) : "";
    },
    turn({ turn, skip }) {
      return turn ? textOf(turn, skip) : "";
    },
    answer({ answer, skip }) {
      return answer ? textOf(answer, skip) : "";
    },
    // The button"s container, two steps up, holds the answer: unless it is an older answer"s,
    // or holds several of them.
    feedback({ all, answers, answer, next, skip }, step) {
      const icons = all(step.near).filter((icon) => !next || order(icon, next) < 0);
      const button = icons.length ? closest(icons.at(-1), "button") : null;
      const container = button && parent(button) && parent(parent(button));
      if (!container) return "";
      const held = answers.filter((one) => within(one, container));
      const older = answer && !within(answer, container) && order(container, answer) < 0;
      if (older || held.length > 1) return "";
      return join(all(step.css).filter((one) => within(one, container)
        && !closest(one, skip)), skip);
    },
    live({ all, answer, next, skip }, step) {
      const regions = all(step.css).filter((one) => (
        (!answer || within(one, answer) || order(answer, one) < 0) && (!next || order(one, next) < 0)
      ));
      return regions.map((one) => textOf(one, skip)).filter(Boolean).at(-1) ?? "";
    },
    page({ skip, wholePage }, step) {
      if (!wholePage) return "";
      const main = document.querySelector(step.css);
      return (main && textOf(main, skip)) || textOf(document.body, skip);
    },
  };

  // A tab just brought to life draws at its next frames; one that does not is read as it is.
  const drawn = (milliseconds) => new Promise((resolve) => {
    const late = setTimeout(resolve, milliseconds);
    requestAnimationFrame(() => requestAnimationFrame(() => { clearTimeout(late); resolve(); }));
  });

  async function read({ marks, answer: number, whole_page: wholePage, wait_ms: wait }) {
    await drawn(wait);
    const all = search();
    const answers = outermost(all(marks.answer));
    const answer = number ? answers[number - 1] : answers.at(-1);
    const turn = answer && ((marks.turn && closest(answer, marks.turn)) || answer);
    const next = answer && answers[answers.indexOf(answer) + 1];
    const about = { all, answers, answer, turn, next, skip: skipOf(marks), wholePage };
    const rungs = marks.steps
      .map((step) => ({ number: step.number, what: step.what, text: WAYS[step.way](about, step) }))
      .filter((rung) => rung.text);
    return { poll: see(marks), rungs };
  }

  tabwire.classic = { see, read };
})((globalThis.tabwire ??= {}));
