// The dashboard: hears from the hub what there is to see, and does what the person wants.
//
// The hub tells everything whenever it changed. A page nobody looks at hangs up after a while,
// so that a forgotten tab keeps no hub alive; it listens again as soon as somebody looks.

import { one, set } from "./dom.js";
import { drawBoard, tone } from "./draw.js";
import { ask, listen, mayLook, takeKey } from "./line.js";
import { drawPairing, startPairing } from "./pairing.js";
import { fillTexts, say } from "./texts.js";

const UNSEEN = 60_000; // milliseconds in the background, then it hangs up
const AGAIN = 2_000; // before the hub is looked for again

let line = null; // aborted to hang up
let unseen = null;
let later = null;

async function look() {
  clearTimeout(later);
  if (line !== null) return;
  const mine = (line = new AbortController());
  await listen(draw, mine);
  if (line !== mine) return; // we hung up
  line = null;
  await away();
}

function hangUp() {
  clearTimeout(later);
  const was = line;
  line = null;
  was?.abort();
}

function draw(board) {
  if (document.body.dataset.state !== "live") one("banner").hidden = true;
  document.body.dataset.state = "live";
  drawBoard(board, act);
  drawPairing(board.extension);
}

// The line is gone: because the hub is, or because we may not look any more.
async function away() {
  tone("hub_state", "off");
  set(one("hub_words"), say("hub_away"));
  const may = await mayLook();
  if (line !== null) return; // somebody looked meanwhile
  if (may === "yes") {
    later = setTimeout(look, AGAIN / 10);
    return;
  }
  document.body.dataset.state = may === "no" ? "over" : "away";
  complain(say(may === "no" ? "banner_over" : "banner_away"));
  later = setTimeout(away, AGAIN); // also then: the person may open it anew in another tab
}

function complain(text) {
  set(one("banner"), text);
  one("banner").hidden = false;
}

function wordsOf(said) {
  if (said === null) return say("hub_away");
  return [said.message, said.what_to_do].filter(Boolean).join(". ").replaceAll("`", "");
}

async function act(what, name) {
  if (what === "forget" && !(await isSure(name))) return;
  const answer = await ask(what, { name });
  if (answer.ok) one("banner").hidden = true;
  else complain(say("failed", wordsOf(answer.said)));
}

// Not by the dialog's `close`, which Chrome tells with the next frame: a hidden page has none.
function isSure(name) {
  set(one("sure_title"), say("forget_title", name));
  one("sure").showModal();
  return new Promise((done) => {
    one("sure").oncancel = () => done(false);
    for (const [id, yes] of [["sure_no", false], ["sure_yes", true]]) {
      one(id).onclick = () => {
        one("sure").close();
        done(yes);
      };
    }
  });
}

function seen() {
  clearTimeout(unseen);
  if (document.hidden) unseen = setTimeout(hangUp, UNSEEN);
  else look();
}

takeKey();
fillTexts();
set(one("hub_words"), say("looking"));
startPairing(ask, wordsOf);
document.addEventListener("visibilitychange", seen);
seen();
look();
