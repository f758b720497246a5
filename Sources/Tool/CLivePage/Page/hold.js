// Push buttons: pressed as long as the pointer or the key is, or held by a box.

import { element, setAttribute } from "./dom.js";

/** A push button; `label` is its name for those who cannot see where it is. */
export function holdButton(text, press, label = text) {
  let isHeld = false;
  const set = (on) => {
    if (isHeld === on) return;
    isHeld = on;
    press(on);
  };
  const isKey = (event) => event.key === " " || event.key === "Enter";
  return element(
    "button",
    {
      type: "button",
      class: "hold",
      title: "Pressed as long as you press it",
      "aria-label": label === text ? undefined : label,
      onpointerdown: (event) => {
        event.target.setPointerCapture(event.pointerId);
        set(true);
      },
      onpointerup: () => set(false),
      onpointercancel: () => set(false),
      onkeydown: (event) => {
        if (isKey(event) && !event.repeat) set(true);
      },
      onkeyup: (event) => {
        if (isKey(event)) set(false);
      },
      onblur: () => set(false),
    },
    text,
  );
}

/** A push button with a box that holds it. */
export function heldButton(text, press, name = text) {
  const hold = element("input", {
    type: "checkbox",
    "aria-label": `Hold ${name}`,
    onchange: (event) => press(event.target.checked),
  });
  return element("span", { class: "joined" }, holdButton(text, press, name), element("label", { class: "check" }, hold, "hold"));
}

/** Shows whether a button made by `heldButton` is pressed. */
export function showHeld(node, isPressed) {
  setAttribute(node.firstElementChild, "data-pressed", isPressed);
  node.querySelector("input").checked = isPressed;
}
