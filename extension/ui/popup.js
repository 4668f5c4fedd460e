// The popup: what is connected, what is used and by whom, and the switches.
import { SITES, ask, fillTexts, make, say, showState, siteIsOn, timeOf, toggle } from "./shared.js";

const AGAIN = 1500; // milliseconds between two looks while it is open
const EVENTS = 5;
const one = (id) => document.getElementById(id);
let drawn = "";

async function currentTab() {
  const asked = new URLSearchParams(location.search).get("tab"); // opened as a page, for one tab
  if (asked !== null) return { id: Number(asked) };
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  return tab ?? null;
}

function isListed(tab) {
  const patterns = chrome.runtime.getManifest().host_permissions;
  return patterns.some((pattern) => tab?.url?.startsWith(pattern.slice(0, -1)));
}

function drawSwitches(status) {
  one("all").replaceChildren(
    toggle(say("switch_all"), status.switches.on, (on) => change("switch", { on })),
  );
  const rows = SITES.map((site) => {
    const row = toggle(say(`site_${site}`), siteIsOn(status, site), (on) => change("switch", { on, site }));
    row.querySelector("input").disabled = !status.switches.on;
    return row;
  });
  one("sites").replaceChildren(...rows);
}

// What pages did to us: the one that is open here first, the others by their site.
function drawTroubles(status, tab) {
  const all = (status.troubles ?? []).toSorted((one, other) => (other.tab === tab?.id) - (one.tab === tab?.id));
  const rows = all.map(({ site, what }) => make("li", "bad", `${say(`site_${site}`)}: ${say(`trouble_${what}`)}`));
  one("troubles").replaceChildren(...rows);
  one("troubles").hidden = rows.length === 0;
}

function drawTab(status, tab) {
  const known = status.tabs.find((used) => used.tab === tab?.id);
  if (known?.opened) {
    one("tab").replaceChildren(make("p", "soft small", say("tab_client", known.group ?? "")));
  } else if (!known && !isListed(tab)) {
    one("tab").replaceChildren(make("p", "soft small", say("offer_not")));
  } else {
    const offered = known?.offered === true;
    one("tab").replaceChildren(
      toggle(say("offer_tab"), offered, (on) => change("offer", { tab: tab.id, on })),
    );
  }
}

function drawTabs(status) {
  const rows = status.tabs.map((used) => {
    const row = make("li");
    const what = make("div", "what");
    what.append(make("span", "title", used.title || say("tab_untitled")));
    const whose = used.opened ? say("tab_client", used.group ?? "") : say("tab_offered");
    what.append(make("span", "soft small", used.attached ? `${whose} · ${say("tab_attached")}` : whose));
    row.append(what);
    if (used.offered) {
      const withdraw = make("button", "quiet", say("tab_withdraw"));
      withdraw.addEventListener("click", () => change("offer", { tab: used.tab, on: false }));
      row.append(withdraw);
    }
    return row;
  });
  one("tabs").replaceChildren(...(rows.length ? rows : [make("li", "soft small", say("tabs_none"))]));
}

function drawEvents(status) {
  const rows = status.events.slice(-EVENTS).reverse().map((event) => {
    const row = make("li");
    const name = say(`event_${event.what.replaceAll(" ", "_")}`) || event.what;
    const more = event.text ?? event.client ?? (event.site ? say(`site_${event.site}`) : "");
    row.append(make("time", "", timeOf(event.at)), make("span", "what", more ? `${name}: ${more}` : name));
    return row;
  });
  one("events").replaceChildren(...(rows.length ? rows : [make("li", "soft", say("events_none"))]));
}

const reachable = () => [...document.querySelectorAll("input, button, a")];

async function change(what, more) {
  await ask(what, more);
  await look();
}

// It is the hub's, and opens with a ticket that only the worker's own line to the hub can get.
async function openDashboard() {
  one("said").textContent = "";
  one("dashboard").disabled = true;
  const answer = await ask("dashboard");
  one("dashboard").disabled = false;
  if (answer?.ok) window.close();
  else one("said").textContent = answer?.why === "silent" ? say("dashboard_silent") : say("dashboard_away");
}

async function look() {
  const [status, tab] = await Promise.all([ask("status"), currentTab()]);
  showState(one("state"), status);
  one("measured").textContent = say("measured_at", timeOf(Date.now()));
  one("look").hidden = status?.connected === true;
  one("pair").hidden = status === null || (status.paired !== null && status.phase !== "pairing");
  const now = JSON.stringify([status, tab?.id, tab?.url]);
  if (status === null || now === drawn) return; // nothing is drawn anew under a finger
  drawn = now;
  const held = reachable().indexOf(document.activeElement); // what is drawn anew stays in hand
  one("version").textContent = status.version;
  drawTroubles(status, tab);
  drawSwitches(status);
  drawTab(status, tab);
  drawTabs(status);
  drawEvents(status);
  if (held !== -1) reachable()[held]?.focus();
}

fillTexts();
one("dashboard").addEventListener("click", openDashboard);
one("look").addEventListener("click", () => change("dial"));
one("pair").addEventListener("click", () => chrome.tabs.create({ url: chrome.runtime.getURL("ui/connect.html") }));
await look();
setInterval(look, AGAIN);
