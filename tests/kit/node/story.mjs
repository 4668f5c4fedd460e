// A client that nobody here wrote does everything a client does; each step is a line of JSON.
//
//   node story.mjs v1|v2-legacy|v2-modern COMMAND ARGUMENT…
//
// The test reads the lines and carries out the jobs: it answers when it hears of progress.

const [flavour, command, ...args] = process.argv.slice(2);
const told = (step, more = {}) => console.log(JSON.stringify({ step, ...more }));

async function connected() {
  const who = { name: 'foreign-client', version: '1' };
  const wish = { command, args, env: process.env };
  if (flavour === 'v1') {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const client = new Client(who);
    await client.connect(new StdioClientTransport(wish));
    return [client, (asked, options) => client.callTool(asked, undefined, options)];
  }
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const mode = flavour === 'v2-modern' ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client(who, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(wish));
  return [client, (asked, options) => client.callTool(asked, options)];
}

const [client, call] = await connected();
const ask = (question, wait, options) =>
  call({ name: 'ask_grok_web', arguments: { question, wait } }, options);

const { tools } = await client.listTools();
told('tools', { names: tools.map((tool) => tool.name) });

const now = await ask('now', 30);
told('asked', { text: now.content[0].text, data: now.structuredContent });

const numbers = [];
const long = await ask('long', 60, {
  timeout: 60_000,
  onprogress: ({ progress, message }) => {
    numbers.push(progress);
    if (numbers.length === 2) told('progress', { message });
  },
});
told('waited', { text: long.content[0].text, numbers });

const controller = new AbortController();
const cancelled = ask('cancelled', 60, {
  timeout: 60_000,
  signal: controller.signal,
  onprogress: () => controller.abort(),
});
await cancelled.then(
  () => told('cancelled', { failed: false }),
  () => told('cancelled', { failed: true }),
);

await ask('late', 60, { timeout: 500 }).then(
  () => told('timed out', { failed: false }),
  () => told('timed out', { failed: true }),
);

const { structuredContent: rows } = await call({ name: 'list_jobs', arguments: { mine: true } });
const late = rows.jobs.find((job) => job.question === 'late');
const fetched = await call({ name: 'get_answer', arguments: { job_id: late.job_id, wait: 30 } });
told('fetched', { text: fetched.content[0].text });

const wrong = await call({ name: 'ask_grok_web', arguments: { question: 'x', colour: 'red' } });
told('refused', { failed: wrong.isError, text: wrong.content[0].text });

const { resources } = await client.listResources();
const { contents } = await client.readResource({ uri: resources.at(-1).uri });
const { resourceTemplates } = await client.listResourceTemplates();
told('resource', { text: contents[0].text, templates: resourceTemplates.length });

const { prompts } = await client.listPrompts();
const prompt = await client.getPrompt({ name: prompts[0].name, arguments: { question: 'Why?' } });
told('prompt', { names: prompts.map((one) => one.name), text: prompt.messages[0].content.text });

const { completion } = await client.complete({
  ref: { type: 'ref/prompt', name: 'second_opinion' },
  argument: { name: 'sites', value: 'g' },
});
told('completed', { values: completion.values });
await client.close();
told('closed');
