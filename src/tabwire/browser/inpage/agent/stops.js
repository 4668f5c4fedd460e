// needs: agent/controls
// Whether somebody stopped the agent: heard as it is pressed, by hand or by key, or said by the
// last row of the turn.
((agent) => {
  if (agent.stops) return;
  const { nameOf } = agent.controls;

  const ONCE_MS = 500; // a press is a pointer and a click
  const KEY_MS = 2000; // a key stopped it if the control is gone within this
  const BESIDE = new Set(["gap", "image", "artifact", "files"]);
  const CHORD = /(ctrl|control|cmd|meta|⌘|alt|option|⌥|shift|⇧)\s*\+?\s*([a-z.]|esc(?:ape)?)\b|\b(esc(?:ape)?)\b/i;

  class Stops {
    // `controls`: what stops the agent now; `heard`: there is something to tell.
    constructor({ controls, heard, signal }) {
      this.controls = controls;
      this.presses = 0;
      this.at = this.keyAt = -Infinity;
      for (const kind of ["pointerdown", "click"]) {
        document.addEventListener(kind, (event) => { if (this.isStop(event.target)) this.pressed(heard); }, { capture: true, signal });
      }
      document.addEventListener("keydown", (event) => { if (this.isKey(event)) this.keyAt = performance.now(); }, { capture: true, signal });
    }

    isStop(target) {
      return this.controls().some((one) => one.contains(target));
    }

    pressed(heard) {
      if (performance.now() - this.at > ONCE_MS) this.presses += 1;
      this.at = performance.now();
      heard();
    }

    // The keys that the control itself names: `Cancel (Ctrl+D)`.
    isKey(event) {
      return this.controls().some((one) => {
        const named = CHORD.exec([one.getAttribute("aria-keyshortcuts"), one.getAttribute("aria-label"), one.title, one.textContent].join(" "));
        if (!named) return false;
        const key = (named[2] ?? named[3]).toLowerCase().replace(/^esc$/, "escape");
        const held = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
        return event.key.toLowerCase() === key && (named[1] === undefined || held);
      });
    }

    // How often it was pressed; a key counts once the control has gone.
    count(shown) {
      if (!shown && performance.now() - this.keyAt < KEY_MS) {
        this.presses += 1;
        this.keyAt = -Infinity;
      }
      return this.presses;
    }
  }

  // Whether the last row says that it was stopped.
  const saidIn = (rows, reader) => {
    const last = rows.findLast(({ k }) => !BESIDE.has(k));
    if (last?.k === "command") return last.state === "rejected" && reader.says("canceled", last.label);
    if (last?.k !== "notice" && last?.k !== "tool") return false;
    return reader.says("stopped", last.text) || reader.said.stopped_whole.includes(nameOf(last.text));
  };

  agent.stops = { Stops, saidIn };
})(((globalThis.tabwire ??= {}).agent ??= {}));
