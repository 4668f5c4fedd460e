// Copies what an XMLHttpRequest brings. Its response is looked at and never consumed: text as
// it grows, everything else when it is whole.
//
// We listen from the moment a request is made, before the page can: its own handlers may send the
// same object again, end it, stop an event or give away what came, and then nothing is left to hear.
((tabwire) => {
  "use strict";
  const { natives, matching, channel } = tabwire;
  const { apply, code, find, getter, keep, listen, method, slice } = natives;
  const own = XMLHttpRequest.prototype;
  const xhr = {
    state: getter(own, "readyState"),
    type: getter(own, "responseType"),
    text: getter(own, "responseText"),
    response: getter(own, "response"),
    status: getter(own, "status"),
    url: getter(own, "responseURL"),
    header: method(own, "getResponseHeader"),
  };
  natives.plain(natives.root, "XMLHttpRequest"); // what is wrapped must be the browser's own, too
  natives.plain(own, "open");
  natives.plain(own, "send");
  const typeOf = getter(Event.prototype, "type");
  const HEADERS = 2;
  const DONE = 4;
  const PASSIVE = { __proto__: null, passive: true };

  const opened = new natives.WeakMap(); // request → what it was opened for
  const running = new natives.WeakMap(); // request → its attempt

  const isText = (request) => {
    const type = xhr.type(request);
    return type === "" || type === "text";
  };

  const headOnce = (request, run) => {
    if (run.headed || xhr.state(request) < HEADERS) return;
    const status = xhr.status(request);
    if (status === 0) return; // it failed
    run.headed = true;
    const mime = xhr.header(request, "content-type") ?? "";
    run.attempt.head(status, mime, xhr.url(request), xhr.header(request, "retry-after"));
  };

  // The text that is new. Half a character waits for its other half.
  const grow = (request, run, last) => {
    const text = xhr.text(request);
    let end = text.length;
    const tail = end > run.taken ? code(text, end - 1) : 0;
    if (!last && tail >= 0xd800 && tail < 0xdc00) end -= 1;
    if (end <= run.taken) return;
    run.attempt.bytes(natives.utf8(slice(text, run.taken, end)));
    run.taken = end;
  };

  // All of it, for the types that are there only when they are whole. May be a promise.
  const wholeOf = (request) => {
    const found = xhr.response(request);
    const type = xhr.type(request);
    if (found === null || found === undefined) return null;
    if (type === "json") return natives.utf8(natives.toJson(found));
    if (type === "blob") return channel.bytesOfBlob(found);
    return type === "arraybuffer" ? natives.cut(channel.viewed(found), 0) : null;
  };

  const finish = (request, run, how, why) => {
    forgetRun(request, run);
    if (how !== "whole") {
      run.attempt.ended(how, why);
      return;
    }
    if (isText(request)) {
      grow(request, run, true);
      run.attempt.ended(how, why);
      return;
    }
    const whole = wholeOf(request);
    const last = (bytes) => {
      if (bytes !== null) run.attempt.bytes(bytes);
      run.attempt.ended(bytes === null ? "failed" : how, bytes === null ? "unreadable" : why);
    };
    if (whole === null || channel.viewed(whole) !== null) last(whole);
    else {
      (async () => {
        let bytes = null;
        try {
          bytes = await whole;
        } catch {
          // gone with its page
        }
        last(bytes);
      })();
    }
  };

  const forgetRun = (request, run) => {
    run.over = true;
    if (find(running, request) === run) natives.forget(running, request);
  };

  const ENDS = {
    __proto__: null,
    load: ["whole", ""],
    error: ["failed", "network"],
    timeout: ["failed", "timeout"],
    abort: ["canceled", "aborted"],
  };

  // One listener for the life of a request object, however often it is sent.
  const hear = (request) => (event) => {
    try {
      const run = find(running, request);
      if (run === undefined || run.over || !event.isTrusted) return; // a page may dispatch what it likes
      // whole when it says so, not only with `load`: a page that ends it then hears no `load`
      const whole = xhr.state(request) === DONE && xhr.status(request) !== 0;
      const end = whole ? ENDS.load : ENDS[typeOf(event)];
      headOnce(request, run);
      if (end !== undefined) finish(request, run, end[0], end[1]);
      else if (run.headed && isText(request)) grow(request, run, false);
    } catch {
      // a fault of ours is no fault of the page
    }
  };

  const HEARD = ["readystatechange", "progress", "load", "error", "timeout", "abort"];
  const listened = new natives.WeakMap();
  const listenOnce = (request) => {
    if (find(listened, request)) return;
    keep(listened, request, true);
    const on = hear(request);
    for (let at = 0; at < HEARD.length; at += 1) listen(request, HEARD[at], on, PASSIVE);
  };

  const open = (target, self, args) => {
    // the browser makes texts of both; we do it once, in its order, and hand the texts on
    for (let at = 0; at < 2 && at < args.length; at += 1) {
      if (args[at] !== null && typeof args[at] === "object") args[at] = `${args[at]}`;
    }
    const done = apply(target, self, args);
    try {
      const before = find(running, self);
      if (before !== undefined) {
        forgetRun(self, before);
        before.attempt.ended("canceled", "reopened");
      }
      const how = natives.upper(`${args[0]}`);
      const address = natives.address(`${args[1]}`);
      const kind = address === null ? null : matching.kindOf(how, address);
      keep(opened, self, kind === null ? null : { how, address, kind });
    } catch {
      // not heard, then
    }
    return done;
  };

  const prepare = (self, args) => {
    const aim = find(opened, self);
    if (!aim || !channel.isOn() || xhr.state(self) !== 1) return null;
    if (find(running, self) !== undefined) return null; // it is under way: the browser refuses
    const body = args[0];
    const attempt = channel.begin("xhr", aim.how, aim.address, aim.kind);
    const run = { attempt, taken: 0, headed: false, over: false };
    keep(running, self, run);
    return { run, body };
  };

  const send = (target, self, args) => {
    let going = null;
    try {
      going = prepare(self, args);
      if (going !== null) {
        going.run.attempt.left(channel.bodyOf(going.body));
        listenOnce(self);
      }
    } catch {
      // it goes out without us
    }
    try {
      return apply(target, self, args);
    } catch (error) {
      // it never went out, or it was synchronous and failed
      try {
        if (going !== null && !going.run.over) finish(self, going.run, "failed", "network");
      } catch {
        // nobody hears of it
      }
      throw error;
    } finally {
      try {
        if (going !== null && !going.run.over && xhr.state(self) === DONE) {
          headOnce(self, going.run);
          finish(self, going.run, "whole", "");
        }
      } catch {
        // nobody hears of it
      }
    }
  };

  tabwire.hookXhr = () => {
    natives.wrapMaker("XMLHttpRequest", listenOnce);
    natives.wrapMethod(own, "open", open);
    natives.wrapMethod(own, "send", send);
  };
})(globalThis.tabwire);
