// The pages before the page, a login wall and a challenge: they only need their words.

import { t } from "/assets/labels.js";

for (const one of document.querySelectorAll("[data-words]")) one.textContent = t(one.dataset.words);
