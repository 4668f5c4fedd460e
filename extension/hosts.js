// The table of hosts: which belong to which site.
//
// It is the only one in the extension; a test compares it with the manifest and with
// src/tabwire/sites. A plain script, because there is no build step: the manifest lists it after
// natives.js in the page's world, the worker imports it for its effect. (Chrome runs a file once
// in a frame, so the isolated world could not have it too; nothing there needs it.)
((tabwire) => {
  "use strict";
  tabwire.hosts = {
    __proto__: null,
    // hosts of pages: the host permissions of the manifest
    pages: {
      __proto__: null,
      "chatgpt.com": "chatgpt",
      "chat.openai.com": "chatgpt",
      "gemini.google.com": "gemini",
      "grok.com": "grok",
      "www.grok.com": "grok",
    },
    // further hosts to which such pages send their requests
    requests: {
      __proto__: null,
      "www.chatgpt.com": "chatgpt",
      "www.chat.openai.com": "chatgpt",
      "ws.chatgpt.com": "chatgpt",
    },
  };
})((globalThis.tabwire ??= {}));
