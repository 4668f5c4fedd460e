// For tests: look through open shadow roots, and wait for something in any of them.

globalThis.deepRoots = (root = document) => [
  root,
  ...[...root.querySelectorAll("*")].filter((one) => one.shadowRoot).flatMap((one) => deepRoots(one.shadowRoot)),
];

globalThis.deepAll = (css) => deepRoots().flatMap((root) => [...root.querySelectorAll(css)]);

globalThis.until = (test) =>
  new Promise((settle) => {
    const watched = new Set();
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    const look = () => {
      for (const root of deepRoots()) {
        if (!watched.has(root)) watch.observe(root, all);
        watched.add(root);
      }
      const seen = test();
      if (!seen) return;
      watch.disconnect();
      settle(seen);
    };
    const watch = new MutationObserver(look);
    look();
  });
