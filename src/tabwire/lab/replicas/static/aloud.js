// A read-aloud control: a decoy, since what it says while it reads is a kind of "Stop".

import { make } from "/assets/element.js";
import { stage } from "/assets/stage.js";

const WORDS = { read: "Read aloud", stop: "Stop reading" };

// Put one into a bar. It reads once pressed, or at once where the stage says so, until pressed
// again. `words` = { read, stop }; `dress(button, reading)` lets a site put its attributes.
export function aloud(bar, words = {}, { dress = () => {}, reading = stage.aloud } = {}) {
  const said = { ...WORDS, ...words };
  const button = make("button", { type: "button" });
  const show = () => {
    const label = reading ? said.stop : said.read;
    button.setAttribute("aria-label", label);
    button.setAttribute("aria-pressed", String(reading));
    button.textContent = label;
    dress(button, reading);
  };
  button.addEventListener("click", () => {
    reading = !reading;
    show();
  });
  show();
  bar.append(button);
  return button;
}
