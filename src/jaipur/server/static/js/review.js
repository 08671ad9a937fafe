// Follows a review that is being made; when it is done, the page is shown again with all of it.
const page = document.getElementById("review");
const bar = document.querySelector("#progress progress");
const { game, number, drawn } = page.dataset;
const CHECK_MS = 20000;
const source = new EventSource(`/game/${game}/events?after=${number}`);
let check;

// A review that was finished between the page and the stream says nothing more. Whoever reads meanwhile is left alone.
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
  // The last word comes when the review is kept.
  if (done === total && bar.dataset.full) location.reload();
  if (done === total) bar.dataset.full = "1";
});
