// Numbers and times as the timeline shows them.

const grouped = new Intl.NumberFormat("en");

/** A count with thousands apart. */
export function count(number) {
  return grouped.format(number);
}

/** `count` of a noun that takes an s. */
export function counted(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** Nanoseconds as seconds with microseconds. */
export function seconds(nanoseconds) {
  const micros = Math.round(Math.abs(nanoseconds) / 1000);
  const text = `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, "0")}`;
  return nanoseconds < 0 ? `−${text}` : text;
}

/** A time between two rows, with the unit that suits it. */
export function span(nanoseconds) {
  const size = Math.abs(nanoseconds);
  const sign = nanoseconds < 0 ? "−" : "+";
  if (size < 1e6) return `${sign}${(size / 1e3).toFixed(size % 1000 ? 3 : 0)} µs`;
  if (size < 1e9) return `${sign}${(size / 1e6).toFixed(3)} ms`;
  return `${sign}${(size / 1e9).toFixed(6)} s`;
}

/** Nanoseconds of seconds that somebody typed; undefined for nothing, NaN for what is no time. */
export function nanoseconds(text) {
  const trimmed = text.trim().replace(/\s*s$/, "").replace(",", ".");
  if (!trimmed) return undefined;
  return /^\d{1,9}(\.\d*)?$/.test(trimmed) ? Math.round(Number(trimmed) * 1e9) : NaN;
}

/** A number of bytes. */
export function bytes(number) {
  return number < 1 << 20 ? `${count(Math.ceil(number / 1024))} KiB` : `${count(Math.round(number / 2 ** 20))} MiB`;
}
