// The small control on a supported page. Shows what it is told and says what was pressed.
//
// It takes no focus from the page: a press with the mouse leaves the cursor where it is, while
// Tab and the keys reach everything. It stops no event. It stands beside `body`, so that a page
// that draws itself anew does not lose it; one that removes it gets it back, not endlessly.
((tabwire) => {
  "use strict";
  const { place } = tabwire;
  const { say } = tabwire;
  const STEP = 16; // pixels an arrow key moves it
  const CLICK = 4; // pixels a hand trembles
  const LOOK = 2000; // milliseconds between looks for a composer that is new
  const RETURNS = 20; // times it comes back to a page that removes it
  const NAME = "tabwire-control";

  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const button = (name, text, act) => {
    const made = make("button", name, text);
    made.type = "button";
    made.addEventListener("click", act);
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
    #host = make(NAME);
    #parts = {};
    #wish = null; // where the person put it, from the window's right and lower edge
    #drag = null;
    #returns = 0;
    #near = null; // notices when a composer comes where we are
    #shown = {};
    #onPlace;

    constructor({ onSave, onForce, onCopy, onHide, onPlace }) {
      this.#onPlace = onPlace;
      const root = this.#host.attachShadow({ mode: "closed" });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(tabwire.controlStyle);
      root.adoptedStyleSheets = [sheet];
      const box = make("div", "box");
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", say("control_label"));
      box.dir = say("@@bidi_dir");
      const row = make("div", "row");
      const badge = button("badge", undefined, () => {});
      badge.title = say("control_move");
      const life = make("span", "life");
      badge.append(make("span", "dot"), life);
      const save = button("act save", say("save"), () => onSave());
      const force = button("act force", say("force_save"), () => this.#askForce(true));
      const copy = button("act copy", say("copy"), () => onCopy());
      const hide = button("hide", undefined, () => onHide());
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
      const no = button("act no", say("cancel"), () => this.#askForce(false));
      const yes = button("act yes", say("force_yes"), () => {
        this.#askForce(false);
        onForce();
      });
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
      this.#listen();
    }

    #listen() {
      const { box, badge, ask } = this.#parts;
      // the cursor stays where it is; everything else about the press is as ever
      box.addEventListener("mousedown", (event) => event.preventDefault());
      box.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !ask.hidden) this.#askForce(false);
      });
      badge.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        const { left, top } = box.getBoundingClientRect();
        this.#drag = { dx: event.clientX - left, dy: event.clientY - top, x: event.clientX, y: event.clientY, moved: false };
        badge.setPointerCapture(event.pointerId);
      });
      badge.addEventListener("pointermove", (event) => {
        const drag = this.#drag;
        if (drag === null) return;
        drag.moved ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > CLICK;
        if (drag.moved) this.#want(event.clientX - drag.dx, event.clientY - drag.dy);
      });
      const drop = () => {
        if (this.#drag?.moved) this.#onPlace(this.#wish);
        this.#drag = null;
      };
      badge.addEventListener("pointerup", drop);
      badge.addEventListener("pointercancel", drop);
      badge.addEventListener("keydown", (event) => {
        const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (!move) return;
        event.preventDefault(); // the page shall not scroll
        const { left, top } = box.getBoundingClientRect();
        this.#want(left + move[0] * STEP, top + move[1] * STEP);
        this.#onPlace(this.#wish);
      });
    }

    // Into the page, and again whenever the page loses it.
    start(wish) {
      this.#wish = wish ?? { right: place.EDGE, bottom: 96 };
      const back = () => {
        if (this.#host.isConnected || this.#returns >= RETURNS) return;
        this.#returns += 1;
        this.#mount();
      };
      this.#mount();
      const watch = new MutationObserver(() => {
        back();
        if (document.documentElement) watch.observe(document.documentElement, { childList: true });
      });
      watch.observe(document, { childList: true });
      watch.observe(document.documentElement, { childList: true });
      addEventListener("resize", () => this.#settle(), { passive: true });
      document.addEventListener("focusin", () => this.#settle(), { passive: true });
      setInterval(() => {
        if (document.visibilityState === "visible" && this.#drag === null) this.#settle();
      }, LOOK);
    }

    #mount() {
      (document.documentElement ?? document).append(this.#host);
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
