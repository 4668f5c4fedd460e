// Nothing but a request to log in. The lab has no accounts, so its doors lead nowhere.

import { t } from "/assets/labels.js";

for (const one of document.querySelectorAll("[data-says]")) one.textContent = t(one.dataset.says);
