// Copies rows as text, with tabs between time, source and event.

import { counted, seconds } from "./timeline-text.js";

/** At most so many rows are copied at once. */
const most = 5000;

export async function copyText(timeline, text, what = "Copied.") {
  try {
    await navigator.clipboard.writeText(text);
    timeline.say(what);
  } catch (error) {
    timeline.say(`The browser does not allow copying: ${error.message}`);
  }
}

/** Copies the rows from the mark to the cursor, or the one with the cursor. */
export async function copyRows(timeline) {
  const { cursor, mark, data } = timeline;
  if (!cursor) return;
  const ends = [cursor.index, (mark ?? cursor).index].sort((a, b) => a - b);
  const rows = await data.all(ends[0], Math.min(ends[1] + 1, ends[0] + most));
  const lines = rows.map((row) => [row.t === undefined ? "" : seconds(row.t), row.s, row.x].join("\t"));
  await copyText(timeline, `${lines.join("\n")}\n`, `Copied ${counted(rows.length, "row")}.`);
}
