// Drawing is a task of its own, as with the sites' frameworks: what arrives is not held up by
// it, and what arrives meanwhile is drawn at once. A page that draws by frames
// (`stage.draw == "frame"`) draws nothing while nobody can see it.
//
// What costs the more the longer an answer is must not be done with each of its words:
// `eased` does it now and then.

import { stage } from "/assets/stage.js";

const channel = new MessageChannel();
const undrawn = new Map(); // by name: the newest work for it
const waiting = []; // for everything to be drawn
const QUICK_MS = 8; // half a frame
const SHARE = 5; // of the time: what is not quick takes no more than a fifth of it
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
  if (undrawn.size === 0) for (const done of waiting.splice(0)) done();
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

// Nothing is left to be drawn: what was asked for, and what that asked for in its turn.
export function drawn() {
  return new Promise((done) => (undrawn.size ? waiting.push(done) : done()));
}

// A history is on the screen. A page that draws by frames needs many of them for that, and gets
// hardly one while nobody sees it.
export async function painted(frames = 30) {
  if (stage.draw !== "frame") return;
  for (let drew = 0; drew < frames; ) {
    await new Promise((done) => requestAnimationFrame(done));
    if (document.visibilityState === "visible") drew += 1;
  }
}

// The same function, done at once while it is quick; else it waits until it has its share of
// the time again, and of several calls meanwhile one is done.
export function eased(doing, quick = QUICK_MS) {
  let free = 0;
  let timer = 0;
  const act = () => {
    clearTimeout(timer);
    timer = 0;
    const began = performance.now();
    doing();
    const took = performance.now() - began;
    free = took > quick ? began + took * SHARE : 0;
  };
  return () => {
    const early = free - performance.now();
    if (early <= 0) act();
    else timer ||= setTimeout(act, early);
  };
}
