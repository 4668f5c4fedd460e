// Turns of the stand-alone app, as measured in July 2026. What runs is grouped between texts; a
// turn that is over folds its groups, and what was folded is not in the page.

import { imitation, command as card, limit, notify, permission, plan } from "/assets/cards.js";
import { el, icon, keyed } from "/assets/dom.js";
import { control } from "/assets/press.js";
import { plain } from "/assets/rows.js";
import { markdown } from "/assets/text.js";

const FOLD =
  "group flex items-center gap-1 w-full text-left text-sm px-2 min-h-8 py-1 rounded-lg tabular-nums select-none text-foreground hover:bg-muted transition-[opacity,background-color]";
const open = new Set();
let again = () => {};
let most = 0;

export function onFold(redraw) {
  again = redraw;
}

export function turn(one, words, look, last) {
  most = look.most ?? 0;
  const response = el("div", "", { role: "article", "aria-label": "Agent response" });
  if (one.unmounted) response.append(...one.rows.map(() => el("div", "flex flex-col gap-0.5")));
  else response.append(...parts(one));
  return keyed(
    el(
      "div",
      "flex items-start",
      {},
      el(
        "div",
        "flex flex-col gap-0.5 group w-full",
        {},
        user(one),
        response,
        one.status ? el("div", "whitespace-nowrap py-1 text-sm text-secondary-foreground min-h-8 pl-5 mt-0.5", { "data-testid": "agent-loading" }, "Working") : null,
        one.over ? feedback(one, last) : null,
      ),
    ),
    one.id,
  );
}

function user(one) {
  const copy = control(el("button", "text-muted-foreground p-1", { role: "button", tabindex: 0, "aria-label": "Copy", "data-tooltip-id": `copy-user-message-${one.id}` }, icon("copy", "w-4 h-4")), "copy");
  const undo = control(
    el("button", "text-muted-foreground p-1", { "data-testid": "revert-button", tabindex: 0, "aria-label": "Undo changes up to this point", "aria-disabled": "false", "data-tooltip-id": `undo-tooltip-${one.id}` }, icon("undo", "w-4 h-4")),
    "undo",
  );
  return el(
    "div",
    "sticky top-0 z-10 mb-4 bg-background",
    { role: "article", "aria-label": "User message" },
    el(
      "div",
      "flex w-full flex-row",
      {},
      el(
        "div",
        "flex min-w-0 grow flex-col",
        {},
        el(
          "div",
          "flex flex-col w-full gap-2 group/user-input-step pt-4",
          { "data-testid": "user-input-step" },
          el(
            "div",
            "relative p-px rounded-xl bg-card-border",
            {},
            el(
              "div",
              "relative flex flex-col gap-0 p-2 rounded-[calc(theme(borderRadius.xl)-1px)] bg-card overflow-hidden",
              {},
              el(
                "div",
                "flex flex-row items-end gap-2",
                {},
                el(
                  "div",
                  "flex-1 flex flex-col gap-2",
                  {},
                  el("div", "relative", {}, el("div", "max-h-[10vh] overflow-hidden", {}, el("div", "flex flex-wrap gap-2"), el("div", "whitespace-pre-wrap text-sm", {}, one.prompt))),
                ),
                el("div", "lab-hover flex flex-row items-center p-1 rounded-full opacity-0 pointer-events-none bg-card", {}, el("span", "text-xs text-muted-foreground mr-2 self-center", {}, "10:36 AM"), copy, undo),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

// Texts stand by themselves; what is between them is one group.
function parts(one) {
  const made = [];
  let group = [];
  const close = (ended) => {
    if (group.length) made.push(worked(one, group, made.length, ended || one.over));
    group = [];
  };
  for (const row of one.rows) {
    const said = row.kind === "reply" && row.text;
    if (row.kind !== "reply" || row.thought) group.push(row);
    if (said || row.kind === "imitation") {
      if (row.kind === "imitation") group.pop();
      close(true);
      made.push(keyed(el("div", "px-2 py-1", {}, said ? markdown(row.text, { live: row.live }) : imitation(row)), `${row.key}-text`));
    }
  }
  close(false);
  return made;
}

function worked(one, rows, at, over) {
  const name = `${one.id}-group${at}`;
  const asks = rows.some((row) => row.state === "asked");
  const shown = !over || asks || open.has(name);
  const button = fold(one.worked || "Worked for 1s", "", shown, name);
  if (!over) button.classList.add("hidden");
  const inner = shown
    ? el("div", "relative", {}, el("div", "overflow-y-auto", {}, el("div", "", {}, el("div", "flex flex-col gap-0.5", {}, some(rows, name)))))
    : null;
  return keyed(el("div", "relative", {}, button, inner), name);
}

// The newest steps, and a button for the others.
function some(rows, name) {
  const key = `${name}-more`;
  if (!most || rows.length <= most || open.has(key)) return rows.map(row);
  const left = rows.length - most;
  const button = control(keyed(el("button", "px-2 text-sm text-muted-foreground", { type: "button" }, `Show ${left} more`), key), "fold", {
    local: () => {
      open.add(key);
      again();
    },
  });
  return [button, ...rows.slice(-most).map(row)];
}

function fold(label, more, shown, name) {
  return control(
    el(
      "button",
      FOLD,
      { type: "button", "aria-expanded": String(shown) },
      el("span", "text-secondary-foreground", {}, label),
      more ? [" ", el("span", "", {}, more)] : null,
      icon("chevron-right", "h-3.5 w-3.5 shrink-0 transition-all duration-200 text-muted-foreground"),
    ),
    "fold",
    {
      local: () => {
        if (!open.delete(name)) open.add(name);
        again();
      },
    },
  );
}

const DRAWN = { permission, plan, notify, limit };

function row(one) {
  if (one.kind === "command" && one.state === "ran") return ran(one);
  if (one.kind === "command") return boxed(line(one), one, running(one));
  if (one.kind === "tool") return boxed(line(one), one, null);
  if (one.kind === "reply") return boxed(thought(one), one, null, "flex flex-col gap-0.5");
  if (one.kind === "task") return boxed(el("div", "px-2 text-sm font-medium", {}, one.title), one, null);
  return keyed(el("div", "flex flex-row", {}, el("div", "min-w-0 grow", {}, DRAWN[one.kind]?.(one) ?? plain(one))), one.key);
}

function boxed(inner, one, below, classes = "flex flex-col") {
  const details = below ? el("div", "grid transition-[grid-template-rows,opacity] duration-200", {}, el("div", "overflow-hidden pl-3", {}, below)) : null;
  return keyed(el("div", "flex flex-row", {}, el("div", "min-w-0 grow", {}, el("div", classes, {}, inner, details))), one.key);
}

function thought(one) {
  const name = `${one.id}-thought`;
  const shown = !one.thought.over || open.has(name);
  const text = shown
    ? el("div", "relative", {}, el("div", "overflow-y-auto pl-3 pt-0.5", {}, el("div", "", {}, el("div", "cursor-edit group relative text-secondary-foreground pl-2", {}, markdown(one.thought.text, { live: !one.thought.over })))))
    : null;
  return el("div", "relative", {}, fold(one.thought.label, "", shown, name), text);
}

function line(one) {
  const command = one.kind === "command";
  const verb = command ? "Run" : one.verb;
  const more = command ? one.shown : [one.target, one.detail].filter(Boolean).join(" ");
  const words = command
    ? el("span", "inline-flex", {}, el("span", "truncate font-mono text-[13px] mt-px ml-px", {}, more))
    : el("span", "truncate", { title: more }, more);
  return el(
    "div",
    "group flex w-full min-w-0 items-center min-h-8 py-1 px-2 select-none transition-[background-color] cursor-pointer rounded-lg hover:bg-muted",
    { tabindex: 0, role: "button" },
    el(
      "div",
      "flex min-w-0 items-center gap-x-1 text-sm",
      {},
      el(
        "div",
        "truncate",
        {},
        el("div", "flex flex-row items-center gap-1 overflow-hidden whitespace-nowrap", {}, el("span", "text-secondary-foreground", {}, verb), more ? [" ", words] : null),
      ),
      el("div", `ml-0.5 flex items-center text-sm text-muted-foreground ${one.live || one.state === "running" ? "" : "hidden"}`, {}, icon("loader", "animate-spin text-muted-foreground shrink-0")),
    ),
    el("div", "flex items-center shrink-0", {}, icon("chevron-right", "ml-1 h-3.5 w-3.5 shrink-0")),
  );
}

// The card under a command that asks or runs. Its buttons were never seen; they are the IDE's.
function running(one) {
  return el("div", "pl-2 py-1 hidden-if-empty", {}, el("div", "flex flex-col gap-2 mt-0.5", {}, el("div", "flex flex-col overflow-hidden rounded-lg border shadow-sm group/run-command bg-background mt-0.5", {}, card(one))));
}

function ran(one) {
  const name = `${one.id}-ran`;
  const shown = open.has(name);
  const inner = shown
    ? el("div", "relative", {}, el("div", "overflow-y-auto pl-3 pt-0.5", {}, el("div", "", {}, el("div", "flex flex-col gap-0.5", {}, boxed(line(one), one, running(one))))))
    : null;
  return keyed(el("div", "relative", {}, fold("Ran", "1 command", shown, name), inner), `${one.key}-ran`);
}

function feedback(one) {
  const button = (side, label) =>
    control(
      el("button", "inline-flex items-center font-medium bg-transparent h-6 w-6", { "data-tooltip-id": `${side}-${one.id}`, "aria-label": label, "aria-pressed": side === "copy" ? null : "false" }, icon(side)),
      side,
    );
  return el(
    "div",
    "pt-3",
    {},
    el(
      "div",
      "",
      {},
      el(
        "div",
        "flex flex-col gap-2",
        {},
        el(
          "div",
          "flex w-full justify-between items-start gap-1 pl-2 pr-1",
          {},
          el("div", "text-xs grow opacity-0 whitespace-nowrap flex items-center h-5", {}, "5:44 PM, 7/13/2026"),
          el("div", "flex items-center", {}, button("copy", "Copy"), button("up", "Good response"), button("down", "Bad response")),
        ),
      ),
    ),
  );
}
