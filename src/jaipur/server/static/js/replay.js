// Arrow keys step through a replay; the links do the same.
const STEPS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  document.querySelector(`[data-step="${STEPS[event.key]}"]`)?.click();
});
document.querySelector(".log [aria-current]")?.scrollIntoView({ block: "nearest" });
