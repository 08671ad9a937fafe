// Tells somebody who may be looking elsewhere that the game is waiting: by the title, the icon and the app's badge; in
// the background also by a bell and, if wanted, a notification. The words come from the server and name no card.
import { bell } from "../table/sound.js";

let shown;

function badge(on) {
  const set = on ? navigator.setAppBadge?.() : navigator.clearAppBadge?.();
  set?.catch(() => {}); // a page that is not installed has no badge
}

function notify(words, { about, game }) {
  const wanted = document.documentElement.dataset.notify === "on";
  if (!wanted || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    shown = new Notification(words, { body: about, tag: game, icon: "/static/art/icon-192.png" });
    shown.addEventListener("click", () => {
      focus();
      shown.close();
    });
  } catch {
    // Some phones allow notifications only from a service worker.
  }
}

/** Called after the page has loaded, and after each change of the table. */
export function signal(fresh, old) {
  const { title, call, came, icon, status } = fresh.dataset;
  document.title = title;
  document.querySelector("link[rel=icon]").href = icon;
  badge(call !== "");
  if (!old || !document.hidden) return;
  const arrived = old.dataset.status === "waiting" && status === "playing" && came;
  const words = arrived || (call !== old.dataset.call && call);
  if (!words) return;
  bell();
  notify(words, fresh.dataset);
}

/** Subscribes to push messages, if the server offers them and they are wanted; loads their script only then. */
export async function callWhileClosed() {
  const { notify: wanted, push } = document.documentElement.dataset;
  if (wanted !== "on" || !push) return;
  const { subscribe } = await import("./push.js");
  await subscribe();
}

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && shown?.close());
