// A board of the hub as elements. Nothing is decided here but how it looks.

import { button, facts, list, make, one, refill, set, spoken, words } from "./dom.js";
import { moment, say } from "./texts.js";

const left = new Set(); // second browsers that the person said to leave as they are

export function drawBoard(board, act) {
  drawHub(board.hub);
  drawExtension(board.extension, act);
  drawInstalls(board.extension, act);
  drawAutopilot(board.autopilot, act);
  list(one("working"), board.working, (job) => job.id, drawJob, say("working_none"));
  list(one("tabs"), board.tabs, (tab) => tab.id + tab.job + tab.by, drawTab, say("tabs_none"));
  list(one("last"), board.last, (job) => job.id, drawJob, say("last_none"));
}

function drawHub(hub) {
  tone("hub_state", hub.working ? "busy" : "good");
  set(one("hub_words"), hub.working ? say("hub_busy", hub.working) : say("hub_running"));
  facts(one("hub"), [
    [say("fact_version"), hub.version],
    [say("fact_since"), moment(hub.started_at)],
    [say("fact_address"), `127.0.0.1:${hub.port}`],
    [say("fact_browser"), hub.browser],
    [say("fact_clients"), String(hub.clients)],
    [say("fact_pid"), String(hub.pid)],
  ]);
}

function drawExtension(extension, act) {
  const { connected, used, why, ours, version } = extension;
  tone("extension_state", why === null ? "good" : connected ? "busy" : "off");
  const name = connected ? say("ext_connected", used.name) : say("ext_away");
  set(one("extension_words"), connected && why !== null ? say("ext_off") : name);
  spoken(one("extension_why"), why === null ? say("ext_chrome", used.chrome) : sentence(why.message));
  spoken(one("extension_todo"), why === null ? "" : why.what_to_do);
  const old = connected && ours !== null && used.version !== ours;
  one("extension_old").hidden = !old;
  set(one("extension_old"), old ? say("ext_old", used.version, ours) : "");
  facts(one("versions"), [
    [say("version_extension"), connected ? used.version : "–"],
    [say("version_ours"), ours ?? say("unknown")],
    [say("version_hub"), version],
  ]);
  const names = new Set(extension.asking.map((other) => other.name));
  for (const name of left) if (!names.has(name)) left.delete(name);
  const asking = extension.asking.filter((other) => !left.has(other.name));
  list(one("asking"), asking, (other) => other.name, (other, element) => drawAsking(other, element, act));
}

function drawAsking(other, element, act) {
  const buttons = make("div", "buttons");
  const use = button("use", say("use_it"), say("use_label", other.name), () => act("use", other.name));
  use.classList.add("first");
  const keep = button("keep", say("keep_first"), "", () => {
    left.add(other.name);
    element.remove();
    one("pair").focus();
  });
  buttons.append(use, keep);
  const about = make("p", "soft", say("asking_about"));
  refill(element, make("strong", "", say("asking", other.name, other.chrome)), about, buttons);
}

// What goes on by itself in Antigravity, and what waits there. The person answers where the whole
// card can be read; from here it can be stopped.
function drawAutopilot(autopilot, act) {
  one("autopilot").hidden = autopilot === null;
  if (autopilot === null) return;
  const { on, was_on: was, waiting } = autopilot;
  tone("autopilot_state", on.length ? "busy" : "off");
  set(one("autopilot_words"), on.length ? say("autopilot_on", on.map((name) => say(`switch_${name}`) || name).join(", ")) : say("autopilot_off"));
  spoken(one("autopilot_was"), was === null ? "" : sentence(was));
  one("halt").hidden = on.length === 0;
  one("halt").onclick = () => act("halt");
  list(one("waiting"), waiting, (card) => card.id, drawWaiting, say("waiting_none"));
}

function drawWaiting(card, element) {
  const head = make("div", "line");
  const what = make("span", "site", say(`card_${card.kind}`) || card.kind);
  head.append(what, badge(say(`verdict_${card.verdict}`) || card.verdict, TONES[card.verdict]), words("span", "soft", card.window));
  const command = make("p", "prompt");
  command.append(words("code", "", card.command || say("empty")));
  const answer = spoken(make("p", "soft"), say("waiting_answer", card.id));
  refill(element, head, command, words("p", "soft", card.reason), answer);
}

function drawInstalls(extension, act) {
  const asking = new Set(extension.asking.map((other) => other.name));
  const rows = extension.installs.map((install) => ({
    ...install,
    state: install.connected ? "connected" : asking.has(install.name) ? "waiting" : "away",
    alone: extension.installs.length === 1,
  }));
  list(one("installs"), rows, (row) => row.name, (row, element) => drawInstall(row, element, act), say("installs_none"));
}

function drawInstall(row, element, act) {
  const what = make("div", "what");
  const head = make("div", "line");
  head.append(make("strong", "", row.name), badge(say(`state_${row.state}`), TONES[row.state]));
  if (row.chosen && !row.alone) head.append(badge(say("chosen"), "off"));
  const seen = row.seen_at ? say("seen", moment(row.seen_at)) : say("seen_never");
  what.append(head, make("p", "soft", `${say("install_about", row.chrome, row.version)} · ${seen}`));
  const buttons = make("div", "buttons");
  if (!row.connected && !row.alone) {
    buttons.append(button("use", say("use"), say("use_label", row.name), () => act("use", row.name)));
  }
  buttons.append(button("forget", say("forget"), say("forget_label", row.name), () => act("forget", row.name)));
  refill(element, what, buttons);
}

// a limit is over by itself: nobody has to do anything
function shownState({ state, complete, error }) {
  if (state === "completed" && complete === false) return "partial";
  return state === "input_required" && error?.code === "limit_reached" ? "limit" : state;
}

function drawJob(job, element) {
  const state = shownState(job);
  const head = make("div", "line");
  const site = make("span", "site", say(`site_${job.site}`) || job.site);
  head.append(site, badge(say(`job_${state}`) || state, TONES[state]), words("span", "soft", job.who));
  if (job.lab) head.append(badge(say("job_lab"), "off"));
  const when = make("time", "soft", moment(job.created_at));
  when.dateTime = new Date(job.created_at * 1000).toISOString();
  head.append(when);
  const parts = [head, words("p", "prompt", job.prompt || say("empty"))];
  if (job.state === "working") parts.push(make("p", "soft", doing(job)));
  if (job.note && job.state === "working") parts.push(words("p", "soft", job.note));
  if (job.answer) parts.push(words("p", "answer", job.answer));
  if (job.error) parts.push(trouble(job.error));
  if (job.url) parts.push(chat(job));
  refill(element, ...parts);
}

function trouble({ message, what_to_do: todo }) {
  return spoken(make("p", "trouble"), `${sentence(message)} ${todo}`);
}

function doing(job) {
  const phase = say(`phase_${job.phase ?? "waiting"}`) || job.phase;
  return job.characters ? `${phase} · ${say("characters", job.characters.toLocaleString())}` : phase;
}

// The hub lets only addresses of the web through; so do we.
function chat(job) {
  const link = make("a", "", say("open_chat"));
  link.setAttribute("aria-label", say("open_chat_label", say(`site_${job.site}`) || job.site));
  link.dataset.name = "chat";
  if (URL.canParse(job.url) && new URL(job.url).protocol === "https:") link.href = job.url;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  return link;
}

function drawTab(tab, element) {
  const what = make("div", "what");
  const about = [tab.by && say("tab_by", tab.by), tab.place, say(`way_${tab.way}`)].filter(Boolean);
  what.append(words("strong", "title", tab.title || say("tab_untitled")), words("p", "soft", about.join(" · ")));
  refill(element, what);
}

const TONES = {
  connected: "good", waiting: "busy", away: "off", completed: "good", partial: "busy", working: "busy",
  failed: "bad", input_required: "bad", cancelled: "off", limit: "busy", allow: "good", ask: "busy", deny: "bad",
};

const badge = (text, how) => {
  const made = make("span", "badge", text);
  made.dataset.tone = how ?? "off";
  return made;
};

export function tone(id, how) {
  if (one(id).dataset.tone !== how) one(id).dataset.tone = how;
}

function sentence(text) {
  const said = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?。]$/.test(said) ? said : `${said}.`;
}
