// The symbols of parts, by their kinds.

import { svg } from "./dom.js";

const thermometer = "M14 13V5a2 2 0 0 0-4 0v8a5 5 0 1 0 4 0ZM12 17v-8";
const knob = "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 12l4-5";
const lamp = "M8 14a6 6 0 1 1 8 0v3H8ZM9 21h6";
const sun = "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M5 19l2-2";
const voltage = "M13 2 6 13h5l-1 9 8-12h-6Z";
const clock = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7v5l4 2";
const shapes = {
  button: "M3 19h18M7 19v-5h10v5M10 14V8h4v6",
  switch: "M3 17h4M17 17h4M7 17l11-8M7 15v4M17 15v4",
  keypad: "M5 5h4v4H5ZM15 5h4v4h-4ZM5 15h4v4H5ZM15 15h4v4h-4Z",
  encoder: knob,
  potentiometer: knob,
  divider: voltage,
  voltage,
  ina219: voltage,
  ads1115: voltage,
  ntc: thermometer,
  ds18b20: thermometer,
  dht11: thermometer,
  dht22: thermometer,
  bme280: thermometer,
  sht31: thermometer,
  photoresistor: sun,
  bh1750: sun,
  led: lamp,
  "rgb-led": lamp,
  ws2812: "M3 9h18v6H3ZM7 12h.1M12 12h.1M17 12h.1",
  buzzer: "M4 9v6h4l5 5V4L8 9ZM16 9a4 4 0 0 1 0 6M18 6a8 8 0 0 1 0 12",
  relay: "M4 7h8v10H4ZM15 17h6M15 17l5-8M6 7v10M9 7v10",
  servo: "M3 9h18v9H3ZM12 9 18 4M12 13h.1",
  "hc-sr04": "M7 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM17 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z",
  ssd1306: "M3 5h18v12H3ZM6 8h12v6H6ZM8 20h8",
  ds3231: clock,
};
const chip = "M7 7h10v10H7ZM9 3v4M15 3v4M9 17v4M15 17v4M3 9h4M3 15h4M17 9h4M17 15h4";

/** The symbol of a kind of part; of one without its own, a chip. */
export function symbol(kind) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "symbol", "aria-hidden": "true" },
    svg("path", { d: Object.hasOwn(shapes, kind) ? shapes[kind] : chip }),
  );
}
