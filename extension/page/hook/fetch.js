// Copies what `fetch` brings, from a clone: the page's own response is never read.
//
// What the page gave us is looked at no more often than the browser itself would look. `init` is
// handed on inside a Proxy that notes what the browser reads of it; something that has to
// become a text first becomes one once, here, and the text is handed on.
((tabwire) => {
  "use strict";
  const { natives, matching, channel } = tabwire;
  const { Bytes, apply, find, get, getter, keep, method, parts, root } = natives;

  const request = {
    url: getter(Request.prototype, "url"),
    method: getter(Request.prototype, "method"),
    used: getter(Request.prototype, "bodyUsed"),
    signal: getter(Request.prototype, "signal"),
    clone: method(Request.prototype, "clone"),
    bytes: method(Request.prototype, "arrayBuffer"),
  };
  const response = {
    status: getter(Response.prototype, "status"),
    type: getter(Response.prototype, "type"),
    url: getter(Response.prototype, "url"),
    headers: getter(Response.prototype, "headers"),
    used: getter(Response.prototype, "bodyUsed"),
    body: getter(Response.prototype, "body"),
    clone: method(Response.prototype, "clone"),
  };
  natives.plain(root, "fetch"); // what is wrapped must be the browser's own, too
  const header = method(Headers.prototype, "get");
  const readerOf = method(ReadableStream.prototype, "getReader");
  const read = method(ReadableStreamDefaultReader.prototype, "read");
  const cancel = method(ReadableStreamDefaultReader.prototype, "cancel");

  const isLocked = getter(ReadableStream.prototype, "locked");
  const writableLocked = getter(WritableStream.prototype, "locked");
  const nativePipeTo = natives.plain(ReadableStream.prototype, "pipeTo");
  natives.plain(ReadableStream.prototype, "tee");

  const SHUT = { __proto__: null, opaque: true, opaqueredirect: true, error: true };

  const isRequest = (value) => {
    try {
      request.url(value);
      return true;
    } catch {
      return false;
    }
  };

  // Where a call goes. An object that is neither a request nor a URL becomes text, once.
  const targetOf = (args) => {
    const input = args[0];
    if (typeof input === "string") return input;
    if (input === null || typeof input !== "object") return `${input}`;
    if (isRequest(input)) return request.url(input);
    try {
      return parts.href(input);
    } catch {
      // something with a `toString` of its own
    }
    try {
      args[0] = `${input}`;
    } catch (error) {
      // the browser shall fail as it would have, and where it would have
      args[0] = {
        toString() {
          throw error;
        },
      };
      return "";
    }
    return args[0];
  };

  const NOTED = { __proto__: null, method: true, body: true, signal: true, preventCancel: true };

  // What the browser reads of `init`, as it reads it.
  const noting = (init, seen) =>
    // not around `init` itself: of a frozen object a Proxy must repeat what is in it
    new natives.Proxy({ __proto__: null }, {
      __proto__: null,
      get(_, name) {
        let value = get(init, name, init);
        if (name === "method" && value !== null && typeof value === "object") value = `${value}`;
        if (NOTED[name]) seen[name] = value;
        return value;
      },
    });

  // What is to be done with a call: null where it is none of ours.
  const planFor = (args) => {
    if (!channel.isOn() || args.length === 0) return null;
    const address = natives.address(targetOf(args));
    if (address === null || !matching.mayMatch(address)) return null;
    const seen = { __proto__: null };
    const plan = { address, seen, from: null, copy: null, method: "GET" };
    if (isRequest(args[0])) {
      plan.from = args[0];
      plan.method = request.method(plan.from);
      const bodiless = plan.method === "GET" || plan.method === "HEAD";
      if (!bodiless && !request.used(plan.from)) plan.copy = request.clone(plan.from);
    }
    const init = args[1];
    if (init !== null && (typeof init === "object" || typeof init === "function")) {
      args[1] = noting(init, seen);
    }
    return plan;
  };

  const bytesOf = async (copy) => new Bytes(await request.bytes(copy));

  // The call has gone out; whatever it was given is still as the browser saw it.
  const begun = (plan) => {
    const { address, seen } = plan;
    const how = typeof seen.method === "string" ? seen.method : plan.method;
    const kind = matching.kindOf(how, address);
    if (kind === null) return null;
    const attempt = channel.begin("fetch", natives.upper(how), address, kind);
    const given = seen.body !== undefined && seen.body !== null;
    attempt.left(given ? channel.bodyOf(seen.body) : plan.copy ? bytesOf(plan.copy) : null);
    attempt.signal = seen.signal ?? (plan.from ? request.signal(plan.from) : null);
    return attempt;
  };

  const endedBy = (attempt, error) => {
    let name = "";
    try {
      name = natives.errorName(error);
    } catch {
      // no DOMException: of a page's own making, or the network's TypeError
    }
    let stopped = name === "AbortError" || name === "TimeoutError";
    try {
      stopped ||= natives.aborted(attempt.signal);
    } catch {
      // no signal
    }
    attempt.ended(stopped ? "canceled" : "failed", stopped ? "aborted" : "network");
  };

  const streams = new natives.WeakMap(); // the page's stream, reader or iterator → our reader's end
  const answers = new natives.WeakMap(); // the page's response → the same

  const LARGE = 256 * 1024;
  const BURST = 64 * 1024; // bytes read at a stretch
  const PAUSE = 8; // milliseconds of silence that end a stretch

  const pump = async (reader, attempt, large) => {
    let burst = 0;
    if (large) await natives.rest(); // it is there at once: the page first
    let since = natives.ticks();
    try {
      for (;;) {
        const step = await read(reader);
        if (step.done) break;
        burst = natives.ticks() - since > PAUSE ? 0 : burst + natives.size(step.value);
        since = natives.ticks();
        if (!attempt.bytes(step.value)) {
          quietly(cancel(reader));
          break;
        }
        if (burst >= BURST) {
          // much at once: the page reads first, what we have not read waits in the clone
          burst = 0;
          await natives.rest();
          since = natives.ticks();
        }
      }
      attempt.ended("whole", "");
    } catch (error) {
      endedBy(attempt, error);
    }
  };

  const quietly = async (promise) => {
    try {
      await promise;
    } catch {
      // nobody waits for it
    }
  };

  const copy = (answer, attempt) => {
    const headers = response.headers(answer);
    const mime = header(headers, "content-type") ?? "";
    const url = response.url(answer);
    attempt.head(response.status(answer), mime, url, header(headers, "retry-after"));
    if (SHUT[response.type(answer)]) {
      attempt.ended("failed", response.type(answer));
      return;
    }
    if (response.used(answer)) {
      attempt.ended("failed", "used");
      return;
    }
    const theirs = response.clone(answer);
    const stream = response.body(theirs);
    if (stream === null) {
      attempt.ended("whole", "");
      return;
    }
    const reader = readerOf(stream);
    // Canceling one half of a clone does not end the transfer: when the page lets go, so do we.
    know(answer, () => {
      attempt.ended("canceled", "page");
      quietly(cancel(reader));
    });
    pump(reader, attempt, header(headers, "content-length") > LARGE);
  };

  // The same outcome for the page, after we have looked: a promise of its own, so that one
  // that nobody catches is still reported to the page as such.
  const passing = async (promise, attempt) => {
    let answer;
    try {
      answer = await promise;
    } catch (error) {
      endedBy(attempt, error);
      throw natives.cleaned(error);
    }
    try {
      copy(answer, attempt);
    } catch {
      attempt.ended("failed", "copy");
    }
    return answer;
  };

  const calling = (target, self, args) => {
    let plan = null;
    try {
      plan = planFor(args);
    } catch {
      // a fault of ours is no fault of the page
    }
    const promise = apply(target, self, args);
    if (plan === null) return natives.passed(promise);
    try {
      const attempt = begun(plan);
      return attempt === null ? natives.passed(promise) : passing(promise, attempt);
    } catch {
      return natives.passed(promise);
    }
  };

  const know = (answer, end) => {
    keep(answers, answer, end);
    keep(streams, response.body(answer), end);
  };

  const isFree = (stream) => {
    try {
      return !isLocked(stream);
    } catch {
      return false; // no stream
    }
  };

  // What lets go of a stream tells us, unless the browser refuses it; what hands a stream on makes
  // its heir known.
  const letsGo = (owner, name, may = () => true) =>
    natives.wrapMethod(owner, name, (target, self, args) => {
      const goes = may(self);
      const done = apply(target, self, args);
      try {
        if (goes) find(streams, self)?.();
      } catch {
        // the page's stream is canceled in any case
      }
      return natives.passed(done);
    });
  const handsOn = (owner, name) =>
    natives.wrapMethod(owner, name, (target, self, args) => {
      const end = find(streams, self);
      const seen = { __proto__: null, preventCancel: false };
      if (end !== undefined && args.length > 0 && isObject(args[0])) args[0] = noting(args[0], seen);
      const heir = apply(target, self, args);
      if (end !== undefined && !seen.preventCancel) keep(streams, heir, end);
      return heir;
    });
  // A reader that gave its stream back can cancel nothing.
  const givesBack = (owner) =>
    natives.wrapMethod(owner, "releaseLock", (target, self, args) => {
      const done = apply(target, self, args);
      natives.forget(streams, self);
      return done;
    });

  // What was divided is let go of when both halves are.
  const halves = (end) => {
    let left = 2;
    const half = () => {
      let held = true;
      return () => {
        if (held) left -= 1;
        held = false;
        if (left === 0) end();
      };
    };
    return { one: half(), other: half() };
  };
  const knowHalves = (end, first, second, tell) => {
    try {
      const { one, other } = halves(end);
      tell(first, one);
      tell(second, other);
    } catch {
      // they are read without us
    }
  };
  const tee = (target, self, args) => {
    const end = find(streams, self);
    const both = apply(target, self, args);
    if (end !== undefined) knowHalves(end, both[0], both[1], (half, its) => keep(streams, half, its));
    return both;
  };
  const clone = (target, self, args) => {
    const end = find(answers, self);
    const twin = apply(target, self, args);
    if (end !== undefined) knowHalves(end, self, twin, know); // of `self`, too: its stream is a new one
    return twin;
  };

  // A pipe that breaks lets go of its source, unless it was told not to.
  const piped = async (promise, end, seen) => {
    try {
      return await promise;
    } catch (error) {
      if (!seen.preventCancel) end();
      throw natives.cleaned(error);
    }
  };
  const isObject = (value) => value !== null && typeof value === "object";
  const pipeTo = (target, self, args) => {
    const end = find(streams, self);
    if (end === undefined || !isFree(self)) return natives.passed(apply(target, self, args));
    const seen = { __proto__: null, preventCancel: false };
    if (args.length > 1 && isObject(args[1])) args[1] = noting(args[1], seen);
    const promise = apply(target, self, args);
    return isFree(self) ? natives.passed(promise) : piped(promise, end, seen); // free: it was refused
  };
  const canPipe = (self, readable, writable) => {
    try {
      isLocked(readable); // only of a stream can this be asked
      return isFree(self) && !writableLocked(writable);
    } catch {
      return false;
    }
  };
  // Of `pipeThrough` nobody is told how it ends: it is `pipeTo`, and its readable half. Where that
  // cannot be, the browser says what is wrong.
  const pipeThrough = (target, self, args) => {
    const ours = find(streams, self) !== undefined && args.length > 0 && isObject(args[0]);
    if (!ours) return apply(target, self, args);
    const { readable, writable } = args[0]; // in the browser's order
    args[0] = { __proto__: null, readable, writable };
    if (!canPipe(self, readable, writable)) return apply(target, self, args);
    quietly(pipeTo(nativePipeTo, self, [writable, args.length > 1 ? args[1] : undefined]));
    return isFree(self) ? apply(target, self, args) : readable;
  };

  const READERS = [ReadableStreamDefaultReader.prototype, ReadableStreamBYOBReader.prototype];

  tabwire.hookFetch = () => {
    natives.wrapMethod(root, "fetch", calling);
    handsOn(ReadableStream.prototype, "getReader");
    letsGo(ReadableStream.prototype, "cancel", isFree);
    natives.wrapMethod(ReadableStream.prototype, "tee", tee);
    natives.wrapMethod(Response.prototype, "clone", clone);
    natives.wrapMethod(ReadableStream.prototype, "pipeTo", pipeTo);
    natives.wrapMethod(ReadableStream.prototype, "pipeThrough", pipeThrough);
    for (let at = 0; at < READERS.length; at += 1) {
      letsGo(READERS[at], "cancel");
      givesBack(READERS[at]);
    }
    const values = natives.getOwnPropertyDescriptor(ReadableStream.prototype, "values");
    if (values === undefined) return; // Chrome before 124 has no iterator
    const steps = Object.getPrototypeOf(apply(values.value, new ReadableStream(), []));
    handsOn(ReadableStream.prototype, "values");
    natives.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
      ...natives.getOwnPropertyDescriptor(ReadableStream.prototype, Symbol.asyncIterator),
      value: ReadableStream.prototype.values,
    });
    letsGo(steps, "return");
  };
})(globalThis.tabwire);
