// Asks for permission when notifications are switched on, since browsers want a press for that.
const box = document.querySelector("[name=notify]");
const blocked = document.getElementById("blocked");
const LONG_ENOUGH = 3000;

if ("Notification" in window) {
  box.closest("label").hidden = false;
  const refused = () => {
    blocked.hidden = Notification.permission !== "denied" || !box.checked;
    if (Notification.permission === "denied") box.checked = false;
  };
  refused();
  box.addEventListener("change", async () => {
    if (box.checked && (await Notification.requestPermission()) !== "granted") {
      refused();
      box.checked = false;
    }
  });
}

/** If the server offers push, saving also subscribes or unsubscribes; a slow service does not hold it up for long. */
async function save(event) {
  event.preventDefault();
  const enough = new Promise((done) => {
    setTimeout(done, LONG_ENOUGH);
  });
  try {
    const { subscribe, unsubscribe } = await import("../live/push.js");
    await Promise.race([box.checked ? subscribe() : unsubscribe(), enough]);
  } finally {
    box.form.submit();
  }
}
if (document.documentElement.dataset.push) box.form.addEventListener("submit", save, { once: true });
