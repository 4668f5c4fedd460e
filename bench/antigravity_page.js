// What the benchmark needs in the page: when a thing was really shown, a scan, and a change.
(() => {
  if (globalThis.labBench) return;
  const STOP = '[data-tooltip-id="input-send-button-cancel-tooltip"]';
  const now = () => performance.timeOrigin + performance.now();
  const asks = () => [...document.querySelectorAll(".antigravity-agent-side-panel button")].some((one) => one.textContent.startsWith("Run⌥"));
  const PARAGRAPH = 60; // words
  let words = 0;
  let scans = 0;
  let timer = null;
  let stopped = false;
  let asked = false;

  globalThis.labBench = {
    goneAt: 0,
    cameAt: 0,
    asks,
    // From now on: when the stop control last went, and when a card came.
    mark() {
      this.goneAt = this.cameAt = 0;
      stopped = asked = false;
      this.observer?.disconnect();
      this.observer = new MutationObserver(() => {
        const stop = document.querySelector(STOP) !== null;
        if (stopped && !stop) this.goneAt = now();
        stopped = stop;
        if (!asked && asks()) { asked = true; this.cameAt = now(); }
      });
      this.observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-tooltip-id"] });
    },
    // As Multi Purpose Agent looks for what to press (facts 5.1), and presses nothing.
    scan() {
      this.observer?.disconnect();
      const words = ["accept", "run", "retry", "apply", "execute", "confirm", "allow once", "allow"];
      const not = ["skip", "reject", "cancel", "close", "refine"];
      timer = setInterval(() => {
        scans += 1;
        for (const one of document.querySelectorAll('button,[class*="button"]')) {
          const text = (one.textContent ?? "").trim().toLowerCase();
          if (text.length === 0 || text.length > 50) continue;
          if (not.some((word) => text.includes(word)) || !words.some((word) => text.includes(word))) continue;
          const style = getComputedStyle(one);
          const box = one.getBoundingClientRect();
          void (style.display !== "none" && box.width > 0 && style.pointerEvents !== "none" && !one.disabled);
        }
      }, 1000);
    },
    unscan() {
      clearInterval(timer);
      const made = scans;
      scans = 0;
      return made;
    },
    // One more word in the newest answer, as a page does that draws text as it comes; answers
    // have paragraphs.
    grow() {
      const all = document.querySelectorAll(".leading-relaxed.select-text");
      const answer = all[all.length - 1].querySelector("p").parentElement;
      words += 1;
      if (words % PARAGRAPH === 0) answer.append(answer.lastElementChild.cloneNode(false));
      const last = answer.lastElementChild;
      if (last.lastChild === null) last.append("One");
      else last.lastChild.data += " more";
    },
  };
})();
