// The page as a whole: which conversation is on show, asking in it, going to another one.

import { sources } from "/assets/cites.js";
import { Composer } from "/assets/composer.js";
import { drawn } from "/assets/draw.js";
import { make } from "/assets/element.js";
import { Exchange } from "/assets/exchange.js";
import { iconButton } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { account, announce, cover, signInAgain } from "/assets/notices.js";
import "/assets/parts.js";
import { Side } from "/assets/side.js";
import { alive, keep, seen, stage } from "/assets/stage.js";
import { READ, Turn, WHOLE } from "/assets/turn.js";
import { ask, base } from "/assets/wire.js";

const STOP = "LabStp"; // the lab's own: the real page's is not known
const TURNS = 10; // in one answer; older ones are fetched when one scrolls up to them
const READ_AGAIN_MS = 1000; // while a stored answer is not whole
const STILL = 5; // looks at an unchanged text before it counts as stopped
const LOADS = `lab-loads${location.search}`; // of the page in this tab, on this stage

const $ = (css) => document.querySelector(css);
const content = $("chat-window-content");
const title = $('[data-test-id="conversation-title"]');

// What is on show. `showing` counts: what belongs to a conversation one has left draws nothing.
const shown = { ids: ["", "", ""], showing: 0, turns: new Set(), gem: "", temporary: false };
let composer;
let side;
let swallowed = 0;

// -- asking -----------------------------------------------------------------------------

function send() {
  if (swallowed < stage.swallow) {
    swallowed += 1;
    return;
  }
  const { prompt, files } = composer;
  const turn = begin(prompt, files);
  const settle = () => {
    if (turn.left) return;
    composer.clear();
    composer.set({ answering: shown.turns.size > 0, renamed: composer.renamed && shown.turns.size > 0 });
  };
  if (stage.slow_send) setTimeout(settle, stage.slow_send * 1000);
  else settle();
}

function begin(prompt, files) {
  greet(false);
  const names = files.map(({ name }) => name);
  const exchange = new Exchange(prompt, { files: names, late: stage.late_message });
  content.add(exchange);
  const { ids, gem, temporary } = shown;
  const question = { prompt, files, ids: [...ids], gem, temporary, mode: composer.modeKey };
  const turn = new Turn(exchange, question, page);
  shown.turns.add(turn);
  turn.run().finally(() => over(turn));
  return turn;
}

function over(turn) {
  shown.turns.delete(turn);
  if (turn.left) return;
  composer.set({ answering: shown.turns.size > 0, hidden: false, renamed: false });
  content.follow();
  list();
}

function stop() {
  const [chat] = shown.ids;
  for (const turn of shown.turns) turn.stop();
  if (chat) ask(STOP, [chat]).catch(denied);
}

// What a turn needs of the page.
const page = {
  content,
  get composer() {
    return composer;
  },
  go,
  chat: (turn) => turn.ids?.[0] ?? "",
  named(turn, ids) {
    turn.ids = [ids[0], ids[1], ids[2] || turn.ids?.[2] || ""];
    shown.ids = turn.ids;
  },
  titled: (words) => name(words),
  spoke(turn) {
    if (turn.addressed) return;
    turn.addressed = true;
    if (stage.late_address) setTimeout(() => turn.left || settleAddress(), stage.late_address * 1000);
    else settleAddress();
  },
  again(turn) {
    if (turn.left || shown.turns.size) return;
    composer.set({ answering: true });
    begin(turn.question.prompt, turn.question.files);
  },
};

// -- addresses --------------------------------------------------------------------------

function settleAddress() {
  if (shown.temporary || !shown.ids[0]) return;
  const id = shown.ids[0].replace(/^c_/, "");
  const address = shown.gem ? `${base}/gem/${shown.gem}/${id}` : `${base}/app/${id}`;
  if (location.pathname !== address) history.pushState({}, "", keep(address));
  side.show(shown.ids[0]);
}

function go(path, { temporary = false } = {}) {
  history.pushState({ temporary }, "", keep(`${base}${path}`));
  return open();
}

// Which conversation and which gem the address names.
function addressed() {
  const path = location.pathname.slice(base.length);
  const [, gem = "", inGem = ""] = /^\/gem\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  const id = inGem || /^\/app\/([^/]+)$/.exec(path)?.[1] || "";
  return { gem, id };
}

function name(said) {
  title.textContent = said;
  document.title = said ? `${said} - Gemini` : "Google Gemini";
}

// -- what is stored ---------------------------------------------------------------------

async function open() {
  const showing = (shown.showing += 1);
  const { gem, id } = addressed();
  for (const turn of shown.turns) turn.leave();
  const ids = [id ? `c_${id}` : "", "", ""];
  Object.assign(shown, { ids, gem, turns: new Set(), temporary: Boolean(history.state?.temporary) && !id });
  content.clear();
  name("");
  greet(!id);
  composer.set({ answering: false, hidden: false, renamed: false });
  side.show(ids[0]);
  if (id) await load(showing);
  if (showing === shown.showing) await list();
}

// Show what is stored, and look again while its newest answer is still being written.
async function load(showing) {
  let before = null;
  shown.newest = null; // the exchange that is still being written
  for (let still = 0; still < STILL; ) {
    const [turns, older] = await read(TURNS, null);
    if (showing !== shown.showing) return;
    const newest = turns?.[0]?.[3][0][0];
    const now = JSON.stringify(newest ?? null);
    const whole = newest?.[8][0] === WHOLE;
    if (now !== before) redraw(turns ?? [], older, { running: !whole });
    still = now === before ? still + 1 : 0;
    before = now;
    if (!newest || whole) break;
    await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
    if (showing !== shown.showing || shown.turns.size) return;
  }
  shown.newest?.end({ whole: false }); // nothing more comes: somebody stopped it, or the site did
}

async function read(count, cursor) {
  await seen();
  return ask(READ, [shown.ids[0], count, cursor, 1, [1], [4], null, 1]).catch((error) => denied(error) ?? []);
}

function redraw(turns, older, { running }) {
  content.clear();
  shown.newest = null;
  for (const turn of turns.toReversed()) {
    const exchange = stored(turn, running && turn === turns[0]);
    if (!exchange.over) shown.newest = exchange;
    content.add(exchange);
  }
  content.toEnd();
  drawn().then(() => content.follow());
  if (turns.length) shown.ids = [...turns[0][0], turns[0][3][0][0][0]];
  content.wantsOlder = older ? () => fetchOlder(older) : null;
}

async function fetchOlder(cursor) {
  const { showing } = shown;
  content.wantsOlder = null;
  const [turns = [], older] = await read(TURNS, cursor);
  if (showing !== shown.showing) return;
  content.prepend(turns.toReversed().map((turn) => stored(turn, false)));
  content.wantsOlder = older ? () => fetchOlder(older) : null;
}

// One stored turn as it stands on the page.
function stored([ids, , question, answer], running) {
  const [candidate] = answer[0];
  const exchange = new Exchange(question[0][0]);
  exchange.name(ids[1]);
  const thoughts = candidate[37]?.[0]?.[0];
  if (thoughts) exchange.think(thoughts);
  if (candidate[1][0]) exchange.write(candidate[1][0], sources(candidate));
  if (!running) exchange.end({ whole: candidate[8][0] === WHOLE });
  return exchange;
}

async function list() {
  await side.load().catch(denied);
  const words = side.title(shown.ids[0]);
  if (words && !title.textContent) name(words);
}

// The site does not know us any more.
function denied(error) {
  if (error.status === 401) signInAgain();
  else reportError(error);
}

// -- the page comes alive ---------------------------------------------------------------

// An answer of before hangs: Stop stands there, and nothing comes. So many loads do not help.
function hangs() {
  const loads = Number(sessionStorage.getItem(LOADS) ?? 0) + 1;
  sessionStorage.setItem(LOADS, String(loads));
  return loads <= stage.stuck;
}

// What stands there before anything was asked.
function greet(yes) {
  $("zero-state")?.remove();
  if (!yes) return;
  const words = shown.temporary ? t("temporary") : t("hello");
  const note = shown.temporary ? t("temporaryNote") : t("helloNote");
  $("chat-window").prepend(make("zero-state", {}, make("h2", {}, words), make("p", {}, note)));
}

alive(async () => {
  composer = new Composer($("input-container"), { send, stop });
  side = new Side($("bard-sidenav"), { go });
  const menu = iconButton("menu", t("menu"), { "data-test-id": "side-nav-menu-button" });
  menu.addEventListener("click", () => $("chat-app").classList.toggle("side-nav-toggled"));
  $("side-nav-menu-button").replaceChildren(menu);
  account($(".right-section"));
  announce($(".announcement-banner-container"));
  addEventListener("popstate", open);
  if (stage.overlay) cover(stage.overlay);
  const opened = open();
  if (hangs()) composer.set({ answering: true });
  await opened;
});
