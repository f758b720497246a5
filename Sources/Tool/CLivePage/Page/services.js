// The services of the phone's peer: values, reads, writes, subscriptions.

import { command, complain } from "./commands.js";
import { button, element, setAttribute, setChildren, setText } from "./dom.js";

/** A service. */
export function makeService() {
  return element("section", { class: "service" }, element("h3"), element("ul"));
}

/** Shows a service with its characteristics. */
export function showService(node, service) {
  const [title, list] = node.children;
  setText(title, service.name ?? service.uuid);
  setAttribute(title, "title", service.uuid);
  setAttribute(node, "aria-label", `Service ${service.name ?? service.uuid}`);
  setChildren(list, service.characteristics, (characteristic) => characteristic.id, makeCharacteristic, showCharacteristic);
}

function makeCharacteristic(characteristic) {
  const { id, properties } = characteristic;
  const name = characteristic.name ?? characteristic.uuid;
  const buttons = element("span", { class: "controls" });
  if (properties.includes("read")) {
    buttons.append(button("Read", () => command("phone.read", { id }), { "aria-label": `Read ${name}` }));
  }
  if (properties.includes("notify") || properties.includes("indicate")) {
    const subscribe = button(
      properties.includes("notify") ? "Notify" : "Indicate",
      () => command("phone.subscribe", { id, on: subscribe.getAttribute("aria-pressed") !== "true" }),
      { "aria-pressed": "false", "aria-label": `Subscribe to ${name}`, class: "subscribe" },
    );
    buttons.append(subscribe);
  }
  const node = element(
    "li",
    { class: "characteristic" },
    element("span", { class: "name", title: characteristic.uuid }, name),
    element("span", { class: "properties" }, properties.join(", ")),
    element("output", { class: "value", "aria-label": `Value of ${name}` }),
    buttons,
  );
  if (properties.some((property) => property.startsWith("write"))) node.append(writeForm(id, name, properties));
  return node;
}

function writeForm(id, name, properties) {
  const value = element("input", {
    type: "text",
    "aria-label": `Value to write to ${name}`,
    placeholder: "09 06 02",
    autocomplete: "off",
    spellcheck: "false",
  });
  const kind = element(
    "select",
    { "aria-label": `How the value for ${name} is written` },
    element("option", { value: "hex" }, "hex"),
    element("option", { value: "text" }, "text"),
  );
  kind.addEventListener("change", () => (value.placeholder = kind.value === "hex" ? "09 06 02" : "text"));
  const response = properties.includes("write");
  return element(
    "form",
    {
      class: "write",
      onsubmit: (event) => {
        event.preventDefault();
        const text = value.value;
        if (kind.value === "hex" && !/^\s*([0-9a-fA-F]{2}\s*)*$/.test(text)) {
          return complain(`Expected pairs of hexadecimal digits, got “${text}”.`);
        }
        command("phone.write", { id, [kind.value]: text.replaceAll(kind.value === "hex" ? /\s/g : /$^/g, ""), response });
      },
    },
    value,
    kind,
    element("button", { type: "submit", "aria-label": `Write to ${name}` }, "Write"),
  );
}

function showCharacteristic(node, characteristic) {
  const value = node.querySelector(".value");
  setText(value, characteristic.value === undefined ? "" : valueText(characteristic));
  value.hidden = characteristic.value === undefined;
  const subscribe = node.querySelector(".subscribe");
  if (subscribe) setAttribute(subscribe, "aria-pressed", String(characteristic.isSubscribed));
}

function valueText({ value, text, count }) {
  return [text, value === "" ? "(empty)" : value, count > 1 ? `#${count}` : undefined].filter(Boolean).join("  ");
}
