// Whether words say that a limit is reached: as `limits.py` has it, with the same patterns.
((agent) => {
  if (agent.limits) return;

  const MAX_LIMIT = 600; // characters of a notice; longer ones are something else
  const STEP = /^(search|read|view|edit|creat|analy[sz]|explor|list|open|fetch|brows|updat|delet|renam|mov|wrote|writ|ran|runn?ing)\w*(ed|ing|s)?\b/i;

  class Limits {
    constructor(patterns) {
      this.rules = Object.fromEntries(Object.entries(patterns).map(([name, rule]) => [name, new RegExp(rule, "iu")]));
      this.others = new RegExp(patterns.other, "giu");
    }

    has(name, text) {
      return this.rules[name].test(text);
    }

    // `rules`: what the controls beside it mean.
    is(text, rules = []) {
      if (text.length > MAX_LIMIT) return false;
      if (this.has("certain", text)) return true;
      const more = rules.includes("upgrade") || this.has("more", text);
      const back = this.has("back", text);
      const plan = more || back || this.has("period", text);
      const about = this.has("about", plan ? text : text.replace(this.others, " "));
      if (about && (back || more || this.has("reached", text))) return true;
      if (back && more) return true;
      return back && (this.has("gone", text) || this.has("reached", text)) && this.has("model", text) && !this.has("busy", text);
    }

    // A row of the turn: what was searched for, read or written is no limit.
    isRow(text) {
      return !STEP.test(text) && this.is(text);
    }
  }

  agent.limits = { Limits, MAX_LIMIT };
})(((globalThis.tabwire ??= {}).agent ??= {}));
