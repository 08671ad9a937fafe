// Tells a screen reader what happened: the visible news on the table.
export function speak(table) {
  const words = [...table.querySelectorAll("#score, #cover, #news, .notice, .lesson h2, .lesson .text")].map((part) =>
    part.innerText.trim(),
  );
  document.getElementById("spoken").textContent = words.filter(Boolean).join(" ");
}
