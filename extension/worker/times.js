// Every span of time the worker knows, in milliseconds, and every limit of size.
// One object, so that whoever looks at a running worker can see (and a test can shorten) them.

export const TIMES = {
  quiet: 20_000, // without a word, then say one: Chrome ends a silent worker at 30 s
  deaf: 35_000, // the hub was not heard for this long: the line is dead, whatever the socket says
  look: 2_500, // how often both are looked at
  handshake: 10_000, // for each answer of the hub before `ready`
  grace: 20_000, // without a hub the debugger stays this long, so that a short cut loses nothing
  first: 500, // before the first try to connect again
  discovery: 2_000, // between two tries, at last: a hub is found within 3 s, greetings included
  ask: 2_000, // for the discovery to answer
  answer: 5_000, // for the hub to answer a question of ours
  refused: 30_000, // after a refusal nothing changes quickly
  drag: [0, 100, 200, 400, 800], // Chrome refuses to move tabs while a person drags one
};

export const LIMITS = {
  piece: 512 * 1024, // characters of a message that travel in one frame, when it is cut up
  whole: 1024 * 1024, // a message longer than this is cut up
  message: 64 * 1024 * 1024, // the longest the hub joins
  replay: 16 * 1024 * 1024, // events kept for a hub that is away
  flight: 8 * 1024 * 1024, // sent and not yet acknowledged: more waits here, not in the socket
  replies: 128 * 1024 * 1024, // answers that wait; they are never dropped, so they are refused
  done: 256, // requests whose result is remembered
  events: 20, // last events the popup shows
};

export const PROTOCOL = 1;
