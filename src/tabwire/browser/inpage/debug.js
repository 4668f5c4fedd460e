// needs: deep
// The debug fields of seed 001, section 9.5: what a person needs to see why an answer was missed.
((tabwire) => {
  const SNIPPET = 200; // characters of the page that are told
  const MARKDOWN = ".markdown, .prose, [data-markdown-text-style]";

  const fields = () => {
    const { compile, findAll, shadowsUnder } = tabwire.deep;
    const roots = [document, ...shadowsUnder(document).shadows];
    const all = (css) => findAll(compile(css), roots);
    const answers = all(
      '[data-message-author-role="assistant"], [data-content-search-unit-key$=":assistant"], '
      + 'li[data-message-role="assistant"], model-response, [data-testid="assistant-message"]',
    );
    const articles = all('article, [data-testid^="conversation-turn-"], [data-turn-key]');
    const last = answers.at(-1);
    const body = document.body?.innerText ?? "";
    return {
      debug_assistantMsgsCount: answers.length,
      debug_chatgptArticlesCount: articles.length,
      debug_markdownsInLast: last ? last.querySelectorAll(MARKDOWN).length : 0,
      debug_lastAssistantInnerTextLen: last ? last.innerText.length : 0,
      debug_bodySnippet: body.slice(0, SNIPPET),
      debug_bodyLen: body.length,
      debug_pageUrl: location.href,
      debug_pageTitle: document.title,
    };
  };

  tabwire.debug = { fields };
})((globalThis.tabwire ??= {}));
