// The bench's time: how late it is, and of a virtual bench its speed.

import { command } from "./commands.js";
import { button, element, setAttribute, setText } from "./dom.js";

const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10, 50];
const steps = [1, 10, 100, 1000];

/** Makes the controls in `place`; returns what takes the state. */
export function clockPanel(place) {
  const time = element("output", { class: "time", "aria-label": "Time of the bench", "aria-live": "off" });
  let lastSpeed = 1;
  let isStanding = false;
  const pause = button("Pause", () => command("time.speed", { speed: isStanding ? lastSpeed : 0 }));
  const speed = element(
    "select",
    {
      "aria-label": "Speed",
      onchange: () => {
        lastSpeed = Number(speed.value);
        command("time.speed", { speed: lastSpeed });
      },
    },
    ...speeds.map((value) => element("option", { value }, `${value}×`)),
  );
  const step = element(
    "select",
    { "aria-label": "Length of a step" },
    ...steps.map((value) => element("option", { value, selected: value === 10 }, value < 1000 ? `${value} ms` : "1 s")),
    element("option", { value: "event" }, "event"),
  );
  const stepButton = button("Step", () =>
    step.value === "event" ? command("time.next") : command("time.step", { milliseconds: Number(step.value) }),
  );
  const stepping = element("span", { class: "joined" }, stepButton, step);
  const control = element("span", { class: "controls" }, pause, speed, stepping);
  place.append(time, control);

  return (state) => {
    setText(time, clockText(state.now));
    setAttribute(control, "hidden", !state.isControlled);
    isStanding = state.speed === 0;
    if (!isStanding) {
      lastSpeed = state.speed;
      if (document.activeElement !== speed) speed.value = String(state.speed);
    }
    setText(pause, isStanding ? "Run" : "Pause");
    setAttribute(stepping, "hidden", !isStanding);
    document.body.dataset.time = isStanding ? "stands" : "runs";
  };
}

/** A time of the bench: `1:02:03.4`. */
function clockText(milliseconds) {
  const tenths = Math.floor(milliseconds / 100);
  const seconds = Math.floor(tenths / 10);
  const two = (value) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}.${tenths % 10}`;
}
