// One question on its way: asked, heard, drawn as it comes, and read back where the wire fails.

import { sources } from "/assets/cites.js";
import { Directions, flicker } from "/assets/directions.js";
import { drawn, later } from "/assets/draw.js";
import { t } from "/assets/labels.js";
import { challenge, cover, limit, signInAgain, snack } from "/assets/notices.js";
import { seen } from "/assets/stage.js";
import { ask, generate } from "/assets/wire.js";

export const READ = "hNvQHb";
export const WHOLE = 2;
const LIMITED = 1037;
const STILL = 5; // looks at an unchanged text before it counts as over
const READ_AGAIN_MS = 1000;

export class Turn {
  // `page` is what the turn needs of the page: composer, content, and what it tells it.
  constructor(exchange, question, page) {
    this.exchange = exchange;
    this.question = question;
    this.page = page;
    this.text = this.thoughts = this.tool = "";
    this.sources = new Map();
    this.whole = this.stopped = this.left = false;
    this.code = null;
    this.until = null;
    this.directions = new Directions(null, {});
  }

  // Ask, and come back when everything is drawn, however it ended.
  async run() {
    const ended = await generate(this.question, {
      hear: (reply) => this.hear(reply),
      headers: (header) => this.direct(header),
      started: (call) => (this.call = call),
    });
    if (this.left) return;
    await drawn();
    if (this.left) return;
    await this.conclude(ended);
    this.directions.end();
  }

  stop() {
    this.stopped = true;
    this.call?.abort();
  }

  // The page shows something else now: nothing of this is drawn any more.
  leave() {
    this.left = true;
    this.directions.end();
    this.call?.abort();
  }

  hear({ payload, code }) {
    if (this.left) return;
    if (code !== undefined) {
      this.code = code;
      return;
    }
    const [, ids, about, , candidates, , tool] = payload;
    if (ids?.[1]) this.exchange.name(ids[1]);
    if (ids?.[0]) this.page.named(this, [...ids.slice(0, 2), candidates?.[0]?.[0] ?? ""]);
    if (about?.["11"]) this.page.titled(about["11"][0]);
    if (about?.["28"]) this.count(about["28"][0]);
    this.tool = tool?.[1]?.[0] ?? "";
    if (candidates?.length) this.take(candidates[0]);
    later("answer", () => this.draw());
  }

  // What is left of the quota: only where nothing is left does it matter.
  count(quotas) {
    const spent = quotas.find((one) => one[5] === 0);
    if (spent) this.until = spent[3][0];
  }

  take(candidate) {
    this.text = candidate[1][0] ?? "";
    this.thoughts = candidate[37]?.[0]?.[0] ?? this.thoughts;
    this.sources = sources(candidate);
    this.whole = candidate[8][0] === WHOLE;
  }

  draw() {
    if (this.left) return;
    if (this.thoughts) this.exchange.think(this.thoughts);
    this.exchange.use(this.tool);
    if (this.text) {
      this.exchange.write(this.text, this.sources);
      this.page.spoke(this); // the page keeps the address back until words come
    }
    this.page.content.follow();
    this.directions.shown(this.text.length);
  }

  async conclude({ status, body }) {
    const { exchange } = this;
    const again = () => this.page.again(this);
    if (this.stopped) exchange.end({ whole: false });
    else if (status === 401) {
      exchange.complain(t("over"));
      signInAgain();
    } else if (body.includes("captcha-form")) {
      exchange.complain(t("wrong"), again);
      challenge();
    } else if (status && status !== 200) exchange.complain(`${t("wrong")} (${status})`, again);
    else if (this.code === LIMITED) {
      exchange.complain(t("limit"));
      limit(this.page.composer.notices, this.until);
    } else if (this.code !== null) exchange.complain(`${t("wrong")} (${this.code})`, again);
    else if (this.whole) exchange.end({ whole: true });
    else await this.readBack();
  }

  // The wire has ended and the answer has not: the site may have the rest stored.
  async readBack() {
    let before = null;
    for (let still = 0; still < STILL && !this.stopped && this.page.chat(this); ) {
      await seen();
      const [turns] = await ask(READ, [this.page.chat(this), 1, null, 1, [1], [4], null, 1]).catch(() => [[]]);
      if (this.left) return;
      const newest = turns?.[0];
      if (newest && newest[0][1] === this.exchange.responseId) {
        this.take(newest[3][0][0]);
        later("answer", () => this.draw());
      }
      await drawn();
      if (this.left) return;
      if (this.whole) return this.exchange.end({ whole: true });
      still = this.text === before ? still + 1 : 0;
      before = this.text;
      await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
      if (this.left) return;
    }
    if (this.stopped) this.exchange.end({ whole: false });
    else this.exchange.complain(t("lost"), () => this.page.again(this));
  }

  // -- the page's own part in a story -----------------------------------------------------

  direct(header) {
    const { composer } = this.page;
    const { exchange } = this;
    this.directions = new Directions(header, {
      flicker: (how) =>
        flicker(
          how,
          () => composer.set({ hidden: true }),
          () => composer.set({ hidden: false }),
        ),
      flash: ({ seconds }) => exchange.flash(seconds),
      reload: () => location.reload(),
      leave: () => this.page.go("/app"),
      toast: () => snack(t("wrong"), () => this.page.again(this)),
      overlay: () => cover("upsell"),
      rename: () => composer.set({ renamed: true }),
      aloud: () => exchange.readAloud(true),
      shrink: ({ seconds }) => exchange.shrink(seconds),
      poll: () => this.page.chat(this) && ask(READ, [this.page.chat(this), 1, null, 1, [1], [4], null, 1]),
    });
    this.directions.asked();
  }
}
