// All of one row: its fields, as the timeline's file has them.

import { element } from "./timeline-dom.js";
import { copyText } from "./timeline-copy.js";
import { count, seconds } from "./timeline-text.js";

export class RowDetails {
  constructor(timeline) {
    this.timeline = timeline;
    this.isOpen = false;
    this.title = element("h3", {});
    this.content = element("div", { class: "tl-details-content", tabindex: 0, role: "group", "aria-label": "Fields" });
    this.element = element(
      "section",
      { class: "tl-details", "aria-label": "Details of a row", hidden: true },
      element(
        "header",
        {},
        this.title,
        element("button", { type: "button", onclick: () => copyText(timeline, this.raw ?? "") }, "Copy line"),
        element("button", { type: "button", "aria-label": "Close the details", onclick: () => this.close() }, "✕"),
      ),
      this.content,
    );
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  toggle() {
    if (this.isOpen) this.close();
    else this.open();
  }

  open() {
    if (!this.timeline.cursor) return;
    this.isOpen = true;
    this.element.hidden = false;
    this.show(this.timeline.cursor.data);
  }

  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.element.hidden = true;
    this.timeline.grid.focus({ preventScroll: true });
  }

  /** Shows a row if the details are open. */
  async show(row) {
    if (!this.isOpen || row.n === undefined) return;
    this.shown = row.n;
    let details;
    try {
      details = await this.timeline.data.ask("row", { n: row.n });
    } catch (error) {
      details = { line: row.n + 1, x: "", f: error.message, raw: "" };
    }
    if (this.shown !== row.n) return;
    this.raw = details.raw;
    this.title.textContent = `${details.k || "broken line"} · line ${count(details.line)}`;
    const list = element("dl", {});
    const add = (name, value, type = "") =>
      list.append(element("dt", {}, name), element("dd", type ? { class: type } : {}, value));
    if (details.f) add("fault", details.f, "tl-is-bad");
    if (details.t !== undefined) add("time", `${seconds(details.t)} s`);
    add("event", details.x, `tl-is-${details.m}`);
    for (const [name, value] of this.fields(details.raw)) add(name, Array.isArray(value) ? value.join("\n") : String(value));
    add("at byte", count(details.offset ?? 0));
    this.content.replaceChildren(list, element("pre", { "aria-label": "The line of the file" }, details.raw));
  }

  fields(raw) {
    try {
      const fields = JSON.parse(raw);
      return typeof fields === "object" && fields && !Array.isArray(fields) ? Object.entries(fields) : [];
    } catch {
      return [];
    }
  }
}
