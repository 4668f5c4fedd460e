// The page as a whole: which conversation is on show, asking in it, following the answer.
//
// A layout gives a `View`; everything that is the same for all of them is here.

import { Answer } from "/assets/answer.js";
import { Directions, flicker, wait } from "/assets/directions.js";
import { drawn, later, painted } from "/assets/draw.js";
import { clock, say, t } from "/assets/labels.js";
import { alive, keep, stage } from "/assets/stage.js";
import { Refused, Wire } from "/assets/wire.js";

const ROOT = "client-created-root";
const WELCOME = "6890a1b2-0000-4000-8000-00000000c0de"; // a chat that is always there
const PLACES = /^(?:\/g\/(?<folder>[^/]+))?(?:\/(?:c|uc)\/(?<id>[^/]+)|\/project)?\/?$/;
const LIMITS = /limit|too_many|quota/i;
const PAGE = 28; // chats asked for at once
const EFFORTS = { instant: "min", medium: "standard", high: "extended", extra: "max" }; // as requests say it

export function start(layout) {
  return alive(async () => {
    const page = new Page(layout());
    await page.open();
  });
}

class Page {
  constructor(view) {
    this.view = view;
    this.wire = new Wire({ guest: view.guest });
    this.showing = 0; // counts: an answer of a conversation one has left draws nothing
    this.composer = view.composer({
      send: (prompt, files) => this.send(prompt, files),
      stop: () => this.stop(),
      put: (file) => this.wire.put(file),
      typed: () => this.typed(),
    });
    addEventListener("popstate", () => this.open());
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("submit", () => this.pressed(), { capture: true });
    if (stage.overlay) view.cover(stage.overlay);
    if (stage.aloud) view.player();
    this.wire.post("/conversation/init", { gizmo_id: null, requested_default_model: null }).catch(() => {});
  }

  // -- asking ---------------------------------------------------------------------------

  async send(prompt, files = []) {
    const { showing } = this;
    const turn = this.view.turn({ prompt, key: crypto.randomUUID(), files, again: () => this.send(prompt) });
    turn.wait?.();
    this.view.quiet();
    this.view.toEnd();
    this.composer.setAnswering(true);
    const answer = (this.answer = new Answer(this.wire, this.hears(turn, showing), this.id));
    this.announceAddress();
    let how = "refused";
    let problem = null;
    try {
      const conduit = await this.prepared();
      how = await answer.ask(this.body(prompt, files), conduit, (response) => {
        turn.directions = new Directions(response.headers.get("x-lab-page"), this.acts(turn, prompt));
        turn.directions.asked();
      });
    } catch (error) {
      if (!(error instanceof Refused || error instanceof TypeError || error instanceof DOMException)) throw error;
      problem = error;
    }
    if (answer.left) return;
    if (answer.stopped) how = "stopped";
    await drawn();
    this.finish(answer, turn, how, showing);
    if (how === "refused" && showing === this.showing) this.complain(problem, () => this.send(prompt, files));
  }

  body(prompt, files) {
    const attachments = files.map(({ id, name, size }) => ({ id, name, size }));
    const message = {
      id: crypto.randomUUID(),
      author: { role: "user" },
      create_time: Date.now() / 1000,
      content: { content_type: "text", parts: [prompt] },
      metadata: attachments.length ? { attachments } : {},
    };
    const body = {
      action: "next",
      messages: [message],
      parent_message_id: this.newest,
      model: this.view.model ?? "auto",
      timezone_offset_min: new Date().getTimezoneOffset(),
      conversation_mode: { kind: "primary_assistant" },
      supports_buffering: true,
      supported_encodings: ["v1"],
    };
    if (this.view.effort in EFFORTS) body.thinking_effort = EFFORTS[this.view.effort];
    if (this.id) body.conversation_id = this.id; // a new chat says nothing at all
    if (this.temporary) body.history_and_training_disabled = true;
    if (this.folder) {
      body.gizmo_id = this.folder;
      body.conversation_mode = { kind: "gizmo_interaction", gizmo_id: this.folder };
    }
    return body;
  }

  // The page tells the site that somebody writes, and asks for leave to ask.
  typed() {
    this.preparing ??= this.prepare();
  }

  // Send was pressed, and whatever comes of that, the page does its routine: it counts the
  // press, renews its leave to ask, and looks whether its list has changed.
  pressed() {
    this.wire.count("composer_submit");
    const renewed = this.prepare();
    this.preparing ??= renewed;
    this.wire.get(`/conversations?offset=0&limit=${PAGE}&order=updated`).catch(() => {});
  }

  async prepare() {
    const body = { action: "next", model: this.view.model ?? "auto", parent_message_id: this.newest };
    if (this.id) body.conversation_id = this.id;
    try {
      const said = await this.wire.post("/f/conversation/prepare", { ...body, supported_encodings: ["v1"] });
      return (await said.json()).conduit_token ?? "no-token";
    } catch {
      return "no-token";
    }
  }

  async prepared() {
    const token = await (this.preparing ?? this.prepare());
    this.preparing = null;
    return token;
  }

  stop() {
    this.answer?.stop();
  }

  // -- following ------------------------------------------------------------------------

  hears(turn, showing) {
    const here = () => showing === this.showing;
    return {
      message: (told) => {
        if (!here()) return;
        this.id ??= told.conversation_id ?? null;
        later(told.message?.id ?? "none", () => here() && this.draw(told.message, turn));
      },
      frame: (value) => {
        if (!here()) return;
        this.id ??= value.conversation_id ?? null;
        if (value.type === "title_generation" && value.title) document.title = value.title;
      },
      stored: (conversation) => later("stored", () => here() && this.drawLast(conversation, turn)),
    };
  }

  draw(message, turn) {
    const { author, content, metadata = {}, recipient = "all" } = message ?? {};
    if (author?.role !== "assistant" || metadata.is_visually_hidden_from_conversation) return;
    this.newest = message.id;
    if (content.content_type === "thoughts") {
      turn.think(content.thoughts.map((thought) => thought.content).join("\n\n"), message.id);
    } else if (content.content_type === "reasoning_recap") {
      turn.thought(metadata.finished_duration_sec ?? 0);
    } else if (content.content_type === "code" || recipient !== "all") {
      turn.tool(recipient === "all" ? "code" : recipient, content.text ?? content.parts?.join("") ?? "", message.id);
    } else if (content.content_type === "text") {
      if (content.parts[0]) turn.write(content.parts[0], message.id, metadata.content_references ?? []);
      else turn.begin?.(message.id);
      if (content.parts[0]) this.settleAddress();
      turn.directions?.shown(turn.length);
    }
    this.view.follow();
  }

  finish(answer, turn, how, showing) {
    turn.directions?.end();
    turn.end(how);
    if (showing !== this.showing || answer !== this.answer) return;
    this.settleAddress();
    this.composer.setAnswering(false);
    if (how === "lost") this.view.alert(t("network_error"), t("network_more"), () => this.send(turn.prompt));
    if (how === "failed") this.failed(answer.failed, turn);
    this.view.follow();
    this.list().catch(() => {});
  }

  failed({ error, error_code = "", ...more }, turn) {
    if (LIMITS.test(`${error_code} ${error?.code ?? ""}`)) this.view.limit(until({ ...more, ...Object(error) }));
    else this.view.alert(t("error"), "", () => this.send(turn.prompt));
  }

  // What the site refused, in the page's words.
  complain(error, retry) {
    if (!(error instanceof Refused)) this.view.alert(t("network_error"), t("network_more"), retry);
    else if (error.challenged) this.view.challenge(error.page);
    else if (error.status === 401) this.view.login();
    else if (error.status === 429) this.view.limit(until(Object(error.detail)));
    else if (error.status === 403) this.view.alert(t("blocked"));
    else this.view.alert(t("error"), "", retry);
  }

  // -- the page's own part in a story ---------------------------------------------------

  acts(turn, prompt) {
    const { composer, view } = this;
    return {
      flicker: (how) => flicker(how, () => composer.hideStop(true), () => composer.hideStop(false)),
      flash: (how) => flicker(how, () => turn.showBar(), () => turn.over || turn.hideBar()),
      reload: () => location.reload(),
      leave: () => this.go(`/c/${WELCOME}`),
      toast: () => view.toast(t("error"), () => this.send(prompt)),
      overlay: () => view.cover("upsell"),
      rename: () => composer.renameStop("Enough"),
      aloud: () => view.player(),
      shrink: ({ seconds }) => turn.shrink(seconds * 1000),
      poll: () => this.id && this.wire.streaming(this.id).catch(() => {}),
    };
  }

  // -- the address ----------------------------------------------------------------------

  // A new chat gets its address when words come, or later; some show one that is none before.
  announceAddress() {
    this.addressAt = performance.now() + 1000 * Math.max(stage.late_address, this.view.addressSeconds ?? 0);
    if (stage.transient_address && !this.id && !this.temporary) {
      history.pushState({}, "", keep(`/c/WEB:${crypto.randomUUID()}`));
    }
  }

  async settleAddress() {
    const { showing, id } = this;
    if (!id || this.temporary || this.view.addressless || this.settling === id || location.pathname === this.address(id)) return;
    this.settling = id;
    const early = (this.addressAt ?? 0) - performance.now();
    if (early > 0) await wait(early / 1000);
    if (showing !== this.showing) return;
    history.pushState({}, "", keep(this.address(id)));
    this.view.addressed(id);
  }

  address(id) {
    if (this.wire.guest) return `/uc/${id}`;
    return this.folder ? `/g/${this.folder}/c/${id}` : `/c/${id}`;
  }

  clicked(event) {
    const link = event.target.closest?.("a[href]");
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented;
    if (!link || elsewhere || link.target || link.origin !== location.origin) return;
    event.preventDefault();
    this.go(link.getAttribute("href"));
  }

  go(address) {
    history.pushState({}, "", keep(address));
    this.open();
  }

  // -- what is stored -------------------------------------------------------------------

  async open() {
    const showing = (this.showing += 1);
    this.answer?.leave();
    const { id = null, folder = null } = PLACES.exec(location.pathname)?.groups ?? {};
    const temporary = !stage.no_temporary && new URLSearchParams(location.search).get("temporary-chat") === "true";
    Object.assign(this, { id: null, newest: ROOT, folder, temporary, answer: null, settling: null, preparing: null });
    this.view.clear();
    this.view.mode({ temporary, folder });
    this.composer.setAnswering(false);
    document.title = "ChatGPT";
    try {
      if (id) await this.load(id, showing);
      if (showing === this.showing) await this.list();
    } catch (error) {
      if (showing === this.showing) this.notLoaded(error, id);
    }
  }

  async load(id, showing) {
    const stored = await this.wire.stored(id);
    if (showing !== this.showing) return;
    this.id = this.settling = id;
    document.title = stored.title ?? "ChatGPT";
    const turn = this.drawStored(stored);
    await drawn();
    if (showing !== this.showing) return;
    this.view.toEnd();
    this.list().catch(() => {});
    const running = await this.wire.streaming(id);
    if (!running) await painted(); // until then the last answer looks as if it were being written
    if (showing !== this.showing || !turn) return;
    if (!running) {
      const { status } = stored.mapping[stored.current_node]?.message ?? {};
      if (status === "in_progress") {
        this.drawLast(await this.wire.stored(id), turn); // it ended between the two looks
        if (showing !== this.showing) return;
      }
      turn.end();
      this.view.toEnd();
      return;
    }
    this.composer.setAnswering(true);
    const answer = (this.answer = new Answer(this.wire, this.hears(turn, showing), id));
    const how = await answer.join();
    if (answer.left) return;
    await drawn();
    this.finish(answer, turn, how, showing);
  }

  notLoaded(error, id) {
    if (id && error instanceof Refused && error.status === 404) {
      this.view.toast(say("not_found", { id }));
      history.replaceState({}, "", keep("/"));
      this.open();
    } else {
      this.complain(error, () => this.open());
    }
  }

  // Draw the visible chain. The last turn is left open: it may still be under way.
  drawStored({ mapping, current_node }) {
    let turn = null;
    for (const message of chain(mapping, current_node)) {
      if (message.author.role === "user") {
        turn?.end();
        const prompt = message.content.parts.filter((part) => typeof part === "string").join("");
        const files = message.metadata?.attachments ?? [];
        turn = this.view.turn({ prompt, key: message.id, files, stored: true, again: () => this.send(prompt) });
      } else if (turn) {
        this.draw(message, turn);
      }
    }
    return turn;
  }

  // The newest answer as it is stored now.
  drawLast({ mapping, current_node, title }, turn) {
    if (title) document.title = title;
    const messages = chain(mapping, current_node);
    const asked = messages.findLastIndex(({ author }) => author.role === "user");
    for (const message of messages.slice(asked + 1)) this.draw(message, turn);
  }

  async list(limit = PAGE) {
    if (this.wire.guest) return;
    const { id } = this;
    const { items, total } = await (await this.wire.get(`/conversations?offset=0&limit=${limit}&order=updated`)).json();
    const more = () => total > items.length && this.list(limit + PAGE).catch(() => {});
    this.view.history(items, id, more);
  }
}

function chain(mapping, newest) {
  const messages = [];
  for (let key = newest; mapping[key]?.message; key = mapping[key].parent) messages.unshift(mapping[key].message);
  return messages;
}

// When a limit is over, where the site says so: seconds from now, or a time.
function until({ clears_in, resets_after }) {
  if (typeof clears_in === "number") return clock(Date.now() + clears_in * 1000);
  if (typeof resets_after === "number") return clock(resets_after > 1e9 ? resets_after * 1000 : Date.now() + resets_after * 1000);
  const at = Date.parse(resets_after ?? "");
  return Number.isNaN(at) ? null : clock(at);
}
