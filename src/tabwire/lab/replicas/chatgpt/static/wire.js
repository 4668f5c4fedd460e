// The page's requests: who is asking, with which headers, and what a refusal looks like.

import { seen, stage } from "/assets/stage.js";

const DEVICE = "oai-did";
const HUMAN = "/cdn-cgi/challenge-platform/"; // in the page that asks whether one is human

// The site said no. `detail` is what it said, `page` the HTML it sent instead.
export class Refused extends Error {
  constructor(status, path, detail, page) {
    super(`${status} from ${path}`);
    this.status = status;
    this.detail = detail;
    this.page = page;
  }

  get challenged() {
    return this.page.includes(HUMAN);
  }
}

export class Wire {
  // A guest has no session, and asks at addresses of its own.
  constructor({ guest }) {
    this.guest = guest;
    this.base = guest ? "/backend-anon" : "/backend-api";
    this.session = guest ? Promise.resolve({}) : this.who();
  }

  async who() {
    try {
      const response = await fetch("/api/auth/session");
      return response.ok ? await response.json() : {};
    } catch {
      return {};
    }
  }

  async get(path) {
    return this.call(path, { headers: await this.headers() });
  }

  async post(path, body, { accept = "application/json", headers = {}, signal } = {}) {
    const all = { ...(await this.headers()), "content-type": "application/json", accept, ...headers };
    return this.call(path, { method: "POST", headers: all, body: JSON.stringify(body), signal });
  }

  // The request that asks: after a rebuild of the site it may go elsewhere.
  ask(body, conduit, signal) {
    const path = stage.endpoint === "renamed" ? "/g/conversation" : "/f/conversation";
    const headers = { "x-conduit-token": conduit };
    return this.post(path, body, { accept: "text/event-stream", headers, signal });
  }

  resume(id, offset, signal) {
    const how = { accept: "text/event-stream", headers: { "x-conduit-token": "no-token" }, signal };
    return this.post("/f/conversation/resume", { conversation_id: id, offset }, how);
  }

  async stored(id) {
    await seen();
    return (await this.get(`/conversation/${id}`)).json();
  }

  async streaming(id) {
    const { status } = await (await this.get(`/conversation/${id}/stream_status`)).json();
    return status === "IS_STREAMING";
  }

  // Upload one file, in the site's three steps; resolves with its id.
  async put(file) {
    const named = { file_name: file.name, file_size: file.size, use_case: "multimodal" };
    const { upload_url, file_id } = await (await this.post("/files", named)).json();
    const sent = await fetch(upload_url, { method: "PUT", body: file });
    if (!sent.ok) throw new Refused(sent.status, new URL(sent.url).pathname, null, "");
    await this.post(`/files/${file_id}/uploaded`, {});
    return file_id;
  }

  // What the page tells of its own use. Nothing depends on it.
  count(event) {
    const body = JSON.stringify({ type: "track", event, timestamp: new Date().toISOString() });
    fetch("/ces/v1/t", { method: "POST", body, keepalive: true }).catch(() => {});
  }

  async headers() {
    const { accessToken } = await this.session;
    const known = { "oai-device-id": device(), "oai-language": stage.lang };
    return accessToken ? { ...known, authorization: `Bearer ${accessToken}` } : known;
  }

  async call(path, how) {
    const response = await fetch(this.base + path, how);
    if (response.ok) return response;
    const text = await response.text();
    const html = (response.headers.get("content-type") ?? "").startsWith("text/html");
    throw new Refused(response.status, this.base + path, html ? null : detail(text), html ? text : "");
  }
}

function detail(text) {
  try {
    const said = JSON.parse(text);
    return said.detail ?? said;
  } catch {
    return text;
  }
}

function device() {
  let id = localStorage.getItem(DEVICE);
  if (!id) localStorage.setItem(DEVICE, (id = crypto.randomUUID()));
  return id;
}
