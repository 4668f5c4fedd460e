// Drawing is a task of its own, as with the sites' frameworks: what arrives is not held up by
// it, and what arrives meanwhile is drawn at once. A page that draws by frames
// (`stage.draw == "frame"`) draws nothing while nobody can see it.

import { stage } from "/assets/stage.js";

const channel = new MessageChannel();
const undrawn = new Map(); // by name: the newest work for it
let frame = 0;

channel.port1.onmessage = work;

function work() {
  frame = 0;
  const works = [...undrawn.values()];
  undrawn.clear();
  for (const one of works) {
    try {
      one();
    } catch (error) {
      reportError(error); // one drawing that fails must not keep the others from being drawn
    }
  }
}

// Do this soon. Of several works of one name only the newest is done.
export function later(name, doing) {
  if (undrawn.size === 0) {
    if (stage.draw === "frame") frame ||= requestAnimationFrame(work);
    else channel.port2.postMessage(0);
  }
  undrawn.delete(name); // the newest goes to the end: works are done in the order asked for
  undrawn.set(name, doing);
}

let waits = 0;

// Everything asked for so far is drawn.
export function drawn() {
  return new Promise((done) => later(`drawn ${(waits += 1)}`, done));
}
