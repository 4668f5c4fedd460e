// needs: exchange markdown
// The newest answer as text, and how each selector of the page data fares.
((tabwire) => {
  if (tabwire.reading) return;
  const { contains, findAll, inOrder, outermost } = tabwire.deep;
  const { markdown } = tabwire;

  // The question's own words: the innermost of what is known to hold them.
  const questionOf = (exchange) => {
    const { question, parts } = exchange;
    if (question === null) return null;
    const inner = parts.user_message.selectors.filter(Boolean).reverse()
      .map((one) => findAll(one, [question])[0]).find(Boolean);
    return markdown.of(inner ?? question) || null;
  };

  // What is shown of the thinking; what is folded up stays so.
  const thinkingOf = (exchange, roots) => {
    const elements = outermost(inOrder(exchange.thinking())).filter((one) => !roots.some((root) => contains(one, root)));
    return elements.map((one) => markdown.of(one)).filter(Boolean).join("\n\n") || null;
  };

  const read = (watch) => {
    const { exchange, layout } = watch;
    if (exchange === null || exchange.answers.length === 0) return null;
    const { elements, css } = exchange.textRoots(true);
    const { citation, decoys, thinking } = layout.parts;
    const skip = [thinking.css, decoys.css].filter(Boolean).join(",");
    const texts = elements.map((one) => markdown.of(one, { skip, citation: citation.css }));
    return {
      text: texts.filter(Boolean).join("\n\n"),
      text_length: watch.length.total,
      thinking: thinkingOf(exchange, elements),
      rung: css,
      newest: exchange.name,
      question: questionOf(exchange),
    };
  };

  const candidates = (part, roots, used) => part.list.map((css, index) => {
    const selector = part.selectors[index];
    return {
      css,
      count: selector === null ? -1 : findAll(selector, roots).length,
      used: index === used,
    };
  });

  // By which candidate each part is found: the first that matches anything. Of the layout
  // that is wanted, else of the one that is recognised.
  const health = (watch, wanted) => {
    const { layouts, roots } = watch;
    const layout = layouts.find((one) => one.name === wanted) ?? watch.layout;
    const parts = layout ? Object.values(layout.parts) : layouts.map((one) => one.parts.recognise);
    return {
      url: location.href,
      title: tabwire.deep.title(),
      layout: watch.layout?.name ?? null,
      parts: parts.filter((part) => part.list.length > 0).map((part) => ({
        part: part.name,
        candidates: candidates(part, roots, part.find(roots).index),
      })),
    };
  };

  tabwire.reading = { read, health };
})((globalThis.tabwire ??= {}));
