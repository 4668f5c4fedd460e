// The page's own part in a story: what it does when it has shown so much of an answer.
//
// The directions come in the header `x-lab-page` of the response that answers:
// [{ do, at, seconds, times }]. `acts` are the page's functions, named as in `do`; a direction
// that the page has no function for is left out.

export class Directions {
  constructor(header, acts) {
    this.acts = acts;
    this.waiting = parsed(header).filter((one) => typeof acts[one.do] === "function");
    this.over = false;
  }

  // The question is out, nothing is shown yet.
  asked() {
    this.play((one) => !one.at);
  }

  // So many characters of the answer stand on the page.
  shown(characters) {
    this.play((one) => one.at <= characters);
  }

  // The answer is over: what has not happened by now does not happen.
  end() {
    this.over = true;
    this.waiting = [];
  }

  play(due) {
    if (this.over || this.waiting.length === 0) return;
    const now = this.waiting.filter(due);
    this.waiting = this.waiting.filter((one) => !now.includes(one));
    for (const { do: name, seconds, times, at } of now) this.acts[name]({ seconds, times, at });
  }
}

// Hide something and show it again, `times`, each for `seconds`. Resolves when it is shown for good.
export async function flicker({ seconds = 0.7, times = 1 }, hide, show) {
  for (let time = 0; time < times; time += 1) {
    if (time) await wait(seconds);
    hide();
    await wait(seconds);
    show();
  }
}

export function wait(seconds) {
  return new Promise((done) => setTimeout(done, seconds * 1000));
}

function parsed(header) {
  if (!header) return [];
  try {
    return JSON.parse(header).map((one) => ({ at: 0, seconds: 0.7, times: 1, ...one }));
  } catch {
    return []; // a header that nobody can read directs nothing
  }
}
