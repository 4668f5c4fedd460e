// On which stage the page stands: what its server wrote into it (`<script id="lab-stage">`).
//
// An address that chose the stage (`?lab=...`) keeps doing so: `keep` puts the choice into
// every address the page goes to, so that it survives reloads.

const DEFAULTS = {
  story: "",
  layout: "",
  lang: "en",
  login: "in",
  overlay: "",
  dialog: "",
  down: false,
  challenge: false,
  challenge_script: false,
  drift: "none",
  hydrate: 0.03,
  swallow: 0,
  slow_send: 0,
  late_address: 0,
  transient_address: false,
  late_message: 0,
  past: 0,
  aloud: false,
  stuck: 0,
  idle: 60,
  deaf: false,
  misdrawn: false,
  no_temporary: false,
  draw: "task",
  reads: "always",
  upload_seconds: 0.3,
  upload_fails: false,
  tier_exhausted: false,
  endpoint: "",
};

const written = document.querySelector("#lab-stage")?.textContent.trim();
export const stage = { ...DEFAULTS, ...(written ? JSON.parse(written) : {}) };

// The same address with the tab's own `lab=` in it; untouched where the tab has none.
export function keep(address) {
  const chosen = new URLSearchParams(location.search).getAll("lab");
  if (chosen.length === 0) return address;
  const [, path, query, hash] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address);
  const wanted = new URLSearchParams(query ?? "");
  if (!wanted.has("lab")) for (const one of chosen) wanted.append("lab", one);
  // the marks of the lab's own little language stay readable in the address
  const said = wanted.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
  return `${path}?${said}${hash ?? ""}`;
}

// Before what is stored is loaded: a page that does so only while it is seen waits for that.
export function seen() {
  if (stage.reads !== "seen") return Promise.resolve();
  return new Promise((done) => {
    const look = () => {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", look);
      done();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}

// Words in the page's language: labels({ en: {...}, ja: {...} })("send").
export function labels(table) {
  const own = table[stage.lang] ?? {};
  return (key) => own[key] ?? table.en[key] ?? key;
}

// The page comes alive: until then it only shows what its server drew.
export function alive(work) {
  dialogs();
  return new Promise((done, failed) => {
    const begin = () => Promise.resolve().then(work).then(interrupted).then(done, failed);
    if (stage.hydrate > 0) setTimeout(begin, stage.hydrate * 1000);
    else queueMicrotask(begin);
  });
}

// Dialogs of the browser: until one is answered the page stands still, with all that is in it.
function dialogs() {
  if (stage.dialog === "type") {
    document.addEventListener("beforeinput", () => confirm("Go on?"), { capture: true, once: true });
  }
  if (stage.dialog === "leave") addEventListener("beforeunload", (event) => event.preventDefault());
}

function interrupted(result) {
  if (stage.dialog === "load") setTimeout(() => alert("Are you there?"), 0);
  return result;
}
