// Counts the score sheet up as people do, row by row. Any key or press shows it whole.
import { still } from "./travel.js";

const ROW_MS = 750;
const COIN_MS = 250;
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

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
  if (!sheet || still()) return;
  sheet.classList.add("counting");
  const done = () => sheet.classList.remove("counting");
  addEventListener("pointerdown", done, { once: true });
  addEventListener("keydown", done, { once: true });
  for (const row of sheet.querySelectorAll("tbody tr")) {
    await pause(ROW_MS / 2);
    if (!sheet.classList.contains("counting")) break;
    const parts = row.querySelectorAll(".number, .turned, small, .token, td > *");
    parts.forEach((part) => part.classList.add("shown"));
    row.querySelectorAll(".number").forEach(count);
    const coins = [...row.querySelectorAll(".turned")].map((list) => [...list.children].map((coin, at) => { coin.style.animationDelay = `${at * COIN_MS}ms`; }).length);
    await pause(ROW_MS + COIN_MS * Math.max(0, ...coins));
  }
  done();
}
