// The options page. Every change counts at once.
import { SITES, ask, fillTexts, make, say, showState, siteIsOn, toggle } from "./shared.js";

const one = (id) => document.getElementById(id);

function said(answer) {
  const failed = answer === null || answer.ok === false;
  one("said").className = failed ? "said bad" : "said good";
  one("said").textContent = failed
    ? [answer?.message ?? say("state_unknown"), answer?.what_to_do].filter(Boolean).join(" ")
    : say("done");
}

async function change(what, more) {
  said(await ask(what, more));
  await draw();
}

async function draw() {
  const status = await ask("status");
  showState(one("state"), status);
  if (status === null) return;
  for (const choice of document.querySelectorAll("[name=format]")) {
    choice.checked = choice.value === status.format;
  }
  one("controls").replaceChildren(
    ...SITES.map((site) =>
      toggle(say(`site_${site}`), status.hidden[site] !== true, (on) => change("show", { site, on })),
    ),
  );
  one("all").replaceChildren(toggle(say("switch_all"), status.switches.on, (on) => change("switch", { on })));
  one("sites").replaceChildren(
    ...SITES.map((site) => {
      const row = toggle(say(`site_${site}`), siteIsOn(status, site), (on) => change("switch", { on, site }));
      row.querySelector("input").disabled = !status.switches.on;
      return row;
    }),
  );
  const { paired } = status;
  const date = paired?.since ? new Date(paired.since).toLocaleDateString(chrome.i18n.getUILanguage()) : "–";
  one("paired").textContent = paired ? say("paired_with", paired.id.slice(0, 8), date) : say("paired_not");
  one("unpair").hidden = !paired;
  if (document.activeElement !== one("number")) one("number").value = status.port;
  one("dump").replaceChildren(toggle(say("dump"), status.dump === true, (on) => change("dump", { on })));
}

// A file in the person's downloads, for whoever helps them.
async function report() {
  const found = await ask("report");
  if (found === null) {
    said(null);
    return;
  }
  const anchor = make("a");
  anchor.href = URL.createObjectURL(new Blob([JSON.stringify(found, null, 2)], { type: "application/json" }));
  anchor.download = "tabwire-report.json";
  anchor.click();
  said({ ok: true });
}

fillTexts();
for (const choice of document.querySelectorAll("[name=format]")) {
  choice.addEventListener("change", () => change("format", { format: choice.value }));
}
one("home").addEventListener("click", async () => {
  await chrome.storage.local.remove("places");
  said({ ok: true });
});
one("unpair").addEventListener("click", () => change("unpair"));
one("report").addEventListener("click", report);
one("port").addEventListener("submit", (event) => {
  event.preventDefault();
  const port = Number(one("number").value);
  const fits = Number.isInteger(port) && port > 0 && port < 65_536;
  if (fits) change("port", { port });
  else said({ ok: false, message: say("port_bad") });
});
await draw();
