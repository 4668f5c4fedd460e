// needs: page
// The composer of an agent panel: where its frame stands, what hangs over it, what is attached.
((tabwire) => {
  if (tabwire.drive_box) return;
  const { isDrawn, recall } = tabwire.page;

  // Where our frame begins in the window: presses are aimed at the window.
  const offset = () => {
    let [x, y] = [0, 0];
    for (let one = window; one !== one.top; one = one.parent) {
      const frame = one.frameElement; // null where the frame is another site's
      if (frame === null) break;
      const box = frame.getBoundingClientRect();
      x += box.left + frame.clientLeft;
      y += box.top + frame.clientTop;
    }
    return { x, y };
  };

  // Whether a list hangs over the composer from which Enter would pick.
  const typeahead = ({ number, menus }) => {
    const box = recall(number);
    if (box === null) return { gone: true };
    const menu = menus.some((css) => [...document.querySelectorAll(css)].some(isDrawn));
    const named = (box.getAttribute("aria-activedescendant") ?? "") !== "";
    return { open: menu || named || box.getAttribute("aria-expanded") === "true" };
  };

  // What a file input takes, and which of these names stand beside the composer.
  const accepts = ({ number }) => {
    const input = recall(number);
    return input instanceof HTMLInputElement ? { accept: input.accept, multiple: input.multiple } : { gone: true };
  };

  const attached = ({ box, names }) => {
    const said = [];
    for (const root of document.querySelectorAll(box)) {
      said.push(root.textContent);
      for (const one of root.querySelectorAll("[title],[alt],[aria-label]")) said.push(one.getAttribute("title") ?? "", one.getAttribute("alt") ?? "", one.getAttribute("aria-label") ?? "");
    }
    return names.filter((name) => said.some((words) => words.includes(name)));
  };

  // Until text that was put there is drawn: what stands in the composer now.
  const standing = async ({ number }) => {
    const there = await tabwire.page.stands({ number, text: "\u0000", ms: 0 });
    return there.gone ? { gone: true } : { text: there.text };
  };

  tabwire.drive_box = { accepts, attached, offset, standing, typeahead };
})((globalThis.tabwire ??= {}));
