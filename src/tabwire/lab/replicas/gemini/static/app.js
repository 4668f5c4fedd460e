// The page as a whole: which conversation is on show, asking in it, following the answer.

import { Editor } from "/assets/editor.js";
import { make } from "/assets/element.js";
import { Exchange, icon } from "/assets/parts.js";
import { ask, generate } from "/assets/wire.js";

const READ = "hNvQHb";
const LIST = "MaZiqc";
const STOP = "LabStp"; // the lab's own: the real page's is not known
const READ_AGAIN_MS = 1000; // while a stored answer is not whole
const STILL = 5; // looks at an unchanged text before it counts as stopped
const WHOLE = 2;

const $ = (css) => document.querySelector(css);
const content = $("chat-window-content");
const button = $("button.send-button");
const mic = $(".mic-button-container");
const title = $('[data-test-id="conversation-title"]');
const chats = $("conversations-list");

// What is on show. `showing` counts: an answer of a conversation one has left draws nothing.
const shown = { ids: ["", "", ""], showing: 0, call: null, answering: false };

$(".speech_dictation_mic_button").append(icon("mic"));
const editor = new Editor($(".ql-editor"), { changed: show, enter: send });

function show() {
  const { answering } = shown;
  editor.box.classList.toggle("ql-blank", !editor.text);
  button.className = `send-button ${answering ? "stop" : "submit"}`;
  button.setAttribute("aria-label", answering ? "Stop response" : "Send message");
  button.setAttribute("aria-disabled", String(!answering && editor.empty));
  button.replaceChildren(icon(answering ? "stop" : "send"));
  mic.hidden = answering || !editor.empty;
}

// -- asking -----------------------------------------------------------------------------

async function send() {
  if (editor.empty || shown.answering) return;
  const { showing } = shown;
  const prompt = editor.text;
  const exchange = new Exchange(prompt);
  content.add(exchange);
  shown.answering = true;
  editor.clear();
  let whole = false;
  const hear = (payload) => {
    if (showing !== shown.showing) return;
    whole = take(payload, exchange) || whole;
  };
  try {
    await generate(prompt, [...shown.ids], { hear, started: (call) => (shown.call = call) });
    exchange.end({ whole });
  } catch (error) {
    exchange.complain(error.message);
  }
  if (showing === shown.showing) await finish();
}

// One payload of an answer; whether it says that the answer is whole.
function take(payload, exchange) {
  const [, [chat, response], about, , candidates] = payload;
  exchange.name(response);
  if (chat) shown.ids = [chat, response, candidates?.[0]?.[0] ?? shown.ids[2]];
  if (about?.["11"]) name(about["11"][0]);
  if (!candidates?.length) return false;
  const whole = draw(candidates[0], exchange);
  if (candidates[0][1][0]) settleAddress(); // the page keeps the address back until words come
  content.toEnd();
  return whole;
}

function draw(candidate, exchange) {
  const thoughts = candidate[37]?.[0]?.[0];
  if (thoughts) exchange.think(thoughts);
  if (candidate[1][0]) exchange.write(candidate[1][0]);
  return candidate[8][0] === WHOLE;
}

async function finish() {
  shown.answering = false;
  shown.call = null;
  show();
  await list();
}

function stop() {
  const [chat] = shown.ids;
  shown.call?.abort();
  if (chat) ask(STOP, [chat]);
}

button.addEventListener("click", () => (shown.answering ? stop() : send()));

function settleAddress() {
  const address = `/app/${shown.ids[0].replace(/^c_/, "")}`;
  if (shown.ids[0] && location.pathname !== address) history.pushState({}, "", address);
}

function name(said) {
  title.textContent = said;
  document.title = said ? `${said} - Gemini` : "Google Gemini";
}

// -- what is stored ---------------------------------------------------------------------

async function open() {
  const showing = (shown.showing += 1);
  const id = /^\/app\/([^/]+)$/.exec(location.pathname)?.[1];
  shown.call?.abort();
  Object.assign(shown, { ids: [id ? `c_${id}` : "", "", ""], call: null, answering: false });
  content.clear();
  name("");
  show();
  if (id) await load(showing);
  if (showing === shown.showing) await list();
}

// Show what is stored, and look again while its newest answer is still being written.
async function load(showing) {
  let before = null;
  for (let still = 0; still < STILL; ) {
    const [turns = []] = await ask(READ, [shown.ids[0], 10, null, 1, [1], [4], null, 1]);
    if (showing !== shown.showing) return;
    const newest = turns[0]?.[3][0][0];
    const now = JSON.stringify(newest ?? null);
    if (now !== before) redraw(turns);
    still = now === before ? still + 1 : 0;
    before = now;
    if (!newest || newest[8][0] === WHOLE) break;
    await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
    if (showing !== shown.showing || shown.answering) return;
  }
}

function redraw(turns) {
  content.clear();
  for (const [ids, , question, answer] of turns.toReversed()) {
    const [candidate] = answer[0];
    const exchange = new Exchange(question[0][0]);
    exchange.name(ids[1]);
    const whole = draw(candidate, exchange);
    if (whole || ids !== turns[0][0]) exchange.end({ whole });
    content.add(exchange);
    shown.ids = [...ids, candidate[0]];
  }
}

async function list() {
  const [, , rows] = await ask(LIST, [13, null, [0, null, 1]]);
  chats.replaceChildren(
    ...rows.map(([id, words]) => {
      const selected = id === shown.ids[0];
      if (selected && !title.textContent) name(words);
      const attributes = { "data-test-id": "conversation", class: selected ? "conversation selected" : "conversation" };
      return make("a", { ...attributes, href: `/app/${id.replace(/^c_/, "")}` }, words);
    }),
  );
}

chats.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState({}, "", link.href);
  open();
});
$('[data-test-id="new-chat-button"]').addEventListener("click", () => {
  history.pushState({}, "", "/app");
  open();
});
addEventListener("popstate", open);
open();
