// The line to the hub: dialled, proven, kept alive, and dialled again when it is lost.
//
// Theory of operation. One socket at a time; `#turn` counts them, and whatever an older one still
// says is not heard. A try begins with a question to the discovery, which costs nothing: Chrome
// slows down sockets that fail often, and a refused one does not say whether a foreign program is
// there. After a loss the first try goes straight to the socket. So does one whose question stays
// without an answer: somebody has the port, and a hub that is being started on a busy machine lets
// us in the moment it can, while a wait before the next question would come on top of this one.
// A socket is dead when the hub was not heard for `deaf`, whatever the socket itself believes.

import { TIMES } from "./times.js";
import { keepLocal, keepSession, local, session } from "./state.js";
import { Refused, shakeHands } from "./handshake.js";
import { PATTERNS } from "./sites.js";
import { note } from "./notes.js";

const TRIES_AT_FIRST = 2;
const TRIES_AFTER_A_LOSS = 18; // about half a minute

export class Line {
  #turn = 0;
  #socket = null;
  #waiting = []; // of the handshake, for the hub's next message
  #queued = []; // messages of the hub the handshake has not asked for yet
  #tries = 0;
  #timer = null;
  #heard = 0;
  #said = 0;
  #hadOne = false; // a line, since this worker started
  #dialling = null; // the try under way, waiting for a code included
  #code = null; // gives the handshake the code a person typed
  boot = crypto.randomUUID();
  lastRequest = 0;
  hubStartedAt = Infinity; // as the discovery says it; unknown counts as just now
  phase = "away"; // away | dialling | pairing | ready
  since = Date.now();
  hub = null; // who is there now: {id, version}
  trouble = null; // why it is not ready: {why, message, what_to_do}

  // `outbox` keeps what leaves. `on` has prepared(): what we say of ourselves is known,
  // request(message), fresh(): the hub was started anew, isSaidAnew(about): and this is told
  // by it, ready(), offered(said), changed().
  constructor(outbox, on) {
    this.outbox = outbox;
    this.on = on;
    setInterval(() => this.#look(), TIMES.look);
  }

  get isReady() {
    return this.phase === "ready";
  }

  // Something woke us, or a person asks: try now, unless there is a line or a try under way.
  async dial({ straight = false } = {}) {
    await this.on.prepared();
    if (this.#dialling !== null || this.phase === "ready") return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#dialling = this.#try(straight);
    try {
      await this.#dialling;
    } finally {
      this.#dialling = null; // whatever came of it: the next one may try
      if (this.phase !== "ready") this.#again();
    }
  }

  async #try(straight) {
    if (straight || (await this.#isThere())) await this.#talk();
  }

  // A person typed the code. Resolves to {ok} or to why not.
  async pair(code) {
    if (this.phase !== "pairing") {
      const offered = new Promise((done) => (this.pairing = done));
      this.redial();
      await Promise.race([offered, new Promise((done) => setTimeout(done, TIMES.handshake))]);
    }
    if (this.#code === null) return this.trouble ?? trouble("away", "No hub responds.");
    const over = new Promise((done) => (this.paired = done));
    this.#code(code);
    return over;
  }

  async unpair() {
    await keepLocal({ hub: null });
    this.redial();
  }

  // Another port, or a wish to begin anew.
  async redial() {
    this.#drop("dialled anew");
    await this.#dialling;
    this.#tries = 0;
    await this.dial({ straight: true });
  }

  async #isThere() {
    const url = `http://127.0.0.1:${local.port}/mcp-discovery`;
    const how = { cache: "no-store", credentials: "omit", redirect: "error" };
    try {
      const answer = await fetch(url, { ...how, signal: AbortSignal.timeout(TIMES.ask) });
      const { startedAt } = await answer.json().catch(() => ({})); // another program may answer
      this.hubStartedAt = Number.isFinite(startedAt) ? startedAt : Infinity;
      return true;
    } catch (error) {
      if (isSlow(error)) return true;
      // nothing is there, or something that does not know us: only the latter answers this
    }
    try {
      await fetch(url, { ...how, mode: "no-cors", signal: AbortSignal.timeout(TIMES.ask) });
    } catch (error) {
      if (isSlow(error)) return true;
      this.#set("away", trouble("away", "No hub responds on this port."));
      return false;
    }
    // an older hub perhaps; a socket tells, but not every few seconds
    if (this.#tries % 4 === 0) return true;
    return false;
  }

  async #talk() {
    const turn = (this.#turn += 1);
    this.#set("dialling", this.trouble);
    this.#waiting = [];
    this.#queued = [];
    const socket = new WebSocket(`ws://127.0.0.1:${local.port}/relay`);
    this.#socket = socket;
    socket.onmessage = ({ data }) => turn === this.#turn && this.#hear(data);
    socket.onclose = () => turn === this.#turn && this.#lose(this.#lastWord());
    try {
      await new Promise((done, failed) => {
        socket.onopen = done;
        this.#waiting.push({ done: null, failed });
        setTimeout(() => failed(new Error("it does not answer")), TIMES.handshake);
      });
      this.#waiting = [];
      const ready = await shakeHands({
        post: (message) => this.#post(JSON.stringify(message)),
        next: (ms) => this.#next(ms),
        offered: (said) => this.#offered(said),
        about: { boot: this.boot, last: this.lastRequest, sent: this.outbox.last },
      });
      if (turn === this.#turn) this.#begin(ready);
    } catch (error) {
      if (turn === this.#turn) this.#lose(this.#explain(error));
    }
  }

  #begin(ready) {
    const { hub, version, have } = ready;
    this.#tries = 0;
    this.#hadOne = true;
    this.hub = { id: hub, version };
    if (local.hub && local.hub.version !== version) keepLocal({ hub: { ...local.hub, version } });
    keepSession({ lostAt: 0 });
    this.#set("ready", null);
    note("connected", { version });
    if (ready.fresh) {
      this.lastRequest = 0;
      this.outbox.restart(have, () => this.on.fresh(), this.on.isSaidAnew);
    }
    this.on.ready();
    this.outbox.open((text) => this.#post(text), have);
    const queued = this.#queued;
    this.#queued = [];
    for (const message of queued) this.#take(message);
    this.paired?.({ ok: true, hub: this.hub });
    this.paired = null;
  }

  #hear(data) {
    this.#heard = Date.now();
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      message = null;
    }
    if (message === null || typeof message !== "object") {
      this.#lose(trouble("foreign", "The hub sent an invalid message."));
    } else if (this.phase === "ready") {
      this.#take(message);
    } else if (this.#waiting.length > 0) {
      this.#waiting.shift().done?.(message);
    } else {
      this.#queued.push(message);
    }
  }

  #take(message) {
    if (typeof message.do === "string") {
      if (Number.isInteger(message.id)) this.lastRequest = Math.max(this.lastRequest, message.id);
      this.on.request(message);
    } else if (Number.isInteger(message.ack)) {
      this.outbox.taken(message.ack);
    } else if ("ping" in message) {
      this.#post(JSON.stringify({ pong: message.ping }));
    } else if ("bye" in message) {
      this.#lose(trouble("away", `The hub said goodbye: ${message.bye}`));
    }
  }

  #next(ms) {
    if (this.#queued.length > 0) return Promise.resolve(this.#queued.shift());
    return new Promise((done, failed) => {
      this.#waiting.push({ done, failed });
      setTimeout(() => failed(new Error("the hub does not answer")), ms);
    });
  }

  // The hub wants a code: the person is asked, once for each hub, and we wait for them.
  #offered(said) {
    this.hub = { id: said.hub, version: said.version };
    this.#set("pairing", trouble("pair", "This browser is not paired with the hub yet."));
    this.on.offered(said);
    return new Promise((done, failed) => {
      this.#code = done;
      this.#waiting.push({ done: () => failed(new Error("the hub went on")), failed });
      this.pairing?.();
      this.pairing = null;
    }).finally(() => {
      this.#code = null;
      this.#waiting = [];
    });
  }

  // A refusal may have come, and not been read yet, when the socket closes.
  #lastWord() {
    const said = this.#queued.find((one) => one.t === "refused");
    if (!said) return trouble("away", "The hub is not running.");
    return this.#explain(new Refused(said.why, said.message, said.what_to_do));
  }

  #explain(error) {
    if (!(error instanceof Refused)) return trouble("away", "The hub is not running.");
    note("refused", { why: error.why });
    return trouble(error.why, error.message, error.whatToDo);
  }

  #drop(why) {
    if (this.#socket) this.#lose(trouble("away", why));
  }

  // The socket is no more, or as good as. What waits for it is told.
  #lose(why) {
    const was = this.phase;
    // a hub that tires of waiting for the code still wants one
    if (was === "pairing" && why.why === "away") why = { ...why, why: "pair" };
    this.#turn += 1;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.outbox.shut();
    for (const { failed } of this.#waiting) failed(new Error(why.message));
    this.#waiting = [];
    this.#set("away", why);
    this.paired?.({ ok: false, ...why });
    this.paired = null;
    if (was === "ready") {
      note("disconnected", { why: why.why });
      keepSession({ lostAt: Date.now() });
      this.#again();
    }
  }

  // When to try next. Waits grow only so far that a hub is found within 3 s. An open supported
  // page, or a tab in use, makes us go on; without one we leave it to the alarm after a while.
  // What the hub refused it will refuse in three seconds too.
  async #again() {
    if (this.#timer !== null || this.phase === "ready") return;
    this.#timer = setTimeout(() => {}, TIMES.discovery); // nobody else plans meanwhile
    const tries = (this.#tries += 1);
    const eager = session.attached.length > 0 || (await hasSupportedPage().catch(() => true));
    clearTimeout(this.#timer);
    this.#timer = null;
    // with nothing to do for a hub the worker may sleep: each try would keep it awake
    const enough = this.#hadOne ? TRIES_AFTER_A_LOSS : TRIES_AT_FIRST;
    if (this.phase === "ready" || (!eager && tries > enough)) return;
    const wait = this.#refused() ? TIMES.refused : this.#wait(tries);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.dial({ straight: tries === 1 });
    }, wait);
  }

  #refused() {
    return ["protocol", "busy", "locked", "key", "off", "impostor", "pair"].includes(
      this.trouble?.why,
    );
  }

  #wait(tries) {
    const jitter = 0.8 + 0.2 * Math.random();
    return jitter * Math.min(TIMES.first * 2 ** (tries - 1), TIMES.discovery);
  }

  #look() {
    if (this.phase !== "ready") return;
    const now = Date.now();
    if (now - this.#heard > TIMES.deaf) {
      this.#lose(trouble("away", "The connection to the hub timed out."));
    } else if (now - this.#said >= TIMES.quiet || now - this.#heard >= TIMES.quiet) {
      this.#post(JSON.stringify({ ping: now }));
    }
  }

  #post(text) {
    this.#said = Date.now();
    try {
      this.#socket?.send(text);
    } catch {
      // it is closing: `onclose` comes, and what was not acknowledged is sent again
    }
  }

  #set(phase, why) {
    if (phase !== this.phase) this.since = Date.now();
    this.phase = phase;
    this.trouble = why;
    if (phase === "away" || phase === "dialling") this.hub = null;
    this.on.changed();
  }
}

async function hasSupportedPage() {
  return (await chrome.tabs.query({ url: PATTERNS })).length > 0;
}

// Somebody took the call and says nothing; where nobody listens it is refused at once.
function isSlow(error) {
  return error.name === "TimeoutError";
}

function trouble(why, message, whatToDo = "") {
  return { ok: false, why, message, what_to_do: whatToDo };
}
