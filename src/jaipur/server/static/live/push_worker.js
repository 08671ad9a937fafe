// Runs even while no page is open: shows the server's messages, and opens the game. It caches no pages.
const ICON = "/static/art/icon-192.png";

async function open(address) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname === address);
  return page ? page.focus() : self.clients.openWindow(address);
}

self.addEventListener("push", (event) => {
  const { title, body, game } = event.data.json();
  const options = { body, tag: game, renotify: true, icon: ICON };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(`/game/${event.notification.tag}`));
});
