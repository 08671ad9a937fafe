// Lets the clocks tick between two answers from the server; only the server ends a match.
const DAY = 24 * 3600;
const LOW = 30;
const shownAt = new WeakMap();

const two = (number) => String(number).padStart(2, "0");

function words(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

function tick() {
  for (const clock of document.querySelectorAll(".clock[data-left]")) {
    if (!shownAt.has(clock)) shownAt.set(clock, performance.now());
    const gone = clock.classList.contains("running") ? performance.now() - shownAt.get(clock) : 0;
    const seconds = Math.max(0, Math.ceil((Number(clock.dataset.left) - gone) / 1000));
    if (seconds >= DAY) continue;
    clock.querySelector("b").textContent = words(seconds);
    clock.classList.toggle("low", seconds <= LOW);
  }
}

export function ticking() {
  tick();
  setInterval(tick, 250);
}
