// Listens to what happens at the table, and reconnects by itself after a lost connection, a sleep or a restart.
import { hear } from "./presence.js";
import { refresh, table } from "../table/swap.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;
let source;
let wait = FIRST_WAIT;
let timer;
const sign = () => document.getElementById("connection");

/** Shows a message that has no place of its own on the table. */
export function tell(text) {
  sign().textContent = text;
  sign().hidden = false;
}

export const lost = () => tell(sign().dataset.lost);

function found() {
  wait = FIRST_WAIT;
  if (sign().hidden) return;
  tell(sign().dataset.back);
  setTimeout(() => {
    sign().hidden = true;
  }, 2000);
}

const catchUp = () => refresh().then(found, lost);

function connect() {
  clearTimeout(timer);
  source?.close();
  const { game, number } = table().dataset;
  source = new EventSource(`/game/${game}/events?after=${number}`);
  hear(source);
  source.onopen = found;
  source.onmessage = ({ data }) => {
    if (JSON.parse(data).number > Number(table().dataset.number)) catchUp();
  };
  source.onerror = () => {
    lost();
    source.close();
    timer = setTimeout(back, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
  };
}

function back() {
  connect();
  catchUp();
}

export function listen() {
  connect();
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && back());
  addEventListener("online", back);
  addEventListener("offline", lost);
  addEventListener("pageshow", (event) => event.persisted && back());
  addEventListener("pagehide", () => source.close());
}
