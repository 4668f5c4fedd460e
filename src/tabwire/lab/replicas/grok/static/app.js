// The page as a whole: which conversation is on show, asking in it, following the answer.

import { Editor } from "/assets/editor.js";
import { make } from "/assets/element.js";
import { Message } from "/assets/messages.js";
import { answer, get, post } from "/assets/wire.js";

const $ = (css) => document.querySelector(css);
const transcript = $("#last-reply-container");
const scroller = $('[data-testid="chat-transcript-scroller"]');
const chats = $("#history");
const form = $("form");
const submit = $('button[type="submit"]');
const controls = Object.fromEntries([...document.querySelectorAll("[data-when]")].map((one) => [one.dataset.when, one]));

// What is on show. `showing` counts: an answer of a conversation one has left draws nothing.
const shown = { id: null, newest: null, showing: 0, abort: null };

const editor = new Editor($(".tiptap"), { changed: show, enter: () => form.requestSubmit(), paragraph });

function paragraph(line) {
  if (line) return make("p", {}, line);
  return make("p", {}, make("br", { class: "ProseMirror-trailingBreak" }));
}

function show() {
  const answering = shown.abort !== null;
  const empty = !editor.text;
  const first = editor.box.firstElementChild;
  for (const line of editor.box.children) {
    line.classList.toggle("is-empty", empty && line === first);
    line.classList.toggle("is-editor-empty", empty && line === first);
  }
  first?.setAttribute("data-placeholder", "Ask anything");
  submit.disabled = editor.empty;
  controls.empty.className = answering || !empty ? "hidden" : "";
  controls.written.className = answering || empty ? "hidden" : "";
  const stopping = controls.answering.firstElementChild !== null;
  if (answering !== stopping) controls.answering.replaceChildren(...(answering ? [stopButton()] : []));
}

function stopButton() {
  const button = make("button", { type: "button", "aria-label": "Stop model response" }, "■");
  button.addEventListener("click", stop);
  return button;
}

// -- asking -----------------------------------------------------------------------------

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (editor.empty || shown.abort) return;
  const prompt = editor.text;
  const question = add(new Message(crypto.randomUUID(), "human"));
  question.write(prompt);
  question.end();
  const body = { message: prompt, modelName: "grok-4", temporary: false, fileAttachments: [], imageAttachments: [] };
  if (shown.newest) body.parentResponseId = shown.newest;
  const path = shown.id ? `/conversations/${shown.id}/responses` : "/conversations/new";
  editor.clear();
  await follow((signal) => answer(path, body, signal), question);
});

// Draw an answer as it comes. A new chat keeps its address back until words come.
async function follow(begin, question) {
  const { showing } = shown;
  const abort = (shown.abort = new AbortController());
  const draft = { message: null, text: "" };
  show();
  try {
    for await (const result of begin(abort.signal)) {
      if (showing !== shown.showing) return;
      if (result.conversation) shown.id = result.conversation.conversationId;
      if (result.title) name(result.title.newTitle);
      take(result.response ?? result, draft, question);
    }
  } catch (error) {
    if (error.name !== "AbortError") newAnswer(draft, crypto.randomUUID()).complain(error.message);
  }
  if (showing !== shown.showing) return;
  draft.message?.end();
  settleAddress();
  shown.abort = null;
  show();
  await list();
}

function take(frame, draft, question) {
  if (frame.userResponse) {
    question?.name(frame.userResponse.responseId);
  } else if (frame.modelResponse?.message) {
    draft.text = frame.modelResponse.message;
    shown.newest = frame.modelResponse.responseId;
    newAnswer(draft, frame.responseId).write(draft.text);
  } else if (frame.token && frame.isThinking) {
    newAnswer(draft, frame.responseId).think(frame.token);
  } else if (frame.token) {
    draft.text += frame.token;
    newAnswer(draft, frame.responseId).write(draft.text);
    settleAddress();
  } else if (frame.uiLayout) {
    newAnswer(draft, frame.responseId);
  }
  scroller.scrollTop = scroller.scrollHeight;
}

function newAnswer(draft, id) {
  draft.message ??= add(new Message(id, "assistant"));
  shown.newest = id;
  return draft.message;
}

function stop() {
  shown.abort?.abort();
  if (shown.id) post(`/conversations/${shown.id}/stop-inflight-responses`, {});
}

function settleAddress() {
  const address = `/c/${shown.id}`;
  if (shown.id && location.pathname !== address) history.pushState({}, "", address);
}

function add(message) {
  transcript.append(message.element);
  return message;
}

function name(title) {
  document.title = title ? `${title} - Grok` : "Grok";
}

// -- what is stored ---------------------------------------------------------------------

async function open() {
  const showing = (shown.showing += 1);
  const id = /^\/c\/([^/]+)$/.exec(location.pathname)?.[1] ?? null;
  shown.abort?.abort();
  Object.assign(shown, { id, newest: null, abort: null });
  transcript.replaceChildren();
  name("");
  editor.clear();
  if (id) await load(id, showing);
  if (showing === shown.showing) await list();
}

// The site reads a conversation in three requests; an answer being written comes in a fourth.
async function load(id, showing) {
  const { conversation } = await get(`/conversations_v2/${id}?includeWorkspaces=true&includeTaskResult=true`);
  const { responseNodes, inflightResponses } = await get(`/conversations/${id}/response-node?includeThreads=true`);
  const responseIds = responseNodes.map((node) => node.responseId);
  const { responses } = await post(`/conversations/${id}/load-responses`, { responseIds });
  if (showing !== shown.showing) return;
  name(conversation.title);
  const running = new Set(inflightResponses.map((one) => one.responseId));
  for (const response of responses) if (!running.has(response.responseId)) drawStored(response);
  scroller.scrollTop = scroller.scrollHeight;
  for (const one of running) {
    await follow((signal) => answer(`/conversations/reconnect-response-v2/${one}`, null, signal), null);
  }
}

function drawStored({ responseId, sender, message, thinkingTrace }) {
  const drawn = add(new Message(responseId, sender));
  if (thinkingTrace) drawn.think(thinkingTrace);
  if (message) drawn.write(message);
  drawn.end();
  shown.newest = responseId;
}

async function list() {
  const { conversations } = await get("/conversations?pageSize=60");
  const links = conversations.map(({ conversationId, title }) => {
    const link = make("a", { href: `/c/${conversationId}` }, title);
    if (conversationId === shown.id) link.setAttribute("aria-current", "page");
    return link;
  });
  chats.replaceChildren(...links);
}

$("nav").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState({}, "", link.href);
  open();
});
addEventListener("popstate", open);
open();
