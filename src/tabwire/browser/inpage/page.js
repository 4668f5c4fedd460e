// needs: deep
// What we do in a page: find, aim, write, read. Each function takes and returns JSON.
((tabwire) => {
  if (tabwire.page) return; // keep what is kept
  const KEPT = 32; // elements remembered between calls; a caller needs one or two
  const LABEL = 80; // characters of a label that are told
  const BLOCKS = /^(block|flex|grid|list-item|table|table-row|flow-root)$/;

  const kept = new Map(); // number -> WeakRef of an element
  let numbered = 0;
  let guard = null;

  // --- searching -----------------------------------------------------------

  const { compile, findAll, matches, shadowsUnder } = tabwire.deep;

  // The parent as it is drawn: a slot, an element, or the host of a shadow root.
  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;

  function* upwards(element) {
    for (let one = element; one; one = parentOf(one)) yield one;
  }

  // --- judging -------------------------------------------------------------

  const isDrawn = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
  };

  const isOff = (element) => {
    if (matches(element, ":disabled")) return true;
    for (const one of upwards(element)) {
      if (matches(one, 'button:disabled, [aria-disabled="true" i], [inert]')) return true;
    }
    return false;
  };

  const TYPED = /^(text|search|url|tel|email|password|number|)$/;
  const isField = (element) =>
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && TYPED.test(element.type));
  const isEditable = (element) =>
    isField(element) ? !element.readOnly : element.isContentEditable === true;
  const isFileInput = (element) => element instanceof HTMLInputElement && element.type === "file";

  // Why this element cannot be used, or "" if it can.
  const fault = (element, wish) => {
    if (wish.any) return "";
    if (wish.upload && isFileInput(element)) return isOff(element) ? "disabled" : "";
    if (!isDrawn(element)) return "not visible";
    if (isOff(element)) return "disabled";
    if (wish.editable && !isEditable(element)) return "not editable";
    return "";
  };

  // For each candidate: all that matched outside the decoys, and what is wrong with each.
  function* looks(wish) {
    const roots = [document, ...shadowsUnder(document).shadows];
    const decoys = new Set();
    for (const css of wish.decoys ?? []) {
      try {
        for (const element of findAll(compile(css), roots)) decoys.add(element);
      } catch { /* a decoy that is no selector excludes nothing */ }
    }
    const isDecoy = (element) =>
      decoys.size > 0 && [...upwards(element)].some((one) => decoys.has(one));
    for (const [index, css] of wish.candidates.entries()) {
      let matched = [], wrong = "";
      try {
        matched = findAll(compile(css), roots);
      } catch (error) {
        wrong = error.message;
      }
      const genuine = matched.filter((element) => !isDecoy(element));
      const judged = genuine.map((element) => ({ element, fault: fault(element, wish) }));
      yield { index, css, judged, decoys: matched.length - genuine.length, wrong };
    }
  }

  // --- telling -------------------------------------------------------------

  const keep = (element) => {
    numbered += 1;
    kept.set(numbered, new WeakRef(element));
    if (kept.size > KEPT) kept.delete(kept.keys().next().value);
    return numbered;
  };
  const recall = (number) => {
    const element = kept.get(number)?.deref();
    return element?.isConnected ? element : null;
  };

  const short = (text) => text.replace(/\s+/g, " ").trim().slice(0, LABEL);
  const labelOf = (element) =>
    short(
      element.getAttribute("aria-label") || element.getAttribute("title") ||
      element.getAttribute("placeholder") || element.innerText || "",
    );
  const boxOf = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  };
  const describe = (element) => {
    const id = element.id ? `#${element.id}` : "";
    const classes = [...element.classList].slice(0, 3).map((name) => `.${name}`).join("");
    const label = labelOf(element);
    return `<${element.localName}${id}${classes}>${label ? ` "${label}"` : ""}`;
  };

  const find = (wish) => {
    let seen = 0;
    const whys = new Set();
    for (const { index, css, judged, wrong } of looks(wish)) {
      const usable = judged.filter((one) => !one.fault);
      seen += judged.length;
      for (const one of judged) if (one.fault) whys.add(one.fault);
      if (wrong) whys.add(wrong);
      if (usable.length === 0) continue;
      const [{ element }] = usable;
      return {
        found: {
          css, index, matched: judged.length, usable: usable.length, number: keep(element),
          tag: element.localName, role: element.getAttribute("role") ?? "",
          label: labelOf(element), box: boxOf(element),
        },
      };
    }
    return { seen, why: [...whys].join(", ") };
  };

  const survey = (wish) =>
    [...looks(wish)].map(({ css, judged, decoys, wrong }) => ({
      css, decoys, wrong,
      matched: judged.length,
      usable: judged.filter((one) => !one.fault).length,
    }));

  // --- text ----------------------------------------------------------------

  // What a person would say stands in an editable element: a line per block or <br>.
  // The last <br> of a block only holds its line open, so a break is owed until more comes.
  const linesOf = (host) => {
    const lines = [""];
    let begun = false, owed = false;
    const content = (text) => {
      if (owed) lines.push("");
      lines[lines.length - 1] += text;
      begun = true;
      owed = false;
    };
    const visit = (node) => {
      if (node instanceof Text) {
        const keeps = getComputedStyle(node.parentElement).whiteSpaceCollapse !== "collapse";
        const text = keeps ? node.data : node.data.replace(/\s+/g, " ");
        if (keeps ? text : text.trim()) content(text);
      } else if (node instanceof HTMLBRElement) {
        content("");
        owed = true;
      } else if (node instanceof Element) {
        const { display } = getComputedStyle(node);
        if (display === "none") return;
        if (BLOCKS.test(display) && begun) owed = true;
        node.childNodes.forEach(visit);
        if (BLOCKS.test(display) && begun) owed = true;
      }
    };
    host.childNodes.forEach(visit);
    return lines.join("\n");
  };

  const textOf = (element) =>
    (isField(element) ? element.value : linesOf(element))
      .replace(/\r\n?/g, "\n").replace(/[\u200b\ufeff]/g, "").replace(/\u00a0/g, " ");

  // Editors choose their own line breaks and drop spaces at the ends of lines; no more.
  const bare = (text) => text.replace(/[\u200b\ufeff]/g, "").replace(/\s+/g, " ").trim();

  const frame = () =>
    new Promise((done) => {
      const late = setTimeout(done, 100); // a minimised window draws no frames
      requestAnimationFrame(() => { clearTimeout(late); done(); });
    });

  // Wait until the element holds the text and still does two frames later: an editor that
  // was written past puts its own text back when it next renders.
  const stands = async ({ number, text, ms }) => {
    const wanted = bare(text);
    const until = performance.now() + ms;
    let calm = 0;
    for (;;) {
      const element = recall(number);
      if (!element) return { gone: true };
      const now = textOf(element);
      calm = bare(now) === wanted ? calm + 1 : 0;
      if (calm > 2 || performance.now() > until) return { holds: calm > 2, text: now };
      await frame();
    }
  };

  const read = (wish) => {
    for (const { index, css, judged } of looks({ ...wish, any: true })) {
      if (judged.length === 0) continue;
      const said = ({ element }) =>
        isField(element) ? element.value : element.innerText ?? element.textContent;
      return { index, css, texts: judged.map(said) };
    }
    return { texts: [] };
  };

  // --- writing -------------------------------------------------------------

  const focusedIn = (element) => {
    let one = document.activeElement;
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
    if (one === null || one === element) return one !== null;
    return element.contains(one) || (one.isContentEditable && one.contains(element));
  };

  // Put the caret into the element and select all that is there.
  const prepare = ({ number }) => {
    const element = recall(number);
    if (!element || !isEditable(element) || isOff(element)) return { gone: true };
    if (!focusedIn(element)) element.focus({ preventScroll: true });
    if (!focusedIn(element)) return { refused: true };
    if (isField(element)) element.select();
    else document.execCommand("selectAll");
    return { empty: textOf(element) === "" };
  };

  const write = ({ text }) => document.execCommand("insertText", false, text);

  // The whole text at once: Chromium inserts line by line, which takes n² for n lines.
  // Says whether somebody took it.
  const place = ({ number, text }) => {
    const element = recall(number);
    if (isField(element)) {
      element.value = text;
      const about = { bubbles: true, composed: true, inputType: "insertFromPaste", data: text };
      element.dispatchEvent(new InputEvent("input", about));
      return true;
    }
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const about = { bubbles: true, composed: true, cancelable: true, clipboardData };
    return !element.dispatchEvent(new ClipboardEvent("paste", about));
  };
  const breakLine = () => document.execCommand("insertLineBreak");

  // --- clicking ------------------------------------------------------------

  const elementAt = (x, y) => {
    let hit = Document.prototype.elementFromPoint.call(document, x, y);
    for (;;) {
      const inner = hit?.shadowRoot?.elementFromPoint(x, y);
      if (!inner || inner === hit) return hit;
      hit = inner;
    }
  };

  // An icon inside a button lets its clicks through to the button.
  const CONTROL = "button, a[href], summary, label, [role=button], [role=menuitem], [role=option]";
  const controlOf = (element) => [...upwards(element)].find((one) => matches(one, CONTROL)) ?? element;

  const pointsOf = (element) =>
    [...element.getClientRects()].flatMap(({ left, top, width, height }) =>
      [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]].map(
        ([right, down]) => ({ x: left + width * right, y: top + height * down }),
      ));

  const pointOn = (element) => {
    const control = controlOf(element);
    const lands = ({ x, y }) => {
      const hit = elementAt(x, y);
      return hit !== null && [...upwards(hit)].includes(control);
    };
    return pointsOf(element).find(lands);
  };

  // A press that lands elsewhere because the page moved meanwhile is kept from the page.
  // If nobody asks for the outcome, because our caller was stopped. Longer than a press may be on
  // its way (asking/submission.py): over a slow line it comes late, and is guarded all the same.
  const GUARD_MS = 35_000;
  const PRESSES = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
  const stopGuard = () => {
    if (guard) for (const name of PRESSES) window.removeEventListener(name, guard.hear, true);
    guard = null;
  };
  const startGuard = (element, { x, y }) => {
    stopGuard();
    const control = controlOf(element);
    const mine = { outcome: null };
    mine.hear = (event) => {
      if (!event.isTrusted || Math.abs(event.clientX - x) > 1 || Math.abs(event.clientY - y) > 1) return;
      const path = event.composedPath();
      mine.outcome ??= path.includes(control) ? { hit: true } : { missed: describe(path[0]) };
      if (mine.outcome.hit) return;
      event.stopImmediatePropagation();
      event.preventDefault();
    };
    guard = mine;
    setTimeout(() => { if (guard === mine) stopGuard(); }, GUARD_MS);
    for (const name of PRESSES) window.addEventListener(name, mine.hear, true);
  };

  // Where to press so that this element gets it. The guard stands until `outcome` is asked.
  const aim = ({ number }) => {
    const element = recall(number);
    if (!element || fault(element, {})) return { gone: true };
    let point = pointOn(element);
    if (!point) {
      element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      point = pointOn(element);
    }
    if (!point) {
      const [{ x, y }] = pointsOf(element);
      const over = elementAt(x, y);
      return { covered: over ? describe(over) : "the edge of the window" };
    }
    startGuard(element, point);
    return point;
  };

  // Whether the press came to the element: {hit}, {missed}, or {} if none was seen.
  const outcome = () => {
    const seen = guard ? guard.outcome ?? {} : { hit: true }; // no guard: the press led elsewhere
    stopGuard();
    return seen;
  };

  // --- files ---------------------------------------------------------------

  const fileInput = ({ number }) => {
    const one = recall(number);
    const input = one instanceof HTMLLabelElement ? one.control : one;
    return input && isFileInput(input) ? input : null;
  };
  const takesMany = (wish) => fileInput(wish)?.multiple ?? false;

  tabwire.page = {
    find, survey, read, stands, prepare, write, place, breakLine, aim, outcome, fileInput,
    takesMany,
    isDrawn, isOff, keep, recall, frame, short, // for the other files
  };
})((globalThis.tabwire ??= {}));
