// Who is here, and what they say: heard from the stream, shown at their side of the table.
const SHOWN_MS = 8000;

const at = (kind, seat) => document.querySelector(`[data-${kind}="${seat}"]`);

const told = new Map();

function came({ data }) {
  const { seat, text } = JSON.parse(data);
  told.set(seat, text);
  sayPresence();
}

/** Repeats what the stream last said: a table that arrives later may have been rendered before. */
export function sayPresence() {
  for (const [seat, text] of told) {
    const sign = at("presence", seat);
    if (!sign || sign.classList.contains("here") === (text === "here")) continue;
    sign.classList.toggle("here", text === "here");
    sign.textContent = sign.dataset[text];
  }
}

function emote({ data }) {
  const { seat, text } = JSON.parse(data);
  const bubble = at("says", seat);
  if (!bubble) return;
  bubble.textContent = bubble.dataset[text];
  bubble.hidden = false;
  document.getElementById("spoken").textContent = `${bubble.dataset.name}: ${bubble.textContent}`;
  setTimeout(() => {
    bubble.hidden = true;
  }, SHOWN_MS);
}

/** Listens to a new stream; what was heard before the connection broke may no longer be true. */
export function hear(source) {
  told.clear();
  source.addEventListener("presence", came);
  source.addEventListener("emote", emote);
}
