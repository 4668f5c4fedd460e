// The small control on a supported page. Shows what it is told and says what was pressed.
//
// It takes no focus from the page: a press with the mouse leaves the cursor where it is, while
// Tab and the keys reach everything. It stops no event. It stands beside `body`, so that a page
// that draws itself anew does not lose it; one that removes it gets it back, not endlessly, and
// then the person is told.
//
// What a page cannot do to it. Its element is a plain `div`: a name of our own could be defined by
// the page, which would then hold our shadow root. Its style is ours (`!important` inside of a
// shadow root outranks the page's), it stands in the browser's top layer, and only presses of a
// person who could see it count (sight.js).
((tabwire) => {
  "use strict";
  const { Sight, every, place, say } = tabwire;
  const STEP = 16; // pixels an arrow key moves it
  const CLICK = 4; // pixels a hand trembles
  const LOOK = 2000; // milliseconds between looks for a composer that is new
  const RETURNS = 20; // times it comes back at once to a page that removes it, and once for every look

  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const button = (name, text) => {
    const made = make("button", name, text);
    made.type = "button";
    return made;
  };

  const cross = () => {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 10 10");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", "M1 1 9 9M9 1 1 9");
    svg.append(path);
    return svg;
  };

  class Control {
    #host = make("div");
    #parts = {};
    #hears = []; // [target, kind, listener]
    #sight;
    #wish = null; // where the person put it, from the window's right and lower edge
    #drag = null;
    #returns = 0;
    #near = null; // notices when a composer comes where we are
    #shown = {};
    #spot = null; // where it was put last
    #onPlace;
    #onUnseen;
    #onRemoved;

    constructor({ onSave, onForce, onCopy, onHide, onPlace, onUnseen, onRemoved }) {
      this.#onPlace = onPlace;
      this.#onUnseen = onUnseen;
      this.#onRemoved = onRemoved;
      this.#host.setAttribute("popover", "manual");
      const root = this.#host.attachShadow({ mode: "closed" });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(tabwire.controlStyle);
      root.adoptedStyleSheets = [sheet];
      const box = make("div", "box");
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", say("control_label"));
      box.dir = say("@@bidi_dir");
      const row = make("div", "row");
      const badge = button("badge");
      badge.title = say("control_move");
      const life = make("span", "life");
      badge.append(make("span", "dot"), life);
      const save = button("act save", say("save"));
      const force = button("act force", say("force_save"));
      const copy = button("act copy", say("copy"));
      const hide = button("hide");
      hide.title = say("control_hide");
      hide.setAttribute("aria-label", say("control_hide"));
      hide.append(cross());
      row.append(badge, save, force, copy, hide);
      const why = make("div", "why");
      why.id = "why";
      const ask = make("div", "ask");
      ask.setAttribute("role", "group");
      ask.setAttribute("aria-label", say("force_question"));
      const choice = make("div", "row");
      const no = button("act no", say("cancel"));
      const yes = button("act yes", say("force_yes"));
      choice.append(no, yes);
      ask.append(make("div", "", say("force_question")), choice);
      ask.hidden = true;
      const spoken = make("div", "spoken");
      spoken.setAttribute("role", "status");
      spoken.setAttribute("aria-live", "polite");
      save.setAttribute("aria-describedby", "why");
      box.append(row, why, ask, spoken);
      root.append(box);
      this.#parts = { box, badge, life, save, force, copy, why, ask, no, spoken };
      this.#sight = new Sight(this.#host, box);
      this.#press(save, onSave);
      this.#press(force, () => this.#askForce(true));
      this.#press(copy, onCopy);
      this.#press(hide, onHide);
      this.#press(yes, () => {
        this.#askForce(false);
        onForce();
      });
      this.#hear(no, "click", () => this.#askForce(false));
      this.#hearPerson();
      this.#hearWindow();
    }

    // Only what the browser says came from a person: a page can make every event itself.
    #hear(target, kind, act) {
      this.#hears.push([target, kind, (event) => event.isTrusted && act(event)]);
    }

    // Something that has an effect is done only for a person who could see what they pressed.
    #press(target, act) {
      this.#hear(target, "click", () => (this.#sight.holds() ? act() : this.#onUnseen()));
    }

    // Again at every return: `document.open` takes all listeners away. One that is there stays one.
    #listen() {
      for (const [target, kind, act] of this.#hears) target.addEventListener(kind, act);
    }

    #hearPerson() {
      const { box, badge, ask } = this.#parts;
      // the cursor stays where it is; everything else about the press is as ever
      this.#hear(box, "mousedown", (event) => event.preventDefault());
      this.#hear(box, "keydown", (event) => {
        if (event.key === "Escape" && !ask.hidden) this.#askForce(false);
      });
      this.#hear(badge, "pointerdown", (event) => {
        if (event.button !== 0) return;
        const { left, top } = box.getBoundingClientRect();
        this.#drag = { dx: event.clientX - left, dy: event.clientY - top, x: event.clientX, y: event.clientY, moved: false };
        badge.setPointerCapture(event.pointerId);
      });
      this.#hear(badge, "pointermove", (event) => {
        const drag = this.#drag;
        if (drag === null) return;
        drag.moved ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > CLICK;
        if (drag.moved) this.#want(event.clientX - drag.dx, event.clientY - drag.dy);
      });
      const drop = () => {
        if (this.#drag?.moved) this.#onPlace(this.#wish);
        this.#drag = null;
      };
      this.#hear(badge, "pointerup", drop);
      this.#hear(badge, "pointercancel", drop);
      this.#hear(badge, "keydown", (event) => {
        const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (!move) return;
        event.preventDefault(); // the page shall not scroll
        const { left, top } = box.getBoundingClientRect();
        this.#want(left + move[0] * STEP, top + move[1] * STEP);
        this.#onPlace(this.#wish);
      });
    }

    #hearWindow() {
      this.#hear(globalThis, "resize", () => this.#settle());
      this.#hear(globalThis, "focus", () => this.#sight.disturbed()); // it may have been under another window
      this.#hear(document, "visibilitychange", () => this.#sight.disturbed());
      this.#hear(document, "focusin", () => this.#settle());
      this.#hear(this.#host, "toggle", ({ newState }) => newState === "closed" && this.#back());
    }

    // Into the page, and again whenever the page loses it.
    start(wish) {
      this.#wish = wish ?? { right: place.EDGE, bottom: 96 };
      this.#mount();
      const watch = new MutationObserver(() => {
        this.#back();
        if (document.documentElement) watch.observe(document.documentElement, { childList: true });
      });
      watch.observe(document, { childList: true });
      watch.observe(document.documentElement, { childList: true });
      every(LOOK, () => {
        if (document.visibilityState !== "visible" || this.#drag !== null) return;
        this.#settle();
        this.#sight.look();
        if (this.#returns <= RETURNS) this.#returns = Math.max(0, this.#returns - 1);
      });
    }

    #isUp() {
      return this.#host.parentNode === document.documentElement && this.#host.matches(":popover-open");
    }

    #back() {
      if (this.#isUp() || this.#returns > RETURNS) return;
      this.#returns += 1;
      if (this.#returns <= RETURNS) this.#mount();
      else this.#onRemoved();
    }

    #mount() {
      const html = document.documentElement ?? document;
      if (this.#host.parentNode !== html) html.append(this.#host);
      this.#listen();
      try {
        this.#host.showPopover(); // above everything of the page, and out of reach of its styles
      } catch {
        // it is up already, or the page has just taken it out again
      }
      this.#settle();
    }

    hide(hidden) {
      this.#parts.box.hidden = hidden;
      if (!hidden) this.#settle();
    }

    show(shown) {
      if (JSON.stringify(shown) === JSON.stringify(this.#shown)) return;
      const before = this.#shown;
      this.#shown = shown;
      const { box, life, save, force, copy, why, spoken } = this.#parts;
      const name = say(`life_${shown.life.replaceAll("-", "_")}`);
      box.dataset.life = shown.life;
      life.textContent = name;
      save.disabled = !shown.save;
      save.hidden = shown.force;
      force.hidden = !shown.force;
      if (!shown.force) this.#askForce(false);
      copy.disabled = !shown.copy;
      why.textContent = shown.why;
      why.hidden = shown.why === "";
      const heard = [before.life !== shown.life ? name : "", before.why !== shown.why ? shown.why : ""];
      spoken.textContent = heard.filter(Boolean).join(". ");
      this.#settle();
    }

    #askForce(open) {
      const { ask, force, no } = this.#parts;
      if (ask.hidden === !open) return;
      const byKey = force.matches(":focus-visible") || ask.matches(":focus-within");
      ask.hidden = !open;
      if (byKey) (open ? no : force).focus(); // only from one of ours to the next
      this.#settle();
    }

    // Where the person would have it; what is free decides.
    #want(left, top) {
      const { width, height } = this.#parts.box.getBoundingClientRect();
      this.#wish = { right: innerWidth - left - width, bottom: innerHeight - top - height };
      this.#settle();
    }

    #settle() {
      const { box } = this.#parts;
      if (!this.#host.isConnected || box.hidden) return;
      const size = { width: box.offsetWidth, height: box.offsetHeight };
      const wish = place.inside(
        { left: innerWidth - this.#wish.right - size.width, top: innerHeight - this.#wish.bottom - size.height },
        size,
      );
      const composers = place.composers();
      const spot = place.free(wish, size, composers.map(place.boxOf).filter(Boolean));
      box.style.visibility = spot ? "visible" : "hidden"; // no room beside the composer: none for us
      if (!spot) return;
      box.style.transform = `translate(${Math.round(spot.left)}px, ${Math.round(spot.top)}px)`;
      const now = JSON.stringify(spot);
      if (now !== this.#spot) this.#sight.disturbed();
      this.#spot = now;
      this.#watch(composers, spot);
    }

    // Told by the browser as soon as a composer comes under us, however it got there.
    #watch(composers, spot) {
      const edges = [spot.top - 8, innerWidth - spot.right - 8, innerHeight - spot.bottom - 8, spot.left - 8];
      const rootMargin = edges.map((edge) => `${-Math.max(0, Math.round(edge))}px`).join(" ");
      const same = this.#near?.rootMargin === rootMargin && composers.every((one, at) => one === this.#near.all[at]);
      if (same) return;
      this.#near?.observer.disconnect();
      const observer = new IntersectionObserver(
        (all) => {
          if (this.#drag === null && all.some((one) => one.isIntersecting)) this.#settle();
        },
        { root: document, rootMargin },
      );
      for (const one of composers) observer.observe(one);
      this.#near = { observer, rootMargin, all: composers };
    }
  }

  tabwire.Control = Control;
})((globalThis.tabwire ??= {}));
