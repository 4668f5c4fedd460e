// Where a panel stands: in the IDE's window, in a frame, in the app, in the Agent Manager.

import { el, icon } from "/assets/dom.js";
import { control } from "/assets/press.js";

const GRAY = "!border-b !border-gray-500/20";

// The panel in the IDE's own page.
export function sidePanel(panel) {
  return el("div", "antigravity-agent-side-panel", {}, inside(panel));
}

export function inside(panel) {
  const header = el("div", `flex items-center justify-between gap-2 px-2 py-[5.5px] ${GRAY}`, {}, panel.title, panel.links);
  return el("div", "w-full h-full flex flex-col box-border", {}, header, conversation(panel));
}

function conversation(panel) {
  return el(
    "div",
    "flex w-full grow flex-col overflow-y-hidden overflow-x-clip pr-px",
    { id: "conversation" },
    el("div", "flex w-full grow flex-col overflow-hidden lab-grow", {}, panel.scroller, panel.notices),
    el(
      "div",
      "relative flex flex-col gap-8 text-ide-message-block-bot-color px-2",
      {},
      el("div", "flex grow flex-col justify-start gap-8", {}, panel.bar, el("div", "w-full flex flex-col items-stretch gap-2 box-border", {}, panel.composer.root)),
    ),
  );
}

// The IDE around it: menus, files, an editor and a terminal, each with what is easily mistaken.
export function workbench(state, ...panels) {
  const menus = ["File", "Edit", "Selection", "View", "Go", "Run", "Terminal"].map((name) =>
    control(el("div", "menubar-menu-button", { role: "menuitem", tabindex: -1, "aria-label": name, "aria-haspopup": "true" }, el("div", "menubar-menu-title", { role: "none" }, name)), "menu"),
  );
  const files = ["package.json", "run", "README.md", state.file || "index.js"].map((name) =>
    control(el("div", "monaco-list-row", { role: "treeitem" }, el("div", "monaco-icon-label", {}, el("a", "label-name explorer-item-label", {}, name))), "file"),
  );
  const tasks = ["Run Task…", "Accept Current Change", "Run"].map((name) => control(el("button", "monaco-button list-item", { type: "button" }, name), "elsewhere"));
  return el(
    "div",
    "monaco-workbench linux chromium vs-dark",
    {},
    el("div", "part titlebar", { id: "workbench.parts.titlebar", role: "none" }, el("div", "menubar", { role: "menubar" }, menus)),
    el("div", "part sidebar", { id: "workbench.parts.sidebar" }, el("div", "explorer-folders-view", {}, el("div", "pane-header", {}, state.workspace), files), el("div", "lab-tasks", {}, tasks)),
    el(
      "div",
      "part editor",
      { id: "workbench.parts.editor" },
      el("div", "monaco-breadcrumbs", { role: "list" }, el("div", "monaco-breadcrumb-item", {}, state.workspace)),
      el("div", "monaco-editor", {}, el("textarea", "ime-text-area", { readonly: "true", tabindex: -1, "aria-hidden": "true" }), el("div", "view-lines", {}, "const run = () => accept();")),
    ),
    el("div", "part panel", { id: "workbench.parts.panel" }, el("div", "terminal xterm", { dir: "ltr" }, el("div", "xterm-helpers", {}, el("textarea", "xterm-helper-textarea", { "aria-label": "Terminal 1, bash", "aria-multiline": "false" })))),
    panels,
    el("div", "monaco-aria-container", {}, el("div", "monaco-alert", { role: "alert", "aria-atomic": "true" })),
    el("div", "notifications-toasts"),
  );
}

// The stand-alone app of 2.x.
export function app(state, panel, send) {
  const pills = el("div", "flex flex-col gap-px mb-1");
  const top = el("div", "flex w-full min-w-0 select-none items-center justify-between overflow-hidden lab-top", {}, el("div", "flex items-center gap-1 min-w-0", {}, crumbs(state.workspace, panel.title)), el("button", "group outline-none w-6 h-6", { "data-testid": "titlebar-more-actions" }, icon("ellipsis")));
  const view = el(
    "div",
    "w-full flex h-full min-h-0 flex-col items-center relative overflow-y-auto lab-view",
    { "data-testid": "conversation-view" },
    el("div", "relative w-full flex-grow min-h-0 lab-grow", {}, panel.scroller, panel.notices),
    el("div", "relative w-full px-4 mb-2 flex-shrink-0 flex flex-col items-center gap-2", {}, el("div", "w-full transition-opacity pt-0", {}, el("div", "flex flex-col w-full gap-2", {}, el("div", "relative z-10 flex flex-col gap-1", {}, panel.bar, panel.composer.root)))),
  );
  const root = el(
    "div",
    "",
    { id: "root" },
    el(
      "div",
      "relative w-screen h-screen overflow-hidden",
      {},
      el(
        "div",
        "h-full w-full dark lab-columns",
        {},
        el("div", "h-full flex flex-col pb-2 bg-sidebar lab-side", { role: "navigation", "aria-label": "Sidebar" }, sidebar(), section(state.workspace, pills), el("button", "h-8", { "data-testid": "settings-button" }, "Settings")),
        el("div", "flex-1 flex flex-col min-w-0 h-full", {}, top, view),
      ),
    ),
    el("div", "sr-only", { id: "a11y-live-announcer", "aria-live": "polite", "aria-atomic": "true" }),
  );
  panel.drewAround = () => pills.replaceChildren(...panel.state.conversations.map((one) => pill(one, one.id === panel.state.conversation)));
  return root;

  function sidebar() {
    const button = (name, label, attributes, what) => control(el("button", "inline-flex items-center h-8 px-2 py-1 rounded-lg", attributes, el("span", "truncate text-sm", {}, label)), name, what);
    return el("div", "flex flex-col gap-1.5", {}, button("new_chat", "New Conversation", { "data-tooltip-id": "new-conversation" }), button("history", "Conversation History", { "data-testid": "history-button" }));
  }
}

// A project, as the whole path of its folder or by its name, and the conversation.
function crumbs(project, title) {
  const crumb = (attributes, inner) => el("span", "text-sm px-1.5 h-6 flex items-center min-w-0 overflow-hidden cursor-pointer", attributes, inner);
  const stroke = el("span", "font-light opacity-30 mx-0.5 flex-shrink-0 -translate-y-px", {}, "/");
  const first = el("div", "flex items-center min-w-0 overflow-hidden shrink-[2]", {}, crumb({}, el("span", "truncate inline-block", { id: "lab-project" }, project)), stroke);
  return el("div", "flex items-center whitespace-nowrap overflow-hidden min-w-0", {}, first, el("div", "flex items-center min-w-0 overflow-hidden", {}, crumb({ "data-tooltip-id": "title-tooltip" }, title)));
}

// A project in the side bar, with its conversations below.
function section(project, pills) {
  const name = el("div", "text-sm font-medium truncate m-0", {}, project);
  return el("div", "flex flex-col gap-px group/section", {}, el("div", "flex items-center gap-0 pl-1 pr-0.5 h-8 shrink-0 rounded-lg", { "data-project-card": "true", role: "button", tabindex: 0, "aria-expanded": "true" }, name), pills);
}

function pill(one, active = false) {
  return el(
    "div",
    "w-full h-full group",
    {},
    control(
      el("div", "select-none cursor-pointer rounded-lg min-h-[32px] py-1.5 flex flex-row gap-1 items-center justify-between px-2" + (active ? " bg-sidebar-secondary" : ""), { role: "button", tabindex: 0 }, el("span", "truncate inline-block text-sm text-left transition-opacity", { "data-testid": `convo-pill-${one.id}` }, one.title || "New Conversation"), el("span", "text-xs opacity-60", {}, one.when)),
      "conversation",
      { text: () => one.id },
    ),
  );
}

// The Agent Manager, and the Launchpad: one address, two titles.
export function manager(state, panel) {
  const pills = el("div", "flex flex-col gap-px");
  panel.drewAround = () => pills.replaceChildren(...panel.state.conversations.map((one) => pill(one)));
  const menus = ["Antigravity", "File", "Edit", "View"].map((name) => el("div", "relative", {}, el("button", "", {}, name)));
  return el(
    "div",
    "",
    {},
    el(
      "div",
      "relative w-screen h-screen overflow-hidden",
      {},
      el("div", "border-gray-500/20 flex border-b-[1px]", {}, el("div", "flex items-center gap-1 px-2 h-8", {}, menus), el("span", "text-xs", {}, "Agent Manager")),
      el("div", "flex w-full h-full outline-none lab-columns", {}, el("div", "bg-sideBar-background p-2 lab-side", {}, el("div", "text-xs opacity-50 font-medium", {}, "Workspaces"), el("span", "text-sm font-medium", {}, state.workspace), pills), el("div", "flex-1 h-full", {}, inside(panel))),
    ),
  );
}
