// Replaces the old table with a fresh one, one at a time, and announces what has changed.
import { offerCopy } from "../site/copy.js";
import { offerSound } from "../live/offer.js";
import { sayPresence } from "../live/presence.js";
import { readChoice, restoreChoice } from "./selection.js";
import { countUp, holdSheet } from "./sheet.js";
import { signal } from "../live/signals.js";
import { speak } from "./speak.js";
import { soundOf } from "./sound.js";
import { sayTimes } from "../site/times.js";
import { still, travel } from "./travel.js";

export const table = () => document.getElementById("table");
let line = Promise.resolve();
let before;
const POINTED_MS = 2500;
/** Parts that stay open when the table changes. */
const OPENABLE = [".resign", ".sold", ".watch-link", ".emotes"];

function parsed(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content.querySelector("#table");
}

const inLine = (task) => (line = line.then(task, task));

/** Shows the table from an answer; one that is older than the table on show is skipped. */
export const show = (html, keepChoice) => inLine(() => place(parsed(html), keepChoice));

/** Fetches the table as it is now. Waits for cards that are still travelling, so that each move can be followed. */
export const refresh = ({ always = false } = {}) =>
  inLine(async () => {
    const { game, seat, number } = table().dataset;
    const answer = await fetch(`/game/${game}/table${seat && `?seat=${seat}`}`);
    if (!answer.ok) throw new Error(answer.statusText);
    const fresh = parsed(await answer.text());
    if (always || fresh?.dataset.number !== number) await place(fresh, true);
  });

/** Shows the last move once more: the cards travel again, or its changes are highlighted. */
export const again = () =>
  inLine(async () => {
    const now = table();
    if (!before || still()) {
      now.classList.add("pointed");
      setTimeout(() => now.classList.remove("pointed"), POINTED_MS);
      return;
    }
    const past = before.cloneNode(true);
    now.replaceWith(past);
    await travel(past, now, () => past.replaceWith(now));
  });

async function place(fresh, keepChoice) {
  const old = table();
  if (!fresh || Number(fresh.dataset.number) < Number(old.dataset.number)) return;
  // An event has overtaken this answer and shows the same table already: what was chosen since then stays.
  if (!keepChoice && fresh.dataset.number === old.dataset.number && !fresh.querySelector("[name=sure]")) return;
  if (fresh.dataset.rematch && !old.dataset.rematch) {
    old.dataset.rematch = fresh.dataset.rematch;
    location.assign(`/game/${fresh.dataset.rematch}`);
    return;
  }
  if (fresh.dataset.seat === "" && location.search) history.replaceState(null, "", location.pathname);
  const ended = old.dataset.status === "playing" && fresh.dataset.status !== "playing";
  if (ended) holdSheet(fresh);
  if (fresh.dataset.number !== old.dataset.number) before = old;
  await travel(old, fresh, () => {
    const choice = keepChoice && readChoice();
    const opened = OPENABLE.filter((part) => old.querySelector(part)?.open);
    const focus = focusOf(document.activeElement);
    old.replaceWith(fresh);
    for (const part of opened) fresh.querySelector(part)?.toggleAttribute("open", true);
    if (choice) restoreChoice(choice);
    refocus(focus, fresh);
  });
  if (ended) countUp(fresh);
  offerCopy();
  offerScripted();
  sayTimes();
  sayPresence();
  if (old.dataset.number !== fresh.dataset.number) {
    speak(fresh);
    soundOf(old, fresh);
    signal(fresh, old);
    if (fresh.querySelector(".log .by-bottom")) offerSound();
  }
}

/** Shows the buttons that work only with scripts. */
export function offerScripted() {
  document.querySelectorAll("#show-keys").forEach((button) => {
    button.hidden = false;
  });
}

function focusOf(active) {
  if (!active?.closest("#table")) return null;
  return { id: active.id, name: active.name, place: active.dataset?.place, value: active.value };
}

/** Keeps the focus on the same card or button; if that is gone, moves it to the first card, or to the news. */
function refocus(focus, fresh) {
  if (!focus) return;
  const same = focus.id && focus.id !== "news" && fresh.querySelector(`#${focus.id}`);
  const cards = [...fresh.querySelectorAll(`input[name="${focus.name}"]`)].filter((box) => box.type === "checkbox");
  const card = cards.find((box) => box.dataset.place === focus.place && (focus.place || box.value === focus.value));
  const next =
    same ||
    card ||
    fresh.querySelector("#move .card input[type=checkbox], #move #play, .cover a") ||
    fresh.querySelector("#news");
  next?.focus({ preventScroll: true });
}
