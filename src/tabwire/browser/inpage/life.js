// Tells when the browser freezes this page and when it thaws it. The binding is looked up
// at that moment: it comes after the document, once for each. What a page makes up is not
// trusted.
((tabwire) => {
  if (tabwire.life || globalThis !== globalThis.top) return;
  const tell = (event) => event.isTrusted && globalThis.tabwireLife?.(event.type);
  document.addEventListener("freeze", tell);
  document.addEventListener("resume", tell);
  tabwire.life = {};
})((globalThis.tabwire ??= {}));
