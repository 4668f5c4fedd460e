// Timers of our own in the isolated world.
//
// The numbers that `setTimeout` returns belong to the window, not to a world: a page that clears
// every number it can think of ends the timers of extensions too. A posted task has no number.
((tabwire) => {
  "use strict";
  // Runs `act` after so many milliseconds; what is returned calls it off.
  tabwire.later = (act, milliseconds) => {
    let wanted = true;
    scheduler.postTask(() => wanted && act(), { delay: milliseconds });
    return () => {
      wanted = false;
    };
  };

  tabwire.every = (milliseconds, act) => {
    const again = () => {
      tabwire.later(again, milliseconds); // first: a fault in `act` must not be the end of it
      act();
    };
    tabwire.later(again, milliseconds);
  };
})((globalThis.tabwire ??= {}));
