// Playing without the button: a double-click takes a card, and cards can be dragged. This only chooses cards in the
// form and sends it; as always, the server says what a choice does and whether it is legal.
import { isEmpty, onChoice, readChoice } from "./selection.js";

const FAR = 8;
const HOLD_MS = 220;
let drag;

const form = () => document.getElementById("move");
const boxOf = (card) => card?.querySelector("input[type=checkbox]");

function choose(box) {
  box.checked = true;
  onChoice();
}

/** Chooses a card in the market; if nothing else is chosen, takes it at once. */
function take(box) {
  const alone = isEmpty(readChoice()) || (box.checked && readChoice().take.length === 1 && !readChoice().give.length);
  choose(box);
  if (alone) form().requestSubmit();
}

function drop(box, zone) {
  if (zone === "take" && box.name === "take") take(box);
  else if (zone === "give" && box.name === "give") choose(box);
  else if (zone === "sell" && box.name === "give") {
    choose(box);
    if (!readChoice().take.length) form().requestSubmit();
  }
}

const zoneAt = (x, y) => document.elementsFromPoint(x, y).find((el) => el.dataset?.drop)?.dataset.drop;

function begin() {
  const { card, box } = drag;
  const from = card.getBoundingClientRect();
  drag.shadow = card.cloneNode(true);
  drag.shadow.classList.add("dragged");
  drag.shadow.style.width = `${from.width}px`;
  document.body.append(drag.shadow);
  form().dataset.dragging = box.name;
  move(drag.x, drag.y);
}

function move(x, y) {
  Object.assign(drag.shadow.style, { left: `${x}px`, top: `${y}px` });
  form()
    .closest("#table")
    .querySelectorAll("[data-drop]")
    .forEach((zone) => zone.classList.toggle("over", zone.dataset.drop !== "" && zone.dataset.drop === zoneAt(x, y)));
}

function end(event) {
  if (!drag) return;
  const { shadow, box, timer } = drag;
  clearTimeout(timer);
  drag = null;
  if (!shadow) return;
  shadow.remove();
  document.querySelectorAll("[data-drop].over").forEach((zone) => zone.classList.remove("over"));
  if (!form()) return;
  delete form().dataset.dragging;
  if (event.type !== "pointerup") return;
  // The click at the end of a drag is not a click on a card.
  addEventListener("click", (click) => click.preventDefault(), { capture: true, once: true });
  setTimeout(() => box.isConnected && drop(box, zoneAt(event.clientX, event.clientY)));
}

export function direct() {
  document.addEventListener("dblclick", (event) => {
    const box = boxOf(event.target.closest("#move .market label.card"));
    if (box) take(box);
  });
  document.addEventListener("pointerdown", (event) => {
    const card = event.target.closest("#move label.card");
    const box = boxOf(card);
    if (!box || event.button) return;
    drag = { card, box, x: event.clientX, y: event.clientY };
    // A finger that moves at once scrolls the page; one that rests on a card first picks it up.
    if (event.pointerType === "touch") drag.timer = setTimeout(begin, HOLD_MS);
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR;
    if (drag.shadow) move(event.clientX, event.clientY);
    else if (far && event.pointerType === "touch") end(event);
    else if (far) begin();
  });
  document.addEventListener("touchmove", (event) => drag?.shadow && event.preventDefault(), { passive: false });
  document.addEventListener("dragstart", (event) => event.target.closest("#move") && event.preventDefault());
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
