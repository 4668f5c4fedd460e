// The page's line to the lab: what to show comes, what is done here goes.

const KEPT = "lab-window"; // of this tab, through reloads
const waiting = [];
let drawn = 0;

// For tests: settles when the page has drawn so many patches.
globalThis.labDrawn = (count) =>
  new Promise((settle) => {
    waiting.push({ count, settle });
    tellDrawn();
  });

function tellDrawn() {
  for (const one of [...waiting]) {
    if (drawn < one.count) continue;
    waiting.splice(waiting.indexOf(one), 1);
    one.settle(drawn);
  }
}

export function connect(heard, claim) {
  const secure = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${secure}://${location.host}/line`);
  const said = [];
  socket.addEventListener("open", () => {
    socket.send(JSON.stringify({ window: claim ?? sessionStorage.getItem(KEPT) ?? "", path: location.pathname }));
    for (const one of said.splice(0)) socket.send(one);
  });
  socket.addEventListener("message", ({ data }) => {
    const patch = JSON.parse(data);
    if (patch.op === "state" && claim === undefined) sessionStorage.setItem(KEPT, patch.window);
    heard(patch);
    drawn = patch.count;
    tellDrawn();
  });
  return (told) => {
    const words = JSON.stringify(told);
    if (socket.readyState === WebSocket.OPEN) socket.send(words);
    else said.push(words);
  };
}
