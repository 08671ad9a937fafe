// Sends a form at the table and shows the answer in place.
import { lost, tell } from "../live/live.js";
import { isEmpty, readChoice, say, sayOnButton } from "./selection.js";
import { show } from "./swap.js";

let sending = false;

export async function send(form, button) {
  if (sending) return;
  sending = true;
  form.dataset.sent = "";
  const answer = await post(form, button);
  // The next move may be sent from here on, even while the cards of this one are still travelling.
  sending = false;
  if (!answer?.ok) delete form.dataset.sent;
  if (!answer) {
    const said = document.getElementById("said");
    if (said) say(said.dataset.failed);
    lost();
  } else if (answer.text.includes('id="table"')) {
    form.closest(".emotes")?.removeAttribute("open");
    // An emote or a hint keeps the choice of cards; the table is replaced even if unchanged, for a fresh form key.
    await shown(answer.text, answer.status, form.matches(".emotes form, .ask-hint"));
  } else {
    explain(answer.text);
  }
}

async function post(form, button) {
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form, button)),
      headers: { "X-Fragment": "1" },
    });
    return { text: await answer.text(), status: answer.status, ok: answer.ok };
  } catch {
    return null;
  }
}

/** If an error page comes in place of the table, shows its one sentence. */
function explain(page) {
  const sentence = new DOMParser().parseFromString(page, "text/html").querySelector("h1")?.textContent ?? page;
  (document.getElementById("said") ? say : tell)(sentence);
}

async function shown(text, status, same) {
  await show(text, same || status !== 200);
  // On a phone, what the coach says may be above the visible part, far from the buttons.
  document.querySelector("#doubt, #hint")?.scrollIntoView({ block: "nearest" });
  const said = document.getElementById("said");
  if (status !== 422 || !said || isEmpty(readChoice())) return;
  // The reason goes where the words for the selection always are.
  sayOnButton({ text: said.textContent, legal: false });
  document.getElementById("play").classList.add("refused");
}
