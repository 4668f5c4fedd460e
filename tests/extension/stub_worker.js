// Stands in for the extension's worker in tests of its page scripts: writes down what they say.
const said = []; // every message for the hub, in order, with the page it came from
const hellos = [];
const troubles = []; // what a page did to the scripts
const ports = new Set();
const hidden = new Set(); // hosts
const lookers = new Set();
const how = { take: true, line: { t: "line", connected: true, paired: true, on: true } };

const until = (find) =>
  new Promise((done) => {
    const look = () => {
      const found = find(said);
      if (!found) return false;
      lookers.delete(look);
      done(found);
      return true;
    };
    if (!look()) lookers.add(look);
  });

const changed = () => {
  for (const look of [...lookers]) look();
};

const tell = (message) => {
  for (const port of ports) port.postMessage(message);
};

chrome.runtime.onConnect.addListener((port) => {
  ports.add(port);
  port.onDisconnect.addListener(() => ports.delete(port));
  port.onMessage.addListener((message) => {
    if (message.t === "hello") {
      hellos.push(message);
      port.postMessage({ ...how.line, shown: !hidden.has(new URL(port.sender.url).host) });
    }
    if (message.t === "trouble") troubles.push(message.what);
    if (message.t === "hide") hidden.add(new URL(port.sender.url).host);
    if (message.t === "say") {
      said.push(message.message);
      if (how.take) port.postMessage({ t: "taken", k: message.k });
    }
    changed();
  });
});

const asked = [];
let answer = () => ({ ok: true });
chrome.runtime.onMessage.addListener((message, _sender, reply) => {
  asked.push(message);
  reply(answer(message));
  changed();
});

const cut = () => {
  for (const port of ports) port.disconnect();
  ports.clear(); // who cuts a port is not told of it
};

globalThis.stub = { cut, hidden, said, hellos, troubles, ports, how, asked, until, tell, changed };
Object.defineProperty(stub, "answer", { set: (given) => (answer = given) });
