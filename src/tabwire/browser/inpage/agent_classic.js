// The panel as seed 000 reads it: scored selectors, and words that tell a log from an answer.
//
// Four functions, one evaluation each: stop, quota, text, logs. And one that shows every
// candidate with its score and class, for whoever asks why something was not taken.
((tabwire) => {
  if (tabwire.agent_classic) return;

  const SCOPE = ".antigravity-agent-side-panel";
  const SCORED = [
    [10, ".rendered-markdown"], [9, ".leading-relaxed.select-text"], [8, ".flex.flex-col.gap-y-3"],
    [7, '[data-message-author-role="assistant"]'], [6, '[data-message-role="assistant"]'],
    [5, '[class*="assistant-message"]'], [4, '[class*="message-content"]'], [3, '[class*="markdown-body"]'], [2, ".prose"],
  ];
  const EXCLUDED = 'details,[class*="feedback"],footer,[role="dialog"],form,.notify-user-container,[data-message-author-role="user"],[data-message-role="user"]';
  const MESSAGE = '.rendered-markdown,.prose,pre,code,[data-message-author-role],[data-message-role],[class*="message-content"],.leading-relaxed';
  const BANNERS = 'h3,h3 span,[role="alert"],[class*="error"],[class*="warning"],[class*="toast"],[class*="banner"],[class*="notification"],[class*="alert"],[class*="quota"],[class*="rate-limit"]';
  const QUOTA = ["model quota reached", "rate limit", "quota exceeded", "exhausted your quota", "exhausted quota"];
  const STOPS = new Set(["stop", "stop generating", "stop response", "停止", "生成を停止", "応答を停止"]);
  const CANCEL = '[data-tooltip-id="input-send-button-cancel-tooltip"]';
  const VERBS = new RegExp(`^(?:${(
    "analyzing analysing reading writing running searching planning thinking processing loading executing testing debugging fetching connecting "
    + "creating updating deleting installing building compiling deploying checking scanning parsing resolving downloading uploading analyzed read "
    + "wrote ran created updated deleted fetched built compiled installed resolved downloaded connected"
  ).split(" ").join("|")})\\b`, "i");
  const LANGUAGES = new Set((
    "json yaml yml toml xml html css scss javascript js typescript ts tsx jsx python py bash sh shell powershell sql go rust java kotlin c cpp text log diff"
  ).split(" "));
  const MAX_ACTIVITY = 220;
  const MAX_THOUGHT = 500;
  const MAX_ENTRY = 300;

  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const scopeOf = (wish) => document.querySelector(wish?.scope || SCOPE) ?? document;
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

  // Every candidate in the page's order, with its best score.
  const candidates = (wish) => {
    const scope = scopeOf(wish);
    const scores = new Map();
    for (const [score, css] of SCORED) {
      for (const element of scope.querySelectorAll(css)) if (!scores.has(element)) scores.set(element, { score, css });
    }
    const all = [...scores.keys()].sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    return all.map((element) => ({ element, ...scores.get(element), excluded: element.closest(EXCLUDED) !== null, text: textOf(element) }));
  };

  tabwire.agent_classic = {
    classify,

    stop() {
      if ([...document.querySelectorAll(CANCEL)].some(isVisible)) return true;
      return [...scopeOf().querySelectorAll("button,[role='button']")].some((one) => isVisible(one)
        && [one.textContent, one.getAttribute("aria-label"), one.title].some((label) => label && STOPS.has(squeeze(label).toLowerCase())));
    },

    quota() {
      return [...scopeOf().querySelectorAll(BANNERS)].some((one) => {
        if (one.closest(MESSAGE) !== null || !isVisible(one)) return false;
        const text = squeeze(textOf(one)).toLowerCase();
        return text.length <= 400 && QUOTA.some((words) => text.includes(words));
      });
    },

    // Newest first; a better score wins, an equal one does not.
    text(wish) {
      let best = null;
      for (const one of candidates(wish).reverse()) {
        if (one.excluded || one.text.length < 2 || classify(one.text) !== "response") continue;
        if (best === null || one.score > best.score) best = one;
      }
      return best?.text ?? null;
    },

    logs(wish) {
      const kept = candidates(wish).filter((one) => !one.excluded && one.text.length >= 4 && ["activity", "tool"].includes(classify(one.text)));
      return kept.map((one) => one.text.slice(0, MAX_ENTRY));
    },

    dump(wish) {
      return candidates(wish).map(({ css, score, excluded, text }) => ({
        selector: css, score, classified: excluded ? "excluded" : classify(text), text,
      }));
    },
  };
})((globalThis.tabwire ??= {}));
