// needs: page agent/text
// Lists in an agent panel's window: past conversations, models, modes. Each row gets a number.
((tabwire) => {
  if (tabwire.drive_lists) return;
  const { isDrawn, keep } = tabwire.page;
  const { squeeze } = tabwire.agent.text;

  const said = (element) => squeeze(element?.textContent ?? "");
  const first = (root, list) => list.map((css) => root.querySelector(css)).find(Boolean) ?? null;
  // A dialog that is in the page and faded out is not open.
  const isOpen = (element) => isDrawn(element) && element.checkVisibility({ opacityProperty: true }) && getComputedStyle(element).pointerEvents !== "none";

  // Past conversations in the list that floats, or beside the panel: null where there is none.
  const conversations = (wish) => {
    const floating = wish.floating.flatMap((css) => [...document.querySelectorAll(css)]).find(isDrawn);
    if (!floating) {
      const pills = [...document.querySelectorAll(wish.pill)].filter(isDrawn);
      if (pills.length === 0) return null;
      return { floating: false, rows: pills.map((one) => ({ number: keep(one), name: said(one), when: "", here: true, active: one.closest("[aria-current='true'],[aria-selected='true']") !== null })) };
    }
    const rows = [];
    let here = true;
    for (const one of floating.querySelectorAll(`${wish.row},${wish.head}`)) {
      const name = one.matches(wish.row) ? first(one, wish.name) : null;
      if (name === null) {
        if (one.matches(wish.head) && wish.elsewhere.includes(said(one).toLowerCase())) here = false;
        continue;
      }
      const when = [...one.querySelectorAll(wish.when)].at(-1);
      rows.push({ number: keep(one), name: said(name), when: said(when), here, active: one.className.includes(wish.active) });
    }
    return { floating: true, rows };
  };

  // The picker whose face shows this: its trigger, whether it is open, and its rows.
  const picker = ({ faces, heads, row, name, shows }) => {
    for (const css of faces) {
      for (const face of document.querySelectorAll(css)) {
        const trigger = face.closest("[aria-haspopup='dialog'],[aria-haspopup='listbox'],[aria-haspopup='menu']");
        if (trigger === null || !isDrawn(trigger) || (shows !== undefined && said(face) !== shows)) continue;
        const dialog = dialogOf(trigger, heads);
        const open = dialog !== null && isOpen(dialog);
        const rows = dialog === null ? [] : [...dialog.querySelectorAll(row)].map((one) => ({ number: keep(one), name: said(first(one, name) ?? one) }));
        return { trigger: keep(trigger), shows: said(face), open, rows: rows.filter((one) => one.name) };
      }
    }
    return null;
  };

  const dialogOf = (trigger, heads) => {
    const named = trigger.getAttribute("aria-controls");
    if (named && document.getElementById(named)) return document.getElementById(named);
    const beside = trigger.nextElementSibling;
    if (beside?.matches("[role='dialog'],[role='listbox'],[role='menu']")) return beside;
    const all = [...document.querySelectorAll("[role='dialog'],[role='listbox'],[role='menu']")];
    return all.find((one) => heads.some((head) => said(one).toLowerCase().startsWith(head)) && isOpen(one)) ?? null;
  };

  tabwire.drive_lists = { conversations, picker };
})((globalThis.tabwire ??= {}));
