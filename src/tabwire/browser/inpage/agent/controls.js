// needs: agent/text
// Controls of the panel: what each is called, what that means, and whether it could be clicked.
((agent) => {
  if (agent.controls) return;
  const { squeeze, words } = agent.text;

  const CONTROLS = [
    "button", "[role='button']", "[role='option']", "[role='radio']", "[role='menuitem']", "label", "a[href='#']",
    ".cursor-pointer", "[class*='button']", "[class*='anysphere']",
  ].join(",");
  const REAL = "button,[role='button'],[role='option'],[role='radio'],[role='menuitem'],label,a[href]";
  const SURE = `${REAL},.cursor-pointer,[class*='anysphere']`;
  const NAMED = /(^|[-_])(button|btn)$/i; // `run-button` is one, `button-row` holds some
  const ARROW = /\s*[▾▼▿⌄˅⏷🔽⮟]+$/u;
  const BARS = new Set(["accept_all", "reject_all"]); // may be bare words: their labels are enough
  const MAX_BAR = 4000; // characters around a bar of changes
  const MAX_LABEL = 60;
  const LASTING = /\b(always|forever|globally|conversation|session|workspace|never|skip|reject|deny|cancel)\b|常に|今後|この会話|すべて|拒否|キャンセル/i;
  const CHORD = /\s*[([]?\s*(?:(?:ctrl|control|alt|option|opt|cmd|meta|shift|win|⌘|⌥|⇧|⌃)\s*\+\s*)+\S{1,10}[)\]]?$/i;
  const SIGNS = /(?:[\s([]+(?:ctrl|control|alt|option|opt|cmd|meta|shift|win)[\s+]+(?:enter|return)\b|(?:[\s([]+(?:ctrl|control|alt|option|opt|cmd|meta|shift|win)\b)?[\s([+]*[⌘⌥⇧⌃⏎↵↩⌫⎋]+[^\s]{0,2})+[\s)\]]*$/iu;

  // A label as it is compared: without the keys shown beside it.
  const nameOf = (label) => squeeze(label.normalize("NFKC")).replace(CHORD, "").replace(SIGNS, "").replace(ARROW, "").replace(/[.。…]+$/, "").trim().toLowerCase();

  const labelOf = (element) => {
    const own = words(element);
    if (own) return own;
    return squeeze(element.getAttribute("aria-label") ?? element.getAttribute("title") ?? "");
  };

  // Labels with what they mean; the first rule that has a label keeps it.
  const rulesFrom = (labels) => {
    const rules = new Map();
    for (const [rule, list] of Object.entries(labels)) {
      for (const label of list) if (!rules.has(nameOf(label))) rules.set(nameOf(label), rule);
    }
    return rules;
  };

  const ruleOf = (element, rules) => {
    const label = labelOf(element);
    return label.length > MAX_LABEL ? "" : rules.get(nameOf(label)) ?? "";
  };

  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });

  // What a press does beyond its label: it unfolds something, or holds from then on.
  const moreOf = (element) => {
    if (element.hasAttribute("aria-expanded") || ARROW.test(labelOf(element))) return "menu";
    return ["aria-label", "title"].some((name) => LASTING.test(element.getAttribute(name) ?? "")) ? "lasting" : "";
  };

  // Everything that decides whether a click would land, and where.
  const look = (element, rules) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const visible = element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.width > 0 && box.height > 0;
    const enabled = !element.matches(":disabled") && element.closest("[aria-disabled='true'],[inert]") === null
      && style.pointerEvents !== "none" && style.cursor !== "not-allowed";
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const onscreen = visible && x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
    const hit = onscreen ? document.elementFromPoint(x, y) : null;
    const popup = element.getAttribute("aria-haspopup") ?? element.querySelector("[aria-haspopup]")?.getAttribute("aria-haspopup") ?? moreOf(element);
    return {
      label: labelOf(element),
      name: nameOf(labelOf(element)),
      role: element.getAttribute("role") ?? element.localName,
      rule: ruleOf(element, rules),
      popup: popup === "false" ? "" : popup,
      visible,
      enabled,
      onscreen,
      occluded: onscreen ? !(hit && (element === hit || element.contains(hit))) : false,
      rect: [Math.round(box.left), Math.round(box.top), Math.round(box.width), Math.round(box.height)],
    };
  };

  const isControl = (element) => element.matches(SURE) || [...element.classList].some((one) => NAMED.test(one));

  // Whether this only wraps what is called the same: a click on a wrapper reaches nobody inside.
  const wraps = (element, name) => !element.matches(REAL)
    && [...element.querySelectorAll(CONTROLS)].some((one) => isControl(one) && nameOf(labelOf(one)) === name);

  // The controls under an element that mean something, outermost of each kind.
  const controlsIn = (root, rules, skip = "") => {
    const found = [];
    for (const one of root.querySelectorAll(CONTROLS)) {
      if (!isControl(one) || (skip && one.closest(skip))) continue;
      const rule = ruleOf(one, rules);
      if (!rule || found.some((other) => other.contains(one)) || wraps(one, nameOf(labelOf(one)))) continue;
      found.push(one);
    }
    return [...found, ...barIn(root, rules, skip, found)];
  };

  // Accept all and Reject all as bare words: both are there, or the pointer says what they are.
  const barIn = (root, rules, skip, found) => {
    const said = root.textContent;
    if (said.length > MAX_BAR || !bars(rules).test(said)) return [];
    const words = [...root.querySelectorAll("div,span,a")].filter((one) => one.textContent.length < MAX_LABEL
      && [...one.children].every((child) => child.localName === "svg") && BARS.has(ruleOf(one, rules))
      && !found.some((other) => other.contains(one)) && !(skip && one.closest(skip)));
    const both = new Set([...words, ...found].map((one) => ruleOf(one, rules)));
    return words.filter((one) => [...BARS].every((rule) => both.has(rule)) || getComputedStyle(one).cursor === "pointer");
  };

  const barNames = new WeakMap();
  const bars = (rules) => {
    if (!barNames.has(rules)) {
      const names = [...rules].filter(([, rule]) => BARS.has(rule)).map(([name]) => name.replace(/[^\p{L}\p{N}]/gu, "."));
      barNames.set(rules, new RegExp(names.join("|"), "iu"));
    }
    return barNames.get(rules);
  };

  agent.controls = { CONTROLS, controlsIn, isControl, isVisible, labelOf, look, nameOf, ruleOf, rulesFrom };
})(((globalThis.tabwire ??= {}).agent ??= {}));
