// The hub's dashboard, for a person who asks for it here.
//
// Theory of operation. A browser that comes to the dashboard needs a ticket, and whoever has a
// proven line to the hub may have one. We ask for it with a number of our own; the hub answers
// with that number and a ticket, never with an address: what is opened is at 127.0.0.1 and the
// port we dial, whatever the hub says. A ticket nobody asked for opens nothing.

import { TIMES } from "./times.js";
import { local } from "./state.js";

const TICKET = /^[\w-]{22,128}$/;

let asked = null; // {ask, done}: the newest question; an older one is answered by nobody

// Opens it in front. Resolves to {ok: true}, or to why not.
export async function open(line, tell) {
  if (!line.isReady) return { ok: false, why: "away" };
  const ask = crypto.randomUUID();
  const ticket = await new Promise((done) => {
    asked = { ask, done };
    tell({ on: "dashboard", ask });
    setTimeout(done, TIMES.answer, null);
  });
  if (asked?.ask === ask) asked = null;
  if (ticket === null) return { ok: false, why: "silent" };
  await chrome.tabs.create({ url: `http://127.0.0.1:${local.port}/dashboard/enter/${ticket}` });
  return { ok: true };
}

// The hub's answer. Says whether somebody waited for it.
export function take(ask, ticket) {
  if (asked?.ask !== ask || !TICKET.test(ticket)) return false;
  asked.done(ticket);
  asked = null;
  return true;
}
