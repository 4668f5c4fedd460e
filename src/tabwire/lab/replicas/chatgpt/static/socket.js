// The rest of an answer over a WebSocket: items with a number, some twice, some too early.

import { event } from "/assets/deltas.js";

const FIRST_MS = 5_000; // until the first item, as the site's own page waits
const IDLE_MS = 30_000; // between two
const GAP_MS = 1_000; // an item that does not come is not waited for any longer than this

// The events of a topic, each once and in order. Ends when the socket does.
export async function* heard(url, topic) {
  const inbox = new Inbox();
  const socket = new WebSocket(url);
  socket.onmessage = ({ data }) => inbox.take(JSON.parse(data), topic);
  socket.onclose = socket.onerror = () => inbox.end();
  try {
    for (let wait = FIRST_MS; ; wait = IDLE_MS) {
      const items = await inbox.next(wait);
      if (!items) return;
      for (const item of items) yield event(item.trimEnd());
    }
  } finally {
    socket.close();
  }
}

class Inbox {
  constructor() {
    this.seen = new Set(); // stream_item_id
    this.early = new Map(); // by offset
    this.ready = [];
    this.expected = 0; // a topic counts its own items
    this.over = false;
    this.wake = () => {};
  }

  take({ type, topic_id, offset, payload }, topic) {
    const item = payload?.payload;
    if (type !== "message" || topic_id !== topic || item?.type !== "stream-item") return;
    if (this.seen.has(item.stream_item_id) || offset < this.expected) return;
    this.seen.add(item.stream_item_id);
    this.early.set(Number(offset), item.encoded_item);
    this.drain();
    if (this.early.size) this.gap ??= setTimeout(() => this.skip(), GAP_MS);
  }

  drain() {
    while (this.early.has(this.expected)) {
      this.ready.push(this.early.get(this.expected));
      this.early.delete(this.expected);
      this.expected += 1;
    }
    if (this.ready.length) this.wake();
  }

  // Something is missing for too long: go on without it.
  skip() {
    this.gap = undefined;
    if (this.early.size) this.expected = Math.min(...this.early.keys());
    this.drain();
  }

  end() {
    while (this.early.size) this.skip();
    this.over = true;
    this.wake();
  }

  // What is ready, or null at the end or when nothing came for so long.
  async next(milliseconds) {
    if (!this.ready.length && !this.over) {
      let timer;
      await new Promise((done) => {
        this.wake = done;
        timer = setTimeout(done, milliseconds);
      });
      clearTimeout(timer);
    }
    const items = this.ready;
    this.ready = [];
    return items.length ? items : null;
  }
}
