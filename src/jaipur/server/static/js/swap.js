// Puts a fresh table in the place of the old one, one at a time, and says what has changed.
import { offerCopy } from "./copy.js";
import { readChoice, restoreChoice } from "./selection.js";
import { countUp } from "./sheet.js";
import { speak } from "./speak.js";
import { soundOf } from "./sound.js";
import { travel } from "./travel.js";

export const table = () => document.getElementById("table");
let line = Promise.resolve();

function parsed(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content.querySelector("#table");
}

const inLine = (task) => (line = line.then(task, task));

/** Shows the table of an answer; a page that is older than the one on show is left out. */
export const show = (html, keepChoice) => inLine(() => place(parsed(html), keepChoice));

/** Fetches the table as it is now. It waits for the cards that still travel, so that each move can be followed. */
export const refresh = ({ always = false } = {}) => inLine(async () => {
  const { game, seat, number } = table().dataset;
  const answer = await fetch(`/game/${game}/table${seat && `?seat=${seat}`}`);
  if (!answer.ok) throw new Error(answer.statusText);
  const fresh = parsed(await answer.text());
  if (always || fresh?.dataset.number !== number) await place(fresh, true);
});

async function place(fresh, keepChoice) {
  const old = table();
  if (!fresh || Number(fresh.dataset.number) < Number(old.dataset.number)) return;
  // A push was faster than this answer and says the same: what was chosen since then stays.
  if (!keepChoice && fresh.dataset.number === old.dataset.number && !fresh.querySelector("[name=sure]")) return;
  if (fresh.dataset.rematch && !old.dataset.rematch) {
    old.dataset.rematch = fresh.dataset.rematch;
    location.assign(`/game/${fresh.dataset.rematch}`);
    return;
  }
  if (fresh.dataset.seat === "" && location.search) history.replaceState(null, "", location.pathname);
  await travel(old, fresh, () => {
    const choice = keepChoice && readChoice();
    const asking = old.querySelector(".resign")?.open;
    const focus = focusOf(document.activeElement);
    old.replaceWith(fresh);
    if (old.dataset.status === "playing" && fresh.dataset.status !== "playing") countUp(fresh);
    fresh.querySelector(".resign")?.toggleAttribute("open", Boolean(asking));
    if (choice) restoreChoice(choice);
    refocus(focus, fresh);
  });
  offerCopy();
  if (old.dataset.number !== fresh.dataset.number) {
    speak(fresh);
    soundOf(old, fresh);
  }
}

function focusOf(active) {
  if (!active?.closest("#table")) return null;
  return { id: active.id, name: active.name, place: active.dataset?.place, value: active.value };
}

/** Focus stays on the same card or button; where that is gone, it goes to the first card, or to the news. */
function refocus(focus, fresh) {
  if (!focus) return;
  const same = focus.id && focus.id !== "news" && fresh.querySelector(`#${focus.id}`);
  const cards = [...fresh.querySelectorAll(`input[name="${focus.name}"]`)].filter((box) => box.type === "checkbox");
  const card = cards.find((box) => box.dataset.place === focus.place && (focus.place || box.value === focus.value));
  const next = same || card || fresh.querySelector("#move .card input[type=checkbox], #move #play, .cover a") || fresh.querySelector("#news");
  next?.focus({ preventScroll: true });
}
