// The line to the hub: who we are, what we ask, what it tells.
//
// Our cookie the browser sends by itself, to other ports of this machine too. So the hub wants a
// key besides, which stays at this very port: it came behind the # of our address, and is taken
// out of there before anybody sees it. It is kept for tabs that come later.

const KEY = "key";
const SILENT = 40_000; // milliseconds; the hub says something every 15 s

let key = "";

export function takeKey() {
  const said = location.hash.slice(1);
  if (/^[\w-]{43}$/.test(said)) {
    history.replaceState(null, "", location.pathname);
    key = said;
    localStorage.setItem(KEY, said);
  }
}

// One that another tab brought since is the one that fits the cookie of now.
const proven = (more) => ({ "x-tabwire-page": localStorage.getItem(KEY) ?? key, ...more });

// Ask the hub for something: {ok, told} or {ok, said}, what it said instead, null for nothing.
export async function ask(what, body) {
  const headers = proven({ "content-type": "application/json" });
  try {
    const answer = await fetch(`api/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
    const told = await answer.json();
    return answer.ok ? { ok: true, told } : { ok: false, said: told };
  } catch {
    return { ok: false, said: null };
  }
}

// "yes", "no" where we may not look any more, "away" where nobody answers.
export async function mayLook() {
  const answer = await fetch("api/board", { headers: proven(), cache: "no-store" }).catch(() => null);
  return answer === null ? "away" : answer.ok ? "yes" : answer.status === 401 ? "no" : "away";
}

// Hear every board, until the line is gone or `over` is aborted. A hub that went silent is gone:
// after a sleep of the machine a line may look alive for ever.
export async function listen(tell, over) {
  let silent = setTimeout(() => over.abort(), SILENT);
  try {
    const answer = await fetch("api/live", { headers: proven(), cache: "no-store", signal: over.signal });
    if (!answer.ok) return;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silent);
      silent = setTimeout(() => over.abort(), SILENT);
      const events = (rest + value).split("\n\n");
      rest = events.pop();
      events.forEach((event) => hear(event, tell));
    }
  } catch {
    return; // cut off, by the hub or by us
  } finally {
    clearTimeout(silent);
  }
}

function hear(event, tell) {
  const lines = event.split("\n");
  if (!lines.includes("event: board")) return;
  const data = lines.find((line) => line.startsWith("data: "));
  tell(JSON.parse(data.slice(6)).board);
}
