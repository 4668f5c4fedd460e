// needs: agent/cards
// One click of the autopilot: the card is read again, compared and clicked in one go.
//
// Nothing is clicked without a lease, which ends by itself unless the hub renews it; so a hub
// that is gone clicks nothing. Between reading and the first event nothing else runs in the page.
// A click is verified when its card went, or its control went out of use, however long that takes;
// that is seen as it happens. One that is only drawn anew has not gone. Whoever asked says when to
// give up: a hidden page runs its own timers late.
((tabwire) => {
  if (tabwire.autopilot_click) return;
  const { CONTROLS, controlsIn, isVisible, look, ruleOf, rulesFrom } = tabwire.agent.controls;
  const { Reader, tokenOf } = tabwire.agent.rows;
  const { Cards } = tabwire.agent.cards;
  const { sha256, words } = tabwire.agent.text;

  // Inside a panel, where a control chooses or is only text.
  const ZONES = [
    "[role='menu']", "[role='menubar']", "[role='menuitem']", "[role='listbox']", "[role='option']", "[role='tree']",
    "[role='treeitem']", "[role='tablist']", "[aria-haspopup]:not([aria-haspopup='false'])", "[contenteditable='true']",
    "textarea", "pre", "code", "blockquote",
  ].join(",");
  const MAX_UP = 12;
  const MAX_USED = 1000;

  let lease = null; // {number, until}
  const used = new Set(); // each click has a name, and happens once
  const under_way = new Map();
  const readers = new Map();

  const readable = (css) => { try { document.querySelector(css); return true; } catch { return false; } };

  // The card's reader, as the panel's watch has it for this pack.
  const readerFor = (known, name) => {
    const { packs, labels } = known;
    if (!readers.has(name)) {
      const pack = packs.find((one) => one.name === name);
      if (!pack) return null;
      const css = Object.fromEntries(Object.entries(pack.parts).map(([part, list]) => [part, list.filter(readable).join(",")]));
      const rules = rulesFrom(labels);
      const prose = packs.flatMap((one) => one.parts.prose).filter(readable).join(",");
      readers.set(name, { css, rules, prose, cards: new Cards(new Reader(css, known, rules)) });
    }
    return readers.get(name);
  };

  const held = (number) => lease !== null && lease.number === number && performance.now() < lease.until;

  // The very element that was seen.
  const elementOf = (token) => {
    for (const one of document.querySelectorAll(`${CONTROLS},div,span,a`)) if (tokenOf(one, false) === token) return one;
    return null;
  };

  const frameOf = (control, token) => {
    let one = control;
    for (let up = 0; one && up < MAX_UP; up += 1) {
      if (tokenOf(one) === token) return one;
      one = one.parentElement;
    }
    return null;
  };

  // The card as it is now, with its controls.
  const cardIn = (frame, { css, rules, cards }) => {
    const scope = frame.closest(css.root) ?? frame.parentElement ?? frame;
    const controls = controlsIn(frame, rules, css.prose).filter((one) => isVisible(one)
      && !(css.stop && one.closest(css.stop)) && !(css.user && one.closest(css.user)) && cards.frameOf(one, scope) === frame);
    return controls.length > 0 ? cards.card(frame, controls) : null;
  };

  // What stands beside a bar of changes: the files it is about.
  const detailOf = (frame, { css }) => {
    let one = frame;
    for (let up = 0; up < 4; up += 1) {
      const above = one.parentElement;
      if (!above || above.matches(css.root) || above.querySelector("[contenteditable='true'],textarea")) break;
      one = above;
    }
    const [all, own] = [words(one), words(frame)];
    return all === own ? "" : all.replace(own, "").trim();
  };

  // Everything that must still be so; the words say what is not.
  const whyNot = (wish, control, reader) => {
    if (control === null || !control.isConnected) return "gone";
    const inside = control.closest(reader.css.root) !== null;
    if (!inside && !wish.overlay) return "elsewhere";
    if (control.closest(reader.prose) !== null) return "elsewhere";
    const zone = control.closest(ZONES);
    if (zone !== null && (!inside || control.closest(reader.css.root).contains(zone))) return "elsewhere";
    const frame = frameOf(control, wish.card.token);
    const card = frame ? cardIn(frame, reader) : null;
    if (card === null) return "changed";
    if (card.kind !== wish.card.kind || card.hash !== wish.card.hash || !card.elements.includes(control)) return "changed";
    if (card.short && !wish.card.short) return "changed";
    if (wish.card.kind === "files" && sha256(detailOf(frame, reader)) !== wish.card.detail) return "changed";
    const now = look(control, reader.rules);
    if (now.rule !== wish.control.rule || now.label !== wish.control.label || now.popup !== "") return "changed";
    if (!now.visible) return "not visible";
    if (!now.enabled) return "disabled";
    if (!now.onscreen) return "not on the screen";
    return now.occluded ? "covered" : "";
  };

  const press = (control, still) => {
    const box = control.getBoundingClientRect();
    const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    const common = { bubbles: true, cancelable: true, composed: true, view: window, detail: 1, button: 0, ...at };
    const pointer = { ...common, pointerId: 1, pointerType: "mouse", isPrimary: true };
    const events = [
      () => new PointerEvent("pointerdown", { ...pointer, buttons: 1 }),
      () => new MouseEvent("mousedown", { ...common, buttons: 1 }),
      () => new PointerEvent("pointerup", { ...pointer, buttons: 0 }),
      () => new MouseEvent("mouseup", { ...common, buttons: 0 }),
      () => new PointerEvent("click", { ...pointer, buttons: 0 }),
    ];
    for (const [number, made] of events.entries()) {
      // what a handler of the event before has made another card is not clicked
      if (number > 0 && !still()) return;
      control.dispatchEvent(made());
    }
  };

  // Whether the card that was clicked stands there still, in other nodes.
  const isRedrawn = (wish, reader) => {
    const scope = (wish.overlay ? null : document.querySelector(reader.css.root)) ?? document.body;
    for (const one of controlsIn(scope, reader.rules, reader.css.prose)) {
      if (ruleOf(one, reader.rules) !== wish.control.rule || !isVisible(one)) continue;
      const frame = reader.cards.frameOf(one, scope);
      if (cardIn(frame, reader)?.hash === wish.card.hash) return true;
    }
    return false;
  };

  const went = (wish, control, reader) => {
    if (!control.isConnected) return !isRedrawn(wish, reader);
    if (!isVisible(control)) return true;
    const now = look(control, reader.rules);
    if (!now.visible || !now.enabled || ruleOf(control, reader.rules) !== wish.control.rule) return true;
    const frame = frameOf(control, wish.card.token);
    const card = frame ? cardIn(frame, reader) : null;
    return card === null || card.kind !== wish.card.kind || card.command !== wish.command;
  };

  const verified = (wish, control, reader, at) => new Promise((resolve) => {
    const done = (now) => {
      observer.disconnect();
      under_way.delete(wish.name);
      resolve({ clicked: true, verified: now, why: "", ms: Math.round(performance.now() - at) });
    };
    const observer = new MutationObserver(() => { if (went(wish, control, reader)) done(true); });
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    under_way.set(wish.name, { until: at + wish.wait_ms, give_up: () => done(went(wish, control, reader)) });
    if (went(wish, control, reader)) done(true);
  });

  const refused = (why) => ({ clicked: false, verified: false, why, ms: 0 });

  tabwire.autopilot_click = {
    // Clicks may happen for so long, under this number.
    lease({ number, seconds }) {
      lease = { number, until: performance.now() + seconds * 1000 };
      return true;
    },
    revoke() {
      lease = null;
      return true;
    },
    detail(wish) {
      const reader = readerFor(wish, wish.pack);
      const control = elementOf(wish.control.token);
      const frame = reader && control ? frameOf(control, wish.card.token) : null;
      return frame ? detailOf(frame, reader) : "";
    },
    async click(wish) {
      const focused = document.hasFocus() && !document.hidden;
      if (!held(wish.lease)) return { ...refused("no lease"), focused };
      if (used.has(wish.name)) return { ...refused("used"), focused };
      const reader = readerFor(wish, wish.pack);
      if (reader === null) return { ...refused("unknown pack"), focused };
      const control = elementOf(wish.control.token);
      const why = whyNot(wish, control, reader);
      if (why) return { ...refused(why), focused };
      if (used.size > MAX_USED) used.clear();
      used.add(wish.name);
      const at = performance.now();
      press(control, () => control.isConnected && whyNot(wish, control, reader) === "");
      return { ...(await verified(wish, control, reader, at)), focused };
    },
    // Time is up for a click: milliseconds that are left, or 0 once it was given up.
    give_up({ name }) {
      const one = under_way.get(name);
      if (!one) return 0;
      const left = one.until - performance.now();
      if (left > 0) return Math.ceil(left);
      one.give_up();
      return 0;
    },
  };
})((globalThis.tabwire ??= {}));
