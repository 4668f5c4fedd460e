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
      if (text.length < end) return;
      this.at = end;
      yield* JSON.parse(text.slice(line, end));
    }
  }
}

// The payloads of the data records among `records`: [name of the call, payload].
export function* payloads(records) {
  for (const [kind, call, payload] of records) {
    if (kind === "wrb.fr" && payload) yield [call, JSON.parse(payload)];
  }
}
