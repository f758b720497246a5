// The board: power, reset, buttons, pins and their signals, servos, and how it crashed.

import { command } from "./commands.js";
import { button, decimal, element, setAttribute, setChildren, setText } from "./dom.js";
import { heldButton, showHeld } from "./hold.js";
import { makeServo, showServo } from "./servo.js";

const bootPin = 0;

/** Makes the panel in `place` of the board whose number `number` returns; returns what takes the state. */
export function boardPanel(place, number) {
  const send = (name, fields = {}) => command(`board.${name}`, { board: number(), ...fields });
  const status = element("span", { class: "state" });
  let isOn = false;
  const power = button("Power", () => send("power", { on: !isOn }), { "aria-pressed": "false" });
  const reset = button("Reset", () => send("reset"));
  const buttons = element("span", { class: "controls buttons", role: "group", "aria-label": "Buttons" });
  const makeButton = (pin) => heldButton(pin === bootPin ? "BOOT" : `GPIO ${pin}`, (on) => send("button", { pin, on }));
  const pins = element("ul", { class: "pins", "aria-label": "Pins" });
  const signals = element("ul", { class: "signals", "aria-label": "PWM signals" });
  const servos = element("div", { class: "servos" });
  const heap = element("p", { class: "heap", hidden: true }, "Heap ", element("meter"), element("span"));
  const crash = element("div", { class: "crash", role: "alert", hidden: true });
  const fault = element("p", { class: "crash", role: "alert", hidden: true });
  place.append(
    element("h2", { id: "board-title" }, "Board ", status),
    element("div", { class: "controls" }, power, reset, buttons),
    fault,
    crash,
    element("div", { class: "measures" }, servos, pins, signals, heap),
  );

  return (state) => {
    isOn = state.isOn !== false;
    setText(status, statusText(state));
    setAttribute(status, "data-state", isOn ? "on" : "off");
    setAttribute(power, "hidden", !state.abilities.includes("power"));
    setAttribute(power, "aria-pressed", String(isOn));
    setAttribute(reset, "hidden", !state.abilities.includes("reset"));
    setAttribute(buttons, "hidden", state.buttons.length === 0);
    setChildren(buttons, state.buttons, (pin) => pin, makeButton, (node, pin) =>
      showHeld(node, state.pressed.includes(pin)),
    );
    setChildren(pins, state.pins, (pin) => pin.pin, makePin, showPin);
    // A servo's signal is seen as its angle.
    const isServo = ({ pin }) => state.servos.some((servo) => servo.pin === pin);
    setChildren(signals, state.signals.filter((signal) => !isServo(signal)), (signal) => signal.pin, makeSignal, showSignal);
    setChildren(servos, state.servos, (servo) => servo.pin, makeServo, showServoOf);
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

function makePin() {
  return element("li", { class: "pin" }, element("span"), element("b"));
}

function showPin(node, pin) {
  setText(node.firstElementChild, `GPIO ${pin.pin}`);
  setText(node.lastElementChild, pin.isHigh ? "high" : "low");
  setAttribute(node, "data-level", pin.isHigh ? "high" : "low");
}

/** A PWM signal. */
function makeSignal(signal) {
  return element("li", { class: "signal" }, element("span", {}, `GPIO ${signal.pin}`), element("meter", { min: 0, max: 100 }), element("span"));
}

function showSignal(node, { pin, duty, frequency }) {
  const [, bar, text] = node.children;
  bar.value = duty;
  setAttribute(bar, "aria-label", `Duty on GPIO ${pin}`);
  setText(text, `${decimal(duty)} %, ${frequency < 1000 ? `${decimal(frequency)} Hz` : `${decimal(frequency / 1000)} kHz`}`);
}

function showServoOf(node, { pin, angle, isAttached }) {
  setText(node.querySelector("figcaption"), `GPIO ${pin}  ${showServo(node, `on GPIO ${pin}`, angle, isAttached)}`);
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
