// Sends a form of the table and shows the answer in place.
import { lost } from "./live.js";
import { readChoice, say, sayOnButton } from "./selection.js";
import { show } from "./swap.js";

let sending = false;

export async function send(form) {
  if (sending) return;
  sending = true;
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "X-Fragment": "1" } });
    const text = await answer.text();
    await (text.includes('id="table"') ? shown(text, answer.status) : say(text.length < 300 ? text : answer.statusText));
  } catch {
    say(document.getElementById("said")?.dataset.failed ?? "");
    lost();
  } finally {
    sending = false;
    form.removeAttribute("aria-busy");
  }
}

async function shown(text, status) {
  await show(text, status === 409);
  const { take, give } = readChoice();
  const said = document.getElementById("said");
  if (status !== 422 || !said || !(take.length + give.length)) return;
  // The reason goes where the words for the selection always are.
  sayOnButton({ text: said.textContent, legal: false });
  document.getElementById("play").classList.add("refused");
}
