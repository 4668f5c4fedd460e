// Who is at the other end, proven both ways, before anything else is said.
//
// The hub proves itself first. One that cannot is an impostor: it is told nothing and the person
// is. Without a key there is only the way over a code that the person reads at the hub.

import { PROTOCOL, TIMES } from "./times.js";
import { keepLocal, local, session } from "./state.js";
import { findKey, keepKey, keyOfCode, lastingKey, newNonce, proves, sign } from "./secrets.js";

export class Refused extends Error {
  constructor(why, message, whatToDo = "") {
    super(message);
    this.why = why;
    this.whatToDo = whatToDo;
  }
}

// `post` sends a message, `next(ms)` gives the next one of the hub; `offered` is told of a hub
// that wants a code, and gives a promise of it. Returns the hub's `ready`, with who it is.
export async function shakeHands({ post, next, offered, about }) {
  const mine = newNonce();
  post({
    t: "hello",
    protocol: PROTOCOL,
    version: chrome.runtime.getManifest().version,
    chrome: chromeVersion(),
    install: local.install,
    nonce: mine,
    attached: session.attached,
    paired: local.hub?.id ?? null,
    ...about,
  });
  const said = await next(TIMES.handshake);
  refuse(said);
  if (said.protocol !== PROTOCOL) {
    const older = said.protocol < PROTOCOL ? "Tabwire" : "the extension";
    throw new Refused("protocol", `The hub uses protocol version ${said.protocol}.`, `Update ${older}.`);
  }
  if (said.t === "prove") await answerProof(said, mine, post);
  else if (said.t === "pair") await pairBy(said, mine, { post, next, offered });
  else throw new Refused("foreign", "The program on this port is not a Tabwire hub.");
  const ready = await next(TIMES.handshake);
  refuse(ready);
  if (ready.t !== "ready") throw new Refused("foreign", "The hub did not complete the handshake.");
  return { ...ready, hub: said.hub, version: said.version };
}

async function answerProof(said, mine, post) {
  const key = await findKey(said.hub);
  if (!key || !(await proves(key, `hub.${mine}.${said.nonce}`, said.proof))) {
    throw new Refused(
      "impostor",
      "A program on the hub's port does not have the key that was agreed when pairing.",
      "See which program it is; if it is your hub with a new home, unpair and pair again.",
    );
  }
  post({ t: "proof", proof: await sign(key, `extension.${said.nonce}.${mine}`) });
}

async function pairBy(said, mine, { post, next, offered }) {
  const code = await offered(said);
  const ofCode = await keyOfCode(code, mine, said.nonce);
  post({ t: "code", proof: await sign(ofCode, `extension.${said.nonce}.${mine}`) });
  const answer = await next(TIMES.handshake);
  refuse(answer);
  const proven = answer.t === "paired" && answer.proof;
  if (!proven || !(await proves(ofCode, `hub.${mine}.${said.nonce}`, answer.proof))) {
    throw new Refused("impostor", "The program on the hub's port does not know the code.");
  }
  await keepKey(said.hub, await lastingKey(ofCode));
  await keepLocal({ hub: { id: said.hub, version: said.version, since: Date.now() } });
}

function refuse(said) {
  if (said.t === "refused") throw new Refused(said.why, said.message, said.what_to_do);
}

export function chromeVersion() {
  return /Chrome\/(\d+)/.exec(navigator.userAgent)?.[1] ?? "";
}
