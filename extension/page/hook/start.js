// The last file in the page's world: everything is read, now it is put in place.
//
// Where a function of the browser was not its own any more, or our own name was already taken, a
// script ran before us: then nothing is wrapped, no line is opened, and isolated.js, to whom
// nobody answers, says so.
((tabwire) => {
  "use strict";
  delete globalThis.tabwire; // from here on the page finds nothing of ours
  if (!tabwire.natives.isUntouched()) return;
  try {
    tabwire.channel.open();
    tabwire.natives.wrapPrinting();
    tabwire.hookFetch();
    tabwire.hookXhr();
    tabwire.hookSockets();
  } catch {
    // a browser that lacks something we wrap: what is in place works, the rest is not copied
  }
})(globalThis.tabwire);
