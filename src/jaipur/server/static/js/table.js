// The live table: what a page without scripts does by forms and links, without loading the page anew.
import { listen } from "./live.js";
import { offerCopy } from "./copy.js";
import { keys } from "./keys.js";
import { send } from "./send.js";
import { onChoice } from "./selection.js";
import { refresh } from "./swap.js";
import { wakeSound } from "./sound.js";

document.addEventListener("submit", (event) => {
  if (event.target.closest("#table")) {
    event.preventDefault();
    send(event.target);
  }
});
document.addEventListener("change", (event) => event.target.closest("#move") && onChoice());
document.addEventListener("reset", (event) => {
  event.preventDefault();
  event.target.querySelectorAll(":checked").forEach((box) => { box.checked = false; });
  onChoice();
});
document.addEventListener("click", (event) => {
  if (event.target.closest("#change")) {
    event.preventDefault();
    refresh({ always: true });
  }
});
keys();
wakeSound();
offerCopy();
listen();
