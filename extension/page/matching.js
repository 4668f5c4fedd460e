// Which requests of a page are copied, and what each is to us.
//
// Written to agree with src/tabwire/sites/*/requests.py, except that what is IGNORED or FOREIGN
// there is null here; a test asks both about the same addresses. Paths are compared segment by
// segment, never by a part of the text.
((tabwire) => {
  "use strict";
  const { ends, exec, param, parts, push, slice, split, starts, trim, upper } = tabwire.natives;
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
  const { pages, requests } = tabwire.hosts;
  const BACKENDS = { __proto__: null, "backend-api": true, "backend-anon": true, "backend-alt": true };
  const GROK_TAILS = {
    __proto__: null,
    "GET response-node": "canonical",
    "POST load-responses": "canonical",
    "GET load-responses": "canonical",
    "POST responses": "answer",
    "GET responses": "canonical",
    "POST stop-inflight-responses": "stop",
  };

  const isUuid = (text) => exec(UUID, text) !== null;

  const segmentsOf = (path) => {
    const all = split(path, "/");
    const found = [];
    for (let at = 0; at < all.length; at += 1) if (all[at] !== "") push(found, all[at]);
    return found;
  };

  const bare = (host) => (ends(host, ".") ? slice(host, 0, -1) : host);

  const chatgpt = (method, s) => {
    if (!BACKENDS[s[0]]) return null;
    const at = s[1] === "f" ? 2 : 1;
    const count = s.length - at;
    const one = s[at];
    const two = s[at + 1];
    if (count === 1) {
      if (method === "POST" && one === "conversation") return "answer";
      if (method === "POST" && one === "stop_conversation") return "stop";
      return method === "GET" && one === "conversations" ? "list" : null;
    }
    if (one !== "conversation" && one !== "conversations") return null;
    if (count === 2) {
      if (one === "conversation" && two === "resume") return "resume";
      return method === "GET" && isUuid(two) ? "canonical" : null;
    }
    if (count !== 3 || one !== "conversation") return null;
    const three = s[at + 2];
    if (isUuid(two) && three === "stream_status") return "hint";
    return method === "POST" && two === "gen_title" && isUuid(three) ? "title" : null;
  };

  // The conversation in a path of Gemini, after `/u/{account}` was taken off.
  const ID = /^(c_)?[A-Za-z0-9_-]+$/;
  const shows = (s, at) => {
    const found = s[at] === "app" ? s[at + 1] : s[at] === "gem" ? s[at + 2] : undefined;
    return found !== undefined && found !== "c_" && exec(ID, found) !== null;
  };
  const DIGITS = /^\p{Nd}+$/u;
  const account = (s) => (s[0] === "u" && s.length > 1 && exec(DIGITS, s[1]) !== null ? 2 : 0);

  const gemini = (method, s, address) => {
    const at = account(s);
    if (s[at] !== "_" || s[at + 1] !== "BardChatUi" || s[at + 2] !== "data") return null;
    const count = s.length - at;
    if (count === 5 && s[at + 3] === "assistant.lamda.BardFrontendService") {
      return method === "POST" && s[at + 4] === "StreamGenerate" ? "answer" : null;
    }
    if (count !== 4 || s[at + 3] !== "batchexecute") return null;
    const params = parts.params(address);
    const calls = split(param(params, "rpcids") ?? "", ",");
    const has = (name) => {
      for (let one = 0; one < calls.length; one += 1) if (trim(calls[one]) === name) return true;
      return false;
    };
    if (has("hNvQHb")) return "canonical";
    if (has("MaZiqc")) return "list";
    const source = segmentsOf(param(params, "source-path") ?? "");
    return has("ESY5D") && shows(source, account(source)) ? "title" : null;
  };

  const grok = (method, s) => {
    if (s.length === 2 && s[0] === "rest" && s[1] === "rate-limits") {
      return method === "POST" ? "allowance" : null;
    }
    if (s[0] !== "rest" || s[1] !== "app-chat") return null;
    const count = s.length - 2;
    const one = s[2];
    const two = s[3];
    const inside = one === "conversations";
    if (inside && count === 1) return method === "GET" ? "list" : null;
    const alone = (inside && count === 2 && two) || (count === 1 && one);
    if (alone === "load-responses") return GROK_TAILS[`${method} load-responses`] ?? null;
    if (inside && count === 2 && two === "new") return method === "POST" ? "answer" : null;
    if (inside && count === 3 && two === "inflight-response" && method === "DELETE") return "stop";
    if (count === 2 && (inside || one === "conversations_v2")) return method === "GET" ? "title" : null;
    const tail = inside && count > 1 ? two : one;
    if (count > 0 && starts(tail, "reconnect-response")) return method === "GET" ? "resume" : null;
    if ((inside || one === "conversations_v2") && count === 3) return GROK_TAILS[`${method} ${s[4]}`] ?? null;
    const stops = inside && count === 4 && s[4] === "inflight-response" && method === "DELETE";
    return stops ? "stop" : null;
  };

  const siteOf = (host) => {
    const name = bare(host);
    return pages[name] ?? requests[name] ?? null;
  };

  // What a request is to us: one of `RequestKind`, or null where it is not copied.
  const kindOf = (method, address) => {
    const host = bare(parts.host(address));
    const site = siteOf(host);
    if (site === null) return null;
    const scheme = parts.protocol(address);
    if (host === "ws.chatgpt.com") {
      return scheme === "wss:" || scheme === "ws:" || scheme === "https:" ? "handoff" : null;
    }
    const segments = segmentsOf(parts.path(address));
    const asked = upper(method);
    if (site === "chatgpt") return chatgpt(asked, segments);
    return site === "gemini" ? gemini(asked, segments, address) : grok(asked, segments);
  };

  // Whether it could be one of ours whatever its method is: everything else is left alone.
  const METHODS = ["POST", "GET", "DELETE"];
  const mayMatch = (address) => {
    for (let at = 0; at < METHODS.length; at += 1) {
      if (kindOf(METHODS[at], address) !== null) return true;
    }
    return false;
  };

  tabwire.matching = { siteOf, kindOf, mayMatch };
})(globalThis.tabwire);
