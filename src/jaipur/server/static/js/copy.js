// The copy button of the invitation, which needs scripts and so is shown by them.
export function offerCopy() {
  const button = document.getElementById("copy");
  if (!button) return;
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const link = document.getElementById("invite");
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      button.textContent = button.dataset.copied;
    } catch {
      button.textContent = button.dataset.failed;
    }
    setTimeout(() => { button.textContent = words; }, 2500);
  });
}
