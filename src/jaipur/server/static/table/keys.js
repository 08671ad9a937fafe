// Enter plays, Escape clears, arrows move along a row of cards and between rows, R shows the last move again, and a
// question mark lists the keys.
import { again } from "./swap.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };
const ROWS = { ArrowUp: -1, ArrowDown: 1 };

function walk(event, box) {
  const rows = [...document.querySelectorAll("#move .row")]
    .map((row) => [...row.querySelectorAll("input[type=checkbox]")])
    .filter((row) => row.length);
  const at = rows.findIndex((row) => row.includes(box));
  const place = rows[at].indexOf(box);
  const row = rows[at + (ROWS[event.key] ?? 0)];
  const next = row?.[Math.min(place + (STEPS[event.key] ?? 0), row.length - 1)];
  if (next) next.focus();
  event.preventDefault();
}

const list = () => document.getElementById("keys");

/** Handles the keys that work at any time; returns whether this was one. */
function anytime(event) {
  if (event.target.matches?.("input:not([type=checkbox]), select, textarea")) return false;
  if (event.key === "?") list().showModal();
  else if (event.key.toLowerCase() === "r" && document.getElementById("again")) again();
  else return false;
  event.preventDefault();
  return true;
}

export function keys() {
  document.addEventListener("click", (event) => event.target.closest("#show-keys") && list().showModal());
  document.addEventListener("keydown", (event) => {
    const form = document.getElementById("move");
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || list()?.open) return;
    if (anytime(event) || !form) return;
    const onCard = event.target.matches?.("#move .card input");
    const elsewhere = event.target.closest?.("a, button, summary, input, select");
    if (event.key === "Enter" && (onCard || !elsewhere)) {
      event.preventDefault();
      form.requestSubmit();
    } else if (event.key === "Escape") {
      (document.getElementById("change") ?? document.getElementById("clear")).click();
    } else if (event.key in STEPS || event.key in ROWS) {
      if (onCard) walk(event, event.target);
      // After a question from the tutor, the button has the focus: the arrows lead from there to the cards, too.
      else if (!elsewhere || form.contains(elsewhere)) form.querySelector(".card input")?.focus();
    }
  });
}
