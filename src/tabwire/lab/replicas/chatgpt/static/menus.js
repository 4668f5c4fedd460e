// The menus of the composer: which model answers, with how much effort, and what to add.

import { make } from "/assets/element.js";
import { clock, say, t } from "/assets/labels.js";
import { Picker } from "/assets/picker.js";
import { stage } from "/assets/stage.js";

const MODELS = [
  ["gpt-5-6-thinking", "GPT-5.6 Sol"],
  ["gpt-5-5", "GPT-5.5"],
  ["o3", "o3"],
];
const EFFORTS = ["instant", "medium", "high", "extra", "pro"];
const RESETS_MS = 2 * 3600 * 1000;

// Two levels: a slider and two rows that open menus of their own. `chosen(model, effort)` hears
// of every choice, and of the first one at once.
export function models(trigger, { chosen, dress = () => {} }) {
  const families = MODELS.map(([name, label]) => ({ name, label, of: "model" }));
  const note = say("exhausted", { time: clock(Date.now() + RESETS_MS) });
  const out = { disabled: true, note };
  const efforts = EFFORTS.map((name) => ({
    name,
    label: t(name),
    of: "effort",
    ...(name === "pro" && stage.tier_exhausted ? out : {}),
  }));
  const now = { model: families[0], effort: efforts[1] };
  const items = [
    { name: "power", label: t("power"), slider: true },
    { name: "model", label: t("family"), items: families },
    { name: "effort", label: t("effort"), items: efforts },
  ];
  const dressed = (row, item) => {
    if (item?.slider) slide(row, efforts.indexOf(now.effort));
    if (item?.items) row.append(make("span", { class: "now" }, now[item.name].label));
    if (item?.items) row.setAttribute("data-has-submenu", "");
    if (item?.of) row.setAttribute("aria-checked", String(now[item.of] === item));
    dress(row, item);
  };
  const take = (item) => {
    if (!item.of) return;
    now[item.of] = item;
    chosen(now.model, now.effort);
  };
  chosen(now.model, now.effort);
  return new Picker(trigger, items, { dress: dressed, chosen: take });
}

// A slider nobody can see, as the site has one: it says how many steps there are.
function slide(row, at) {
  row.setAttribute("role", "menuitem");
  row.removeAttribute("aria-checked");
  const range = { "aria-valuemin": "0", "aria-valuemax": String(EFFORTS.length - 1), "aria-valuenow": String(at) };
  row.append(make("div", { role: "slider", "aria-hidden": "true", class: "slider", ...range }));
}

// The menu of the plus: each row opens the file chooser of its input.
export function plusMenu(trigger, rows) {
  const dress = (row) => {
    if (row.getAttribute("role") !== "menuitemradio") return;
    row.setAttribute("role", "menuitem");
    row.removeAttribute("aria-checked");
  };
  return new Picker(trigger, rows, { dress, chosen: ({ input }) => input.click() });
}
