// Cards and coins travel from where they were to where they are. Nothing here knows the rules: if something left one
// zone and the same kind of thing appeared in another, it moved; hidden cards are all alike ("?").
const TRAVEL = 450;
const STAGGER = 60;
const REFILL_DELAY = 200;

export const still = () =>
  document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;

const things = (table) => [...table.querySelectorAll("[data-zone]")].map((el) => ({ el, ...el.dataset }));
const lettersIn = (table, zone) =>
  things(table)
    .filter((it) => it.zone === zone)
    .map((it) => it.letter)
    .join();
const changed = (zone, old, fresh) => zone !== "market" && lettersIn(old, zone) !== lettersIn(fresh, zone);
const lettersAfter = (move, sign) => move.match(new RegExp(`\\${sign}([A-Z]+)`))?.[1] ?? "";

/** Removes and returns the first thing in a list that fits. */
function pick(list, fits) {
  const at = list.findIndex(fits);
  return at < 0 ? null : list.splice(at, 1)[0];
}

/** Pairs of an old and a new thing; one is null if the thing left the table or came to it. */
export function pairs(old, fresh) {
  const taken = lettersAfter(fresh.dataset.move, "+");
  const gone = things(old);
  const come = [];
  const found = [];
  const kept = [];
  for (const to of things(fresh)) {
    const leaves = to.zone === "market" && to.letter === "M" && taken.includes("M");
    const from = leaves
      ? null
      : pick(gone, (it) => it.zone === to.zone && it.letter === to.letter && it.place === to.place);
    if (from) kept.push({ from, to });
    else come.push(to);
  }
  const match = (fits) => {
    for (const to of come.slice()) {
      const from = pick(gone, (it) => fits(it, to));
      if (from) found.push({ from, to: pick(come, (it) => it === to) });
    }
  };
  const taking = (from) => from.zone !== "market" || taken.includes(from.letter);
  match((from, to) => from.letter === to.letter && from.zone !== to.zone);
  match(
    (from, to) =>
      from.zone !== to.zone &&
      (from.letter === "?" || to.letter === "?") &&
      from.letter.length === to.letter.length &&
      taking(from),
  );
  // A card that was taken looks as if it had stayed if its place was refilled with the same kind.
  for (const to of come.filter((it) => it.zone !== "market")) {
    const like = kept.find(
      ({ from }) =>
        from.zone === "market" && taken.includes(from.letter) && (to.letter === from.letter || to.letter === "?"),
    );
    if (!like) continue;
    kept.splice(kept.indexOf(like), 1);
    come.splice(come.indexOf(to), 1, like.to);
    found.push({ from: like.from, to });
  }
  return [...kept, ...found, ...gone.map((from) => ({ from, to: null })), ...come.map((to) => ({ from: null, to }))];
}

/** Where a thing without a partner comes from or goes to: the mover's herd, the deck, the discard or a bonus pile. */
function penOf(table, letter, arriving) {
  const { move, mover } = table.dataset;
  const pens = [...table.querySelectorAll("[data-pen]")].filter(
    (pen) => !pen.dataset.owner || pen.dataset.owner === mover,
  );
  const named = (name) => pens.find((pen) => pen.dataset.pen === name);
  if (letter.startsWith("bonus")) return named(letter);
  if (arriving && !lettersAfter(move, "-").includes(letter)) return named("deck");
  return letter === "M"
    ? named("M")
    : letter === "?"
      ? named("DGSCPL")
      : pens.find((pen) => pen.dataset.pen.includes(letter));
}

const box = (el) => el.getBoundingClientRect();
const at = (rect) => ({
  transform: `translate(${rect.x}px, ${rect.y}px)`,
  width: `${rect.width}px`,
  height: `${rect.height}px`,
});

/** Centres a thing of this size in a pile; it keeps its proportions, however wide the pile is. */
function within(pen, { width, height }) {
  const pile = box(pen);
  const scale = Math.min(pile.width / width, pile.height / height, 1);
  const size = { width: width * scale, height: height * scale };
  return at({ x: pile.x + (pile.width - size.width) / 2, y: pile.y + (pile.height - size.height) / 2, ...size });
}

/** A travelling card cannot be pressed: a press on its destination ends the journey and then presses the card. */
function keepPress(transition) {
  let press;
  const keep = (event) => {
    if (!event.target.matches("#table li")) return;
    press = event;
    transition.skipTransition();
  };
  addEventListener("click", keep, true);
  return () => {
    removeEventListener("click", keep, true);
    if (press) document.elementFromPoint(press.clientX, press.clientY)?.closest("label input")?.click();
  };
}

/** Calls `swap` to replace the table, and lets the cards travel; resolves when they have arrived. */
export async function travel(old, fresh, swap) {
  if (still() || !document.startViewTransition || document.hidden || old.dataset.number === fresh.dataset.number) {
    swap();
    return;
  }
  const journeys = pairs(old, fresh).filter(
    ({ from, to }) => !from || !to || from.zone !== to.zone || changed(from.zone, old, fresh),
  );
  journeys.forEach((journey, n) => {
    journey.name = `travel-${n}`;
    journey.start = journey.from && box(journey.from.el);
    if (journey.from) journey.from.el.style.viewTransitionName = journey.name;
  });
  const transition = document.startViewTransition(() => {
    swap();
    for (const { name, to } of journeys) if (to) to.el.style.viewTransitionName = name;
  });
  const pressKept = keepPress(transition);
  const led = await transition.ready.then(
    () => journeys.map((journey, n) => lead(journey, n, fresh)),
    () => [],
  );
  await transition.finished;
  led.forEach((motion) => motion?.cancel());
  for (const { to } of journeys) if (to) to.el.style.viewTransitionName = "";
  pressKept();
}

/** Animates the journeys that the browser cannot know: out of a pile, or into one. */
function lead({ name, from, to, start }, n, fresh) {
  const pen = !(from && to) && penOf(fresh, (from ?? to).letter, !from);
  if (!pen) return null;
  const ends = from ? [at(start), { ...within(pen, start), opacity: 0 }] : [within(pen, box(to.el)), at(box(to.el))];
  return document.documentElement.animate(ends, {
    pseudoElement: `::view-transition-group(${name})`,
    duration: TRAVEL,
    fill: "both",
    easing: "cubic-bezier(.3,.7,.2,1)",
    delay: from ? 0 : REFILL_DELAY + STAGGER * (n % 5),
  });
}
