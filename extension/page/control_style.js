// How the control looks. Nothing of the page's reaches in here, and nothing reaches out.
((tabwire) => {
  "use strict";
  tabwire.controlStyle = `
    :host { all: initial !important; }
    :host::before, :host::after, :host::backdrop { content: none !important; display: none !important; }
    * { box-sizing: border-box; }
    .box {
      --ground: #ffffff; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --accent: #0b57d0;
      --hover: #eef1f4; --idle: #8c959f; --sent: #9a6700; --flow: #0b57d0; --done: #1a7f37; --bad: #cf222e;
      position: fixed; z-index: 2147483646; left: 0; top: 0; max-width: 300px;
      font: 12px/1.35 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans JP", sans-serif;
      color: var(--ink); background: var(--ground); border: 1px solid var(--line); border-radius: 10px;
      box-shadow: 0 1px 3px rgb(0 0 0 / .12); user-select: none; -webkit-user-select: none;
    }
    @media (prefers-color-scheme: dark) {
      .box {
        --ground: #22252a; --ink: #e6e9ec; --soft: #a5adb6; --line: #434a52; --accent: #8ab4f8;
        --hover: #32373e; --idle: #8c959f; --sent: #e3b341; --flow: #8ab4f8; --done: #56d364; --bad: #ff7b72;
        box-shadow: 0 1px 3px rgb(0 0 0 / .5);
      }
    }
    .box[hidden], [hidden] { display: none !important; }
    .row { display: flex; align-items: center; gap: 2px; padding: 3px; white-space: nowrap; }
    .badge {
      display: flex; align-items: center; gap: 6px; padding: 4px 8px 4px 6px; cursor: grab; touch-action: none;
      border: 0; background: none; color: inherit; font: inherit; border-radius: 7px;
    }
    .badge:active { cursor: grabbing; }
    .dot { width: 8px; height: 8px; border-radius: 50%; background: var(--idle); flex: none; }
    .box[data-life="prompt-sent"] .dot { background: var(--sent); }
    .box[data-life="streaming"] .dot { background: var(--flow); }
    .box[data-life="completed"] .dot { background: var(--done); }
    .box[data-life="stopped"] .dot, .box[data-life="partial"] .dot { background: var(--sent); }
    .box[data-life="failed"] .dot, .box[data-life="refused"] .dot { background: var(--bad); }
    @media (prefers-reduced-motion: no-preference) {
      .box[data-life="streaming"] .dot { animation: breathe 1.6s ease-in-out infinite; }
    }
    @keyframes breathe { 50% { opacity: .35; } }
    button.act {
      font: inherit; font-weight: 600; color: var(--accent); background: none; border: 0; border-radius: 7px;
      padding: 4px 8px; cursor: pointer;
    }
    button.act:hover:not(:disabled), .badge:hover, .hide:hover { background: var(--hover); }
    button.act:disabled { color: var(--soft); font-weight: 400; opacity: .75; cursor: default; }
    .hide {
      font: inherit; color: var(--soft); background: none; border: 0; border-radius: 7px; cursor: pointer;
      width: 22px; height: 22px; padding: 0; display: grid; place-items: center; margin-inline-start: auto;
    }
    .hide svg { width: 9px; height: 9px; stroke: currentcolor; stroke-width: 1.6; }
    button:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    .why { padding: 0 10px 7px; color: var(--soft); white-space: normal; overflow-wrap: anywhere; }
    .ask { padding: 6px 10px 8px; border-top: 1px solid var(--line); white-space: normal; }
    .ask .row { padding: 4px 0 0; justify-content: flex-end; }
    .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  `;
})((globalThis.tabwire ??= {}));
