// needs: agent/controls agent/limits
// What stands around the turns of the panel: title, model and mode, what stops and sends, and
// where a limit is said.
//
// Looked for once, until something there changes; then only whether it is seen is asked again,
// now and then, since a style sheet that shows or hides a control is not heard of.
((agent) => {
  if (agent.beside) return;
  const { squeeze, words } = agent.text;
  const { CONTROLS, controlsIn, isVisible, labelOf, nameOf, ruleOf } = agent.controls;

  const SEEN_MS = 2000;
  const MODES = new Set(["fast", "planning", "ファスト", "プランニング", "高速", "計画"]);
  const MAX_SCOPE = 20000; // characters around the turns in which a limit is looked for
  const MAX_TITLE = 300;
  const MAX_STOP = 40; // characters of the name of a stop control

  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const joined = (list) => list.filter(readable).join(",");
  const readable = (css) => { try { document.querySelector(css); return true; } catch { return false; } };
  const first = (root, list) => {
    for (const css of list) {
      const found = readable(css) ? root.querySelector(css) : null;
      if (found) return found;
    }
    return null;
  };

  class Beside {
    constructor(stops, { root, list, box, pack, css, reader, overlays }) {
      Object.assign(this, { root, list, pack, css, reader, overlays });
      // a composer that stands outside the panel
      this.holder = box && !root.contains(box) ? box.closest("[id]") ?? box.parentElement : null;
      this.stops = new Set(stops.map(nameOf));
      // most controls are none of them, and to name one costs: this is asked first
      this.stopLike = new RegExp([...this.stops].map((one) => one.replace(/[^\p{L}\p{N}]/gu, ".")).join("|"), "iu");
      this.said = []; // limits
      this.elsewhere = [css.prose, css.user, css.title, css.model, css.mode, css.files, css.composer, "pre,code,style,script,svg,[role='listbox'],[role='menu'],[role='option']"].filter(Boolean).join(",");
      this.holds = [css.prose, css.user, css.composer, "[role='listbox'],[role='option']"].filter(Boolean).join(",");
      this.changed();
    }

    changed() {
      this.seen = this.parts = null;
    }

    // What stands beside the path from the list to the panel, and what holds the composer.
    all() {
      const found = [];
      for (let one = this.list ?? this.root; one && one !== this.root; one = one.parentElement) {
        for (const other of one.parentElement.children) if (other !== one) found.push(other);
      }
      if (this.list === null) found.push(this.root);
      if (this.holder) found.push(this.holder);
      return found;
    }

    // What of it is seen, and what it says.
    look() {
      if (this.seen && performance.now() - this.seenAt < SEEN_MS) return this.seen;
      this.seenAt = performance.now();
      this.parts ??= this.find();
      const { title, model, mode, older, stops, sends } = this.parts;
      this.seen = {
        conversation: title ? squeeze(title.textContent).slice(0, MAX_TITLE) : this.farTitle(),
        model: model ? squeeze(model.textContent).slice(0, MAX_TITLE) : "",
        mode, older, stop: stops.some(isVisible), send: sends.some(isVisible),
      };
      this.said = this.limits();
      return this.seen;
    }

    // Looked for when something beside the turns changed, or over them.
    find() {
      return {
        title: this.labelled("title"), model: this.labelled("model"), mode: this.mode(),
        older: this.list !== null && this.within("older").length > 0,
        stops: this.stopControls(), sends: this.within("send"), scopes: this.notices(),
      };
    }

    within(part) {
      const css = this.css[part];
      if (css === "") return [];
      return this.all().flatMap((one) => [...(one.matches(css) ? [one] : []), ...one.querySelectorAll(css)]);
    }

    stoppers() {
      return this.root ? (this.parts ??= this.find()).stops : [];
    }

    // Where a card may be: in the open turns, around the list, and over the panel.
    scopes(turns) {
      const found = [...turns, ...this.all()];
      for (const one of this.overlays) {
        if (isVisible(one) && !found.some((scope) => scope.contains(one)) && one.closest(".monaco-dialog-box,.quick-input-widget,.monaco-menu") === null) found.push(one);
      }
      return found;
    }

    // What stops the agent: known by where it stands, and by its name.
    stopControls() {
      const found = this.within("stop");
      for (const scope of this.all()) {
        for (const one of [scope, ...scope.querySelectorAll(CONTROLS)]) {
          if (one.childElementCount > 3 || !one.matches(CONTROLS)) continue;
          const names = [one.textContent, one.getAttribute("aria-label") ?? "", one.getAttribute("title") ?? ""];
          if (names.some((name) => name.length < MAX_STOP && this.stopLike.test(name)) && this.isStop(one)) found.push(one);
        }
      }
      return found;
    }

    isStop(one) {
      const names = [labelOf(one), one.getAttribute("aria-label") ?? "", one.getAttribute("title") ?? ""];
      return names.some((name) => this.stops.has(nameOf(name)));
    }

    // By the best selector that finds any.
    labelled(part) {
      for (const css of this.pack.parts[part].filter(readable)) {
        for (const one of this.all()) {
          const found = one.matches(css) ? one : one.querySelector(css);
          if (found) return found;
        }
      }
      return null;
    }

    // The title where it is in no panel: the last in the page.
    farTitle() {
      for (const css of this.pack.parts.title.filter(readable)) {
        const found = [...document.querySelectorAll(css)].filter((one) => !this.root.contains(one)).at(-1);
        if (found) return squeeze(found.textContent).slice(0, MAX_TITLE);
      }
      return "";
    }

    mode() {
      for (const one of this.within("mode")) {
        const label = labelOf(one);
        if (label.length < 20 && MODES.has(label.toLowerCase())) return label;
      }
      return "";
    }

    // Where a limit may be said, around the list and over it: outermost first. A picker lists what
    // each model has left, and a heading may be about a limit.
    limits() {
      const found = [];
      for (const scope of this.parts.scopes) this.saidIn(scope, found);
      return found;
    }

    // Where messages cannot be told from notices, only what is dressed as a notice counts.
    notices() {
      const scopes = this.scopes([]);
      if (this.list !== null || this.css.surface === "") return scopes;
      return scopes.flatMap((one) => [...one.querySelectorAll(this.css.surface)]).filter((one) => one.closest(this.elsewhere) === null);
    }

    saidIn(element, found) {
      const { limits } = this.reader;
      const whole = element.textContent;
      if (whole.length > MAX_SCOPE || !["about", "certain", "back"].some((name) => limits.has(name, whole))) return;
      if (element.matches(this.elsewhere) || !isShown(element)) return;
      const controls = controlsIn(element, this.reader.rules);
      const unseen = [...element.querySelectorAll(this.css.dialog || "dialog")].filter((one) => !isShown(one));
      const text = words(element, "pre,code,.opacity-0", new Set([...controls, ...unseen]));
      const rules = controls.filter(isVisible).map((one) => ruleOf(one, this.reader.rules));
      if (limits.is(text, rules) && !this.isHeading(element, rules) && !element.querySelector(this.holds)) {
        found.push(text);
        return;
      }
      for (const child of element.children) this.saidIn(child, found);
    }

    isHeading(element, rules) {
      return /^h[1-4]$/.test(element.localName) && rules.length === 0 && !this.reader.says("quota", element.textContent);
    }
  }

  agent.beside = { Beside, MAX_TITLE, first, joined, readable };
})(((globalThis.tabwire ??= {}).agent ??= {}));
