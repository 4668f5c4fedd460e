// Pickers of other make than the lab's, around the same buttons. Each takes the page's place.
(() => {
  const set = (html) => { document.body.innerHTML = html; };
  const one = (css) => document.querySelector(css);
  globalThis.taken = []; // every row and button that was clicked, by its text
  document.addEventListener("click", (event) => {
    const hit = event.target.closest("[role^=menuitem], a, button");
    if (hit) globalThis.taken.push(hit.innerText.split("\n")[0].trim());
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") for (const menu of document.querySelectorAll(".opened")) menu.remove();
  });
  const add = (html) => {
    const menu = document.createElement("div");
    menu.className = "opened";
    menu.setAttribute("role", "menu");
    menu.style = "position:fixed;top:80px;left:20px;background:white;width:200px";
    menu.innerHTML = html;
    document.body.append(menu);
    return menu;
  };
  const close = () => document.querySelectorAll(".opened").forEach((menu) => menu.remove());
  const TRIGGER = (effort) =>
    `<form data-chatgpt-composer><button type=button data-codex-intelligence-trigger ` +
    `data-selected-reasoning-effort=${effort}>${effort}</button></form>`;
  const radios = (names, now) =>
    names.map((name) => `<div role=menuitemradio aria-checked=${name === now}>${name}</div>`).join("");

  // A compact view with a slider; its Advanced shows what opens the menus.
  const advanced = () => {
    const now = { Model: "GPT-5.6 Sol", Effort: "Light", Speed: "Standard" };
    const all = {
      Model: ["GPT-5.6 Sol", "GPT-5.6 Terra", "GPT-5.6 Luna", "GPT-5.5"],
      Effort: ["Light", "Medium", "High", "Extra High", "Max", "Ultra"],
      Speed: ["Standard", "Fast"],
    };
    set(TRIGGER("low"));
    const values = ["low", "medium", "high", "xhigh", "max", "ultra"];
    const inside = (menu) => {
      const rows = Object.keys(all).map((name) => `<div role=menuitem data-has-submenu>${name}<span>${now[name]}</span></div>`);
      menu.innerHTML = `<div role=menuitem aria-label="Show compact options">Advanced</div>${rows.join("")}`;
      for (const row of menu.querySelectorAll("[data-has-submenu]")) {
        row.onclick = () => {
          const name = row.firstChild.data;
          const inner = add(radios(all[name], now[name]));
          inner.style.left = "260px";
          for (const choice of inner.children) {
            choice.onclick = () => {
              now[name] = choice.innerText;
              one("button").dataset.selectedReasoningEffort = values[all.Effort.indexOf(now.Effort)];
              one("button").innerText = now.Effort;
              close();
            };
          }
        };
      }
    };
    one("button").onclick = () => {
      const menu = add(
        "<div data-testid=composer-model-picker-slider-simple-view><div role=slider aria-label=Power " +
        "aria-valuemin=0 aria-valuemax=5 aria-valuenow=1></div><div role=menuitem>Mehr</div>" +
        '<div role=menuitemcheckbox aria-checked=false>Faster</div></div>',
      );
      menu.querySelector("[role=menuitem]").onclick = () => inside(menu);
    };
  };

  // Nothing but a slider that keys move; `top` is as far as it goes.
  const slider = (top, rtl) => {
    const values = ["instant", "medium", "high", "extra", "pro"];
    let at = 1;
    set(TRIGGER("medium"));
    one("button").onclick = () => {
      const menu = add(
        `<div role=menuitem tabindex=-1 aria-label=Power>Power</div><div role=slider aria-hidden=true ` +
        `aria-valuemin=0 aria-valuemax=4 aria-valuenow=${at}></div>`,
      );
      menu.onkeydown = (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
        at = Math.min(top, Math.max(0, at + (rtl ? -step : step)));
        one("button").dataset.selectedReasoningEffort = values[at];
        one("button").innerText = values[at];
      };
    };
  };

  // Rows that say nothing of themselves, among others that are no choices.
  const plain = () => {
    set("<nav role=menu><div role=menuitem>Expert</div></nav><button id=model-select-trigger>Auto</button>");
    one("#model-select-trigger").onclick = () => {
      const menu = add(
        "<div role=menuitem>Auto<div>Chooses Fast or Expert</div></div>" +
        "<div role=menuitem>Expert<div>Thinks hard</div></div>" +
        "<div role=menuitem><button>Fast</button></div>" +
        "<div role=menuitem>Heavy<button>Upgrade</button></div>" +
        "<a role=menuitem href='#pay'>SuperGrok</a>" +
        "<div role=menuitem aria-haspopup=dialog>Custom</div>" +
        "<div role=menuitem data-disabled>Grok 5<div>Coming soon</div></div>",
      );
      for (const row of menu.children) {
        row.onclick = () => {
          one("#model-select-trigger").innerText = row.innerText.split("\n")[0];
          close();
        };
      }
    };
  };

  // A menu that shows one level at a time.
  const drill = () => {
    set("<button id=model-select-trigger>Auto</button>");
    let now = "Auto";
    const levels = { "": ["Older", "Newer"], Older: ["Grok 2"], Newer: ["Grok 5", "Grok 6"] };
    one("#model-select-trigger").onclick = () => {
      const menu = add("");
      const show = (level) => {
        menu.innerHTML = level ? radios(levels[level], now) : levels[""].map((name) => `<div role=menuitem aria-haspopup=menu>${name}</div>`).join("");
        for (const row of menu.children) {
          row.onclick = () => {
            if (!level) return show(row.innerText);
            now = row.innerText;
            close();
          };
        }
      };
      show("");
    };
  };

  globalThis.others = { advanced, slider, plain, drill };
})();
