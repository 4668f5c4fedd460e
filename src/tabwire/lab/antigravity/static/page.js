// A window of the IDE, the app or the Agent Manager: which one, the lab says.

import { CursorPanel } from "/assets/cursor.js";
import { el } from "/assets/dom.js";
import { connect } from "/assets/line.js";
import { Panel } from "/assets/panel.js";
import { listen } from "/assets/press.js";
import { app, manager, sidePanel, workbench } from "/assets/surfaces.js";

let panel = null;
const send = connect(heard);

function heard(patch) {
  const first = !panel;
  if (first) build(patch);
  panel?.apply?.(patch);
  panel?.drewAround?.();
  if (first && patch.generation !== "cascade") send({ do: "ready" }); // else its frame says so
}

function build(state) {
  document.title = state.page_title;
  document.documentElement.lang = state.lang;
  listen(send, state.strict);
  if (state.generation === "cascade") {
    // the frame has a line of its own, and says when it is drawn
    const frame = el("iframe", "webview ready", { src: `/extensions/antigravity/cascade-panel.html?window=${state.window}`, title: "Cascade" });
    document.body.append(workbench(state, el("div", "part auxiliarybar lab-frame", {}, frame)));
    panel = { apply: () => {} };
  } else if (state.generation === "cursor") {
    panel = new CursorPanel();
    document.body.append(workbench(state, panel.root));
  } else {
    panel = new Panel(state.generation, send);
    const typeahead = panel.composer.menu;
    if (state.generation === "app") document.body.append(app(state, panel, send), typeahead);
    else if (state.generation === "manager" || state.generation === "launchpad") document.body.append(manager(state, panel), typeahead);
    else if (!state.panel) document.body.append(workbench(state));
    else document.body.append(workbench(state), sidePanel(panel), typeahead);
  }
}
