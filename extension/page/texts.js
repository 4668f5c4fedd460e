// Texts of the control, from _locales.
((tabwire) => {
  "use strict";
  // In the person's language. A page that outlived its extension has only those it knew.
  const known = new Map();
  tabwire.say = (name, ...parts) => {
    try {
      const text = chrome.i18n.getMessage(name, parts);
      if (parts.length === 0) known.set(name, text);
      return text;
    } catch {
      return known.get(name) ?? "";
    }
  };
  for (const name of ["why_gone", "life_idle", "life_completed"]) tabwire.say(name);
})((globalThis.tabwire ??= {}));
