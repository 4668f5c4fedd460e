// All the text of the page, as a last resort and for snapshots only.
((tabwire) => {
  tabwire.whole = {
    text() {
      const place = document.querySelector("main") ?? document.body;
      return place?.innerText ?? "";
    },
  };
})((globalThis.tabwire ??= {}));
