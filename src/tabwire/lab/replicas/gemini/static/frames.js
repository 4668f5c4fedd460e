// Google's framing: a prefix, then length lines and JSON chunks. Lengths count UTF-16 units,
// which is what the length of a string is here.

const PREFIX = ")]}'\n\n";

export class Frames {
  constructor() {
    this.at = PREFIX.length;
  }

  // The records of every chunk that is whole in `text`, which holds the body from its start.
  *read(text) {
    while (true) {
      const line = text.indexOf("\n", this.at);
      if (line < 0) return;
      const end = line + Number(text.slice(this.at, line));
      if (!(text.length >= end)) return; // also where the line is no number: not our framing
      this.at = end;
      yield* JSON.parse(text.slice(line, end));
    }
  }
}

// What the records say: { call, payload } or { call, code } of an error.
export function* replies(records) {
  for (const [kind, call, payload, , , error] of records) {
    if (kind !== "wrb.fr") continue;
    if (payload) yield { call, payload: JSON.parse(payload) };
    else if (error) yield { call, code: error[2]?.[0]?.[1]?.[0] ?? 0 };
  }
}
