// The pickers beside the composer. In the IDE their dialogs are in the page all the time, open or
// not; the app makes one when it is opened.

import { el, icon } from "/assets/dom.js";
import { control } from "/assets/press.js";

const DIALOG =
  "border-gray-500/20 bg-ide-chat-background w-max bg-editor-background text-editor-foreground origin-bottom outline-hidden z-50 w-72 rounded-md border shadow-md transition-[opacity,transform] duration-100";
const open = new Set();

const ABOUT = {
  Planning: "Agent can plan before executing tasks. Use for deep research, complex tasks, or collaborative work",
  Fast: "Agent will execute tasks directly. Use for simple tasks that can be completed faster",
};

export function pickers(state, newer, send, again, browse) {
  const left = el("div", "flex min-w-0 flex-1 items-center gap-0.5");
  left.append(...context(newer, again, browse));
  if (!newer) left.append(...mode(state, send, again));
  left.append(model(state, newer, send, again));
  return left;
}

function toggle(name, again) {
  return () => {
    const was = open.has(name);
    open.clear();
    if (!was) open.add(name);
    again();
  };
}

function dialog(name, ...children) {
  const shown = open.has(name) ? "opacity-100 pointer-events-auto" : "opacity-0 pointer-events-none";
  return el("div", `lab-dialog ${DIALOG} ${shown}`, { role: "dialog", "aria-modal": "false", style: "position: absolute; bottom: 100%" }, children);
}

function trigger(name, again, what, child) {
  return control(el("div", "", { role: "button", "aria-haspopup": "dialog", "aria-expanded": String(open.has(name)) }, child), what, { local: toggle(name, again) });
}

function context(newer, again, browse) {
  const item = (image, label, local) =>
    control(el("div", "flex items-center justify-start gap-2 px-2 py-1 text-xs w-full cursor-pointer", {}, icon(image), label), "context_item", {
      local: () => {
        open.clear();
        local();
        again();
      },
    });
  if (newer) {
    return [control(el("button", "p-1.5 rounded-full cursor-pointer", { "aria-label": "Add context", "aria-haspopup": "dialog", "aria-expanded": "false" }, icon("plus", "w-4 h-4")), "context")];
  }
  return [
    trigger("context", again, "context", el("button", "p-1 rounded-full hover:bg-gray-500/20 cursor-pointer opacity-70", {}, icon("plus", ""))),
    dialog(
      "context",
      el(
        "div",
        "flex flex-col items-start rounded-bg py-1",
        {},
        el("div", "text-xs px-2 pb-1 opacity-80", {}, "Add context"),
        el("div", "w-full", {}, item("image", "Media", browse), item("at-sign", "Mentions", () => {}), item("square-slash", "Workflows", () => {})),
      ),
    ),
  ];
}

function mode(state, send, again) {
  const rows = state.modes.map((name) =>
    control(
      el(
        "div",
        `flex flex-col items-start gap-0.5 px-2 py-1 cursor-pointer text-xs w-full ${name === state.mode ? "bg-gray-500/20" : "hover:bg-gray-500/10"}`,
        {},
        el("div", "font-medium", {}, name),
        el("div", "text-xs opacity-50", {}, ABOUT[name] ?? ""),
      ),
      "mode_option",
      { text: () => name, local: chosen("mode", name, send, again) },
    ),
  );
  return [
    trigger(
      "mode",
      again,
      "mode",
      el("button", "py-1 pl-1 pr-2 flex items-center gap-0.5 rounded-md hover:bg-gray-500/20 cursor-pointer opacity-70", {}, icon("chevron-up", "size-4 stroke-1"), el("span", "text-xs select-none", {}, state.mode)),
    ),
    dialog("mode", el("div", "flex flex-col items-start rounded-bg py-1 max-w-xs", {}, el("div", "text-xs px-2 pb-1 opacity-80", {}, "Conversation mode"), rows)),
  ];
}

function chosen(what, name, send, again) {
  return () => {
    open.clear();
    send({ do: what, name });
    again();
  };
}

function model(state, newer, send, again) {
  const label = `min-w-0 select-none overflow-hidden text-ellipsis whitespace-nowrap text-xs ${newer ? "text-secondary-foreground" : "opacity-70"}`;
  const name = el("span", label, {}, state.model);
  const face = newer
    ? el("button", "flex min-w-0 max-w-full cursor-pointer items-center h-7 gap-1 rounded-lg pr-1 pl-2 text-xs outline-none", { type: "button", "aria-label": `Select model, current: ${state.model}` }, name, icon("chevron-down", "shrink-0"))
    : el("div", "flex min-w-0 max-w-full cursor-pointer items-center h-full gap-0.5 rounded-md py-1 pl-[0.125rem] pr-2 text-xs outline-none", { tabindex: 0 }, icon("chevron-up", "size-4 shrink-0 stroke-1 opacity-70"), name);
  const rows = state.models.map((one) =>
    control(
      el(
        "div",
        `px-2 py-1 flex items-center justify-between cursor-pointer ${one === state.model ? "bg-gray-500/20" : "hover:bg-gray-500/10"}`,
        {},
        el(
          "div",
          "flex items-center justify-start gap-2",
          {},
          el("span", "text-xs font-medium", {}, el("span", "", {}, one)),
          one.includes("3.1") ? el("div", "bg-gray-500/15 rounded-full px-1.5 text-xs", {}, "New") : null,
        ),
      ),
      "model_option",
      { text: () => one, local: chosen("model", one, send, again) },
    ),
  );
  const shown = dialog(
    "model",
    el("div", "flex flex-col max-h-80 border border-solid border-gray-500/20 rounded-lg", {}, el("div", "flex flex-col flex-grow min-h-0 pt-1 overflow-y-auto rounded-md pb-1", {}, el("div", "text-xs px-2 pb-1 opacity-80", {}, "Model"), el("div", "", {}, rows))),
  );
  const held = newer && !open.has("model") ? null : shown;
  return el("div", "min-w-0", {}, el("div", "no-focus-agent-input", {}, el("div", newer ? "min-w-0" : "", {}, trigger("model", again, "model", face), held)));
}
