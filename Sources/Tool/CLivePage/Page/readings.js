// What a part shows: words, numbers, bars, colours, pictures.

import { decimal, element, setAttribute, setChildren, setText } from "./dom.js";
import { makeServo, showServo } from "./servo.js";

/** The colours of a strip that are shown; it may have thousands. */
const colourLimit = 256;

/** Shows the readings of a part in `list`. */
export function showReadings(list, part) {
  setChildren(list, part.readings, (reading) => `${reading.name} ${form(part, reading)}`, (reading) => make(part, reading), (node, reading) =>
    show(node, part, reading),
  );
}

function form(part, reading) {
  if (reading.picture !== undefined) return "picture";
  if (reading.colours !== undefined) return "colours";
  if (part.kind === "servo" && reading.name === "angle") return "servo";
  return reading.unit === "%" ? "share" : "text";
}

function make(part, reading) {
  const name = `${part.name} ${reading.name}`;
  const extras = {
    picture: () => element("canvas", { role: "img", "aria-label": name }),
    colours: () => element("span", { class: "colours", "aria-hidden": "true" }),
    servo: () => makeServo(),
    share: () => element("meter", { min: 0, max: 100, "aria-label": name }),
  };
  return element(
    "li",
    { class: "reading", title: reading.summary, "data-form": form(part, reading) },
    element("span", { class: "label" }, reading.name),
    element("output", { "aria-label": name, "aria-live": "off" }),
    ...[extras[form(part, reading)]?.()].filter(Boolean),
  );
}

function show(node, part, reading) {
  const [, text, extra] = node.children;
  setText(text, reading.number === undefined ? reading.text : `${decimal(reading.number)} ${reading.unit ?? ""}`);
  switch (node.dataset.form) {
    case "picture":
      setAttribute(extra, "aria-label", `${part.name} ${reading.name}: ${reading.text}`);
      draw(extra, reading.picture);
      break;
    case "colours":
      showColours(extra, reading.colours);
      break;
    case "servo":
      showServo(extra, part.name, reading.number, part.isPlugged);
      break;
    case "share":
      extra.value = reading.number ?? 0;
      break;
  }
}

function showColours(node, colours) {
  const shown = colours.slice(0, colourLimit).map((colour, index) => ({ colour, index }));
  setChildren(node, shown, ({ index }) => index, () => element("span"), (swatch, { colour }) => {
    if (swatch.dataset.colour === colour) return;
    swatch.dataset.colour = colour;
    swatch.style.background = colour;
  });
}

/** The picture that each canvas shows, or will. */
const pictures = new WeakMap();

/** Draws a PNG file; a picture that comes while it is read takes its place. */
async function draw(canvas, file) {
  if (pictures.get(canvas) === file) return;
  pictures.set(canvas, file);
  const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  if (pictures.get(canvas) !== file) return;
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d").drawImage(picture, 0, 0);
}
