// The last things that happened, for the popup. Kinds, sites and numbers, never what pages say nor
// a secret; only a notice of the hub has its text, and the report leaves that out.

import { LIMITS } from "./times.js";
import { keepSession, session } from "./state.js";

export function note(what, about = {}) {
  const events = [...session.events, { at: Date.now(), what, ...about }];
  keepSession({ events: events.slice(-LIMITS.events) });
}
