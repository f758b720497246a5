// A servo seen from above.

import { element, setAttribute, svg } from "./dom.js";

/** A servo: its arm turns from 0°, right, over 90°, up, to 180°, left. */
export function makeServo() {
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

/** Shows the angle of the servo that is called `name`. */
export function showServo(node, name, angle, isAttached) {
  const text = angle === undefined ? (isAttached ? "attached" : "detached") : `${Math.round(angle)}°`;
  const picture = node.querySelector("svg");
  setAttribute(picture, "aria-label", `Servo ${name}: ${text}`);
  setAttribute(picture, "data-attached", isAttached);
  setAttribute(node.querySelector(".arm"), "transform", `rotate(${-(angle ?? 90)})`);
  return text;
}
