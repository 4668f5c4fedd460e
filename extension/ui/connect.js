// The connect page: a code is typed once, and the hub and we know each other from then on.
import { ask, fillTexts, say, showState } from "./shared.js";

const LENGTH = 8;
const AGAIN = 1500; // milliseconds between two looks at the connection
const one = (id) => document.getElementById(id);
let busy = false;

const plain = (text) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "").slice(0, LENGTH);
const shown = (code) => (code.length > 4 ? `${code.slice(0, 4)}-${code.slice(4)}` : code);

function tell(text, how) {
  one("said").className = `said ${how}`;
  one("said").textContent = text;
}

async function pair() {
  const code = plain(one("code").value);
  if (code.length !== LENGTH) {
    tell(say("code_bad"), "bad");
    one("code").focus();
    return;
  }
  busy = one("pair").disabled = true;
  tell(say("pairing_now"), "");
  const answer = await ask("pair", { code });
  busy = one("pair").disabled = false;
  if (answer?.ok) {
    one("form").hidden = one("hint").hidden = true;
    tell(say("pair_done"), "good");
  } else {
    const words = [answer?.message, answer?.what_to_do].filter(Boolean).join(" ");
    tell(words || say("pair_failed"), "bad");
    one("code").select();
  }
  await look();
}

async function look() {
  showState(one("state"), await ask("status"));
}

fillTexts();
one("code").addEventListener("input", () => {
  const { value, selectionStart } = one("code");
  if (selectionStart === value.length) one("code").value = shown(plain(value)); // not while one mends its middle
});
one("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!busy) pair();
});
await look();
setInterval(look, AGAIN);
