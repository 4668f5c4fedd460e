// needs: deep
// Whether anybody would miss this page: is the person in it, and is something written in it?
((tabwire) => {
  const textOf = (element) => (element.value ?? element.innerText ?? "").trim();

  const look = ({ composer, decoys }) => {
    const { compile, findAll, matches, shadowsUnder } = tabwire.deep;
    const roots = [document, ...shadowsUnder(document).shadows];
    const isDecoy = (element) => decoys.some((css) => matches(element, css));
    const boxes = composer.flatMap((css) => findAll(compile(css), roots));
    const draft = boxes.filter((element) => !isDecoy(element)).map(textOf).find(Boolean) ?? "";
    return { draft, focused: document.visibilityState === "visible" && document.hasFocus() };
  };

  tabwire.idle = { look };
})((globalThis.tabwire ??= {}));
