// The page: follows the bench's state by server-sent events, and shows each part of it in its panel.

import "./timeline.js";
import { airPanel } from "./air.js";
import { boardsPanel } from "./boards.js";
import { clockPanel } from "./clock.js";
import { consolePanel } from "./console.js";
import { phonePanel } from "./phone.js";
import { setText } from "./dom.js";

const link = document.getElementById("link");
const timeline = document.querySelector("bench-timeline");
const log = consolePanel(document.getElementById("console"));
const boards = boardsPanel(document.getElementById("board"), document.getElementById("parts"), log);
const phone = phonePanel(document.getElementById("phone"));
const panels = {
  boards(states) {
    const names = states.map((state) => state.name).join(", ");
    setText(document.getElementById("sketch"), names);
    document.title = `${names} – espbench live`;
    boards(states);
  },
  air: airPanel(document.getElementById("air")),
  phone: phone.setPhone,
  calculator: phone.setCalculator,
  lock: phone.setLock,
  clock: clockPanel(document.getElementById("clock")),
  timeline: (counts) => timeline.receive?.(counts),
};

let run;
const events = new EventSource("events");

events.addEventListener("hello", (event) => {
  const hello = JSON.parse(event.data);
  const isNew = run !== undefined && run !== hello.run;
  if (isNew) log.beginRun();
  run = hello.run;
  document.body.dataset.link = "on";
  setText(link, isNew ? "Connected to a new run" : "Connected");
});

events.addEventListener("set", (event) => {
  const { section, value } = JSON.parse(event.data);
  panels[section]?.(value);
});

events.addEventListener("lines", (event) => log.add(JSON.parse(event.data)));

events.addEventListener("error", () => {
  document.body.dataset.link = "off";
  setText(link, "Connecting again…");
});
