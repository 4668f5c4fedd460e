// needs: page
// Menus that a click opens: which rows came with it, what each says, and whether they went.
//
// A menu is known by its rows: those that are drawn now and were not when `mark` was called. So
// a menu of the side bar, or one that stood there before, is never taken for the one we opened.
((tabwire) => {
  if (tabwire.menus) return;
  const { compile, findAll, matches, shadowsUnder } = tabwire.deep;
  const { frame, isDrawn, isOff, keep, recall, short } = tabwire.page;
  const ROLES = ["menuitem", "menuitemradio", "menuitemcheckbox", "option", "radio"];
  const HOLDERS = '[role="menu"], [role="listbox"], [role="radiogroup"], [role="dialog"]';
  const NAMES = ["data-testid", "data-test-id", "data-value", "data-model", "data-mode-id", "value"];
  const OWN = 'a[href], button, [role="link"], [role="button"], [role="switch"]';
  const LINE = 200; // characters of a line that are told

  let before = new WeakSet(); // rows that were drawn when `mark` was called
  let ours = []; // all rows that came since `begin`, by the numbers they were told with

  const roots = () => [document, ...shadowsUnder(document).shadows];

  const drawn = (options) => {
    const places = roots();
    const found = new Set();
    for (const css of [...ROLES.map((role) => `[role="${role}"]`), ...options]) {
      for (const element of findAll(compile(css), places)) if (isDrawn(element)) found.add(element);
    }
    const inner = (element) => {
      for (let one = element.parentElement; one; one = one.parentElement) if (found.has(one)) return true;
      return false;
    };
    return [...found].filter((element) => !inner(element));
  };

  const inOrder = (some) =>
    some.sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));

  const linesOf = (element) =>
    (element.innerText ?? "").split("\n").map((line) => line.trim().slice(0, LINE)).filter(Boolean);

  // Whether a click on it does something else: it is a link, opens a dialog, or holds a button
  // of its own. A button that is all of the row is the row.
  const leads = (element) => {
    if (matches(element, 'a[href], [aria-haspopup="dialog"]')) return true;
    const whole = (element.innerText ?? "").trim();
    return [...element.querySelectorAll(OWN)].some(
      (one) => matches(one, "a[href]") || (one.innerText ?? "").trim() !== whole,
    );
  };

  const checkedOf = (element) => {
    const input = element.querySelector('input[type="radio"], input[type="checkbox"]');
    if (input) return input.checked;
    for (const name of ["aria-checked", "aria-selected", "data-state"]) {
      const said = element.getAttribute(name);
      if (said === "true" || said === "checked") return true;
      if (said === "false" || said === "unchecked") return false;
    }
    return null;
  };

  // A row that opens a dialog (to pay, to settle something) opens no menu of choices.
  const MENUS = /^(menu|listbox|true)$/;
  const opens = (element, more) => {
    if (more.some((css) => matches(element, css))) return true;
    const popup = element.getAttribute("aria-haspopup");
    if (popup !== null) return MENUS.test(popup);
    return element.hasAttribute("data-has-submenu") || element.hasAttribute("aria-expanded");
  };

  const describedBy = (element) =>
    (element.getAttribute("aria-describedby") ?? "").split(/\s+/).filter(Boolean)
      .flatMap((id) => linesOf(element.getRootNode().getElementById?.(id) ?? document.createElement("i")));

  const holderOf = (element) => element.closest(HOLDERS) ?? element.parentElement;

  const tell = (element, at, more) => {
    const lines = linesOf(element);
    const title = element.getAttribute("title") ?? "";
    return {
      at, lines,
      label: short(element.getAttribute("aria-label") ?? ""),
      notes: [...lines.slice(1), ...describedBy(element), ...(title ? [title] : [])],
      values: NAMES.map((name) => element.getAttribute(name)).filter(Boolean),
      radio: matches(element, '[role="menuitemradio"], [role="option"], [role="radio"]'),
      checked: checkedOf(element),
      off: isOff(element) || element.hasAttribute("data-disabled"),
      opens: opens(element, more),
      slides: element.querySelector('[role="slider"], input[type="range"]') !== null,
      leads: leads(element),
    };
  };

  // Sliders may be hidden: they say how many steps there are, and at which one is.
  const slidersOf = (some) => {
    const found = new Set();
    for (const holder of new Set(some.map(holderOf))) {
      for (const one of holder?.querySelectorAll('[role="slider"]') ?? []) found.add(one);
    }
    const number = (one, name) => Number(one.getAttribute(name) ?? Number.NaN);
    return [...found]
      .map((one) => ({
        steps: number(one, "aria-valuemax") - number(one, "aria-valuemin") + 1,
        now: number(one, "aria-valuenow") - number(one, "aria-valuemin"),
      }))
      .filter(({ steps, now }) => Number.isInteger(steps) && Number.isInteger(now));
  };

  const usable = (options) =>
    options.filter((css) => {
      try {
        return Boolean(compile(css));
      } catch {
        return false; // a selector this browser does not know finds nothing
      }
    });

  // From here on, what is drawn already is not ours.
  const begin = ({ options }) => {
    ours = [];
    return mark({ options });
  };
  const mark = ({ options }) => {
    before = new WeakSet(drawn(usable(options)));
    return true;
  };

  // Wait until new rows are there and no more come for two frames.
  const opened = async ({ options, more, ms }) => {
    const known = usable(options);
    const further = usable(more);
    const until = performance.now() + ms;
    let last = -1;
    let calm = 0;
    for (;;) {
      const fresh = drawn(known).filter((element) => !before.has(element));
      calm = fresh.length > 0 && fresh.length === last ? calm + 1 : 0;
      last = fresh.length;
      if (calm >= 2 || performance.now() > until) {
        const rows = inOrder(fresh);
        const first = ours.push(...rows) - rows.length;
        return { rows: rows.map((row, place) => tell(row, first + place, further)), sliders: slidersOf(rows) };
      }
      await frame();
    }
  };

  const standing = () => ours.filter((row) => row.isConnected && isDrawn(row)).length;

  // Wait until fewer than this are drawn of ours; how many are.
  const fewer = async ({ than, ms }) => {
    const until = performance.now() + ms;
    for (;;) {
      const now = standing();
      if (now < than || performance.now() > until) return now;
      await frame();
    }
  };

  // A number to click the row by; 0 where it is gone.
  const row = ({ at }) => (ours[at]?.isConnected && isDrawn(ours[at]) ? keep(ours[at]) : 0);

  // Give the keys to the slider of what we opened: to it, or to the row it belongs to.
  const slide = () => {
    for (const row of ours) {
      const slider = row.isConnected ? holderOf(row)?.querySelector('[role="slider"]') : null;
      if (!slider) continue;
      const before = (one) => slider.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING;
      const near = slider.closest('[role="menuitem"]') ?? ours.filter((one) => one.isConnected && before(one)).at(-1);
      for (const one of [slider.tabIndex >= 0 && isDrawn(slider) ? slider : null, near, slider]) {
        one?.focus({ preventScroll: true });
        if (one && document.activeElement === one) return true;
      }
    }
    return false;
  };

  const settled = async () => {
    await frame();
    await frame();
    return true;
  };

  // Wait until a button is there that can be used; its number, or 0.
  const awaited = async ({ candidates, ms }) => {
    const until = performance.now() + ms;
    for (;;) {
      const { found } = tabwire.page.find({ candidates });
      if (found || performance.now() > until) return found?.number ?? 0;
      await frame();
    }
  };

  // What a button says.
  const button = ({ number, attribute }) => {
    const element = recall(number);
    if (!element) return { lines: [] };
    return {
      lines: linesOf(element),
      value: attribute ? element.getAttribute(attribute) : null,
      open: element.getAttribute("aria-expanded") === "true",
    };
  };

  tabwire.menus = { begin, mark, opened, fewer, standing, row, slide, settled, awaited, button };
})((globalThis.tabwire ??= {}));
