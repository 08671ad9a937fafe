// Buttons that copy or share a link. They need scripts, so they stay hidden until this one runs.
export function offerCopy() {
  document.querySelectorAll(".copy").forEach((button) => {
    button.hidden = false;
  });
  const share = document.getElementById("send-on");
  if (share) share.hidden = !navigator.share;
}

async function copy(button) {
  const link = document.getElementById(button.dataset.copies);
  const words = (button.dataset.words ??= button.textContent);
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
    button.textContent = button.dataset.copied;
  } catch {
    button.textContent = button.dataset.failed;
  }
  setTimeout(() => {
    button.textContent = words;
  }, 2500);
}

function handOn({ dataset }) {
  const url = document.getElementById("share").value;
  navigator.share({ title: document.title, text: dataset.words, url }).catch(() => {});
}

export function copying() {
  document.addEventListener("click", ({ target }) => {
    if (target.closest(".copy")) copy(target.closest(".copy"));
    if (target.closest("#send-on")) handOn(target.closest("#send-on"));
  });
}
