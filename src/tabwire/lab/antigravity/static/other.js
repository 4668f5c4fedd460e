// Pages on the same port that are nobody's business: an extension's settings, and a page that
// the agent's own browser has open. Both have what a hasty hand would press.

import { el } from "/assets/dom.js";
import { connect } from "/assets/line.js";
import { control, listen } from "/assets/press.js";

const BUTTONS = { settings: ["Accept", "Run", "Apply", "Save"], browser: ["Accept cookies", "Confirm", "Continue", "Run"] };
let drawn = false;
const send = connect((state) => {
  if (drawn) return;
  drawn = true;
  document.title = state.page_title;
  listen(send);
  const buttons = BUTTONS[state.generation].map((label) => control(el("button", "button", { type: "button" }, label), "elsewhere"));
  document.body.append(el("h1", "", {}, state.page_title), el("div", "", { role: "dialog" }, el("p", "", {}, "Run command?"), el("pre", "", {}, "rm -rf /"), buttons), el("textarea", "", { placeholder: "Ask anything, @ to mention" }));
  send({ do: "ready" });
});
