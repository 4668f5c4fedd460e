// What the head of the stand-alone program says: the project, and the title of the conversation.
//
// The title is the agent's own words. So the head is looked for outside the conversation, by what
// stands beside it, and read as a row of crumbs with a stroke between each two; where it is built
// otherwise, or the side bar says something else, nothing is said rather than guessed.
((agent) => {
  if (agent.head) return;
  const MAX = 1000;
  const said = (element) => element.textContent.trim().slice(0, MAX);

  function headOf(wish) {
    const beside = [...document.querySelectorAll(wish.beside)].filter((one) => one.closest(wish.view) === null);
    if (beside.length !== 1) return null;
    for (let one = beside[0].parentElement; one && one.querySelector(wish.view) === null; one = one.parentElement) {
      if (one.querySelector(wish.crumb)) return one;
    }
    return null;
  }

  // Crumbs and strokes in their order, and nothing else with words between them.
  function crumbsOf(head, wish) {
    const crumbs = [...head.querySelectorAll(wish.crumb)];
    const strokes = [...head.querySelectorAll("span")].filter((one) => one.childElementCount === 0 && said(one) === "/" && !one.matches(wish.crumb));
    if (crumbs.length < 2 || strokes.length !== crumbs.length - 1 || crumbs.some((one) => one.childElementCount > 0)) return null;
    const follows = (a, b) => Boolean(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);
    const inTurn = strokes.every((stroke, at) => follows(crumbs[at], stroke) && follows(stroke, crumbs[at + 1]));
    return inTurn ? crumbs.map(said) : null;
  }

  // The project in the side bar whose conversation is open; null where it does not show one.
  function beside(wish) {
    const open = [...document.querySelectorAll(wish.pill)].filter((one) => one.closest("[role='button']")?.classList.contains(wish.active));
    const card = open.length === 1 ? open[0].closest(wish.section)?.querySelector(wish.project) : null;
    return card ? said(card) : null;
  }

  agent.head = {
    read(wish) {
      const head = headOf(wish);
      const crumbs = head && crumbsOf(head, wish);
      if (!crumbs) return null;
      const other = beside(wish);
      if (other !== null && other !== crumbs[0]) return null;
      return { project: crumbs[0], conversation: crumbs.at(-1) };
    },
  };
})(((globalThis.tabwire ??= {}).agent ??= {}));
