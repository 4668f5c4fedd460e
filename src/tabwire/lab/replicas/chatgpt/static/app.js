// The page as a whole: which conversation is on show, asking in it, following the answer.

import { Composer } from "/assets/composer.js";
import { Deltas, events } from "/assets/deltas.js";
import { Turn } from "/assets/turns.js";

const API = "/backend-api";
const ROOT = "client-created-root";
const timeline = document.querySelector("#timeline");
const scroller = document.querySelector("#scroll");
const notice = document.querySelector("#notice");
const history_ = document.querySelector("#history");

// What is on show. `showing` counts: an answer of a conversation one has left draws nothing.
const shown = { id: null, newest: ROOT, turns: 0, showing: 0 };

const composer = new Composer(document.querySelector("form[data-chatgpt-composer]"), { send, stop });

// -- asking -----------------------------------------------------------------------------

async function send(prompt) {
  const showing = shown.showing;
  const turn = newTurn(prompt);
  const body = {
    action: "next",
    messages: [
      {
        id: crypto.randomUUID(),
        author: { role: "user" },
        create_time: Date.now() / 1000,
        content: { content_type: "text", parts: [prompt] },
        metadata: {},
      },
    ],
    parent_message_id: shown.newest,
    model: "auto",
    timezone_offset_min: new Date().getTimezoneOffset(),
    supported_encodings: ["v1"],
  };
  if (shown.id) body.conversation_id = shown.id; // a new chat says nothing at all
  notice.replaceChildren();
  composer.setAnswering(true);
  try {
    await post("/f/conversation/prepare", { action: "next", model: body.model });
    await follow(await post("/f/conversation", body, "text/event-stream"), turn, showing);
  } catch (error) {
    complain(error, showing);
  }
  await drawn();
  finish(turn, showing);
}

function stop() {
  post("/stop_conversation", { conversation_id: shown.id }).catch((error) => complain(error, shown.showing));
}

// Drawing is a task of its own, as with the sites' frameworks: what arrives is not held up by
// it, and what arrives meanwhile is drawn at once.
const channel = new MessageChannel();
const undrawn = new Map(); // by message: the newest work for it
channel.port1.onmessage = () => {
  const works = [...undrawn.values()];
  undrawn.clear();
  for (const work of works) work();
};
function later(name, work) {
  if (undrawn.size === 0) channel.port2.postMessage(0);
  undrawn.set(name, work);
}
const drawn = () => new Promise((done) => later("end", done));

// Read the stream to its end. The page keeps the address of a new chat back until words come.
async function follow(response, turn, showing) {
  const deltas = new Deltas();
  for await (const { name, data } of events(response.body)) {
    if (showing !== shown.showing) return;
    if (name === "delta_encoding" || data === "[DONE]") continue;
    const value = JSON.parse(data);
    if (value.conversation_id) shown.id ??= value.conversation_id;
    if (name === "delta") {
      const told = deltas.apply(value);
      later(told.message.id, () => showing === shown.showing && draw(told, turn));
    }
    if (value.type === "title_generation") document.title = value.title;
  }
}

function draw({ message, conversation_id }, turn) {
  shown.id ??= conversation_id;
  if (message.author.role !== "assistant") return;
  shown.newest = message.id;
  const { content } = message;
  if (content.content_type === "thoughts") {
    turn.think(content.thoughts.map((thought) => thought.content).join("\n\n"), message.id);
  } else {
    if (content.parts[0]) turn.write(content.parts[0], message.id);
    else turn.unit(message.id);
    if (content.parts[0]) settleAddress();
  }
  scroller.scrollTop = scroller.scrollHeight;
}

function finish(turn, showing) {
  turn.end();
  if (showing !== shown.showing) return;
  settleAddress();
  composer.setAnswering(false);
  list().catch((error) => complain(error, showing));
}

function settleAddress() {
  const address = `/c/${shown.id}`;
  if (shown.id && location.pathname !== address) history.pushState({}, "", address);
}

function complain(error, showing) {
  if (showing !== shown.showing) return;
  const alert = document.createElement("div");
  alert.setAttribute("role", "alert");
  alert.textContent = `Something went wrong: ${error.message}`;
  notice.replaceChildren(alert);
}

function newTurn(prompt, key = crypto.randomUUID()) {
  shown.turns += 1;
  return new Turn(timeline, key, prompt);
}

// -- what is stored ---------------------------------------------------------------------

async function open(path) {
  const showing = (shown.showing += 1);
  Object.assign(shown, { id: null, newest: ROOT, turns: 0 });
  timeline.replaceChildren();
  notice.replaceChildren();
  composer.setAnswering(false);
  document.title = "ChatGPT";
  const id = /^\/c\/([^/]+)$/.exec(path)?.[1];
  try {
    if (id) await load(id, showing);
    if (showing === shown.showing) await list();
  } catch (error) {
    complain(error, showing);
  }
}

async function load(id, showing) {
  const stored = await (await get(`/conversation/${id}`)).json();
  if (showing !== shown.showing) return;
  shown.id = id;
  document.title = stored.title ?? "ChatGPT";
  const turn = drawStored(stored);
  const { status } = await (await get(`/conversation/${id}/stream_status`)).json();
  if (showing !== shown.showing) return;
  if (status !== "IS_STREAMING") {
    turn?.end();
    return;
  }
  composer.setAnswering(true);
  const rest = await post("/f/conversation/resume", { conversation_id: id, offset: 0 }, "text/event-stream");
  await follow(rest, turn, showing);
  await drawn();
  finish(turn, showing);
}

// Draw the visible chain. The last turn is left open: it may still be under way.
function drawStored({ mapping, current_node }) {
  const chain = [];
  for (let key = current_node; mapping[key]?.message; key = mapping[key].parent) {
    chain.unshift(mapping[key].message);
  }
  let turn = null;
  for (const message of chain) {
    if (message.author.role === "user") {
      turn?.end();
      turn = newTurn(message.content.parts.join(""), message.id);
    } else {
      draw({ message }, turn);
    }
  }
  return turn;
}

async function list() {
  const { items } = await (await get("/conversations?offset=0&limit=28&order=updated")).json();
  const links = items.map(({ id, title }) => {
    const link = document.createElement("a");
    link.href = `/c/${id}`;
    link.textContent = title;
    if (id === shown.id) link.setAttribute("aria-current", "page");
    return link;
  });
  history_.replaceChildren(...links);
}

// -- the wire, and the way around the page ----------------------------------------------

async function get(path) {
  return checked(await fetch(API + path));
}

async function post(path, body, accept = "application/json") {
  const headers = { "content-type": "application/json", accept };
  return checked(await fetch(API + path, { method: "POST", headers, body: JSON.stringify(body) }));
}

function checked(response) {
  if (!response.ok) throw new Error(`${response.status} from ${new URL(response.url).pathname}`);
  return response;
}

document.querySelector("nav").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState({}, "", link.href);
  open(location.pathname);
});
addEventListener("popstate", () => open(location.pathname));
open(location.pathname);
