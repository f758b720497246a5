// The bar above a timeline: lanes, sources, search, times, follow.

import { element } from "./timeline-dom.js";
import { bytes, count, counted, nanoseconds } from "./timeline-text.js";

export class TimelineBar {
  constructor(timeline, lanes, rare) {
    Object.assign(this, { timeline, lanes, rare });
    this.toggles = new Map();
    this.counts = new Map();
    const toggles = element("div", { class: "tl-lane-list", role: "group", "aria-label": "Lanes" });
    for (const [lane, name] of Object.entries(lanes)) {
      const number = element("span", { class: "tl-count" });
      const toggle = element(
        "button",
        { type: "button", "aria-pressed": "true", "data-lane": lane, hidden: rare.includes(lane), onclick: () => this.toggle(lane) },
        element("span", { class: "tl-dot" }),
        `${name} `,
        number,
      );
      this.toggles.set(lane, toggle);
      this.counts.set(lane, number);
      toggles.append(toggle);
    }
    this.source = element(
      "select",
      { "aria-label": "Source", onchange: () => this.apply() },
      element("option", { value: "" }, "All sources"),
    );
    this.from = this.time("From, seconds", "from");
    this.to = this.time("To, seconds", "to");
    this.text = element("input", {
      type: "search",
      placeholder: "Find  /",
      "aria-label": "Find",
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => this.typed(),
      onkeydown: (event) => this.key(event),
    });
    this.found = element("output", { class: "tl-found", "aria-live": "polite" });
    this.previous = this.button("↑", "Former match (Shift+N)", () => timeline.find.go("previous"));
    this.next = this.button("↓", "Next match (N)", () => timeline.find.go("next"));
    this.only = element("input", { type: "checkbox", onchange: () => this.apply() });
    this.times = element(
      "select",
      { "aria-label": "Times", onchange: () => timeline.setTimeMode(this.times.value) },
      element("option", { value: "bench" }, "Bench time"),
      element("option", { value: "mark" }, "Since mark"),
      element("option", { value: "delta" }, "Δ to row before"),
    );
    this.span = element("output", { class: "tl-span" });
    this.extent = element("span", { class: "tl-extent" });
    this.follow = element(
      "button",
      { type: "button", class: "tl-follow", "aria-pressed": "true", title: "Stay at the newest row (F, End)", onclick: () => timeline.setFollowing(!timeline.isFollowing) },
      "Follow",
    );
    this.element = element(
      "div",
      { class: "tl-bar", role: "group", "aria-label": "Timeline controls" },
      toggles,
      element(
        "div",
        { class: "tl-search", role: "search" },
        this.text,
        this.previous,
        this.next,
        element("label", {}, this.only, "only matches"),
        this.found,
      ),
      element("div", { class: "tl-filters" }, this.source, this.from, this.to, this.times),
      element("div", { class: "tl-state" }, this.span, this.extent, this.follow),
    );
  }

  button(text, label, onclick) {
    return element("button", { type: "button", "aria-label": label, title: label, onclick }, text);
  }

  time(label, placeholder) {
    return element("input", {
      type: "text",
      inputmode: "decimal",
      class: "tl-limit",
      "aria-label": label,
      placeholder: `${placeholder} s`,
      autocomplete: "off",
      onchange: () => this.apply(),
    });
  }

  // What there is

  showCounts(status) {
    const total = {};
    for (const { name, rows } of status.lanes) total[name] = rows;
    for (const [lane, toggle] of this.toggles) {
      const rows = total[lane] ?? 0;
      this.counts.get(lane).textContent = count(rows);
      if (this.rare.includes(lane)) toggle.hidden = rows === 0;
    }
    this.timeline.showLanes(this.shown);
    const sources = (status.sources ?? []).map(({ name }) => name);
    const listed = [...this.source.options].slice(1).map((option) => option.value);
    for (const name of sources) {
      if (!listed.includes(name)) this.source.append(element("option", { value: name }, name));
    }
  }

  get shown() {
    return [...this.toggles].filter(([, toggle]) => !toggle.hidden && toggle.getAttribute("aria-pressed") === "true").map(([lane]) => lane);
  }

  showExtent(timeline) {
    const { data, status, window } = timeline;
    const parts = [];
    if (data.isUnfiltered) parts.push(counted(status.rows ?? 0, "row"));
    else parts.push(`${count(window.total)} of ${counted(status.rows ?? 0, "row")}`);
    if (data.progress < 1) parts.push(`looked at ${Math.floor(data.progress * 100)} %`);
    if (status.size && status.indexed < status.size) parts.push(`read ${bytes(status.indexed)} of ${bytes(status.size)}`);
    else if (status.ended) parts.push("complete");
    else if (status.size !== undefined) parts.push("no end yet");
    const text = parts.join(" · ");
    if (this.extent.textContent !== text) this.extent.textContent = text;
    this.follow.setAttribute("aria-pressed", timeline.isFollowing);
  }

  showSpan(timeline) {
    this.span.textContent = timeline.spanText;
  }

  // What is wanted

  toggle(lane) {
    const toggle = this.toggles.get(lane);
    toggle.setAttribute("aria-pressed", toggle.getAttribute("aria-pressed") !== "true");
    this.timeline.showLanes(this.shown);
    this.apply();
  }

  typed() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => (this.only.checked ? this.apply() : this.timeline.find.start(this.text.value)), 250);
  }

  key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(this.typing);
      if (this.only.checked) return this.apply();
      if (this.timeline.find.text !== this.text.value) this.timeline.find.start(this.text.value);
      else this.timeline.find.go(event.shiftKey ? "previous" : "next");
    } else if (event.key === "Escape") {
      // Back to the rows, and the text stays for n and N.
      event.preventDefault();
      this.timeline.grid.focus();
    }
  }

  apply() {
    const filter = {};
    const hidden = [...this.toggles.values()].some((toggle) => toggle.getAttribute("aria-pressed") !== "true");
    // A rare lane that is not shown is wanted when it appears.
    if (hidden) {
      filter.lanes = [...this.toggles]
        .filter(([, toggle]) => toggle.getAttribute("aria-pressed") === "true")
        .map(([lane]) => lane)
        .join();
    }
    if (this.source.value) filter.sources = this.source.value;
    let [from, to] = [nanoseconds(this.from.value), nanoseconds(this.to.value)];
    this.from.setAttribute("aria-invalid", Number.isNaN(from));
    this.to.setAttribute("aria-invalid", Number.isNaN(to) || (to !== undefined && from > to));
    if (this.to.getAttribute("aria-invalid") === "true") to = undefined;
    if (from !== undefined && !Number.isNaN(from)) filter["from.t"] = from;
    if (to !== undefined) filter["to.t"] = to;
    if (this.only.checked && this.text.value) filter.text = this.text.value;
    this.timeline.setFilter(filter);
    this.timeline.find.start(this.text.value, false);
  }
}
