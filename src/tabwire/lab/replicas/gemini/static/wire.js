// What the page asks its server: an answer over XMLHttpRequest, everything else in batches.

import { Frames, payloads } from "/assets/frames.js";

const DATA = "/_/BardChatUi/data";
const AT = "lab:0"; // where the site has a token against forged requests
let request = 100000;

export class Refused extends Error {}

// Ask, and hear every payload as it comes. Resolves when the body has ended, however it did.
export function generate(prompt, ids, { hear, started }) {
  const inner = [[prompt, 0, null, null, null, null, 0], ["en"], ids, null, null, null, [1]];
  const call = new XMLHttpRequest();
  const frames = new Frames();
  const read = () => {
    for (const [, payload] of payloads(frames.read(call.responseText))) hear(payload);
  };
  return new Promise((resolve, reject) => {
    call.open("POST", address("/assistant.lamda.BardFrontendService/StreamGenerate", {}));
    call.setRequestHeader("content-type", "application/x-www-form-urlencoded;charset=utf-8");
    call.onprogress = read;
    call.onload = () => {
      if (call.status !== 200) return reject(new Refused(`${call.status} ${call.responseText}`));
      read();
      resolve();
    };
    call.onabort = () => resolve();
    call.onerror = () => reject(new Refused("the connection broke"));
    call.send(form([null, JSON.stringify(inner)]));
    started(call);
  });
}

// One call of a batch, and what it answered.
export async function ask(name, payload) {
  const calls = [[[name, JSON.stringify(payload), null, "generic"]]];
  const response = await fetch(address("/batchexecute", { rpcids: name, "source-path": location.pathname }), {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded;charset=utf-8" },
    body: form(calls),
  });
  if (!response.ok) throw new Refused(`${response.status} for ${name}`);
  const body = await response.text();
  for (const [call, answer] of payloads(new Frames().read(body))) {
    if (call === name) return answer;
  }
  throw new Refused(`no answer to ${name}`);
}

function address(path, more) {
  request += 100000;
  const query = { ...more, bl: "boq_assistant-bard-web-server_lab", "f.sid": "-1", hl: "en", _reqid: request, rt: "c" };
  return `${DATA}${path}?${new URLSearchParams(query)}`;
}

function form(value) {
  return new URLSearchParams({ "f.req": JSON.stringify(value), at: AT }).toString();
}
