// The page as a whole: which conversation is on show, asking in it, and its part in stories.

import { aloud } from "/assets/aloud.js";
import { Composer } from "/assets/composer.js";
import { Directions, flicker, wait } from "/assets/directions.js";
import { drawn } from "/assets/draw.js";
import { make } from "/assets/element.js";
import { Follow } from "/assets/follow.js";
import { History } from "/assets/history.js";
import { dress } from "/assets/frame.js";
import { t } from "/assets/labels.js";
import { Message, stored } from "/assets/messages.js";
import { challenged, clear, cover, limited, loggedOut, toast } from "/assets/notices.js";
import { alive, keep, seen, stage } from "/assets/stage.js";
import { Virtual } from "/assets/virtual.js";
import { get, post, Refused } from "/assets/wire.js";

const $ = (css) => document.querySelector(css);
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const scroller = $('[data-testid="chat-transcript-scroller"]');
const turns = new Virtual(scroller, $("#last-reply-container"));
const chats = new History($("#history"), $("#projects"));

// What is on show. `showing` counts: an answer of a conversation one has left draws nothing.
const shown = { id: null, newest: null, project: null, secret: false, showing: 0, answer: null, addressed: false };
let composer = null;

// -- asking -----------------------------------------------------------------------------

async function send(prompt, files = []) {
  clear();
  const question = add("human", crypto.randomUUID());
  question.quote(prompt, files.map((one) => one.name));
  question.showBar();
  if (stage.late_message) appearLate(question);
  const body = {
    temporary: shown.secret,
    ...composer.model,
    message: prompt,
    fileAttachments: files.map((one) => one.id),
    imageAttachments: [],
  };
  if (shown.newest) body.parentResponseId = shown.newest;
  if (shown.project && !shown.id) body.workspaceIds = [shown.project];
  await follow(path(), body, question, prompt);
}

function path() {
  if (stage.endpoint) return `/turns/${shown.id ?? "new"}`; // as after a rebuild
  return shown.id ? `/conversations/${shown.id}/responses` : "/conversations/new";
}

async function appearLate(question) {
  question.wait();
  await wait(stage.late_message);
  question.appear();
}

async function follow(path, body, question, prompt) {
  shown.answer?.abort.abort();
  const page = new Shown(question, prompt);
  const answer = (shown.answer = page.answer);
  const retry = () => send(prompt);
  composer.begin();
  turns.toEnd();
  try {
    await answer.run(path, body);
    if (page.gone) return;
    if (!answer.whole && !answer.text && !answer.stopped) page.message(crypto.randomUUID()).complain(t("lost"), retry);
  } catch (error) {
    if (page.gone) return;
    if (!(error instanceof Refused)) throw error;
    refused(error, page, prompt ? retry : null);
  }
  page.directions?.end();
  page.drawn?.end(answer.seconds);
  page.settleAddress();
  turns.follow();
  shown.answer = null;
  composer.end();
  await chats.refresh(shown.id);
}

function refused(error, page, retry) {
  if (error.isLimit) limited();
  else if (error.isLogin) loggedOut();
  else if (error.html) challenged();
  else page.message(crypto.randomUUID()).complain(t("failed"), retry);
}

// What an answer on its way does to the page, as long as its conversation is on show.
class Shown {
  constructor(question, prompt) {
    Object.assign(this, { question, prompt, drawn: null, directions: null, showing: shown.showing });
    this.answer = new Follow(this);
  }

  get gone() {
    return this.showing !== shown.showing || shown.answer !== this.answer;
  }

  get id() {
    return this.gone ? null : shown.id;
  }

  named(id) {
    if (this.gone) return;
    shown.id = id;
    if (stage.transient_address && !shown.addressed) history.replaceState({}, "", keep("/c/pending"));
  }

  titled(title) {
    if (!this.gone) name(title);
  }

  asked(id) {
    this.question?.name(id);
  }

  message(id) {
    if (this.drawn) return this.drawn;
    this.drawn = this.gone ? loose() : add("assistant", id);
    if (!this.gone) shown.newest = id;
    turns.follow();
    return this.drawn;
  }

  directed(header) {
    if (this.directions || !header) return;
    this.directions = new Directions(header, acts(this));
    this.directions.asked();
  }

  shown(length) {
    if (this.gone) return;
    turns.follow();
    this.settleAddress();
    this.directions?.shown(length);
  }

  // A new chat has its address when the first of its answer is there, or later.
  async settleAddress() {
    if (this.gone || shown.addressed || !shown.id || shown.secret) return;
    shown.addressed = true;
    if (stage.late_address) await wait(stage.late_address);
    if (this.showing !== shown.showing) return;
    const address = shown.project ? `/project/${shown.project}?chat=${shown.id}` : `/c/${shown.id}`;
    if (location.pathname + location.search !== keep(address)) history.pushState({}, "", keep(address));
  }
}

// What a story may tell the page to do, by name.
function acts(page) {
  const answer = () => page.message(crypto.randomUUID());
  return {
    flicker: (how) => flicker(how, () => composer.hideStop(true), () => composer.hideStop(false)),
    flash: async ({ seconds }) => {
      answer().showBar();
      await wait(seconds);
      if (shown.answer === page.answer) answer().hideBar();
    },
    reload: () => location.reload(),
    leave: () => go(chats.elsewhere),
    toast: () => toast(t("failed"), () => {}),
    overlay: () => cover("upsell"),
    rename: () => composer.renameStop(),
    aloud: () => aloud($("#player"), { read: t("readAloud"), stop: t("stopReading") }, { reading: true }),
    shrink: async ({ seconds }) => {
      answer().shrink();
      await wait(seconds);
      answer().grow();
    },
    poll: () => shown.id && get(`/conversations/${shown.id}/response-node?includeThreads=true`),
  };
}

function stop() {
  shown.answer?.stop();
  if (shown.id) post(`/conversations/${shown.id}/stop-inflight-responses`, {});
}

// -- what is stored ---------------------------------------------------------------------

async function open() {
  const showing = (shown.showing += 1);
  const id = UUID.exec(new URLSearchParams(location.search).get("chat") ?? location.pathname.replace(/^\/project.*/, ""));
  const [, project = null] = /^\/project\/([^/]+)/.exec(location.pathname) ?? [];
  shown.answer?.abort.abort();
  const secret = !stage.no_temporary && location.hash === "#private";
  Object.assign(shown, { id: id?.[0] ?? null, newest: null, project, secret, answer: null, addressed: Boolean(id) });
  turns.clear();
  clear();
  name("");
  $("#player").replaceChildren();
  $("main").classList.toggle("is-home", !id);
  $("main").classList.toggle("is-private", secret);
  composer.end();
  composer.clear();
  try {
    if (shown.id) await load(shown.id, showing);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (showing === shown.showing) toast(t("notFound"));
  }
  if (showing === shown.showing) await chats.refresh(shown.id);
}

// The site reads a conversation in three requests; an answer being written comes in a fourth.
async function load(id, showing) {
  await seen();
  const { conversation } = await get(`/conversations_v2/${id}?includeWorkspaces=true&includeTaskResult=true`);
  const { responseNodes, inflightResponses } = await get(`/conversations/${id}/response-node?includeThreads=true`);
  const responseIds = responseNodes.map((node) => node.responseId);
  const { responses } = await post(`/conversations/${id}/load-responses`, { responseIds });
  if (showing !== shown.showing) return;
  name(conversation.title);
  const running = new Set(inflightResponses.map((one) => one.responseId));
  for (const response of responses) if (!running.has(response.responseId)) drawStored(response);
  turns.toEnd();
  drawn().then(() => turns.follow());
  for (const one of running) await follow(`/conversations/reconnect-response-v2/${one}`, null, null, null);
}

function drawStored(response) {
  const message = stored(response, options());
  turns.add(message.element);
  if (message.sender !== "human" && message.text) message.write(message.text);
  message.end();
  shown.newest = response.responseId;
}

// -- the frame around it ----------------------------------------------------------------

function add(sender, id) {
  $("main").classList.remove("is-home");
  const message = new Message(id, sender, options());
  turns.add(message.element);
  return message;
}

// A message of a conversation one has left: written to, and never seen.
function loose() {
  return new Message(crypto.randomUUID(), "assistant", options());
}

function options() {
  return { scroller, pressed };
}

function pressed(name, message) {
  if (name !== "regenerate" || shown.answer) return;
  const questions = turns.rows.map((row) => row.element);
  const place = questions.indexOf(message.element);
  const asked = questions[place - 1]?.querySelector('[data-testid="user-message"] p')?.textContent;
  if (asked) send(asked);
}

function name(title) {
  document.title = title ? `${title} - Grok` : "Grok";
}

function go(address) {
  history.pushState({}, "", address);
  open();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("nav a, header a");
  if (!composer || !link || link.getAttribute("href").startsWith("/sign") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.href);
});
addEventListener("popstate", () => composer && open());

alive(async () => {
  dress();
  composer = new Composer($("form"), { send, stop });
  composer.editor.box.focus();
  if (stage.overlay) cover(stage.overlay);
  await Promise.all([open(), chats.start()]);
});
