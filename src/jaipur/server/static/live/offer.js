// Offers sound once, and in a game with a friend also notifications. Nothing makes a sound until somebody asks for it.
import { firstSound } from "../table/sound.js";
import { callWhileClosed } from "./signals.js";

const offer = () => document.getElementById("offer");

function keep(setting) {
  const values = { offered: "on", ...(setting && { [setting]: "on" }) };
  fetch("/settings", { method: "POST", body: new URLSearchParams(values), redirect: "manual" }).catch(() => {});
}

async function choose(setting) {
  if (setting === "notify" && (await Notification.requestPermission()) !== "granted") return;
  if (setting) document.documentElement.dataset[setting] = "on";
  if (setting === "sound") firstSound();
  if (setting === "notify") callWhileClosed();
  keep(setting);
}

export function offerSound() {
  const box = offer();
  if (!box?.hidden) return;
  box.hidden = false;
  const canNotify = "Notification" in window && Notification.permission !== "denied";
  const notify = box.querySelector("[data-set=notify]");
  if (notify) notify.hidden = !canNotify;
  keep("");
  box.addEventListener("click", (event) => {
    const button = event.target.closest("[data-set]");
    if (!button) return;
    choose(button.dataset.set);
    button.remove();
    if (button.dataset.set === "" || !box.querySelector("[data-set]:not([data-set=''], [hidden])")) box.remove();
  });
}
