// The lab's own page: draws sites and stories once, then follows the stage and the ledger.
// Links lead to the sites only in a browser that sees the lab's; elsewhere they would be real.

const SHOWN = 300; // entries that stay on the page
const SHOWN_WORDS = 280; // characters of a prompt

const at = (id) => document.getElementById(id);

const [places, stories] = await Promise.all(
  ["/places", "/stories"].map(async (path) => (await fetch(path)).json()),
);
const seesSites = location.hostname === places.host;
const labelOf = Object.fromEntries(places.sites.map((site) => [site.name, site.label]));
let stage = null; // what the server plays, once it is known

function make(tag, properties = {}, ...children) {
  const { dataset, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  Object.assign(element.dataset, dataset);
  element.append(...children.filter((child) => child !== null));
  return element;
}

function link(words, address, lab) {
  const element = make("a", { textContent: words, target: "_blank", rel: "noreferrer" });
  if (!seesSites) {
    element.setAttribute("aria-disabled", "true");
    return element;
  }
  const url = new URL(address);
  const told = lab.filter(Boolean).join(",");
  // readable in the address bar, which is where people change it
  element.href = told ? `${url}${url.search ? "&" : "?"}lab=${told}` : String(url);
  return element;
}

function siteCard(site) {
  const usual = site.places[0];
  const pages = site.places.map((place) =>
    make("li", {}, link(place.label, place.address, [place.lab])),
  );
  const languages = Object.entries(places.languages).map(([code, words]) => {
    const element = link(words, usual.address, [usual.lab, `lang:${code}`]);
    element.lang = code;
    return element;
  });
  return make(
    "article",
    { className: "card", dataset: { site: site.name } },
    make("h3", { textContent: site.label }),
    make("ul", {}, ...pages),
    make("div", { className: "chips" }, ...languages),
  );
}

function storyRow(story) {
  const tags = [
    make("span", { className: `tag ${story.outcome}`, textContent: story.outcome }),
    ...story.faults.map((fault) => make("span", { className: "tag", textContent: fault })),
  ];
  const opens = places.sites
    .filter((site) => story.sites.includes(site.name))
    .map((site) => {
      const usual = site.places[0];
      const element = link(site.label, usual.address, [usual.lab, `story:${story.name}`]);
      element.ariaLabel = `Open ${site.label} under ${story.name}`;
      return element;
    });
  const everywhere = make("button", { type: "button", textContent: "Everywhere" });
  everywhere.title = "Play it for every prompt of every site";
  everywhere.ariaPressed = "false";
  everywhere.onclick = () => choose(stage?.story === story.name ? "" : story.name);
  return make(
    "li",
    { dataset: { story: story.name } },
    make(
      "div",
      {},
      make("span", { className: "name", textContent: story.name }),
      make("span", { className: "tags" }, ...tags),
    ),
    make("div", { className: "about", textContent: story.about }),
    make("div", { className: "acts" }, ...opens, everywhere),
  );
}

async function choose(story) {
  const response = await fetch("/stage", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ story }),
  });
  const said = await response.json();
  if (response.ok) show(said);
  else at("now").replaceChildren(said.error);
}

function show(now) {
  // a button that is drawn anew under a finger loses its click
  const known = stage?.story === now.story;
  stage = now;
  if (known) return;
  const plays = Boolean(now.story);
  at("now").classList.toggle("plays", plays);
  const usual = "Every site answers as usual";
  const words = make("span", { textContent: plays ? "Plays everywhere: " : usual });
  if (plays) words.append(make("b", { textContent: now.story }));
  at("now").replaceChildren(words);
  if (plays) {
    const back = make("button", { type: "button", textContent: "Back to usual" });
    back.onclick = () => choose("");
    at("now").append(back);
  }
  for (const row of at("story-list").children) {
    const chosen = row.dataset.story === now.story;
    row.classList.toggle("plays", chosen);
    row.querySelector("button").ariaPressed = String(chosen);
  }
}

function filter() {
  const wanted = at("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  let matching = 0;
  for (const [index, row] of [...at("story-list").children].entries()) {
    const story = stories[index];
    const words = [story.name, story.about, story.outcome, ...story.faults, ...story.sites];
    const text = words.join(" ").toLowerCase();
    row.hidden = !wanted.every((word) => text.includes(word));
    row.style.display = row.hidden ? "none" : "";
    matching += row.hidden ? 0 : 1;
  }
  at("matching").textContent = `${matching} of ${stories.length}`;
}

function entryRow(entry) {
  const when = new Date(entry.time * 1000);
  const clock = when.toLocaleTimeString([], { hour12: false });
  const line = make(
    "div",
    { className: "line" },
    make("time", { textContent: clock, dateTime: when.toISOString() }),
    make("b", { textContent: labelOf[entry.site] ?? entry.site }),
    make("span", { textContent: entry.kind ?? "prompt" }),
    entry.story ? make("span", { className: "tag", textContent: entry.story }) : null,
    entry.refused
      ? make("span", { className: "tag refused", textContent: `refused: ${entry.refused}` })
      : null,
  );
  const files = (entry.files ?? []).join(", ");
  const said = entry.prompt || files || entry.conversation_id;
  const words = said.length > SHOWN_WORDS ? `${said.slice(0, SHOWN_WORDS)}…` : said;
  return make(
    "li",
    { className: "new", dataset: { number: entry.number } },
    line,
    make("div", { className: "words", textContent: words }),
  );
}

function follow() {
  // the browser itself connects again, and says which number it heard last
  new EventSource("/ledger/live").onmessage = ({ data }) => {
    const entry = JSON.parse(data);
    at("empty").hidden = true;
    at("count").textContent = entry.number;
    at("entries").prepend(entryRow(entry));
    while (at("entries").children.length > SHOWN) at("entries").lastElementChild.remove();
  };
}

at("blind").hidden = seesSites;
at("address").textContent = `https://${places.host}/`;
at("site-cards").append(...places.sites.map(siteCard));
at("story-list").append(...stories.map(storyRow));
at("find").oninput = filter;
filter();
show(await (await fetch("/stage")).json());
follow();
// another tab may have chosen a story meanwhile
addEventListener("focus", async () => show(await (await fetch("/stage")).json()));
document.documentElement.dataset.ready = "";
