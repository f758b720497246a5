// The parts that are wired to the board: what acts on them can be set, and what they show is seen.

import { command } from "./commands.js";
import { button, element, setAttribute, setChildren, setText } from "./dom.js";
import { quantityControl } from "./quantities.js";
import { showReadings } from "./readings.js";
import { symbol } from "./symbols.js";

/** Makes the panel in `place` for the parts of the board whose number `number` returns; returns what takes the parts. */
export function partsPanel(place, number) {
  const send = (name, fields) => command(`part.${name}`, { board: number(), ...fields });
  const list = element("ul", { class: "parts" });
  const updates = new WeakMap();
  place.append(element("h2", { id: "parts-title" }, "Parts"), list);

  const make = (part) => {
    const [node, update] = makePart(part, send);
    updates.set(node, update);
    return node;
  };
  return (parts) => {
    place.hidden = parts.length === 0;
    // Another board may have a part of the same name.
    const key = ({ name, kind, wiring }) => [number(), name, kind, wiring].join("\n");
    setChildren(list, parts, key, make, (node, part) => updates.get(node)(part));
  };
}

/** A part, and what takes its state. */
function makePart({ name, kind, summary, wiring, quantities }, send) {
  let isPlugged = true;
  const plug = button("Unplug", () => send("plug", { part: name, on: !isPlugged }));
  const controls = quantities.map((quantity) =>
    quantityControl(name, quantity, (value) => send("set", { part: name, quantity: quantity.name, value })),
  );
  const readings = element("ul", { class: "readings" });
  const node = element(
    "li",
    { class: "part" },
    element(
      "div",
      { class: "head" },
      symbol(kind),
      element("span", { class: "name" }, name),
      element("span", { class: "detail" }, [kind, wiring].join(", ")),
      plug,
    ),
    ...controls.map((control) => control.node),
    readings,
  );
  node.firstElementChild.title = summary;
  const update = (part) => {
    isPlugged = part.isPlugged;
    setText(plug, isPlugged ? "Unplug" : "Plug in");
    setAttribute(plug, "aria-label", `${isPlugged ? "Unplug" : "Plug in"} ${name}`);
    setAttribute(node, "data-unplugged", !isPlugged);
    setAttribute(node, "data-on", part.readings.some(({ text }) => text === "on" || text === "sounding"));
    controls.forEach((control, index) => control.show(part.quantities[index].value));
    showReadings(readings, part);
  };
  return [node, update];
}
