// What the page asks its server. Answers come as one JSON object per line.

const API = "/rest/app-chat";

export class Refused extends Error {}

export async function get(path) {
  return (await checked(await fetch(API + path))).json();
}

export async function post(path, body) {
  return (await sent(path, body)).json();
}

// The records of an answer, as they come; over when the body is, or when `signal` aborts.
export async function* answer(path, body, signal) {
  const response = body ? await sent(path, body, signal) : await checked(await fetch(API + path, { signal }));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const { result, error } = JSON.parse(line);
      if (error) throw new Refused(error.message);
      yield result;
    }
  }
}

async function sent(path, body, signal) {
  const headers = { "content-type": "application/json" };
  return checked(await fetch(API + path, { method: "POST", headers, body: JSON.stringify(body), signal }));
}

async function checked(response) {
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw new Refused(error?.message ?? `${response.status} from ${new URL(response.url).pathname}`);
}
