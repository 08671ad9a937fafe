// Push messages to this browser while no page is open, where the server offers them and notifications are wanted.
const WORKER = "/sw.js";
const offered = document.documentElement.dataset.push ?? "";
const possible = offered && "serviceWorker" in navigator && "PushManager" in window;

const tell = (path, fields) => fetch(path, { method: "POST", body: new URLSearchParams(fields) });

function text(key) {
  const plain = btoa(String.fromCharCode(...new Uint8Array(key)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function subscribed() {
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  if (old && text(old.options.applicationServerKey) !== offered) await old.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: offered });
}

/** Repeated at each table: the language may have changed, and browsers change their push address now and then. */
export async function subscribe() {
  if (!possible || Notification.permission !== "granted") return;
  try {
    const { endpoint, keys } = (await subscribed()).toJSON();
    await tell("/push", { endpoint, ...keys });
  } catch {
    // Without a push service, an open page still notifies.
  }
}

export async function unsubscribe() {
  if (!possible) return;
  try {
    const worker = await navigator.serviceWorker.getRegistration(WORKER);
    const old = await worker?.pushManager.getSubscription();
    if (old) await tell("/push/stop", { endpoint: old.endpoint });
    await worker?.unregister();
  } catch {
    // The server forgets a browser once its push service no longer knows it.
  }
}
