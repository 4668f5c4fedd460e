// A code for the extension, from the button to whoever typed it.
//
// The code is known to this page alone and stands nowhere else: another page of the dashboard
// asks for one of its own, which makes this one void. Codes have numbers, by which we see that.

import { one, set } from "./dom.js";
import { say } from "./texts.js";

const LOOK = 250; // milliseconds between two looks at the time that is left

let shown = null; // {number, code, until, seconds, since}

// `ask` asks the hub; `wordsOf` what it says when it refuses.
export function startPairing(ask, wordsOf) {
  one("pair").addEventListener("click", () => begin(ask, wordsOf));
  one("copy").addEventListener("click", copy);
  setInterval(count, LOOK);
}

async function begin(ask, wordsOf) {
  one("pair").disabled = true;
  const answer = await ask("pair", {});
  one("pair").disabled = false;
  if (!answer.ok) {
    tell(say("failed", wordsOf(answer.said)), "bad");
    return;
  }
  const { number, code, seconds } = answer.told;
  shown = { number, code, seconds, until: performance.now() + seconds * 1000, since: Date.now() / 1000 };
  tell("", "");
  set(one("code"), code);
  set(one("copy"), say("copy"));
  one("pair_idle").hidden = true;
  one("pair_code").hidden = false;
  one("copy").focus();
  count();
}

// What the hub tells of it: typed, void, or typed wrong.
export function drawPairing(extension) {
  if (shown === null || extension.code_number < shown.number) return; // told before ours was made
  if (extension.code_number > shown.number) over("pair_void", "bad");
  else if (extension.code_typed_by) over("pair_done", "good", extension.code_typed_by);
  else if (!extension.code_shown) over(performance.now() < shown.until - 1000 ? "pair_void" : "pair_over", "bad");
  else wrong(extension.last_refused);
}

// The hub's clock and ours are of one machine, but for a browser that is led here from elsewhere.
function wrong(refused) {
  if (refused?.why === "key" && refused.at >= shown.since) {
    tell(say("pair_wrong", refused.message, refused.what_to_do), "bad");
  }
}

function over(name, tone, ...parts) {
  shown = null;
  const held = one("pair_code").contains(document.activeElement);
  one("pair_code").hidden = true;
  one("pair_idle").hidden = false;
  set(one("code"), "");
  if (tone === "bad") set(one("pair"), say("pair_again"));
  else set(one("pair"), say("pair"));
  if (held) one("pair").focus();
  tell(say(name, ...parts), tone);
}

function tell(text, tone) {
  one("pair_said").dataset.tone = tone;
  set(one("pair_said"), text);
}

function count() {
  if (shown === null) return;
  const left = Math.max(0, (shown.until - performance.now()) / 1000);
  one("left").value = left / shown.seconds;
  const whole = Math.ceil(left);
  set(one("time_left"), say("time_left", `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`));
  if (left === 0) over("pair_over", "bad");
}

async function copy() {
  try {
    await navigator.clipboard.writeText(shown.code);
    set(one("copy"), say("copied"));
  } catch {
    getSelection().selectAllChildren(one("code")); // not allowed: at least it is marked
  }
}
