// What a pairing asks, as a phone's dialog.

import { command } from "./commands.js";
import { button, element, setAttribute, setText } from "./dom.js";

/** The question; hidden while nothing is asked. */
export function pairingQuestion() {
  const text = element("p", { id: "pairing-text" });
  const number = element("output", { class: "number", "aria-labelledby": "pairing-text" });
  const digits = element("input", {
    type: "text",
    inputmode: "numeric",
    pattern: "[0-9]{6}",
    maxlength: "6",
    autocomplete: "off",
    "aria-label": "Passkey of six digits",
    placeholder: "000000",
    class: "number",
  });
  const accept = element("button", { type: "submit", class: "primary" }, "Pair");
  const refuse = button("Cancel", () => command("phone.answer", { on: false }));
  let kind;
  const node = element(
    "form",
    {
      class: "question",
      role: "alertdialog",
      "aria-label": "Pairing",
      "aria-describedby": "pairing-text",
      hidden: true,
      onsubmit: async (event) => {
        event.preventDefault();
        const fields = kind === "enter" ? { passkey: digits.value } : {};
        if (await command("phone.answer", { on: true, ...fields })) digits.value = "";
      },
    },
    text,
    number,
    digits,
    element("span", { class: "controls" }, accept, refuse),
  );
  node.addEventListener("keydown", (event) => {
    if (event.key === "Escape") refuse.click();
  });
  const texts = {
    enter: "The peer wants to pair. Enter the six digits that it shows:",
    compare: "Does the peer show the same number?",
    display: "Enter these digits at the peer:",
  };
  return {
    node,
    show(question) {
      if (question?.kind === kind && (question?.number ?? "") === number.textContent) return;
      const former = kind;
      kind = question?.kind;
      node.hidden = !kind;
      if (!kind) return;
      setText(text, texts[kind]);
      setText(number, question.number ?? "");
      number.hidden = kind === "enter";
      digits.hidden = kind !== "enter";
      setAttribute(digits, "required", kind === "enter");
      accept.hidden = kind === "display";
      setText(accept, kind === "compare" ? "Yes, pair" : "Pair");
      setText(refuse, kind === "compare" ? "No" : kind === "display" ? "Close" : "Cancel");
      if (former === undefined) (kind === "enter" ? digits : kind === "compare" ? accept : refuse).focus();
    },
  };
}
