// Arrow keys step through a replay; the links do the same.
const STEPS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  document.querySelector(`[data-step="${STEPS[event.key]}"]`)?.click();
});
// Only the list scrolls to the move; the page stays where it is.
const now = document.querySelector(".log [aria-current]");
if (now) now.parentElement.scrollTop = now.offsetTop - now.parentElement.offsetTop - now.parentElement.clientHeight / 2;
