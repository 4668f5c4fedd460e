// What the three pages have in common: texts, and questions to the worker.

export const say = (name, ...parts) => chrome.i18n.getMessage(name, parts.map(String));

// Texts stand in _locales only; a page names them.
export function fillTexts() {
  document.documentElement.lang = chrome.i18n.getUILanguage();
  document.documentElement.dir = say("@@bidi_dir");
  for (const one of document.querySelectorAll("[data-text]")) one.textContent = say(one.dataset.text);
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", say(one.dataset.label));
}

// What the worker says, or null where it does not answer.
export async function ask(what, more = {}) {
  try {
    return (await chrome.runtime.sendMessage({ what, ...more })) ?? null;
  } catch {
    return null; // it starts just now, or the extension was updated under us
  }
}

export { SITES } from "../worker/sites.js";

export const siteIsOn = (status, site) => status.switches.sites[site] !== false;

export const timeOf = (at) => new Date(at).toLocaleTimeString(chrome.i18n.getUILanguage());

export function make(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}

export function toggle(text, checked, act) {
  const label = make("label", "switch");
  const box = make("input", "toggle");
  box.type = "checkbox";
  box.setAttribute("role", "switch");
  box.checked = checked;
  box.addEventListener("change", () => act(box.checked, box));
  label.append(make("span", "", text), box);
  return label;
}

// The connection as it was measured just now, in plain words.
export function showState(card, status) {
  const phase = status === null ? "unknown" : status.phase;
  card.dataset.phase = phase;
  const [title, about] = [card.querySelector("strong"), card.querySelector("p")];
  title.textContent = say(`state_${phase}`) || say("state_away");
  about.textContent = status === null ? "" : details(status);
}

function details(status) {
  const { phase, trouble, hub, port } = status;
  if (phase === "ready") return say("hub_line", hub?.version ?? "", port);
  if (phase === "pairing" && trouble?.why === "pair") return ""; // the title says it
  if (phase === "away" && (!trouble || trouble.why === "away")) return say("away_help", port);
  return [trouble?.message, trouble?.what_to_do].filter(Boolean).join(" ");
}
