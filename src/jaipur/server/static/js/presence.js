// Who is here, and what they say: told by the stream, shown at their side of the table.
const SHOWN_MS = 8000;

const at = (kind, seat) => document.querySelector(`[data-${kind}="${seat}"]`);

const told = new Map();

function came({ data }) {
  const { seat, text } = JSON.parse(data);
  told.set(seat, text);
  sayPresence();
}

/** A table may have been made before the last word of the stream, and come after it. */
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

/** What was told before a break of the connection may no longer be true. */
export function hear(source) {
  told.clear();
  source.addEventListener("presence", came);
  source.addEventListener("emote", emote);
}
