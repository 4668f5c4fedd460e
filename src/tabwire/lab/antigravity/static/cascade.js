// The old agent panel, in a frame of its own.

import { el } from "/assets/dom.js";
import { connect } from "/assets/line.js";
import { Panel } from "/assets/panel.js";
import { listen } from "/assets/press.js";
import { inside } from "/assets/surfaces.js";

let panel = null;
const send = connect(heard, new URLSearchParams(location.search).get("window"));

function heard(patch) {
  const first = !panel;
  if (first) {
    listen(send, patch.strict);
    panel = new Panel("cascade", send);
    document.querySelector("#cascade").append(inside(panel));
    document.body.append(panel.composer.menu);
  }
  panel.apply(patch);
  if (first) send({ do: "ready" });
}
