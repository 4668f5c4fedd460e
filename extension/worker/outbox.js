// What leaves for the hub: numbered, cut up where it is long, and kept until it is acknowledged.
//
// Theory of operation. Every frame gets the next number and stays here until the hub has it. Only
// so much is on its way at once; the rest waits here, where it can be bounded, and not in the
// socket, where it cannot. When events outgrow their limit those of the tab that brought most
// are emptied: their numbers stay, each as a short `lost`, so that the hub finds no gap and knows
// which tab to read again. Until it has heard so, nothing more of that tab is taken. Replies, and
// what ends something, are never dropped.

import { LIMITS } from "./times.js";

const LONE = /(\\\\)|\\ud[89a-f][0-9a-f]{2}/g; // JSON writes half a character so, and only that

export class Outbox {
  #frames = new Map(); // n → {body, tab, re, about, part, begins, end}, in order
  #send = null; // into the socket, while there is one that is ready
  #last = 0; // the highest number given
  #sent = 0; // the highest number that went into this socket
  #flying = 0; // characters sent and not acknowledged
  #events = 0; // characters of events kept
  #replies = 0;
  #lost = new Map(); // tab → the number by which the hub will know
  #full = false; // somebody was turned away
  dropped = 0; // events, since this worker started

  // `taken(frame)`: the hub has it; `room()`: what was not taken in for want of room may come now
  constructor(on = { taken: () => {}, room: () => {} }) {
    this.on = on;
  }

  get last() {
    return this.#last;
  }

  get kept() {
    return { frames: this.#frames.size, characters: this.#events + this.#replies };
  }

  // A message for the hub. `tab` marks a debugger event, which may be dropped; `loose` one that
  // may not be taken at all when there is no room. False where it was not taken.
  push(message, { tab = null, loose = false, re = null, about = null } = {}) {
    if (tab !== null && this.#lost.has(tab)) {
      this.dropped += 1;
      return false;
    }
    let text = JSON.stringify(message);
    if (text.includes("\\ud")) text = text.replaceAll(LONE, (half, pair) => pair ?? "\\ufffd");
    const over = re === null && this.#events + text.length > LIMITS.replay;
    if (over && loose) {
      this.#full = true;
      return false;
    }
    if (re !== null && this.#isTooMuch(text)) {
      const error = { code: -32000, message: `the result is too long: ${text.length} characters` };
      text = JSON.stringify({ re, error });
    }
    this.#add(text, { tab, re, about });
    if (over) this.#makeRoom();
    this.pump();
    return true;
  }

  // The hub has everything up to this number.
  taken(number) {
    for (const [n, frame] of this.#frames) {
      if (n > number) break;
      this.#frames.delete(n);
      this.#count(frame, -1);
      if (n <= this.#sent) this.#flying -= frame.body.length;
      if (frame.end) this.on.taken(frame);
    }
    for (const [tab, n] of this.#lost) if (n <= number) this.#lost.delete(tab);
    this.pump();
    if (this.#full && this.#events < LIMITS.replay / 2) {
      this.#full = false;
      this.on.room();
    }
  }

  // A socket is ready, at whose other end everything up to `have` is known.
  open(send, have) {
    this.#send = send;
    this.#sent = have;
    this.#flying = 0;
    this.taken(have);
  }

  // The hub was started anew. What concerned only the old one goes; the rest is numbered
  // anew, after what `introduce` has to say first, and without what that says anew.
  restart(have, introduce, isSaidAnew = () => false) {
    const rest = [];
    let whole = false; // of a message in pieces its first one is still here
    for (const frame of this.#frames.values()) {
      whole = frame.begins || (whole && frame.part);
      if (frame.tab !== null || frame.re !== null || !whole) continue;
      if (frame.about === null || !isSaidAnew(frame.about)) rest.push(frame);
    }
    this.#frames.clear();
    this.#lost.clear();
    this.#events = this.#replies = 0;
    this.#last = have;
    introduce();
    for (const frame of rest) this.#number(frame);
  }

  shut() {
    this.#send = null;
  }

  pump() {
    if (this.#send === null || this.#flying >= LIMITS.flight || this.#sent >= this.#last) return;
    for (let n = this.#sent + 1; n <= this.#last && this.#flying < LIMITS.flight; n += 1) {
      const { body } = this.#frames.get(n);
      this.#sent = n;
      this.#flying += body.length;
      this.#send(`{"n":${n},${body.slice(1)}`);
    }
  }

  // Whether the answer to this request still waits here.
  holds(re) {
    for (const frame of this.#frames.values()) if (frame.re === re) return true;
    return false;
  }

  #isTooMuch(text) {
    return text.length > LIMITS.message || this.#replies + text.length > LIMITS.replies;
  }

  #add(text, about) {
    if (text.length <= LIMITS.whole) {
      this.#number({ body: text, part: false, begins: true, end: true, ...about });
      return;
    }
    for (let at = 0; at < text.length; ) {
      let end = Math.min(at + LIMITS.piece, text.length);
      const code = text.charCodeAt(end - 1);
      if (end < text.length && code >= 0xd800 && code < 0xdc00) end -= 1; // never half a character
      const piece = { piece: text.slice(at, end), more: end < text.length };
      const place = { part: true, begins: at === 0, end: !piece.more };
      this.#number({ body: JSON.stringify(piece), ...place, ...about });
      at = end;
    }
  }

  #number(frame) {
    this.#last += 1;
    this.#frames.set(this.#last, frame);
    this.#count(frame, 1);
  }

  #count(frame, sign) {
    if (frame.re === null) this.#events += sign * frame.body.length;
    else this.#replies += sign * frame.body.length;
  }

  // The pieces of a message stay together: all of them are dropped, or none.
  #makeRoom() {
    const sizes = new Map();
    for (const { tab, body } of this.#frames.values()) {
      if (tab !== null) sizes.set(tab, (sizes.get(tab) ?? 0) + body.length);
    }
    const [most] = [...sizes].sort(([, one], [, other]) => other - one)[0] ?? [];
    if (most === undefined) return;
    const body = JSON.stringify({ on: "lost", tabs: [most] });
    let open = false; // in the middle of a message of which a part has left
    for (const [n, frame] of this.#frames) {
      if (frame.tab !== most) continue;
      const inside = open;
      open = frame.part && !frame.end && (n <= this.#sent || inside);
      if (n <= this.#sent || inside) continue; // it is on its way, or its beginning is
      this.#count(frame, -1);
      const place = { part: false, begins: true, end: true };
      const short = { body, ...place, tab: most, re: null, about: null };
      this.#frames.set(n, short);
      this.#count(short, 1);
      this.dropped += 1;
      this.#lost.set(most, n);
    }
  }
}
