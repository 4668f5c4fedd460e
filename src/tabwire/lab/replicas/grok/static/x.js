// Grok on x.com: a plain page of its own, whose answers come from another host (grok.x.com).

import { Cards } from "/assets/cites.js";
import { Directions, flicker, wait } from "/assets/directions.js";
import { overlay } from "/assets/dialog.js";
import { drawn, later } from "/assets/draw.js";
import { make } from "/assets/element.js";
import { icon } from "/assets/icons.js";
import { t } from "/assets/labels.js";
import { Markdown } from "/assets/markdown.js";
import { alive, keep, stage } from "/assets/stage.js";
import { checked, records, Refused } from "/assets/wire.js";

const ANSWERS = "https://grok.x.com/2/grok";
const QUERIES = { GrokHistory: "9Hyh5D4-WXLnExZkONSkZg", GrokConversationItemsByRestId: "labAA0000000000000000Q" };
const $ = (css) => document.querySelector(css);
const items = $(".items");
const box = make("textarea", { class: "ask", rows: "1", "data-testid": "grok-composer", placeholder: t("ask") });
const shown = { id: null, showing: 0, answer: null, stopHidden: false, label: t("stop") };
let swallow = stage.swallow;

async function query(name, variables) {
  const said = encodeURIComponent(JSON.stringify(variables));
  const response = await fetch(`/i/api/graphql/${QUERIES[name]}/${name}?variables=${said}`);
  return (await (await checked(response)).json()).data;
}

// -- asking -----------------------------------------------------------------------------

async function send() {
  const prompt = box.value.trim();
  if (!prompt || shown.answer) return;
  if (swallow > 0) {
    swallow -= 1;
    return;
  }
  box.value = "";
  $(".said").replaceChildren();
  add("user", prompt);
  const answer = (shown.answer = { abort: new AbortController(), text: "", whole: false, item: add("agent", "") });
  Object.assign(shown, { stopHidden: false, label: t("stop") });
  const { showing } = shown;
  show();
  try {
    await listen(answer, prompt, showing);
  } catch (error) {
    if (showing === shown.showing) complain(error, answer);
  }
  if (showing !== shown.showing) return;
  await drawn();
  answer.item.end();
  $(".talk").scrollTop = $(".talk").scrollHeight;
  shown.answer = null;
  show();
  await list();
}

async function listen(answer, prompt, showing) {
  const { signal } = answer.abort;
  const body = { responses: [{ message: prompt, sender: 1, fileAttachments: [] }], conversationId: shown.id };
  const headers = { "content-type": "application/json" };
  try {
    const asked = { method: "POST", headers, body: JSON.stringify(body), signal };
    const response = await checked(await fetch(`${ANSWERS}/add_response.json`, asked));
    const directions = new Directions(response.headers.get("x-lab-page"), acts(answer));
    directions.asked();
    for await (const record of records(response)) {
      if (showing !== shown.showing) return;
      take(record, answer, directions);
    }
  } catch (error) {
    if (error instanceof Refused || signal.aborted) throw error;
    if (!shown.id) throw error;
  }
  // the line broke before the end: what is stored has the rest, sooner or later
  while (!answer.whole && showing === shown.showing && !signal.aborted) {
    const newest = (await stored(shown.id)).at(-1);
    const same = newest.message === answer.text;
    answer.text = newest.message;
    draw(answer, null);
    answer.whole = !newest.is_partial;
    answer.tries = same ? (answer.tries ?? 0) + 1 : 0;
    if (answer.tries > 8) return; // nobody writes it any more
    if (!answer.whole) await wait(0.4);
  }
}

function take(record, answer, directions) {
  if (record.conversationId) {
    shown.id = record.conversationId;
    return;
  }
  if (record.errors) throw new Refused(record.errors[0].message, record.errors[0]);
  if (record.responseType === "limiter") throw new Refused(record.message, { code: 8 });
  if (record.isSoftStop && !record.isThinking) answer.whole = true;
  if (!record.message || record.messageTag?.startsWith("tool") || record.messageTag === "raw_function_result") return;
  if (record.isThinking) {
    later(`thought ${(answer.thoughts = (answer.thoughts ?? 0) + 1)}`, () => answer.item.think(record.message));
    return;
  }
  answer.text += record.message;
  draw(answer, directions);
}

function draw(answer, directions) {
  later("text", () => {
    answer.item.write(answer.text);
    settleAddress();
    directions?.shown(answer.text.length);
    $(".talk").scrollTop = $(".talk").scrollHeight;
  });
}

async function settleAddress() {
  const address = keep(`/i/grok?conversation=${shown.id}`);
  if (shown.settled === shown.id || location.pathname + location.search === address) return;
  shown.settled = shown.id;
  if (stage.late_address) await wait(stage.late_address);
  history.pushState({}, "", address);
}

function acts(answer) {
  const hide = (hidden) => {
    shown.stopHidden = hidden;
    show();
  };
  return {
    flicker: (how) => flicker(how, () => hide(true), () => hide(false)),
    flash: async ({ seconds }) => {
      answer.item.end();
      await wait(seconds);
      if (shown.answer === answer) answer.item.bar.replaceChildren();
    },
    reload: () => location.reload(),
    leave: () => go(keep("/i/grok")),
    toast: () => say(t("failed")),
    overlay: () => overlay("upsell", { words: t("upsell") }),
    rename: () => {
      shown.label = "7f3a";
      show();
    },
    poll: () => shown.id && stored(shown.id),
  };
}

function complain(error, answer) {
  if (error.name === "AbortError") return;
  if (error.html) overlay("update", { words: { title: t("human"), text: t("humanText"), buttons: [t("human")] } });
  else if (error.isLogin || error.code === 32) say(t("expired"), make("a", { href: "/sign-in" }, t("signIn")));
  else if (error.isLimit) say(error.message || t("limit"));
  else answer.item.complain(t("failed"));
}

function say(...words) {
  $(".said").replaceChildren(...words);
}

function stop() {
  shown.answer?.abort.abort();
  if (shown.id) fetch(`${ANSWERS}/stop_response.json?conversationId=${shown.id}`, { method: "POST" });
}

// -- what is shown ----------------------------------------------------------------------

function add(sender, text) {
  const words = make("div", { class: "words", dir: "auto" });
  const bar = make("div", { class: "bar" });
  const element = make("div", { class: `item ${sender}`, "data-testid": `grok-${sender}-message` }, words, bar);
  items.append(element);
  $(".talk").scrollTop = $(".talk").scrollHeight;
  const cards = new Cards(); // x.com names none: its tags stand for nothing that can be shown
  const markdown = new Markdown(words, (language, code) => make("pre", {}, make("code", {}, code)));
  if (sender === "user") words.append(text);
  else if (text) markdown.draw(cards.linked(text));
  let thoughts = null;
  return {
    bar,
    think: (said) => {
      thoughts ??= words.parentNode.insertBefore(make("div", { class: "thoughts" }), words);
      thoughts.append(said);
    },
    write: (said) => markdown.draw(cards.linked(said)),
    complain: (said) => bar.before(make("div", { role: "alert" }, said)),
    end: () => bar.replaceChildren(make("button", { type: "button", "aria-label": t("copy") }, icon("copy"))),
  };
}

function show() {
  const answering = shown.answer !== null;
  const label = answering ? shown.label : t("submit");
  const button = make("button", { type: answering ? "button" : "submit", "aria-label": label }, icon(answering ? "stop" : "send"));
  button.disabled = !answering && !box.value.trim();
  if (answering) button.addEventListener("click", stop);
  $(".go").replaceChildren(...(answering && shown.stopHidden ? [] : [button]));
}

async function stored(id) {
  return (await query("GrokConversationItemsByRestId", { restId: id })).grok_conversation_items_by_rest_id.items;
}

async function list() {
  const found = (await query("GrokHistory", {})).grok_conversation_history.items;
  const links = found.map(({ title, grokConversation: { rest_id: id } }) => {
    if (id === shown.id) name(title);
    return make("a", { href: keep(`/i/grok?conversation=${id}`) }, title);
  });
  $(".past").replaceChildren(...links);
}

function name(title) {
  $("h1").textContent = title || "Grok";
}

async function open() {
  const showing = (shown.showing += 1);
  shown.answer?.abort.abort();
  const id = new URLSearchParams(location.search).get("conversation");
  Object.assign(shown, { id, answer: null, settled: id });
  items.replaceChildren();
  say();
  name("");
  show();
  if (id) {
    const found = await stored(id).catch(() => null);
    if (showing !== shown.showing) return;
    if (!found) say(t("notFound"));
    for (const one of found ?? []) add(one.sender_type === "User" ? "user" : "agent", one.message).end();
  }
  await list();
}

function go(address) {
  history.pushState({}, "", address);
  open();
}

alive(async () => {
  $(".fresh").textContent = t("newChat");
  $(".fresh").setAttribute("href", keep("/i/grok"));
  $("textarea.before").replaceWith(box); // what was typed before the page came alive is lost
  box.addEventListener("input", show);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("aside a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.href);
  });
  addEventListener("popstate", open);
  if (stage.overlay) overlay(stage.overlay, { words: t(stage.overlay) });
  await open();
});
