// The live table: does without reloading what a page without scripts does by forms and links.
import { listen } from "../live/live.js";
import { copying, offerCopy } from "../site/copy.js";
import { keys } from "./keys.js";
import { send } from "./send.js";
import { direct } from "./direct.js";
import { offerSound } from "../live/offer.js";
import { onChoice } from "./selection.js";
import { callWhileClosed, signal } from "../live/signals.js";
import { again, offerScripted, refresh, table } from "./swap.js";
import { wakeSound } from "./sound.js";
import { ticking } from "./clock.js";

document.addEventListener("submit", (event) => {
  if (event.target.closest("#table") && !event.target.matches("[data-whole]")) {
    event.preventDefault();
    send(event.target, event.submitter);
  }
});
document.addEventListener("change", (event) => event.target.closest("#move") && onChoice());
document.addEventListener("reset", (event) => {
  event.preventDefault();
  event.target.querySelectorAll(":checked").forEach((box) => {
    box.checked = false;
  });
  onChoice();
});
document.addEventListener("click", (event) => {
  if (event.target.closest("#change")) {
    event.preventDefault();
    refresh({ always: true });
  }
  if (event.target.closest("#again")) {
    event.preventDefault();
    again();
  }
});
// Bots may move between the press and release of a mouse button: the pressed button would vanish with the old table.
document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest(".remote form:not([data-whole]) button");
  if (button && event.pointerType === "mouse" && !event.button) button.form.requestSubmit();
});
keys();
direct();
offerScripted();
ticking();
wakeSound();
copying();
offerCopy();
signal(table());
callWhileClosed();
if (table().dataset.status === "waiting") offerSound();
listen();
