// The quantities that act on a part: sliders, choices and push buttons.

import { button, element, setAttribute } from "./dom.js";
import { heldButton, holdButton, showHeld } from "./hold.js";

// The first words of contacts that open again by themselves.
const resting = ["released", "none"];

/**
 * The control of a quantity of the part called `part`; `send` sends a value, and tells whether it was taken. Returns the
 * node, and what takes the quantity's value.
 */
export function quantityControl(part, quantity, send) {
  const set = newest(send);
  if (quantity.words.length === 0) return slider(part, quantity, set);
  if (!resting.includes(quantity.words[0])) return choice(part, quantity, set);
  return quantity.words.length === 2 ? pushButton(part, quantity, set) : keys(part, quantity, set);
}

/** Sends one value after the other, and of those that come meanwhile the newest: a slider is faster than a board. */
function newest(send) {
  let next;
  let isSending = false;
  return async (value) => {
    next = value;
    if (isSending) return true;
    isSending = true;
    let isTaken = true;
    while (next !== undefined) {
      const value = next;
      next = undefined;
      isTaken = await send(value);
    }
    isSending = false;
    return isTaken;
  };
}

function slider(part, quantity, set) {
  const { name, unit, low, high } = quantity;
  let shown = quantity.value;
  let isMoving = false;
  const change = async (value) => {
    if (!(await set(value))) showValue();
  };
  // Two hundred to two thousand steps, each a power of ten.
  const step = 10 ** Math.floor(Math.log10((high - low) / 200));
  const range = element("input", {
    type: "range",
    min: low,
    max: high,
    step,
    "aria-label": `${part} ${name}`,
    oninput: () => {
      isMoving = true;
      field.value = range.value;
      change(Number(range.value));
    },
    onchange: () => (isMoving = false),
  });
  const field = element("input", {
    type: "number",
    step: "any",
    "aria-label": `${part} ${name}${unit ? ` in ${unit}` : ""}`,
    onchange: () => (field.value === "" ? showValue() : change(Number(field.value))),
  });
  const showValue = () => {
    range.value = shown;
    field.value = shown;
    setAttribute(range, "aria-valuetext", `${shown} ${unit}`.trim());
  };
  const node = element(
    "div",
    { class: "quantity", title: `${quantity.summary} ${low} to ${high}${unit ? ` ${unit}` : ""}` },
    element("span", { class: "label" }, name),
    range,
    field,
    element("span", { class: "unit" }, unit),
  );
  showValue();
  return {
    node,
    show(value) {
      shown = value;
      if (!isMoving && document.activeElement !== field) showValue();
    },
  };
}

function group(part, quantity, ...children) {
  return element(
    "div",
    { class: "quantity", title: quantity.summary },
    element("span", { class: "label" }, quantity.name),
    element("span", { class: "controls", role: "group", "aria-label": `${part} ${quantity.name}` }, ...children),
  );
}

function choice(part, quantity, set) {
  const buttons = quantity.words.map((word, index) => button(word, () => set(index), { "aria-pressed": "false" }));
  return {
    node: group(part, quantity, ...buttons),
    show: (value) => buttons.forEach((node, index) => setAttribute(node, "aria-pressed", String(index === value))),
  };
}

function pushButton(part, quantity, set) {
  const node = heldButton("Press", (on) => set(on ? 1 : 0), part);
  return { node: group(part, quantity, node), show: (value) => showHeld(node, value === 1) };
}

function keys(part, quantity, set) {
  const nodes = quantity.words.slice(1).map((word, index) => holdButton(word, (on) => set(on ? index + 1 : 0), `${part} ${word}`));
  return {
    node: group(part, quantity, ...nodes),
    show: (value) => nodes.forEach((node, index) => setAttribute(node, "data-pressed", index + 1 === value)),
  };
}
