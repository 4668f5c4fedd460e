// Copies what a WebSocket carries both ways, and what an EventSource brings.
//
// The constructors are wrapped so that we listen first; subclasses, `instanceof`, constants and
// `prototype.constructor` stay what they were.
((tabwire) => {
  "use strict";
  const { natives, matching, channel } = tabwire;
  const { apply, data, find, getter, keep, listen, root } = natives;
  const SCHEMES = { __proto__: null, "ws:": true, "wss:": true };
  const wasClean = getter(CloseEvent.prototype, "wasClean");
  const typeOf = getter(Event.prototype, "type");
  const lastId = getter(MessageEvent.prototype, "lastEventId");
  const sourceState = getter(EventSource.prototype, "readyState");
  const CLOSED = 2;
  natives.plain(root, "WebSocket"); // what is wrapped must be the browser's own, too
  natives.plain(root, "EventSource");
  natives.plain(WebSocket.prototype, "send");

  const sockets = new natives.WeakMap(); // socket → its attempt, and the end of its queue

  // What a frame holds: a text, bytes, or a Blob that has to be read.
  const pass = (line, sent, content) => {
    if (typeof content === "string") {
      line.add(() => line.attempt.frame(sent, content, null), false);
      return;
    }
    const view = channel.viewed(content);
    if (view !== null) {
      const bytes = natives.cut(view, 0); // now: the page may write into it at once
      line.add(() => line.attempt.frame(sent, "", bytes), false);
      return;
    }
    const read = channel.bytesOfBlob(content);
    const then = async () => {
      const bytes = await read;
      if (bytes !== null) line.attempt.frame(sent, "", bytes);
    };
    line.add(then, true);
  };

  // One thing after the other: a Blob must be read first, and what comes behind it waits.
  const lineOf = (attempt) => {
    let busy = null;
    const go = async (before, act) => {
      try {
        await before;
        await act();
      } catch {
        // a Blob that cannot be read is left out
      }
    };
    const add = (act, waits) => {
      if (busy === null && !waits) {
        act();
        return;
      }
      const mine = go(busy, act);
      busy = mine;
      (async () => {
        await mine;
        if (busy === mine) busy = null;
      })();
    };
    return { attempt, add };
  };

  const watchSocket = (socket, address, kind) => {
    const attempt = channel.begin("socket", "GET", address, kind);
    const line = lineOf(attempt);
    keep(sockets, socket, line);
    attempt.left(null);
    listen(socket, "message", (event) => {
      try {
        if (event.isTrusted) pass(line, false, data(event)); // a page may dispatch what it likes
      } catch {
        // a fault of ours is no fault of the page
      }
    });
    listen(socket, "close", (event) => {
      if (!event.isTrusted) return;
      const clean = wasClean(event);
      line.add(() => attempt.ended(clean ? "whole" : "failed", clean ? "closed" : "network"), false);
    });
  };

  const watchSource = (source, address, kind) => {
    const attempt = channel.begin("source", "GET", address, kind);
    attempt.left(null);
    const heard = { __proto__: null };
    const onEvent = (event) => {
      try {
        if (!event.isTrusted) return;
        const name = typeOf(event);
        const id = lastId(event);
        const head = (name === "message" ? "" : `event: ${name}\n`) + (id ? `id: ${id}\n` : "");
        const lines = natives.split(`${data(event)}`, "\n");
        let text = head;
        for (let at = 0; at < lines.length; at += 1) text += `data: ${lines[at]}\n`;
        attempt.bytes(natives.utf8(`${text}\n`));
      } catch {
        // an error event of the source, or no text
      }
    };
    const hear = (name) => {
      if (heard[name]) return;
      heard[name] = true;
      listen(source, name, onEvent);
    };
    hear("message");
    listen(source, "open", (event) => {
      if (event.isTrusted) attempt.head(200, "text/event-stream", natives.parts.href(address), null);
    });
    listen(source, "error", (event) => {
      if (event.isTrusted && sourceState(source) === CLOSED) attempt.ended("failed", "network");
    });
    // Events with a name are heard only by who asks for that name: we ask when the page does.
    const add = natives.plain(EventTarget.prototype, "addEventListener");
    natives.defineProperty(source, "addEventListener", {
      __proto__: null,
      configurable: true,
      writable: true,
      value: natives.wrap(add, {
        __proto__: null,
        apply(target, self, args) {
          try {
            const name = args[0];
            if (self === source && typeof name === "string" && name !== "open" && name !== "error") hear(name);
          } catch {
            // the page hears it all the same
          }
          return apply(target, self, args);
        },
      }),
    });
    keep(sockets, source, { attempt });
  };

  const wrapMaker = (name, watch, isOurs) => {
    const urlOf = getter(root[name].prototype, "url");
    natives.wrapMaker(name, (made) => {
      if (!channel.isOn()) return;
      const address = natives.address(urlOf(made));
      const kind = matching.kindOf("GET", address);
      if (kind !== null && isOurs(address)) watch(made, address, kind);
    });
  };

  tabwire.hookSockets = () => {
    wrapMaker("WebSocket", watchSocket, (address) => SCHEMES[natives.parts.protocol(address)] === true);
    wrapMaker("EventSource", watchSource, () => true);
    natives.wrapMethod(root.WebSocket.prototype, "send", (target, self, args) => {
      const done = apply(target, self, args);
      try {
        const line = find(sockets, self);
        if (line !== undefined && args.length > 0) pass(line, true, args[0]);
      } catch {
        // it was sent
      }
      return done;
    });
    natives.wrapMethod(root.EventSource.prototype, "close", (target, self, args) => {
      const done = apply(target, self, args);
      try {
        find(sockets, self)?.attempt.ended("canceled", "page");
      } catch {
        // it is closed
      }
      return done;
    });
  };
})(globalThis.tabwire);
