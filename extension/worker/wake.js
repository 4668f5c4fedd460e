// Everything that may wake a worker Chrome has ended, each a reason to look for the hub.
//
// The alarm is the last resort: it comes every 30 s, which is how long a started hub may stay
// unseen while nothing supported is open. After a sleep of the machine `idle` is the first to come.

const ALARM = "look for the hub";

export function listen(wake) {
  chrome.runtime.onInstalled.addListener(() => wake("installed"));
  chrome.runtime.onStartup.addListener(() => wake("startup"));
  chrome.alarms.onAlarm.addListener(({ name }) => name === ALARM && wake("alarm"));
  chrome.idle.onStateChanged.addListener((state) => state === "active" && wake("active"));
}

// An alarm may be lost with an update of the browser, so every start looks.
export async function setAlarm() {
  if (!(await chrome.alarms.get(ALARM))) {
    await chrome.alarms.create(ALARM, { periodInMinutes: 0.5 });
  }
}
