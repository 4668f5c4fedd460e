// What the page asks its server: an answer over XMLHttpRequest, everything else in batches,
// files by an upload in two steps on another host.

import { Frames, replies } from "/assets/frames.js";
import { stage } from "/assets/stage.js";

const { SNlM0e: AT, cfb2h: BUILD, FdrFJe: SESSION } = globalThis.WIZ_global_data;
const BASE = /^\/u\/\d+/.exec(location.pathname)?.[0] ?? "";
const DATA = `${BASE}/_/BardChatUi/data`;
const SERVICE = "/assistant.lamda.BardFrontendService";
const METHOD = stage.endpoint === "renamed" ? "StreamGenerateContent" : "StreamGenerate";
const UPLOAD = "https://content-push.googleapis.com/upload/";
const FORM = { "content-type": "application/x-www-form-urlencoded;charset=utf-8" };
const GEM = 19;
const TEMPORARY = 45;
let request = 100000;

export const base = BASE;

export class Refused extends Error {
  constructor(status, words) {
    super(words);
    this.status = status;
  }
}

// Ask, and hear every reply as it comes. Resolves when it is over, with how: `status` is 0
// where the connection broke, `stopped` where we hung up ourselves, `body` what was no data.
export function generate(question, { hear, headers, started }) {
  const call = new XMLHttpRequest();
  const frames = new Frames();
  const read = () => {
    if (call.status !== 200) return;
    for (const reply of replies(frames.read(call.responseText))) hear(reply);
  };
  return new Promise((resolve) => {
    call.open("POST", address(`${SERVICE}/${METHOD}`, {}));
    for (const [name, value] of Object.entries(FORM)) call.setRequestHeader(name, value);
    if (question.mode) {
      call.setRequestHeader("x-goog-ext-525001261-jspb", JSON.stringify([1, null, null, null, question.mode]));
    }
    call.onreadystatechange = () => {
      if (call.readyState === XMLHttpRequest.HEADERS_RECEIVED) headers(call.getResponseHeader("x-lab-page"));
    };
    call.onprogress = read;
    call.onload = () => {
      read();
      resolve({ status: call.status, body: call.status === 200 ? "" : call.responseText });
    };
    call.onabort = () => resolve({ status: 0, stopped: true, body: "" });
    call.onerror = () => resolve({ status: 0, body: "" });
    call.send(form([null, JSON.stringify(inner(question))]));
    started(call);
  });
}

function inner({ prompt, ids, files, gem, temporary }) {
  const listed = files.map(({ id, name, type }) => [[id, 1, null, type || "application/octet-stream"], name]);
  const asked = [[prompt, 0, null, listed.length ? listed : null, null, null, 0], [stage.lang], ids];
  const made = [...asked, null, null, null, [1]];
  if (gem) made[GEM] = gem;
  if (temporary) made[TEMPORARY] = 1;
  return Array.from(made, (one) => one ?? null); // JSON has no holes
}

// One call of a batch, and what it answered.
export async function ask(name, payload) {
  return (await askAll([[name, payload]]))[0];
}

// Several calls in one request, and what each answered.
export async function askAll(wanted) {
  const calls = [wanted.map(([name, payload]) => [name, JSON.stringify(payload), null, "generic"])];
  const names = wanted.map(([name]) => name).join(",");
  const response = await fetch(address("/batchexecute", { rpcids: names, "source-path": location.pathname }), {
    method: "POST",
    headers: FORM,
    body: form(calls),
  });
  if (!response.ok) throw new Refused(response.status, `${response.status} for ${names}`);
  const answers = new Map();
  for (const { call, payload } of replies(new Frames().read(await response.text()))) answers.set(call, payload);
  return wanted.map(([name]) => answers.get(name) ?? []);
}

// Bring a file to where the site wants it; its id there.
export async function put(file) {
  const about = { "push-id": "feeds/lab", "x-tenant-id": "bard-storage", "x-goog-upload-protocol": "resumable" };
  const begun = await fetch(UPLOAD, {
    method: "POST",
    headers: { ...about, "x-goog-upload-command": "start", "x-goog-upload-header-content-length": String(file.size) },
    body: `File name: ${file.name}`,
  });
  const where = begun.headers.get("x-goog-upload-url");
  if (!begun.ok || !where) throw new Refused(begun.status, `${begun.status}`);
  const done = await fetch(where, {
    method: "POST",
    headers: { ...about, "x-goog-upload-command": "upload, finalize", "x-goog-upload-offset": "0" },
    body: file,
  });
  if (!done.ok) throw new Refused(done.status, `${done.status}`);
  return done.text();
}

function address(path, more) {
  request += 100000;
  const query = { ...more, bl: BUILD, "f.sid": SESSION, hl: stage.lang, _reqid: request, rt: "c" };
  return `${DATA}${path}?${new URLSearchParams(query)}`;
}

function form(value) {
  return new URLSearchParams({ "f.req": JSON.stringify(value), at: AT }).toString();
}
