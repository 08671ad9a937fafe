// The end of a round: first the last move on the board, then the score sheet, counted up row by row. Any key or press
// skips ahead, and the page says so.
import { still } from "./travel.js";

const LAST_MOVE_MS = 2200;
const ROW_MS = 750;
const COIN_MS = 250;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves at the next key or press. */
const pressed = () =>
  new Promise((resolve) => {
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, resolve, { once: true });
  });

/** Shows the final board in place of the score sheet, until `countUp` takes over. */
export function holdSheet(table) {
  const board = table.querySelector(".final");
  if (!board || still()) return;
  board.open = true;
  table.classList.add("last-move");
}

function count(number) {
  const end = Number(number.textContent);
  const begun = performance.now();
  const step = (now) => {
    const part = Math.min((now - begun) / (ROW_MS * 0.8), 1);
    number.textContent = Math.round(end * part);
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

export async function countUp(table) {
  const sheet = table.querySelector(".score > .tally");
  if (table.classList.contains("last-move")) {
    await Promise.race([pause(LAST_MOVE_MS), pressed()]);
    table.classList.remove("last-move");
    table.querySelector(".final").open = false;
  }
  if (!sheet || still()) return;
  const skip = table.querySelector(".skip-hint");
  sheet.classList.add("counting");
  skip.hidden = false;
  const done = () => {
    sheet.classList.remove("counting");
    skip.hidden = true;
  };
  pressed().then(done);
  await countRows(sheet);
  done();
}

async function countRows(sheet) {
  for (const row of sheet.querySelectorAll("tbody tr")) {
    await pause(ROW_MS / 2);
    if (!sheet.classList.contains("counting")) return;
    const parts = row.querySelectorAll(".number, .turned, small, .token, td > *");
    parts.forEach((part) => part.classList.add("shown"));
    row.querySelectorAll(".number").forEach(count);
    const coins = [...row.querySelectorAll(".turned")].map((list) => delayEach([...list.children]));
    await pause(ROW_MS + COIN_MS * Math.max(0, ...coins));
  }
}

/** Lets coins turn over one after the other; returns how many there are. */
function delayEach(coins) {
  coins.forEach((coin, at) => {
    coin.style.animationDelay = `${at * COIN_MS}ms`;
  });
  return coins.length;
}
