// The page's end of the private line to our isolated world, and what one request says on it.
//
// How the line is made. We run first, before any script of the page, and put one new element
// into the document, on which we alone listen. isolated.js runs right after us: it takes the
// element out again and dispatches a message on it, which carries a MessagePort and a secret.
// An event on an element that is in no document passes nobody else, and ours, the first
// listener, lets it pass no further. The element is a plain one: of a name of our own a prepared
// window could have made a class, whose listener would be the first.
// Where no port comes, somebody else answered to our element, or nobody: an attribute that comes
// and goes tells isolated.js. Its name is random and stood on our element, so that no page knows it.
//
// Nothing waits for the other side. What is on its way and not yet taken is counted; past the
// limit it is dropped and counted, and the attempt says so at its end.
((tabwire) => {
  "use strict";
  const { natives } = tabwire;
  const { Bytes, append, assign, at, cut, data, document, element, fill, hear, html, later, listen } = natives;
  const { mark, newId, ports, post, prevent, push, shift, size, stop, ticks, unmark } = natives;

  const MAX_FLYING = 16 * 1024 * 1024; // bytes posted and not yet taken
  const SPARE = 1024 * 1024; // beyond it, for what says that something begins or ends
  const COST = 512; // what a message costs besides its bytes
  const MAX_ANSWER = 64 * 1024 * 1024; // the longest the hub joins; more of one answer is not copied
  const MAX_WAITING = 1000; // messages held back until the body of a request is read
  const CALM = 8; // milliseconds between two posts of one attempt: a fast answer travels in lumps
  const LUMP = 256 * 1024;

  let port = null;
  let secret = "";
  let number = 0;
  let flying = 0;
  let on = true; // the person may switch us off while the page is open
  let overflow = 0;

  const say = (message, bytes = 0) => {
    if (port === null) return false;
    const cost = bytes + COST;
    if (flying + cost > (bytes ? MAX_FLYING : MAX_FLYING + SPARE)) {
      overflow += 1;
      return false;
    }
    number += 1;
    flying += cost;
    post(port, assign({ __proto__: null, secret, n: number, cost, overflow }, message));
    return true;
  };

  const open = () => {
    const door = element(document, "div");
    const name = newId();
    mark(door, "data-tabwire-door", name);
    const enter = (event) => {
      stop(event);
      prevent(event);
      if (port !== null) return;
      secret = data(event);
      port = ports(event)[0];
      hear(port, (said) => {
        const word = data(said);
        if (typeof word.taken === "number") flying -= word.taken;
        if (typeof word.on === "boolean") on = word.on;
        if (word.look === true && natives.isBypassed()) say({ what: "bypassed" });
      });
    };
    listen(door, "message", enter, { __proto__: null, capture: true });
    const top = html(document);
    append(top, door);
    later(() => {
      if (port !== null) return;
      on = false;
      mark(top, `data-tabwire-${name}`, "");
      unmark(top, `data-tabwire-${name}`);
    }, 0);
  };

  // One request of the page that we copy, from the moment it leaves until its last byte.
  class Attempt {
    id = "";
    kind = "";
    about = null;
    signal = null; // by which the page may end it
    seq = 0;
    total = 0;
    over = false;
    cut = false; // some of its bytes were dropped: the rest is worth nothing
    chunks = [];
    size = 0;
    said = 0; // when bytes were last posted
    waiting = null; // messages behind a body that is still being read
    timed = false;

    constructor(site, kind, via, method, url) {
      this.id = `${site}:${newId()}`;
      this.kind = kind;
      this.about = { __proto__: null, method, url, via };
    }

    // It leaves now. `body` is bytes, null, or a promise of either.
    left(body) {
      const { method, url, via } = this.about;
      const page = natives.root.location.href;
      const { id: attempt, kind } = this;
      const sent = { what: "sent", kind, attempt, method, url, via, at: at(), page, body: null };
      if (body === null || sizeOf(body) !== null) {
        sent.body = body;
        this.#tell(sent, body === null ? 0 : size(body));
        return;
      }
      say({ what: "left", kind, attempt, at: sent.at }); // the badge need not wait
      this.waiting = [];
      const go = (bytes) => {
        const held = this.waiting;
        this.waiting = null;
        sent.body = bytes;
        this.#tell(sent, bytes === null ? 0 : size(bytes));
        for (let one = 0; one < held.length; one += 1) held[one]();
      };
      (async () => {
        let bytes = null;
        try {
          bytes = await body;
        } catch {
          // unreadable: it left all the same
        }
        go(bytes);
      })();
    }

    head(status, mime, url, retry) {
      this.#tell({ what: "head", attempt: this.id, status, mime, url, retry_after: retry, at: at() });
    }

    // False when no more is wanted.
    bytes(chunk) {
      if (this.over || this.cut || !on) return false;
      const more = size(chunk);
      if (more === 0) return true;
      this.total += more;
      if (this.total > MAX_ANSWER) {
        this.#drop();
        return false;
      }
      push(this.chunks, chunk);
      this.size += more;
      if (this.size >= LUMP || ticks() - this.said >= CALM) this.flush();
      else if (!this.timed) {
        this.timed = true;
        later(() => {
          this.timed = false;
          this.flush();
        }, CALM);
      }
      return !this.cut;
    }

    flush() {
      if (this.size === 0 || this.cut) return;
      const lump = joined(this.chunks, this.size);
      this.chunks = [];
      this.size = 0;
      this.said = ticks();
      const message = { what: "bytes", attempt: this.id, seq: this.seq, data: lump, at: at() };
      this.seq += 1;
      this.#tell(message, size(lump), true);
    }

    frame(sent, text, bytes) {
      if (this.over || !on) return;
      const head = { what: "frame", attempt: this.id, seq: this.seq, sent, at: at() };
      const message = bytes === null ? { ...head, text } : { ...head, data: bytes };
      this.seq += 1;
      const weight = bytes === null ? text.length * 2 : size(bytes);
      if (weight > MAX_ANSWER) overflow += 1;
      else this.#tell(message, weight);
    }

    ended(how, why) {
      if (this.over) return;
      this.flush();
      this.over = true;
      const end = { what: "ended", attempt: this.id, how, why, at: at(), seqs: this.seq };
      const last = () => {
        if (this.cut) {
          end.how = "failed";
          end.why = "overflow";
        }
        say(end);
      };
      if (this.waiting !== null) push(this.waiting, last);
      else last();
    }

    #drop() {
      this.cut = true;
      this.chunks = [];
      this.size = 0;
      overflow += 1;
    }

    #tell(message, bytes = 0, data = false) {
      if (this.waiting !== null) {
        if (this.waiting.length < MAX_WAITING) push(this.waiting, () => this.#tell(message, bytes, data));
        else this.cut = true;
        return;
      }
      if (!say(message, bytes) && data) this.cut = true;
    }
  }

  // The bytes of one view, or null where it is none.
  const sizeOf = (value) => {
    try {
      return size(value);
    } catch {
      return null;
    }
  };

  const joined = (chunks, total) => {
    if (chunks.length === 1) return own(shift(chunks));
    const all = new Bytes(total);
    let offset = 0;
    for (let one = 0; one < chunks.length; one += 1) {
      fill(all, chunks[one], offset);
      offset += size(chunks[one]);
    }
    return all;
  };

  // A view is posted with all of its buffer: one into something larger is cut out first.
  const own = (bytes) =>
    natives.length(natives.buffer(bytes)) === size(bytes) ? bytes : cut(bytes, 0);

  const MAX_BODY = 8 * 1024 * 1024; // a question with a whole book in it

  // What a request carries: bytes at once where they are at hand, a promise where they must be
  // read, null where there is none or reading it would disturb the page (streams, forms).
  const bodyOf = (body) => {
    if (body === null || body === undefined) return null;
    if (typeof body === "string") return body.length > MAX_BODY ? null : natives.utf8(body);
    if (typeof body !== "object") return null;
    const found = viewed(body);
    if (found !== null) return size(found) > MAX_BODY ? null : cut(found, 0);
    try {
      const text = natives.form(body); // throws for everything but URLSearchParams
      return text.length > MAX_BODY ? null : natives.utf8(text);
    } catch {
      // something else
    }
    try {
      return natives.blobSize(body) > MAX_BODY ? null : bytesOfBlob(body);
    } catch {
      return null;
    }
  };

  // Null for what is no Blob, or cannot be read: a promise that fails would be told to the page.
  const bytesOfBlob = async (blob) => {
    try {
      return new Bytes(await natives.blobBytes(blob));
    } catch {
      return null;
    }
  };

  // Any buffer or view as bytes, without copying; null for everything else.
  const viewed = (value) => {
    try {
      if (!natives.isView(value)) return new Bytes(value, 0, natives.length(value));
      if (sizeOf(value) !== null) {
        return new Bytes(natives.buffer(value), natives.start(value), size(value));
      }
      return new Bytes(natives.viewBuffer(value), natives.viewStart(value), natives.viewSize(value));
    } catch {
      return null;
    }
  };

  const begin = (via, method, address, kind) => {
    const site = tabwire.matching.siteOf(natives.parts.host(address));
    return new Attempt(site, kind, via, method, natives.parts.href(address));
  };

  tabwire.channel = { open, begin, bodyOf, bytesOfBlob, viewed, isOn: () => on && port !== null };
})(globalThis.tabwire);
