// One answer, followed to its end wherever it comes from: the response to the question, a
// second request for the rest, a WebSocket, or what the site has stored in the end.
//
// Only `message_stream_complete` says that it is whole. A response that ends without it was
// lost, and is asked for again a few times, as the site's own page does.

import { Deltas, events } from "/assets/deltas.js";
import { wait } from "/assets/directions.js";
import { heard } from "/assets/socket.js";
import { stage } from "/assets/stage.js";
import { Refused } from "/assets/wire.js";

const TRIES = 4; // the site's page: up to 12
const FIRST_WAIT = 0.3;
const LONGER = 1.5; // each wait is so much longer than the one before
const IDLE_MS = stage.idle * 1000; // between two bytes of a stream
const RESUMED_MS = 3_000; // until the first event of a request for the rest
const SILENT_MS = 1_000; // after Stop, for a site that has not answered yet
const POLL_SECONDS = 0.5;
const PATIENCE = 8; // looks at what is stored that show nothing new, and nobody says it is under way
const SOCKET = "wss://ws.chatgpt.com";

export class Answer {
  // `hears` = { message(document), frame(value), stored(conversation) }: what the page draws.
  constructor(wire, hears, id = null) {
    this.wire = wire;
    this.hears = hears;
    this.id = id; // the conversation's
    this.deltas = new Deltas();
    this.count = 0; // events so far, as the site counts them
    this.complete = false;
    this.stopped = false; // the person pressed Stop
    this.left = false; // nobody looks any more
    this.failed = null; // the error the site said in its own stream
    this.handoff = null;
  }

  // Ask, and follow. How it ended: "whole", "stopped", "failed", "lost" or "left".
  async ask(body, conduit, answering) {
    const response = await this.wire.ask(body, conduit, this.stopping().signal);
    answering(response);
    await this.read(response, IDLE_MS);
    return this.rest();
  }

  // The page was opened while this answer is under way.
  async join() {
    await this.again();
    return this.rest();
  }

  leave() {
    this.left = true;
    this.control?.abort();
  }

  get over() {
    return this.complete || this.stopped || this.left || this.failed !== null;
  }

  get how() {
    if (this.left) return "left";
    if (this.failed !== null) return "failed";
    if (this.stopped) return "stopped";
    return this.complete ? "whole" : "lost";
  }

  async rest() {
    if (!this.over && this.handoff) await this.handed();
    for (let tries = 0, pause = FIRST_WAIT; tries < TRIES && !this.over && this.id; tries += 1) {
      await wait(pause * (0.5 + Math.random() / 2));
      if (this.over) break;
      const before = this.count;
      if (!(await this.again())) break;
      pause = this.count > before ? FIRST_WAIT : pause * LONGER;
      if (this.count > before) tries = 0;
      if (!this.over && this.handoff) await this.handed();
    }
    if (!this.over && this.id) await this.poll();
    return this.how;
  }

  // Where the site says the rest will be.
  async handed() {
    const { options = [] } = this.handoff;
    this.handoff = null;
    if (stage.deaf) await new Promise(() => {}); // it waits for what nobody brings
    const topic = options.find(({ type }) => type === "subscribe_ws_topic")?.topic_id;
    if (topic) {
      const url = `${SOCKET}/p/${encodeURIComponent(topic)}/ws?conversation_id=${this.id}`;
      for await (const one of heard(url, topic)) {
        this.take(one);
        if (this.over) return;
      }
    } else if (options.some(({ type }) => type === "resume_sse_endpoint")) {
      await this.again();
    } else {
      await this.poll();
    }
  }

  // Ask for the rest; false where the site has none to give, or says nothing at all.
  async again() {
    const control = this.stopping();
    try {
      const before = this.count;
      await this.read(await this.wire.resume(this.id, this.count, control.signal), RESUMED_MS);
      return this.count > before || !control.signal.aborted;
    } catch (error) {
      return !(error instanceof Refused);
    }
  }

  // The person pressed Stop. The site is told as soon as it has said which chat this is; one
  // that says nothing at all is not listened to any longer.
  stop() {
    this.stopped = true;
    if (this.id) this.tellStop();
    else setTimeout(() => this.id || this.control?.abort(), SILENT_MS);
  }

  tellStop() {
    this.wire.post("/stop_conversation", { conversation_id: this.id }).catch(() => this.control.abort());
  }

  known(id) {
    if (!id || this.id) return;
    this.id = id;
    if (this.stopped) this.tellStop();
  }

  stopping() {
    this.control = new AbortController();
    return this.control;
  }

  // Read a response as far as it goes: broken, ended or silent for too long is the same here.
  async read(response, firstMs) {
    const { control } = this;
    let timer = setTimeout(() => control.abort(), firstMs);
    try {
      for await (const one of events(response.body)) {
        clearTimeout(timer);
        if (this.left) return;
        this.take(one);
        timer = setTimeout(() => control.abort(), IDLE_MS);
      }
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  take({ name, data }) {
    if (!data || data === "[DONE]") return;
    this.count += 1;
    if (name === "delta_encoding") return;
    const value = JSON.parse(data);
    if (name === "delta") {
      const told = this.deltas.apply(value);
      this.known(told.conversation_id);
      this.hears.message(told);
      return;
    }
    this.known(value.conversation_id);
    if (value.type === "message_stream_complete") this.complete = true;
    if (value.type === "stream_handoff") this.handoff = value;
    if (value.error && !value.type) this.failed = value;
    this.hears.frame(value);
  }

  // Only what is stored is left: look until it is whole, or grows no more.
  async poll() {
    for (let patience = PATIENCE, before = ""; patience > 0 && !this.over; patience -= 1) {
      try {
        const running = await this.wire.streaming(this.id);
        const conversation = await this.wire.stored(this.id);
        if (this.left) return;
        const now = JSON.stringify(conversation.mapping);
        if (running || now !== before) patience = PATIENCE;
        before = now;
        this.hears.stored(conversation);
        if (!running) {
          this.settle(conversation);
          return;
        }
      } catch (error) {
        if (error instanceof Refused) return;
      }
      await wait(POLL_SECONDS);
    }
  }

  settle({ mapping, current_node }) {
    const last = mapping[current_node]?.message;
    if (last?.status === "finished_successfully" && last.author.role === "assistant") this.complete = true;
    else if (last?.status === "finished_partial_completion") this.stopped = true;
  }
}
