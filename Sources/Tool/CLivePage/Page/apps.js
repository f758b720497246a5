// The phone's apps: the calculator's keypad and the lock's switch.

import { command } from "./commands.js";
import { button, element, setAttribute, setEnabled, setText } from "./dom.js";

const keys = ["7", "8", "9", "back", "4", "5", "6", "×", "1", "2", "3", "-", "clear", "0", "=", "+"];
const names = { back: "⌫", clear: "C", "-": "−" };
const labels = { back: "Backspace", clear: "Clear", "-": "Minus", "×": "Times", "+": "Plus", "=": "Equals" };
const typed = { Enter: "=", "*": "×", x: "×", Backspace: "back", Delete: "clear", c: "clear" };

/** The calculator's client. */
export function calculatorApp() {
  let state = { isOpen: false, isKeypadShown: false };
  const connect = connectButton("calculator", () => state);
  const status = element("p", { class: "message", role: "status" });
  const display = element("output", { class: "display", "aria-label": "Calculation", "aria-live": "polite" });
  const press = (key) => state.isKeypadShown && command("calculator.press", { text: key });
  const keypad = element(
    "div",
    { class: "keypad", role: "group", "aria-label": "Keypad" },
    ...keys.map((key) => button(names[key] ?? key, () => press(key), { "aria-label": labels[key] ?? key })),
  );
  const node = element(
    "div",
    {
      class: "app",
      onkeydown: (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const key = typed[event.key] ?? event.key;
        // Enter on a button presses that button.
        if (!keys.includes(key) || (event.key === "Enter" && event.target.tagName === "BUTTON")) return;
        event.preventDefault();
        press(key);
      },
    },
    element("div", { class: "controls" }, connect.node, status),
    display,
    keypad,
  );
  return {
    node,
    show(next) {
      state = next;
      connect.show();
      setText(status, state.status);
      setText(display, state.display || " ");
      setAttribute(node, "data-ready", state.isKeypadShown);
      keypad.hidden = !state.isKeypadShown;
      display.hidden = !state.isKeypadShown && !state.display;
    },
  };
}

/** The lock's client. */
export function lockApp() {
  let state = { isOpen: false, canLock: false, canUnlock: false };
  const connect = connectButton("lock", () => state);
  const status = element("p", { class: "message", role: "status" });
  const bolt = element("p", { class: "bolt", role: "status" });
  const lock = button("Lock", () => state.canLock && command("lock.set", { on: true }));
  const unlock = button("Unlock", () => state.canUnlock && command("lock.set", { on: false }));
  const log = element("ol", { class: "applog", "aria-label": "Log of the lock", tabindex: "0" });
  const node = element(
    "div",
    { class: "app" },
    element("div", { class: "controls" }, connect.node, status),
    bolt,
    element("div", { class: "controls switch" }, lock, unlock),
    log,
  );
  return {
    node,
    show(next) {
      state = next;
      connect.show();
      setText(status, state.status);
      setText(bolt, { locked: "Locked", unlocked: "Unlocked", moving: "Moving…" }[state.bolt] ?? "Not known");
      setAttribute(bolt, "data-bolt", state.bolt);
      setEnabled(lock, state.canLock);
      setEnabled(unlock, state.canUnlock);
      const text = state.log.join("\n");
      if (log.dataset.text === text) return;
      log.dataset.text = text;
      log.replaceChildren(...state.log.map((line) => element("li", {}, line)));
      log.scrollTop = log.scrollHeight;
    },
  };
}

function connectButton(app, state) {
  const node = button("Connect", () => command(`${app}.open`, { on: !isActive(state()) }));
  return { node, show: () => setText(node, isActive(state()) ? "Disconnect" : "Connect") };
}

/** Whether the app is connected, or tries to be. */
function isActive({ isOpen, status }) {
  return isOpen && /^(Connected|Connecting|Searching|Calculating)/.test(status);
}
