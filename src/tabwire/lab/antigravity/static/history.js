// Past conversations: the floating list of the IDE. It takes no click that a script made.

import { el } from "/assets/dom.js";
import { control } from "/assets/press.js";

let box = null;

export function toggleHistory(state) {
  if (box) return close();
  const { conversations } = state;
  const here = conversations.filter((one) => one.here);
  const others = conversations.filter((one) => !one.here);
  box = el(
    "div",
    "bg-quickinput-background lab-quickinput rounded-md shadow-lg border",
    {},
    el("input", "w-full text-sm", { type: "text", placeholder: "Select a conversation", "aria-label": "Select a conversation" }),
    here.length ? head(`Recent in ${state.workspace}`) : null,
    here.map((one) => row(one, state)),
    others.length ? head("Other Conversations") : null,
    others.map((one) => row(one, state)),
    others.length ? el("div", "cursor-pointer text-xs opacity-50 px-2", {}, "Show 12 more…") : null,
  );
  document.body.append(box);
  document.addEventListener("keydown", escape, true);
  return box;
}

function close() {
  box?.remove();
  box = null;
  document.removeEventListener("keydown", escape, true);
}

function escape(event) {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  close();
}

function head(words) {
  return el("div", "text-xs opacity-50 px-2 pt-2", {}, words);
}

function row(one, state) {
  const active = one.id === state.conversation ? "bg-quickinputList-focusBackground" : "";
  return control(
    el(
      "div",
      `flex items-center justify-between px-2 py-1 cursor-pointer ${active}`,
      {},
      el("span", "text-sm truncate", {}, el("span", "", {}, one.title || "Agent")),
      el("span", "text-xs opacity-50", {}, one.when),
    ),
    "conversation",
    { text: () => one.id, needs: "trusted", local: close },
  );
}
