// The board: power, reset, buttons, pins, servos, and how it crashed.

import { command } from "./commands.js";
import { button, element, setAttribute, setChildren, setText, svg } from "./dom.js";

const bootPin = 0;

/** Makes the panel in `place` of the board whose number `number` returns; returns what takes the state. */
export function boardPanel(place, number) {
  const send = (name, fields = {}) => command(`board.${name}`, { board: number(), ...fields });
  const status = element("span", { class: "state" });
  let isOn = false;
  const power = button("Power", () => send("power", { on: !isOn }), { "aria-pressed": "false" });
  const reset = button("Reset", () => send("reset"));
  const buttons = element("span", { class: "controls buttons", role: "group", "aria-label": "Buttons" });
  const makeButton = (pin) => pinButton(pin, (on) => send("button", { pin, on }));
  const pins = element("ul", { class: "pins", "aria-label": "Pins" });
  const servos = element("div", { class: "servos" });
  const heap = element("p", { class: "heap", hidden: true }, "Heap ", element("meter"), element("span"));
  const crash = element("div", { class: "crash", role: "alert", hidden: true });
  const fault = element("p", { class: "crash", role: "alert", hidden: true });
  place.append(
    element("h2", { id: "board-title" }, "Board ", status),
    element("div", { class: "controls" }, power, reset, buttons),
    fault,
    crash,
    element("div", { class: "measures" }, servos, pins, heap),
  );

  return (state) => {
    isOn = state.isOn !== false;
    setText(status, statusText(state));
    setAttribute(status, "data-state", isOn ? "on" : "off");
    setAttribute(power, "hidden", !state.abilities.includes("power"));
    setAttribute(power, "aria-pressed", String(isOn));
    setAttribute(reset, "hidden", !state.abilities.includes("reset"));
    setAttribute(buttons, "hidden", state.buttons.length === 0);
    setChildren(buttons, state.buttons, (pin) => pin, makeButton, (node, pin) => {
      const isPressed = state.pressed.includes(pin);
      setAttribute(node.firstElementChild, "data-pressed", isPressed);
      node.querySelector("input").checked = isPressed;
    });
    setChildren(pins, state.pins, (pin) => pin.pin, makePin, showPin);
    setChildren(servos, state.servos, (servo) => servo.pin, makeServo, showServo);
    showHeap(heap, state.heap);
    showCrash(crash, state.crash);
    setAttribute(fault, "hidden", !state.fault);
    setText(fault, state.fault ?? "");
  };
}

function statusText(state) {
  if (state.isOn === false) return `${state.hardware}, off`;
  return [state.hardware, state.boot].filter(Boolean).join(", ");
}

/** The button that connects a pin to ground, and a box that holds it. */
function pinButton(pin, press) {
  const name = pin === bootPin ? "BOOT" : `GPIO ${pin}`;
  const hold = element("input", {
    type: "checkbox",
    "aria-label": `Hold ${name}`,
    onchange: (event) => press(event.target.checked),
  });
  return element("span", { class: "joined" }, holdButton(name, press), element("label", { class: "check" }, hold, "hold"));
}

/** A button of the board: pressed as long as the pointer or the key is. */
function holdButton(text, press) {
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

function makePin() {
  return element("li", { class: "pin" }, element("span"), element("b"));
}

function showPin(node, pin) {
  setText(node.firstElementChild, `GPIO ${pin.pin}`);
  setText(node.lastElementChild, pin.isHigh ? "high" : "low");
  setAttribute(node, "data-level", pin.isHigh ? "high" : "low");
}

/** A servo seen from above: its arm turns from 0°, right, over 90°, up, to 180°, left. */
function makeServo(servo) {
  const ticks = [0, 45, 90, 135, 180].map((angle) =>
    svg("line", { class: "tick", x1: 42, x2: 46, y1: 0, y2: 0, transform: `rotate(${-angle})` }),
  );
  const picture = svg(
    "svg",
    { viewBox: "-52 -52 104 70", class: "servo", role: "img" },
    svg("path", { class: "dial", d: "M 48 0 A 48 48 0 0 0 -48 0" }),
    ...ticks,
    svg(
      "g",
      { class: "arm" },
      svg("path", { d: "M -8 -5 L 36 -2.5 A 2.5 2.5 0 0 1 36 2.5 L -8 5 A 5 5 0 0 1 -8 -5 Z" }),
    ),
    svg("circle", { class: "hub", r: 7 }),
  );
  return element("figure", {}, picture, element("figcaption"));
}

function showServo(node, servo) {
  const text = servo.angle === undefined ? (servo.isAttached ? "attached" : "detached") : `${servo.angle}°`;
  const picture = node.querySelector("svg");
  setAttribute(picture, "aria-label", `Servo on GPIO ${servo.pin}: ${text}`);
  setAttribute(picture, "data-attached", servo.isAttached);
  setAttribute(node.querySelector(".arm"), "transform", `rotate(${-(servo.angle ?? 90)})`);
  setText(node.querySelector("figcaption"), `GPIO ${servo.pin}  ${text}`);
}

/** How much of the heap is free, and the least that ever was. */
function showHeap(node, heap) {
  setAttribute(node, "hidden", !heap);
  if (!heap) return;
  const [meter, text] = node.children;
  meter.max = heap.size;
  meter.low = heap.size / 8;
  meter.high = heap.size / 4;
  meter.optimum = heap.size;
  meter.value = heap.free;
  setAttribute(meter, "aria-label", `Free heap: ${heap.free} of ${heap.size} bytes`);
  const bytes = (count) => count.toLocaleString("en");
  setText(text, ` ${bytes(heap.free)} of ${bytes(heap.size)} bytes free, ${bytes(heap.minimumFree)} at least`);
}

function showCrash(node, crash) {
  const key = crash ? JSON.stringify(crash) : "";
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  node.hidden = !crash;
  node.replaceChildren();
  if (!crash) return;
  node.append(
    element("strong", {}, `Crash: ${crash.kind}`),
    element("p", {}, crash.message),
    element("ol", {}, ...crash.frames.map((frame) => element("li", {}, element("code", {}, frame)))),
  );
}
