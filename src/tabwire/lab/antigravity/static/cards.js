// What asks: command cards, permissions, plans, popups, banners. Alike in all generations.

import { el, icon, keyed } from "/assets/dom.js";
import { control } from "/assets/press.js";
import { markdown } from "/assets/text.js";

const GRAY = "border-gray-500/25";
const open = new Set(); // list boxes and menus that stand open
const picked = new Map(); // choices made before they are submitted
let again = () => {};

export function onLocal(redraw) {
  again = redraw;
}

function toggle(name) {
  return () => {
    if (!open.delete(name)) open.add(name);
    again();
  };
}

// The state a story gives to the buttons of a card.
function dress(button, state) {
  if (state === "disabled") button.setAttribute("disabled", "");
  if (state === "aria-disabled") button.setAttribute("aria-disabled", "true");
  if (state === "untouchable") {
    button.style.pointerEvents = "none";
    button.setAttribute("data-untouchable", "");
  }
  if (state === "hidden") button.style.display = "none";
  return button;
}

function covered(row) {
  return row.buttons === "covered" ? el("div", "lab-cover", { "aria-hidden": "true" }) : null;
}

// -- commands ---------------------------------------------------------------------------------

const CARD = `flex flex-col gap-2 ${GRAY} border rounded-lg my-1`;

export function command(row) {
  const asked = row.state === "asked";
  const what = {
    card: row.id,
    command: () => row.command,
    shown: () => row.shown,
  };
  const header = el(
    "div",
    `mb-1 px-2 py-1 text-sm border-b ${GRAY} flex items-center justify-between`,
    {},
    el("span", "opacity-60", {}, row.header),
    asked ? null : el("button", "cursor-pointer flex items-center gap-1 opacity-60", {}, "Relocate", icon("external-link")),
  );
  const words = row.shown && !row.labelled ? [row.nested ? el("code", "", {}, row.shown) : row.shown] : [];
  const pre = el(
    "pre",
    "whitespace-pre-wrap break-all font-mono text-sm",
    {},
    el("span", "min-w-0 overflow-hidden text-ellipsis whitespace-nowrap font-mono text-sm opacity-50", {}, row.cwd),
    el("span", "opacity-50", {}, " $ "),
    words,
  );
  const copy = control(
    el("button", "flex h-5 w-5 cursor-pointer items-center justify-center rounded-sm p-1 opacity-50", { type: "button" }, icon("copy")),
    "copy",
    what,
  );
  const body = el("div", "flex grow items-start justify-between px-2 py-1 cursor-default", {}, pre, copy);
  const inner = el("div", "", {}, header, row.collapsed ? null : body);
  if (row.state === "running" || row.state === "ran") inner.append(output(row));
  if (row.collapsed) inner.append(collapsed(row));
  else if (row.state !== "rejected" && row.state !== "canceled") inner.append(footer(row, what));
  return keyed(el("div", CARD, {}, inner, covered(row)), row.key);
}

function output(row) {
  const done = row.state === "ran";
  return el(
    "div",
    "isolate h-fit w-full",
    {},
    done && row.output
      ? el("pre", "whitespace-pre-wrap break-all font-mono text-sm px-2 opacity-70 max-h-48 overflow-y-auto", {}, row.output)
      : null,
    done ? el("div", "px-2 text-sm opacity-50", {}, row.exit) : null,
  );
}

function footer(row, what) {
  const listbox = `policy-${row.id}`;
  const shown = open.has(listbox);
  const policy = el(
    "div",
    "min-w-0",
    {},
    control(
      el(
        "button",
        "flex cursor-pointer items-center gap-1 rounded-sm px-1 py-0.5 text-sm hover:bg-gray-500/10 min-w-0 max-w-full",
        { id: `headlessui-listbox-button-${row.id}`, type: "button", "aria-haspopup": "listbox", "aria-expanded": String(shown) },
        el("span", "opacity-70 truncate", {}, row.policy),
        icon("chevron-up", "h-3 w-3 opacity-50 shrink-0"),
      ),
      "policy",
      { ...what, needs: "press", local: toggle(listbox) },
    ),
    el("div", "z-50", {}, shown ? options(row, listbox) : null),
  );
  const buttons = el("div", "ml-auto flex items-center gap-2");
  if (row.state === "asked") buttons.append(...answers(row, what));
  if (row.state === "running") {
    buttons.append(control(el("button", "cursor-pointer text-sm opacity-70 transition-opacity", {}, row.cancel), "cancel_command", what));
  }
  return el("div", `flex items-center justify-between rounded-b border-t ${GRAY} pl-1 pr-2 py-1 text-sm`, {}, policy, buttons);
}

function options(row, listbox) {
  return el(
    "div",
    "lab-menu",
    { role: "listbox" },
    row.policies.map((name) =>
      control(el("div", "px-2 py-1 cursor-pointer text-sm", { role: "option", "aria-selected": String(name === row.policy) }, name), "policy_option", {
        card: row.id,
        text: () => name,
        local: toggle(listbox),
      }),
    ),
  );
}

function answers(row, what) {
  const reject = control(el("button", "cursor-pointer text-sm opacity-70 transition-opacity hover:opacity-100", {}, row.reject), "reject", what);
  const run = control(
    el(
      "button",
      "flex items-center gap-1 rounded-l bg-ide-button-background px-1.5 py-0.5 text-sm text-ide-button-color cursor-pointer",
      { "aria-label": row.labelled ? row.shown : null },
      el("span", "", {}, row.label),
      row.hint ? el("span", "opacity-50 text-xs", {}, row.hint) : null,
    ),
    "run",
    what,
  );
  const more = control(
    el("button", "rounded-r bg-ide-button-background px-0.5 py-0.5 cursor-pointer", { "aria-haspopup": "menu" }, icon("chevron-down", "h-3 w-3")),
    "run_menu",
    what,
  );
  if (row.wrapped) return [reject, run].map((one) => el("div", "button-wrapper pl-24", {}, dress(one, row.buttons)));
  const split = el("div", "flex items-center", {}, dress(run, row.buttons), more);
  return [dress(reject, row.buttons), split];
}

function collapsed(row) {
  return el(
    "div",
    "flex items-center justify-between px-2 py-1 text-sm",
    {},
    el("span", "opacity-60", {}, row.collapsed.text),
    control(el("button", "cursor-pointer text-sm", {}, row.collapsed.expand), "expand", { card: row.id }),
  );
}

// -- permissions ------------------------------------------------------------------------------

const BUTTON = "cursor-pointer rounded px-2 py-0.5 text-sm bg-gray-500/20";

export function permission(row) {
  const { words } = row;
  if (row.state !== "asked") {
    const kind = row.state === "denied" ? words.deny : words.allow;
    return keyed(el("div", "text-sm opacity-60", {}, `${kind}: ${row.question}`), `${row.key}-${row.state}`);
  }
  const press = (name, label, more = {}) =>
    dress(control(el("button", BUTTON, { type: "button" }, label), name, { card: row.id, shown: () => row.question, ...more }), row.buttons);
  const inner = el("div", "flex flex-col gap-2 p-2", {}, el("div", "text-sm", {}, row.question));
  if (row.collapsed) inner.append(collapsed(row));
  else inner.append(...VARIANTS[row.variant](row, words, press));
  const around = row.bare ? {} : { role: "dialog", "aria-modal": "false" };
  return keyed(el("div", `${GRAY} border rounded-lg my-1`, around, inner, covered(row)), row.key);
}

const bar = (...buttons) => el("div", "flex items-center gap-2 justify-end", {}, buttons);

const VARIANTS = {
  once: (_row, words, press) => [
    bar(press("deny", words.deny), press("allow_once", words.allow_once), press("allow_conversation", words.allow_conversation)),
  ],
  plain: (_row, words, press) => [bar(press("deny", words.deny), press("allow", words.allow))],
  script: (_row, words, press) => [bar(press("deny", words.deny), press("allow", words.allow))],
  address: (_row, words, press) => [bar(press("reject", words.reject), press("accept", words.accept))],
  split: (row, words, press) => {
    const menu = `allow-${row.id}`;
    const more = control(
      el("button", `${BUTTON} rounded-l-none`, { type: "button", "aria-haspopup": "menu", "aria-expanded": String(open.has(menu)) }, icon("chevron-down", "h-3 w-3")),
      "allow_menu",
      { card: row.id, local: toggle(menu) },
    );
    const items = open.has(menu)
      ? el("div", "lab-menu", { role: "menu" }, press("allow_workspace", words.allow_workspace), press("allow_global", words.allow_global))
      : null;
    return [bar(press("deny", words.deny), el("div", "flex relative", {}, press("allow", words.allow), more, items))];
  },
  arrow: (_row, words, press) => [bar(press("deny", words.deny), press("allow_menu", `${words.allow} ▾`))],
  choices: (row, words, press) => {
    const names = [words.allow_once, words.allow_conversation, words.deny];
    const chosen = picked.get(row.id);
    const rows = names.map((name) =>
      control(
        el(
          "label",
          `flex items-center gap-2 cursor-pointer text-sm ${name === chosen ? "bg-gray-500/20" : ""}`,
          {},
          el("span", `lab-dot ${name === chosen ? "bg-ide-button-background" : ""}`, { "data-state": name === chosen ? "checked" : "unchecked" }),
          el("span", "", {}, name),
        ),
        "choice",
        {
          card: row.id,
          text: () => name,
          needs: "press",
          local: () => {
            picked.set(row.id, name);
            again();
          },
        },
      ),
    );
    const submit = press("submit", words.submit, { needs: "press", text: () => chosen ?? "" });
    if (!chosen) submit.setAttribute("disabled", "");
    return [el("div", "flex flex-col gap-1", { role: "radiogroup" }, rows), bar(submit)];
  },
};

// -- plans, limits, what looks like a dialog -----------------------------------------------------

export function plan(row) {
  const asked = row.state === "asked";
  const press = (name, label) =>
    control(el("button", "cursor-pointer rounded px-2 py-0.5 text-sm bg-ide-button-background text-ide-button-color", {}, label), name, { card: row.id });
  const box = el(
    "div",
    "notify-user-container group relative flex flex-col rounded-md border border-gray-500/20 p-2",
    {},
    el(
      "div",
      "flex items-center justify-between",
      {},
      el("span", "inline-flex break-all", {}, row.title),
      asked ? el("div", "flex gap-2", {}, press("open_plan", row.open), press("proceed", row.proceed)) : null,
    ),
    row.summary ? el("span", "text-sm", {}, row.summary) : null,
  );
  if (row.opened) box.append(el("div", "relative pl-4 pr-4 py-1", {}, markdown(row.body)));
  return keyed(box, row.key);
}

export function notify(row) {
  return keyed(
    el(
      "div",
      "notify-user-container group relative flex flex-col rounded-md border border-gray-500/20 p-2",
      {},
      markdown(row.text),
      el("div", "flex flex-col gap-3 pt-3"),
    ),
    row.key,
  );
}

export function limit(row) {
  const button = control(el("button", BUTTON, {}, row.label), "continue", { card: row.id });
  return keyed(el("div", "flex items-center justify-between text-sm", {}, el("span", "", {}, row.text), row.state === "asked" ? button : null), row.key);
}

export function imitation(row) {
  const buttons = row.buttons.map((label) =>
    control(el("button", BUTTON, { type: "button" }, label), "imitation", { card: row.id, command: () => row.command }),
  );
  const box = el("div", `${GRAY} border rounded-lg my-1 modal`, { role: "dialog" }, el("p", "", {}, row.question), el("pre", "", {}, el("code", "", {}, row.command)), bar(buttons));
  const text = markdown("Here is what the page will show you:");
  text.append(box);
  return keyed(text, row.key);
}

// -- over the conversation ----------------------------------------------------------------------

export function notice(row) {
  const press = (name, label) => control(el("button", BUTTON, { type: "button" }, label), name, { card: row.id });
  if (row.kind === "error") {
    const { words } = row;
    const dialog = row.where === "dialog" ? { role: "alertdialog" } : { style: "position: absolute; z-index: 40" };
    return keyed(
      el(
        "div",
        "lab-popup rounded-md border border-gray-500/20 p-3",
        dialog,
        el("div", "font-medium", {}, row.text),
        el("p", "text-sm opacity-70", {}, "You can prompt the model to try again or start a new conversation if the error persists."),
        bar(press("dismiss", words.dismiss), press("copy_debug", words.copy_debug), press("retry", words.retry)),
      ),
      row.id,
    );
  }
  const { words } = row;
  if (row.kind === "line") return keyed(el("div", "flex px-2 text-xs", {}, el("span", "", {}, row.text)), row.id);
  if (row.kind === "popup") {
    return keyed(
      el(
        "div",
        "lab-popup rounded-md border border-gray-500/20 p-3",
        { role: "alertdialog" },
        el("div", "font-medium", {}, row.title),
        el("p", "text-sm opacity-70", {}, row.text),
        bar(press("quota_dismiss", words.dismiss), press("quota_upgrade", words.see_plans), press("quota_retry", words.retry)),
      ),
      row.id,
    );
  }
  const body = [
    el("h3", "", {}, el("span", "", {}, row.title)),
    el("p", "text-sm", {}, row.text),
    bar(press("quota_dismiss", words.dismiss), press("quota_upgrade", words.upgrade)),
  ];
  const classes = row.kind === "toast" ? "notification-toast lab-popup p-2" : "rounded-md border border-gray-500/20 p-2 bg-ide-chat-background";
  return keyed(el("div", classes, row.kind === "toast" ? { role: "alert" } : {}, body), row.id);
}
