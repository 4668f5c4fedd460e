// needs: agent/text agent/limits
// The panel as seed 000 reads it: scored selectors, and words that tell a log from an answer.
// What the seed could not know of later panels is added: what thinking is told by where it stands,
// and steps are rows of their own. Which elements are looked at is told by the `wish`.
//
// Four functions, one evaluation each: stop, quota, text, logs. And one that shows every
// candidate with its score and class, for whoever asks why something was not taken.
((agent) => {
  if (agent.classic) return;
  const { words } = agent.text;
  const { Limits } = agent.limits;

  const VERBS = new RegExp(`^(?:${(
    "analyzing analysing reading writing running searching planning thinking processing loading executing testing debugging fetching connecting "
    + "creating updating deleting installing building compiling deploying checking scanning parsing resolving downloading uploading analyzed read "
    + "wrote ran created updated deleted fetched built compiled installed resolved downloaded connected "
    + "edited editing searched viewed viewing listed listing explored exploring opened opening worked error"
  ).split(" ").join("|")})\\b`, "i");
  const LANGUAGES = new Set((
    "json yaml yml toml xml html css scss javascript js typescript ts tsx jsx python py bash sh shell powershell sql go rust java kotlin c cpp text log diff"
  ).split(" "));
  const MAX_ACTIVITY = 220;
  const MAX_THOUGHT = 500;
  const MAX_ENTRY = 300;

  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const scopeOf = (wish) => document.querySelector(wish.scope) ?? document;
  const textOf = (element) => (element.innerText ?? element.textContent ?? "").trim();
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });

  const looksLikeActivityLog = (text) => {
    const one = squeeze(text);
    if (/^(initiating|thought for)\s/i.test(one)) return one.length <= MAX_THOUGHT;
    return one.length <= MAX_ACTIVITY && VERBS.test(one);
  };
  const looksLikeToolOutput = (text) => {
    const head = text.trim().split("\n", 1)[0].trim();
    if (/^[a-z0-9._-]+\s*\/\s*[a-z0-9._-]+$/i.test(head)) return true;
    if (/^full output written to\b/i.test(head) || /^output\.[a-z0-9]+(#L\d+(-\d+)?)?$/i.test(head)) return true;
    if (/^title:[\s\S]*url:[\s\S]*snippet:/i.test(text.trim())) return true;
    return LANGUAGES.has(head.toLowerCase());
  };
  const looksLikeFeedbackFooter = (text) => /^(good|bad|good bad)$/i.test(squeeze(text));

  const classify = (text) => looksLikeActivityLog(text) ? "activity"
    : looksLikeFeedbackFooter(text) ? "feedback"
    : looksLikeToolOutput(text) ? "tool" : "response";

  // Every candidate in the page's order, with its best score. `wish` has what a panel's pack knows
  // too: its thinking, its steps, its questions. Each may be empty.
  const candidates = (wish) => {
    const scope = scopeOf(wish);
    const { thinking, steps, user } = wish;
    const scores = new Map();
    for (const [score, css] of wish.scored) {
      for (const element of scope.querySelectorAll(css)) if (!scores.has(element)) scores.set(element, { score, css });
    }
    for (const element of steps ? scope.querySelectorAll(steps) : []) if (!scores.has(element)) scores.set(element, { score: 1, css: steps, step: true });
    const all = [...scores.keys()].sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    return all.map((element) => {
      const known = scores.get(element);
      const thought = !known.step && thinking !== "" && element.closest(thinking) !== null;
      const around = !known.step && thinking !== "" && element.querySelector(thinking) !== null;
      const list = user !== "" && element.querySelector(user) !== null; // all that was said, in one
      return { element, ...known, thought, excluded: list || element.closest(wish.excluded) !== null, text: around ? words(element, thinking) : textOf(element) };
    });
  };

  // `step`: it stands where steps do; what it says decides no more.
  const classOf = ({ step, thought, text }) => (thought ? "thinking" : step && classify(text) === "response" ? "activity" : classify(text));

  agent.classic = {
    classify,

    stop(wish) {
      const labels = new Set(wish.stops);
      if ([...document.querySelectorAll(wish.cancel)].some(isVisible)) return true;
      return [...scopeOf(wish).querySelectorAll("button,[role='button']")].some((one) => isVisible(one)
        && [one.textContent, one.getAttribute("aria-label"), one.title].some((label) => label && labels.has(squeeze(label).toLowerCase())));
    },

    quota(wish) {
      const limits = new Limits(wish.limits);
      return [...scopeOf(wish).querySelectorAll(wish.banners)].some((one) => {
        if (one.closest(wish.message) !== null || !isVisible(one)) return false;
        const text = squeeze(textOf(one));
        return text.length <= 400 && (limits.is(text) || (/\brate limit/i.test(text) && !/^h\d$/.test(one.localName)));
      });
    },

    // Newest first; a better score wins, an equal one does not.
    text(wish) {
      let best = null;
      for (const one of candidates(wish).reverse()) {
        if (one.excluded || one.text.length < 2 || classOf(one) !== "response") continue;
        if (best === null || one.score > best.score) best = one;
      }
      return best?.text ?? null;
    },

    logs(wish) {
      const kept = candidates(wish).filter((one) => !one.excluded && one.text.length >= 4 && ["activity", "tool", "thinking"].includes(classOf(one)));
      return kept.map((one) => (one.step ? squeeze(one.text) : one.text).slice(0, MAX_ENTRY));
    },

    dump(wish) {
      return candidates(wish).map((one) => ({
        selector: one.css, score: one.score, classified: one.excluded ? "excluded" : classOf(one), text: one.text,
      }));
    },
  };
})(((globalThis.tabwire ??= {}).agent ??= {}));
