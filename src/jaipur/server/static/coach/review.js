// Follows a review in the making; when it is done, reloads the page to show all of it.
const page = document.getElementById("review");
const bar = document.querySelector("#progress progress");
const { game, number, drawn } = page.dataset;
const CHECK_MS = 20000;
const source = new EventSource(`/game/${game}/events?after=${number}`);
let check;

// A review that finished between the page and the stream sends nothing more, so silence leads to a reload.
function checkLater() {
  clearTimeout(check);
  check = setTimeout(() => location.reload(), CHECK_MS);
}

checkLater();
source.addEventListener("review", ({ data }) => {
  checkLater();
  const [done, total] = JSON.parse(data).text.split("/").map(Number);
  bar.value = done;
  document.getElementById("graded").textContent = done;
  if (!drawn) location.reload();
  // The full count comes twice: after the last grade, and once the review is stored.
  if (done === total && bar.dataset.full) location.reload();
  if (done === total) bar.dataset.full = "1";
});
