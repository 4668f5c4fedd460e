// The browser's own functions, copied before any script of the page could change them.
//
// Loaded first in the page's world, where everything we do later goes through these copies: a
// page may replace `Array.prototype.push`, and must neither see what we do nor break it. So there
// is no spread of lists, no `for … of` and no array pattern in files of that world: all of them call the
// page's iterators. A property is made in a literal or a class field and never by assigning to
// it first: a setter on `Object.prototype` would hear of it. All is strict, so that a stack
// trace hands out none of our functions. (Chrome runs a file once in a frame: the isolated world has its own.)
//
// `untouched` is false where a function does not look like the browser's own. That happens in
// a window which another window of the same site opened and prepared: Chrome keeps the global
// object of the empty document when the first page of the same origin comes.
((root) => {
  "use strict";
  const raced = Object.getOwnPropertyDescriptor(root, "tabwire") !== undefined;
  const { apply, construct, get } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const print = Function.prototype.toString;
  let untouched = !raced;

  const uncurry = (fn) => (self, ...args) => apply(fn, self, args);

  const check = (fn, name) => {
    const own = getOwnPropertyDescriptor(fn, "name");
    const looks = typeof fn === "function" && own && own.value === name;
    if (!looks || apply(print, fn, []) !== `function ${name}() { [native code] }`) untouched = false;
    return fn;
  };
  const plain = (owner, name) => check(getOwnPropertyDescriptor(owner, name).value, name);
  const method = (owner, name) => uncurry(plain(owner, name));
  const getter = (owner, name) =>
    uncurry(check(getOwnPropertyDescriptor(owner, name).get, `get ${name}`));
  const setter = (owner, name) =>
    uncurry(check(getOwnPropertyDescriptor(owner, name).set, `set ${name}`));

  const typed = Object.getPrototypeOf(Uint8Array.prototype);
  plain(Function.prototype, "toString");
  plain(Reflect, "apply");
  plain(Reflect, "construct");
  plain(Reflect, "get");
  plain(Object, "defineProperty");
  plain(Object, "getOwnPropertyDescriptor");
  check(root.Proxy, "Proxy");
  check(root.WeakMap, "WeakMap");
  check(root.URL, "URL");
  check(root.MessageChannel, "MessageChannel");

  const { performance, crypto, document } = root;
  const now = method(Performance.prototype, "now");
  const origin = getter(Performance.prototype, "timeOrigin")(performance);
  const random = method(Crypto.prototype, "randomUUID");
  const encoder = new TextEncoder();
  const encode = method(TextEncoder.prototype, "encode");
  const postTask = method(Scheduler.prototype, "postTask");
  const { scheduler } = root;
  const href = getter(root.URL.prototype, "href");
  const base = getter(Node.prototype, "baseURI");
  const Url = root.URL;

  const natives = {
    apply, construct, get, defineProperty, getOwnPropertyDescriptor, print,
    Proxy: root.Proxy, WeakMap: root.WeakMap, Bytes: Uint8Array, root, document,
    method, getter, setter, plain, uncurry,

    split: method(String.prototype, "split"),
    slice: method(String.prototype, "slice"),
    upper: method(String.prototype, "toUpperCase"),
    trim: method(String.prototype, "trim"),
    starts: method(String.prototype, "startsWith"),
    ends: method(String.prototype, "endsWith"),
    code: method(String.prototype, "charCodeAt"),
    exec: method(RegExp.prototype, "exec"),
    assign: plain(Object, "assign"),
    push: method(Array.prototype, "push"),
    shift: method(Array.prototype, "shift"),
    find: method(WeakMap.prototype, "get"),
    keep: method(WeakMap.prototype, "set"),
    forget: method(WeakMap.prototype, "delete"),
    toJson: plain(JSON, "stringify"),

    parts: {
      href,
      protocol: getter(Url.prototype, "protocol"),
      host: getter(Url.prototype, "hostname"),
      path: getter(Url.prototype, "pathname"),
      params: getter(Url.prototype, "searchParams"),
    },
    param: method(URLSearchParams.prototype, "get"),
    form: method(URLSearchParams.prototype, "toString"),

    buffer: getter(typed, "buffer"),
    start: getter(typed, "byteOffset"),
    size: getter(typed, "byteLength"),
    fill: method(typed, "set"),
    cut: method(typed, "slice"),
    isView: plain(ArrayBuffer, "isView"),
    length: getter(ArrayBuffer.prototype, "byteLength"),
    viewBuffer: getter(DataView.prototype, "buffer"),
    viewStart: getter(DataView.prototype, "byteOffset"),
    viewSize: getter(DataView.prototype, "byteLength"),
    blobBytes: method(Blob.prototype, "arrayBuffer"),
    blobSize: getter(Blob.prototype, "size"),

    listen: method(EventTarget.prototype, "addEventListener"),
    data: getter(MessageEvent.prototype, "data"),
    ports: getter(MessageEvent.prototype, "ports"),
    stop: method(Event.prototype, "stopImmediatePropagation"),
    prevent: method(Event.prototype, "preventDefault"),
    post: method(MessagePort.prototype, "postMessage"),
    hear: setter(MessagePort.prototype, "onmessage"),
    errorName: getter(DOMException.prototype, "name"),
    aborted: getter(AbortSignal.prototype, "aborted"),
    element: method(Document.prototype, "createElement"),
    html: getter(Document.prototype, "documentElement"),
    append: method(Node.prototype, "appendChild"),
    mark: method(Element.prototype, "setAttribute"),
    unmark: method(Element.prototype, "removeAttribute"),

    at: () => (origin + now(performance)) / 1000,
    ticks: () => now(performance),
    newId: () => random(crypto),
    utf8: (text) => encode(encoder, text),
    // Not by `setTimeout`: a page may clear every number there is.
    later: (fn, milliseconds) => void postTask(scheduler, fn, { __proto__: null, delay: milliseconds }),
    // A promise kept when the page has nothing else to do.
    rest: () => postTask(scheduler, () => {}, { __proto__: null, priority: "background" }),
    // An address as the page's own call would resolve it, or null.
    address: (text) => {
      try {
        return construct(Url, [text, base(document)]);
      } catch {
        return null;
      }
    },
    isUntouched: () => untouched,
  };

  // Wrapped functions look like what they wrap: a Proxy keeps name, length, prototype and
  // whether it can be constructed; only printed it loses its name, so printing knows of them.
  const originals = new WeakMap();
  natives.wrap = (fn, traps) => {
    const wrapped = new natives.Proxy(fn, traps);
    natives.keep(originals, wrapped, fn);
    return wrapped;
  };

  // Every error has the way it came in its `stack`, and a call that we stand in has us in it. What
  // is thrown to the page says nothing of us: our lines are taken out. (There is no way in a page
  // to hand a call on without standing in it.)
  const found = natives.exec(/chrome-extension:\/\/[^/]*\//, `${new Error().stack}`);
  const ours = found === null ? null : found[0];
  const includes = method(String.prototype, "includes");
  natives.cleaned = (error) => {
    try {
      const own = error !== null && typeof error === "object" && getOwnPropertyDescriptor(error, "stack");
      const stack = own ? get(error, "stack", error) : null;
      if (ours === null || typeof stack !== "string" || !includes(stack, ours)) return error;
      const lines = natives.split(stack, "\n");
      let text = lines[0];
      for (let at = 1; at < lines.length; at += 1) if (!includes(lines[at], ours)) text += `\n${lines[at]}`;
      if (own.set) apply(own.set, error, [text]);
      else defineProperty(error, "stack", { ...own, value: text });
    } catch {
      // the page's own, or frozen: as it is
    }
    return error;
  };
  // The same promise for the page, but for our lines in what it fails with. One that nobody
  // catches is still reported to the page as such.
  natives.passed = async (promise) => {
    try {
      return await promise;
    } catch (error) {
      throw natives.cleaned(error);
    }
  };

  const LEADS = { __proto__: null, fetch: true, open: true, send: true, XMLHttpRequest: true, WebSocket: true, EventSource: true };
  const put = []; // what we put where
  natives.wrapMethod = (owner, name, act) => {
    const was = getOwnPropertyDescriptor(owner, name);
    const wrapped = natives.wrap(was.value, {
      __proto__: null,
      apply(target, self, args) {
        try {
          return act(target, self, args);
        } catch (error) {
          throw natives.cleaned(error);
        }
      },
    });
    defineProperty(owner, name, { ...was, value: wrapped });
    natives.push(put, { owner, name, wrapped });
  };
  // Whether a page has put another frame's function in the place of one of ours, which leads past
  // us. A page that wraps ours in its own still leads to us.
  natives.isBypassed = () => {
    for (let at = 0; at < put.length; at += 1) {
      const { owner, name, wrapped } = put[at];
      const now = getOwnPropertyDescriptor(owner, name)?.value;
      const other = LEADS[name] && typeof now === "function" && now !== wrapped;
      if (other && apply(print, now, []) === `function ${name}() { [native code] }`) return true;
    }
    return false;
  };
  // `look` sees what was made, before the page does. Arguments are read once, by the browser.
  natives.wrapMaker = (name, look) => {
    const was = getOwnPropertyDescriptor(root, name);
    const Made = was.value;
    const wrapped = natives.wrap(Made, {
      __proto__: null,
      construct(target, args, maker) {
        let made;
        try {
          made = construct(target, args, maker === wrapped ? target : maker);
        } catch (error) {
          throw natives.cleaned(error);
        }
        try {
          look(made);
        } catch {
          // it works without us
        }
        return made;
      },
    });
    defineProperty(root, name, { ...was, value: wrapped });
    natives.push(put, { owner: root, name, wrapped });
    const back = getOwnPropertyDescriptor(Made.prototype, "constructor");
    defineProperty(Made.prototype, "constructor", { ...back, value: wrapped });
  };
  natives.wrapPrinting = () => {
    natives.wrapMethod(Function.prototype, "toString", (target, self, args) =>
      apply(target, natives.find(originals, self) ?? self, args),
    );
  };

  // Away again when the last file of a world has run, in the page's world.
  defineProperty(root, "tabwire", { value: { natives, raced }, configurable: true });
})(globalThis);
