// One answer on its way: its records are drawn as they come, and where its stream breaks off
// the rest is asked for, first as a stream and then as what is stored.

import { wait } from "/assets/directions.js";
import { drawn, later } from "/assets/draw.js";
import { seen } from "/assets/stage.js";
import { answer, get, post, Refused } from "/assets/wire.js";

const TRIES = 6; // how often a broken stream is taken up again
const PAUSE = 0.15; // seconds before the first of them; each time twice as long

export class Follow {
  // `page` has: named(id), titled(title), asked(id), message(id), shown(length), directed(header).
  constructor(page) {
    this.page = page;
    this.abort = new AbortController();
    this.id = null; // of the answer
    this.text = "";
    this.whole = false;
    this.stopped = false;
    this.began = performance.now();
  }

  get seconds() {
    return (performance.now() - this.began) / 1000;
  }

  stop() {
    this.stopped = true;
    this.abort.abort();
  }

  // Until the answer is over. Throws what the server refused with.
  async run(path, body) {
    try {
      await this.take(path, body);
    } catch (error) {
      if (body || !(error instanceof Refused)) throw error;
      // nothing was asked: an answer under way was over before we could take it up
    }
    for (let tries = 0; !this.whole && !this.stopped && tries < TRIES; tries += 1) {
      await wait(PAUSE * 2 ** tries);
      if (await this.again()) break;
    }
    await drawn();
  }

  async take(path, body) {
    try {
      const { page, records } = await answer(path, body, this.abort.signal);
      this.page.directed(page);
      for await (const record of records) this.read(record);
    } catch (error) {
      if (error instanceof Refused) throw error;
      // else the line broke, or the person stopped: what has come stays
    }
  }

  // Whether nothing more can be had.
  async again() {
    await seen();
    const { id } = this.page;
    if (!id || this.stopped) return true;
    const { responseNodes, inflightResponses } = await get(`/conversations/${id}/response-node?includeThreads=true`);
    const answerId = this.id ?? responseNodes.at(-1)?.responseId;
    if (inflightResponses.some((one) => one.responseId === answerId)) {
      this.text = "";
      await this.take(`/conversations/reconnect-response-v2/${answerId}`, null).catch(() => {}); // over meanwhile
      return this.whole;
    }
    const { responses } = await post(`/conversations/${id}/load-responses`, { responseIds: [answerId] });
    if (responses[0]) this.settle(responses[0]);
    return true;
  }

  read(result) {
    if (result.conversation) this.page.named(result.conversation.conversationId);
    if (result.title) this.page.titled(result.title.newTitle);
    const frame = result.response ?? result;
    if (frame.userResponse) this.page.asked(frame.userResponse.responseId);
    else if (frame.modelResponse?.message) this.settle(frame.modelResponse);
    else if (frame.modelResponse || frame.uiLayout) this.message(frame.responseId);
    else if (frame.cardAttachment) this.message(frame.responseId).cards.take([frame.cardAttachment.jsonData]);
    else if (frame.token) this.grow(frame);
  }

  grow({ token, isThinking, messageTag, rolloutId = "", responseId }) {
    const message = this.message(responseId);
    if (messageTag === "raw_function_result") return;
    if (isThinking) {
      // thoughts are few, and each is drawn
      later(`thought ${(this.thoughts = (this.thoughts ?? 0) + 1)}`, () => {
        message.think(token, rolloutId);
        this.page.shown(this.text.length);
      });
      return;
    }
    this.text += token;
    this.draw(message);
  }

  // The whole answer as the site has it: what was drawn before gives way to it.
  settle({ responseId, message: text, partial, cardAttachmentsJson: cards = [] }) {
    this.text = text;
    this.whole = !partial;
    if (!text) return;
    const message = this.message(responseId);
    message.cards.take(cards);
    this.draw(message);
  }

  draw(message) {
    later("text", () => {
      message.write(this.text);
      this.page.shown(this.text.length);
    });
  }

  message(id) {
    this.id ??= id;
    return this.page.message(id);
  }
}
