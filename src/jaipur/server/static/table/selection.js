// The chosen cards, and the words for them. The server knows the rules and provides the words.
let asked = 0;
let timer;
const PAUSE = 60;

const form = () => document.getElementById("move");
// Cards that were sent and not refused are on their way: an event that arrives before the answer must not restore them.
const chosen = (name) =>
  form()?.dataset.sent === ""
    ? []
    : [...(form()?.querySelectorAll(`[name="${name}"]`) ?? [])].filter((box) => box.type === "hidden" || box.checked);

export const isEmpty = ({ take, give }) => !take.length && !give.length;

/** The chosen cards: those in the market by place and letter, the player's own by letter. */
export function readChoice() {
  return {
    take: chosen("take").map((box) => ({ letter: box.value, place: box.dataset.place })),
    give: chosen("give").map((box) => box.value),
  };
}

/** Restores an earlier choice. If a card is gone, the words say so. */
export function restoreChoice({ take, give }) {
  if (!form() || form().querySelector("[name=sure]")) return;
  const boxes = [...form().querySelectorAll("input[type=checkbox]")];
  // A refused move comes back with its cards checked: if the choice was cleared meanwhile, they are unchecked below.
  if (isEmpty({ take, give }) && !boxes.some((box) => box.checked)) return;
  boxes.forEach((box) => {
    box.checked = false;
  });
  const marked = take.map(({ letter, place }) =>
    boxes.find((box) => box.name === "take" && box.value === letter && box.dataset.place === place),
  );
  marked.filter(Boolean).forEach((box) => {
    box.checked = true;
  });
  for (const letter of give) {
    const box = boxes.find((other) => other.name === "give" && other.value === letter && !other.checked);
    if (box) box.checked = true;
    marked.push(box);
  }
  const gone = marked.includes(undefined);
  onChoice({ keepSaid: gone });
  if (gone) say(document.getElementById("said").dataset.gone);
}

/** Shows words beside the button that are not about the selection itself. */
export function say(text, wrong = true) {
  const said = document.getElementById("said");
  if (!said) return;
  said.classList.remove("echo");
  said.classList.toggle("wrong", wrong);
  said.textContent = text;
}

/** Puts the words on the button; screen readers read them from the output element. */
export function sayOnButton({ text, legal }, keepSaid = false) {
  const play = document.getElementById("play");
  const said = document.getElementById("said");
  play.textContent = text;
  play.classList.toggle("not-yet", !legal);
  if (keepSaid) return;
  said.classList.add("echo");
  said.textContent = text;
}

function resetButton() {
  const play = document.getElementById("play");
  play.textContent = play.dataset.choose;
  play.classList.remove("not-yet");
  document.getElementById("said").textContent = "";
}

/** Called after each change of the selection. A late answer about an older selection is not shown. */
export function onChoice({ keepSaid = false } = {}) {
  const mine = ++asked;
  clearTimeout(timer);
  if (!form()) return;
  const choice = readChoice();
  if (isEmpty(choice)) {
    resetButton();
    return;
  }
  timer = setTimeout(() => ask(mine, choice, keepSaid), PAUSE);
}

async function ask(mine, { take, give }, keepSaid) {
  const { game, seat } = document.getElementById("table").dataset;
  const query = new URLSearchParams([
    ...take.map((card) => ["take", card.letter]),
    ...give.map((letter) => ["give", letter]),
  ]);
  if (seat) query.set("seat", seat);
  try {
    const answer = await fetch(`/game/${game}/words?${query}`);
    const words = await answer.json();
    if (mine === asked && form()) sayOnButton(words, keepSaid);
  } catch {
    if (mine === asked && form()) say(document.getElementById("said").dataset.failed);
  }
}
