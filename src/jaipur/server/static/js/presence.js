// Who is here, and what they say: told by the stream, shown at their side of the table.
const SHOWN_MS = 8000;

const at = (kind, seat) => document.querySelector(`[data-${kind}="${seat}"]`);

function came({ data }) {
  const { seat, text } = JSON.parse(data);
  const sign = at("presence", seat);
  if (!sign) return;
  sign.classList.toggle("here", text === "here");
  sign.textContent = sign.dataset[text];
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

export function hear(source) {
  source.addEventListener("presence", came);
  source.addEventListener("emote", emote);
}
