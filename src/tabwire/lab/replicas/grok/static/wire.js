// What the page asks its server. Answers come as one JSON object per line.

const API = "/rest/app-chat";

// The server said no: with a status, or in a line of its own.
export class Refused extends Error {
  constructor(message, { status = 200, code = 0, html = "" } = {}) {
    super(message);
    Object.assign(this, { status, code, html });
  }

  get isLimit() {
    return this.status === 429 || this.code === 8;
  }

  get isLogin() {
    return this.status === 401 || this.code === 16;
  }
}

export async function get(path) {
  return (await checked(await fetch(API + path))).json();
}

export async function post(path, body) {
  return (await sent(API + path, body)).json();
}

export async function allowance() {
  return (await sent("/rest/rate-limits", { requestKind: "DEFAULT", modelName: "grok-4" })).json();
}

export async function projects() {
  return (await (await checked(await fetch("/rest/workspaces"))).json()).workspaces;
}

// A file goes as base64 within JSON; resolves with what the site calls it.
export async function upload(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  const body = { fileName: file.name, fileMimeType: file.type || "text/plain", content: btoa(text) };
  return (await post("/upload-file", body)).fileMetadataId;
}

// Begin an answer: `page` is what the lab tells the page to do, `records` are the lines as they
// come, over when the body is or when `signal` aborts.
export async function answer(path, body, signal) {
  const response = body ? await sent(API + path, body, signal) : await checked(await fetch(API + path, { signal }));
  return { page: response.headers.get("x-lab-page"), records: records(response) };
}

export async function* records(response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const record = JSON.parse(line);
      if (record.error) throw new Refused(record.error.message, record.error);
      yield record.result ?? record;
    }
  }
}

async function sent(address, body, signal) {
  const headers = { "content-type": "application/json" };
  return checked(await fetch(address, { method: "POST", headers, body: JSON.stringify(body), signal }));
}

export async function checked(response) {
  if (response.ok) return response;
  const { status } = response;
  const text = await response.text();
  if (text.trimStart().startsWith("<")) throw new Refused("a page in the place of data", { status, html: text });
  const said = parsed(text);
  const error = said?.error ?? said?.errors?.[0];
  throw new Refused(error?.message ?? `${status} from ${new URL(response.url).pathname}`, { status, code: error?.code });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
