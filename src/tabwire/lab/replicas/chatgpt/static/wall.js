// The page that shows nothing but a request to log in. Nobody can: there are no accounts here.

import { alive } from "/assets/stage.js";
import { translate } from "/assets/view.js";

alive(() => translate());
document.querySelector("form[data-login-form]").addEventListener("submit", (event) => event.preventDefault());
