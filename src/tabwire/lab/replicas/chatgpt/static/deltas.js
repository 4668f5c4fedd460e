// The stream of an answer: server-sent events with `delta_encoding v1`, read as they come.

export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) yield event(block);
    }
  } finally {
    reader.cancel().catch(() => {}); // whoever stops listening lets go of the response
  }
}

export function event(block) {
  const found = { name: "message", data: [] };
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) found.name = line.slice(6).trim();
    if (line.startsWith("data:")) found.data.push(line.slice(line[5] === " " ? 6 : 5));
  }
  return { name: found.name, data: found.data.join("\n") };
}

// One document per channel; what a delta leaves out is as in the one before.
export class Deltas {
  constructor() {
    this.documents = new Map();
    this.last = { c: 0, p: "", o: "add" };
  }

  // Apply one delta; returns the document it changed: {message, conversation_id, error}.
  apply(delta) {
    const opens = delta.p === undefined && delta.o === undefined && delta.v?.message !== undefined;
    const several = delta.o === undefined && Array.isArray(delta.v) && delta.v.every((one) => one?.o);
    const step = opens ? { c: delta.c, p: "", o: "add" } : { ...this.last, ...delta };
    if (several) step.o = "patch";
    if (several && delta.p === undefined) step.p = "";
    this.last = { c: step.c ?? this.last.c, p: step.p, o: step.o };
    this.change(this.last.c, step.p, step.o, delta.v);
    if (step.o === "patch") this.follow(step.p, delta.v);
    return this.documents.get(this.last.c);
  }

  // Bare words after a patch go where the patch last added words.
  follow(pointer, steps) {
    const words = steps.findLast(({ o, v }) => o === "append" && typeof v === "string");
    if (words) this.last = { c: this.last.c, p: pointer + words.p, o: "append" };
  }

  change(channel, pointer, operation, value) {
    if (operation === "patch") {
      for (const { p, o, v } of value) this.change(channel, pointer + p, o, v);
      return;
    }
    if (pointer === "") {
      this.documents.set(channel, value);
      return;
    }
    const keys = pointer.slice(1).split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const name = keys.pop();
    let holder = this.documents.get(channel);
    for (const key of keys) holder = holder?.[key];
    if (holder === undefined || holder === null) return; // a path of something newer than this page
    if (operation === "append") holder[name] = joined(holder[name], value);
    else if (operation === "truncate") holder[name] = holder[name].slice(0, value);
    else if (operation === "remove") take(holder, name);
    else if (operation === "add" && Array.isArray(holder)) insert(holder, name, value);
    else holder[name] = value;
  }
}

function joined(before, value) {
  if (before === undefined || before === null) return value;
  if (Array.isArray(before)) return before.concat(value);
  if (typeof before === "object") return { ...before, ...value };
  return before + value;
}

function take(holder, name) {
  if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else delete holder[name];
}

function insert(list, name, value) {
  list.splice(name === "-" ? list.length : Number(name), 0, value);
}
