// Commands to the bench.

const notice = document.getElementById("notice");
let hiding;

/** Shows what went wrong. */
export function complain(text) {
  notice.textContent = text;
  notice.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (notice.hidden = true), 8000);
}

/** Sends a command; returns whether it was performed. What was refused is shown. */
export async function command(name, fields = {}) {
  try {
    const answer = await fetch("command", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ do: name, ...fields }),
    });
    if (answer.ok) return true;
    complain((await answer.text()).trim() || `${answer.status} ${answer.statusText}`);
  } catch {
    complain("espbench does not answer.");
  }
  return false;
}
