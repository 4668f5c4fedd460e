// needs: page
// Files in a composer, as the page shows them: which are there, which still upload, which failed.
//
// A file is shown by a chip: what the site is known to use for one, or else the largest element
// beside the composer that names this file and no other. Chips that stood there before we gave
// our files are somebody else's, and so are those of messages: only the composer's area counts.
((tabwire) => {
  if (tabwire.chips) return;
  const { compile, findAll, matches, shadowsUnder } = tabwire.deep;
  const { frame, isDrawn, keep, recall, short } = tabwire.page;
  const AREAS = "form, fieldset, [role=form]";
  const CLIMB = 6; // steps from the composer to its area where no form is around it
  const NAMED = ["aria-label", "title", "alt", "data-filename", "data-file-name"];
  const BUSY =
    'progress, [role="progressbar"], [aria-busy="true"], mat-spinner, mat-progress-spinner, mat-progress-bar, ' +
    '[data-state="uploading"], [data-state="loading"], [data-state="pending"], [data-state="going"], ' +
    '[data-uploading]:not([data-uploading="false"])';
  // a whole class, or its first or last word; not a rule such as `data-[state=loading]:hidden`
  const BUSY_CLASS = /^([a-z0-9]+[-_])*(spin|spinner|loading|loader|uploading|progress|shimmer)([-_][a-z0-9]+)*$/i;
  const FAILED =
    '[role="alert"], [aria-invalid="true"], [data-state="failed"], [data-state="error"], [data-error]:not([data-error="false"]), ' +
    '[class~="error"], [class*="upload-error" i], [class*="upload-failed" i]';
  const NOTICES = '[role="alert"], [role="alertdialog"], [data-sonner-toast], mat-snack-bar-container, [class~="toast"]';
  const REMOVES = /remove|delete|close|clear|削除|閉じる|entfernen|schließen|supprimer|retirer|fermer|إزالة|حذف|移除|删除|关闭/i;
  const SAID = 200; // characters of a notice that are told

  let before = new Set(); // chips that are not ours
  let told = new Set(); // notices that stood there before
  let given = []; // names of our files; empty where none were given in this document

  const usable = (all) =>
    all.flatMap((css) => {
      try {
        return [compile(css)];
      } catch {
        return []; // a selector this browser does not know finds nothing
      }
    });
  const search = (all) => {
    const roots = [document, ...shadowsUnder(document).shadows];
    return usable(all).flatMap((one) => [...findAll(one, roots)]);
  };

  // The composer's surroundings, without the messages.
  const areaOf = ({ composer, area }) => {
    const box = recall(composer);
    const known = search(area).filter((one) => isDrawn(one) && (!box || one.contains(box)));
    if (known.length) return known[0];
    if (!box) return null;
    const form = box.closest(AREAS);
    if (form) return form;
    let one = box;
    for (let step = 0; step < CLIMB && one.parentElement && one.parentElement !== document.body; step += 1) {
      one = one.parentElement;
    }
    return one;
  };

  const plain = (text) => (text ?? "").normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

  // Whether a text names a file: whole, with a number the page put in, or with its middle left out.
  const namer = (name) => {
    const whole = plain(name);
    const dot = whole.lastIndexOf(".");
    const [stem, ending] = dot > 0 ? [whole.slice(0, dot), whole.slice(dot)] : [whole, ""];
    const exact = new RegExp(`(^|[^\\p{L}\\p{N}])${escaped(stem)}( ?\\(\\d+\\))?${escaped(ending)}($|[^\\p{L}\\p{N}])`, "u");
    return (text) => {
      const said = plain(text);
      if (!said) return false;
      if (exact.test(said) || said === stem) return true;
      const cut = /^(.{3,}?)(?:…|\.\.\.)(.*)$/u.exec(said);
      return cut !== null && whole.startsWith(cut[1].trim()) && whole.endsWith(cut[2].trim());
    };
  };

  const texts = (element) => {
    const own = [...element.childNodes].filter((node) => node instanceof Text).map((node) => node.data).join("");
    return [own, ...NAMED.map((name) => element.getAttribute(name))];
  };
  const names = (element, isNamed) => texts(element).some((text) => text && isNamed(text));

  const inside = (area, box) =>
    [...area.querySelectorAll("*")].filter((one) => !(box && (box.contains(one) || one.contains(box))));

  // The chips of these files: those of the site's selectors, else the largest that names one only.
  const chipsOf = (wish) => {
    const area = areaOf(wish);
    if (!area) return [];
    const box = recall(wish.composer);
    const known = search(wish.chips).filter((one) => area.contains(one) && !(box && one.contains(box)));
    const outer = known.filter((one) => !known.some((other) => other !== one && other.contains(one)));
    const found = new Set(outer);
    const all = inside(area, box);
    const namers = (wish.names ?? []).map(namer);
    const naming = namers.map((isNamed) => all.filter((one) => names(one, isNamed)));
    const mine = naming.map((some) => new Set(some));
    naming.forEach((some, at) => {
      for (const one of some) {
        if ([...found].some((chip) => chip.contains(one) || one.contains(chip))) continue;
        const others = mine.filter((_, other) => other !== at).flatMap((set) => [...set]);
        const alien = others.filter((other) => !mine[at].has(other));
        let chip = one;
        for (let up = one.parentElement; up && up !== area && area.contains(up); up = up.parentElement) {
          if ((box && up.contains(box)) || alien.some((other) => up.contains(other))) break;
          if (up.querySelectorAll("input, textarea, [contenteditable=true], [type=submit]").length) break;
          if (removersOf(up).length > 1 && removersOf(chip).length > 0) break;
          chip = up;
        }
        found.add(chip);
      }
    });
    return [...found].filter((chip) => chip.isConnected && isDrawn(chip) && !before.has(chip));
  };

  const removersOf = (chip) => [...chip.querySelectorAll('button, [role="button"]')];

  const within = (chip, css) =>
    [...(matches(chip, css) ? [chip] : []), ...chip.querySelectorAll(css)].filter(isDrawn);

  // Something in it that turns without end.
  const turns = (chip) =>
    chip.getAnimations({ subtree: true }).some(
      (one) => one.playState === "running" && one.effect?.getComputedTiming().iterations === Infinity,
    );

  const stateOf = (chip) => {
    const wrong = within(chip, FAILED);
    if (wrong.length) return "failed";
    const busy = ({ classList }) => [...classList].some((name) => BUSY_CLASS.test(name));
    const turning = [chip, ...chip.querySelectorAll("[class]")].some((one) => busy(one) && isDrawn(one));
    return turning || within(chip, BUSY).length || turns(chip) ? "going" : "done";
  };

  const notices = () =>
    search(NOTICES.split(", ")).filter((one) => isDrawn(one) && plain(one.innerText));

  const shown = (wish) => {
    const namers = (wish.names ?? []).map((name) => [name, namer(name)]);
    const chips = chipsOf(wish).map((chip) => {
      const all = [chip, ...chip.querySelectorAll("*")];
      const name = namers.find(([, isNamed]) => all.some((one) => names(one, isNamed)))?.[0] ?? "";
      const state = stateOf(chip);
      const words = state === "failed" ? within(chip, FAILED).map((one) => short(one.innerText ?? "")) : [];
      // the shortest says the reason alone, without the name and the buttons around it
      const [why = ""] = words.filter(Boolean).sort((one, other) => one.length - other.length);
      return { name, state, why, text: short(chip.innerText || chip.getAttribute("aria-label") || "") };
    });
    const fresh = notices().filter((one) => !told.has(one)).map((one) => one.innerText.replace(/\s+/g, " ").trim().slice(0, SAID));
    return { chips, notices: fresh };
  };

  // What stands in the composer now and is not ours: chips of the site's own kind, and whatever
  // has a name that a file would have, and can be removed.
  const FILE = /[^\s/\\]\.[a-z][a-z0-9]{0,4}$/i;
  const removable = (one) =>
    !one.closest("button") && [one, one.parentElement, one.parentElement?.parentElement].some(
      (up) => up && removersOf(up).length === 1,
    );
  const standing = (wish) => {
    const area = areaOf(wish);
    if (!area) return [];
    const box = recall(wish.composer);
    const mine = given.length ? chipsOf({ ...wish, names: given }) : [];
    const isMine = (one) => mine.some((chip) => chip.contains(one));
    const known = chipsOf({ ...wish, names: [] });
    const named = inside(area, box).filter(
      (one) => texts(one).some((text) => text && FILE.test(text.trim())) && isDrawn(one) && removable(one) &&
        !known.some((chip) => chip.contains(one)),
    );
    const all = [...known, ...named.filter((one) => !named.some((other) => other !== one && other.contains(one)))];
    return all.filter((one) => !isMine(one)).map((chip) => short(chip.innerText || chip.getAttribute("aria-label") || "a file"));
  };

  // From here on, new chips are ours.
  const begin = (wish) => {
    before = new Set();
    before = new Set(chipsOf(wish));
    told = new Set(notices());
    given = wish.names;
    return true;
  };

  // Wait until every chip is done for so long without a change; what stands there then.
  const calm = async ({ wish, ms }) => {
    const until = performance.now() + ms;
    for (;;) {
      const now = shown(wish);
      if (performance.now() > until || now.chips.some(({ state }) => state !== "done")) return now;
      await frame();
    }
  };

  // Numbers to click, one for each chip of ours: what takes it away again.
  const removers = (wish) =>
    chipsOf({ ...wish, names: given }).flatMap((chip) => {
      if (!given.length) return [];
      const all = removersOf(chip).filter((one) => !one.disabled);
      const label = (one) => `${one.getAttribute("aria-label") ?? ""} ${one.getAttribute("title") ?? ""} ${one.innerText ?? ""}`;
      const one = all.find((button) => REMOVES.test(label(button))) ?? all.at(-1);
      return one ? [keep(one)] : [];
    });

  // Where a button is drawn only under the mouse: press it without one.
  const pressed = ({ number }) => {
    const one = recall(number);
    one?.click();
    return Boolean(one);
  };

  const fewer = async ({ wish, than, ms }) => {
    const until = performance.now() + ms;
    for (;;) {
      const now = chipsOf({ ...wish, names: given }).length;
      if (now < than || performance.now() > until) return now;
      await frame();
    }
  };

  // --- giving files by an event of the page's own, without the clipboard ---------------------

  let carrier = null;
  const input = () => {
    carrier = document.createElement("input");
    carrier.type = "file";
    carrier.multiple = true;
    return carrier;
  };

  // Says whether somebody took them.
  const paste = ({ composer }) => {
    const box = recall(composer);
    if (!box || !carrier?.files.length) return false;
    const clipboardData = new DataTransfer();
    for (const file of carrier.files) clipboardData.items.add(file);
    const about = { bubbles: true, composed: true, cancelable: true, clipboardData };
    return !box.dispatchEvent(new ClipboardEvent("paste", about));
  };

  // As if nothing had been given: what stands there is somebody else's.
  const forget = () => {
    before = new Set();
    given = [];
    return true;
  };

  tabwire.chips = { begin, forget, standing, shown, calm, removers, pressed, fewer, input, paste };
})((globalThis.tabwire ??= {}));
