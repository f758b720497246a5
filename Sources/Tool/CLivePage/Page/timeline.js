// <bench-timeline base="…/">: a timeline as lanes. It follows what happens, filters and searches, and shows the details of
// a row. The server has the rows; see TimelineRequests.swift for its answers. `receive(counts)` tells it of new ones.

import { TimelineData } from "./timeline-data.js";
import { RowDetails } from "./timeline-details.js";
import { TimelineFind } from "./timeline-find.js";
import { TimelineBar } from "./timeline-bar.js";
import { copyRows } from "./timeline-copy.js";
import { element } from "./timeline-dom.js";
import { count, counted, seconds, span } from "./timeline-text.js";
import { RowWindow } from "./timeline-view.js";

const lanes = {
  suite: "Suite",
  board: "Board",
  console: "Console",
  gatt: "GATT",
  hci: "HCI",
  other: "Other",
  broken: "Broken",
};
/** Lanes that are there only when they have rows. */
const rare = ["other", "broken"];

let grids = 0;

class BenchTimeline extends HTMLElement {
  connectedCallback() {
    if (this.data) return;
    this.gridID = `timeline-${++grids}`;
    this.data = new TimelineData(
      this.getAttribute("base") ?? "./",
      () => this.redraw(),
      (error) => this.failed(error),
    );
    this.status = { lanes: [], rows: 0 };
    this.isFollowing = true;
    this.timeMode = "bench";
    /** The row with the cursor, and the one that times are measured from; each as it is in the view, with its data. */
    this.cursor = undefined;
    this.mark = undefined;
    this.build();
    this.resizing = new ResizeObserver(() => this.resize());
    this.resizing.observe(this.scroller);
    this.refreshStatus();
  }

  disconnectedCallback() {
    this.resizing?.disconnect();
    this.events?.close();
  }

  /** Follows the counts in a stream of the server's events. */
  listen(events) {
    this.events = events;
    events.addEventListener("set", (event) => {
      const { section, value } = JSON.parse(event.data);
      if (section === "timeline") this.receive(value);
    });
    events.addEventListener("error", () => this.setOffline(true));
    events.addEventListener("open", () => this.setOffline(false));
  }

  /** Whether the server can be reached; what was fetched before stays. */
  setOffline(isOffline) {
    if (this.isOffline === isOffline) return;
    this.isOffline = isOffline;
    this.showNotes();
    if (isOffline) this.say("The server cannot be reached.");
    else if (isOffline === false && this.data.id) this.refreshStatus();
  }

  build() {
    this.bar = new TimelineBar(this, lanes, rare);
    this.notes = element("div", { class: "tl-notes", role: "status" });
    this.headTime = element("span", { class: "tl-time", role: "columnheader" }, "Time s");
    this.head = element(
      "div",
      { class: "tl-head", role: "row", "aria-rowindex": 1 },
      this.headTime,
      element("span", { class: "tl-source", role: "columnheader" }, "Source"),
    );
    this.headLanes = element("span", { class: "tl-lanes" });
    this.head.append(this.headLanes);
    this.rails = element("div", { role: "presentation" });
    this.layer = element("div", { class: "tl-rows", role: "presentation" }, this.rails);
    this.sizer = element("div", { class: "tl-sizer", role: "presentation" }, this.layer);
    this.scroller = element("div", { class: "tl-scroll", role: "presentation", tabindex: -1 }, this.sizer);
    this.empty = element("p", { class: "tl-empty" }, "Nothing has happened yet.");
    this.grid = element(
      "div",
      {
        class: "tl-grid",
        role: "grid",
        tabindex: 0,
        "aria-label": "Timeline",
        "aria-readonly": "true",
        "aria-describedby": `${this.gridID}-keys`,
      },
      this.head,
      this.scroller,
      this.empty,
    );
    this.keys = element(
      "p",
      { class: "tl-hidden", id: `${this.gridID}-keys` },
      "Arrow keys move, Enter shows details, M marks a row to measure from, slash finds, N goes to the next match, F follows, C copies.",
    );
    this.live = element("p", { class: "tl-hidden", role: "status", "aria-live": "polite" });
    this.details = new RowDetails(this);
    this.append(
      this.bar.element,
      this.notes,
      element("div", { class: "tl-body" }, this.grid, this.details.element),
      this.keys,
      this.live,
    );
    this.window = new RowWindow(
      this.scroller,
      this.sizer,
      this.layer,
      () => this.makeRow(),
      (row, index) => this.fillRow(row, index),
    );
    this.find = new TimelineFind(this);
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.scroller.addEventListener("scrollend", () => this.window.settle());
    this.scroller.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.layer.addEventListener("click", (event) => this.clicked(event));
    this.layer.addEventListener("dblclick", () => this.details.open());
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.addEventListener("keydown", (event) => this.anywhere(event));
  }

  /** A question without an answer: told, unless nobody is there to answer. */
  failed(error) {
    if (!(error instanceof TypeError)) this.say(`The timeline could not be read: ${error.message}`);
  }

  /** Says something to screen readers. */
  say(text) {
    this.live.textContent = text;
  }

  // What the server tells

  /** New counts: how many rows there are, in which lanes. */
  receive(counts) {
    if (counts.id !== this.data.id) this.begin(counts);
    // Names and notes are asked for when there are others, and now and then.
    this.status = { ...this.status, unfinished: undefined, dropped: 0, ...counts };
    this.bar.showCounts(this.status);
    this.refreshStatus();
    this.catchUp();
  }

  /** Other rows than before: another run, or a file that was written anew. */
  begin(counts) {
    const isOther = this.data.id !== "";
    this.data.clear(counts.id);
    this.cursor = this.mark = undefined;
    this.window.top = 0;
    this.details.close();
    this.find.restart();
    this.isFollowing = true;
    if (isOther) this.say("The timeline was restarted.");
    this.status = { lanes: [], rows: 0 };
    this.refreshStatus();
  }

  /** The notes and names, at most once a second. */
  async refreshStatus() {
    if (this.refreshing) return void (this.mustRefresh = true);
    this.refreshing = true;
    try {
      const { counts, ...names } = await this.data.ask("status");
      const status = { ...counts, ...names };
      if (status.id !== this.data.id) this.begin(status);
      this.status = status;
      this.bar.showCounts(status);
      this.showNotes();
      this.catchUp();
    } catch (error) {
      this.failed(error);
    }
    setTimeout(() => {
      this.refreshing = false;
      if (this.mustRefresh) this.refreshStatus();
      this.mustRefresh = false;
    }, 1000);
  }

  showNotes() {
    const { notes = [], unfinished, dropped } = this.status;
    const all = this.isOffline ? ["The server cannot be reached; trying again …", ...notes] : [...notes];
    if (dropped) all.push(`${counted(dropped, "event")} could not be kept`);
    if (unfinished) {
      all.push(
        `line ${count(unfinished.line)} has begun and not ended (${counted(unfinished.bytes, "byte")}): ${unfinished.text}`,
      );
    }
    const text = all.join("\n");
    if (text === this.shownNotes) return;
    this.shownNotes = text;
    this.notes.replaceChildren(...all.map((note) => element("p", {}, note)));
  }

  /** Fetches what has come since, one answer at a time: however much comes, a slow page asks less often. */
  async catchUp() {
    if (this.catching) return void (this.mustCatch = true);
    this.catching = true;
    try {
      do {
        this.mustCatch = false;
        if (this.isFollowing) {
          if (await this.data.fetchLast(this.window.page + 8)) this.total(this.data.total);
        } else if (this.data.isUnfiltered) {
          this.data.total = this.data.scanned = this.data.of = this.status.rows;
          this.total(this.status.rows);
        } else if (await this.data.extend()) {
          this.total(this.data.total);
        }
        if (this.data.scanned < this.data.of) this.mustCatch = true;
      } while (this.mustCatch);
    } catch (error) {
      this.failed(error);
    } finally {
      this.catching = false;
    }
    this.find.grown();
  }

  total(rows) {
    this.window.total = rows;
    this.grid.setAttribute("aria-rowcount", rows + 1);
    if (this.isFollowing) this.window.top = this.window.lowest;
    this.redraw();
  }

  // Drawing

  resize() {
    this.window.measure();
    this.head.style.width = `${this.scroller.clientWidth}px`;
    this.toggleAttribute("data-narrow", this.clientWidth < 640);
    if (this.isFollowing) this.window.top = this.window.lowest;
    this.redraw();
  }

  redraw() {
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = undefined;
      this.draw();
    });
  }

  draw() {
    const view = this.window;
    view.settle();
    const [first, last] = view.visible;
    // One before, for the time since it; some more, so that slow scrolling shows no gaps.
    this.data.want(first - 20, last + 20);
    view.draw();
    this.empty.hidden = view.total > 0;
    this.empty.textContent = this.status.rows
      ? this.data.progress < 1
        ? "Looking for rows …"
        : "No row matches."
      : "Nothing has happened yet.";
    this.bar.showExtent(this);
    this.find.highlight();
  }

  makeRow() {
    const time = element("span", { class: "tl-time", role: "gridcell", "aria-colindex": 1 });
    const source = element("span", { class: "tl-source", role: "gridcell", "aria-colindex": 2 });
    const text = element("span", { class: "tl-text", role: "gridcell" });
    const row = element("div", { class: "tl-row", role: "row" }, time, source, text);
    row.id = `${this.gridID}-${this.window?.pool.length ?? 0}`;
    Object.assign(row, { time, source, text });
    return row;
  }

  fillRow(row, index) {
    const data = this.data.rows.get(index);
    const isCursor = this.cursor?.index === index;
    const isMarked = this.mark && this.isBetween(index);
    const time = data ? this.timeText(index, data) : "";
    if (isCursor) this.grid.setAttribute("aria-activedescendant", row.id);
    const key = `${index}|${data ? data.n : "-"}|${time}|${isCursor}|${isMarked}|${this.laneKey}|${this.data.generation}`;
    if (row.shown === key) return;
    row.shown = key;
    row.index = index;
    row.setAttribute("aria-rowindex", index + 2);
    row.setAttribute("aria-selected", isCursor || isMarked ? "true" : "false");
    row.className = `tl-row${isCursor ? " tl-cursor" : ""}${isMarked ? " tl-between" : ""}${data ? ` tl-is-${data.m}` : " tl-coming"}`;
    row.dataset.lane = data?.l ?? "";
    row.time.textContent = time;
    row.source.textContent = data?.s ?? "";
    row.text.textContent = data ? (data.f ? `line ${data.n + 1}: ${data.f}: ${data.x}` : data.x) : "";
    row.text.setAttribute("aria-colindex", 3 + Math.max(0, this.shownLanes.indexOf(data?.l)));
    row.text.style.setProperty("--lane", Math.max(0, this.shownLanes.indexOf(data?.l)));
  }

  timeText(index, data) {
    if (data.t === undefined) return "–";
    if (this.timeMode === "bench") return seconds(data.t);
    const from = this.timeMode === "mark" ? this.mark?.data : this.data.rows.get(index - 1);
    if (from?.t === undefined) return this.timeMode === "mark" ? seconds(data.t) : "–";
    return (data.t >= from.t ? "+" : "") + seconds(data.t - from.t);
  }

  isBetween(index) {
    if (this.mark.index === index) return true;
    if (!this.cursor) return false;
    const [low, high] = [this.mark.index, this.cursor.index].sort((a, b) => a - b);
    return index >= low && index <= high;
  }

  /** The lanes that have a column. */
  showLanes(shown) {
    if (shown.join() === this.laneKey) return;
    this.laneKey = shown.join();
    this.shownLanes = shown;
    this.style.setProperty("--lanes", Math.max(1, shown.length - 1));
    this.headLanes.replaceChildren(
      ...shown.map((lane, index) => {
        const cell = element("span", { role: "columnheader", "data-lane": lane }, lanes[lane]);
        cell.style.setProperty("--lane", index);
        return cell;
      }),
    );
    this.rails.replaceChildren(
      ...shown.map((_, index) => {
        const rail = element("div", { class: "tl-rail" });
        rail.style.setProperty("--lane", index);
        return rail;
      }),
    );
    this.grid.setAttribute("aria-colcount", 2 + shown.length);
    this.redraw();
  }

  // What the user does

  setTimeMode(mode) {
    this.timeMode = mode;
    this.headTime.textContent = { bench: "Time s", mark: "Since mark", delta: "Δ s" }[mode];
    this.redraw();
  }

  setFollowing(isFollowing) {
    if (this.isFollowing === isFollowing) return;
    this.isFollowing = isFollowing;
    this.say(isFollowing ? "Following the newest rows." : "No longer following.");
    if (isFollowing) this.catchUp();
    this.redraw();
  }

  /** Shows other rows, and keeps the place where the user was. */
  async setFilter(filter) {
    const place = this.cursor ?? this.top;
    const offset = place ? place.index * this.window.rowHeight - this.window.top : 0;
    const hadMark = this.mark;
    this.data.filter = filter;
    this.data.clear(this.data.id);
    this.cursor = this.mark = undefined;
    this.find.restart();
    const generation = this.data.generation;
    await this.catchUp();
    while (this.data.generation === generation && this.data.scanned < this.data.of) await this.data.extend();
    if (this.data.generation !== generation) return;
    if (!this.isFollowing && place) {
      const { at } = await this.data.ask("locate", { row: place.data.n });
      if (this.data.generation !== generation) return;
      this.window.total = this.data.total;
      this.window.top = Math.min(this.window.lowest, Math.max(0, at * this.window.rowHeight - offset));
    }
    if (hadMark) await this.restoreMark(hadMark);
    this.total(this.data.total);
    this.say(`${counted(this.data.total, "row")} of ${count(this.data.of)}.`);
  }

  async restoreMark(mark) {
    const { at } = await this.data.ask("locate", { row: mark.data.n });
    this.mark = { index: at, data: mark.data };
  }

  /** The first row in view. */
  get top() {
    const index = this.window.visible[0];
    const data = this.data.rows.get(index);
    return data && { index, data };
  }

  /** Moves the cursor to a row of the view. */
  async moveTo(index, { centred = false, extends: extending = false } = {}) {
    if (!this.window.total) return;
    index = Math.min(this.window.total - 1, Math.max(0, index));
    if (extending && !this.mark && this.cursor) this.mark = this.cursor;
    if (index < this.window.total - 1) this.setFollowing(false);
    let data = this.data.rows.get(index);
    this.cursor = { index, data: data ?? {} };
    this.window.reveal(index, centred);
    this.redraw();
    if (!data) {
      [data] = await this.data.all(index, index + 1);
      if (this.cursor?.index !== index || !data) return;
      this.data.keep(index, data);
      this.cursor = { index, data };
      this.redraw();
    }
    this.details.show(this.cursor.data);
    this.bar.showSpan(this);
  }

  setMark() {
    this.mark = this.mark && this.mark.index === this.cursor?.index ? undefined : this.cursor;
    if (this.mark) this.say("Marked. Times are measured from here.");
    this.bar.showSpan(this);
    this.redraw();
  }

  /** The time between the mark and the cursor, for people. */
  get spanText() {
    if (!this.mark || !this.cursor || this.mark.index === this.cursor.index) {
      return this.mark ? `mark at ${seconds(this.mark.data.t ?? 0)} s` : "";
    }
    const [from, to] = [this.mark.data.t, this.cursor.data.t];
    const rows = Math.abs(this.cursor.index - this.mark.index);
    if (from === undefined || to === undefined) return counted(rows, "row");
    return `${span(to - from)} over ${counted(rows, "row")}`;
  }

  scrolled() {
    if (!this.window.scrolled()) return;
    this.setFollowing(this.window.top >= this.window.lowest - 2);
    this.redraw();
  }

  wheel(event) {
    if (event.ctrlKey || this.window.length <= this.sizer.clientHeight || !event.deltaY) return;
    // The bar of so many rows moves less than a pixel for each: the rows are moved, and the bar follows.
    event.preventDefault();
    const unit = [1, this.window.rowHeight, this.window.height][event.deltaMode];
    this.window.top = Math.min(this.window.lowest, Math.max(0, this.window.top + event.deltaY * unit));
    this.setFollowing(this.window.top >= this.window.lowest - 2);
    this.window.settle();
    this.redraw();
  }

  clicked(event) {
    const row = event.target.closest(".tl-row");
    if (!row || row.index === undefined) return;
    this.moveTo(row.index, { extends: event.shiftKey });
  }

  key(event) {
    if (event.altKey || event.metaKey) return;
    const at = this.cursor?.index ?? this.window.visible[0] - 1;
    const page = this.window.page - 1;
    const moves = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: this.window.total - 1,
    };
    if (event.key in moves) {
      this.moveTo(moves[event.key], { extends: event.shiftKey });
      if (event.key === "End" && !event.shiftKey) this.setFollowing(true);
    } else if (event.ctrlKey ? event.key === "c" && !String(getSelection()) : event.key === "c") {
      copyRows(this);
    } else if (event.ctrlKey) {
      return;
    } else if (event.key === "Enter") {
      this.details.toggle();
    } else if (event.key === "m") {
      this.setMark();
    } else if (event.key === "f") {
      this.setFollowing(!this.isFollowing);
    } else if (event.key === "n" || event.key === "N") {
      this.find.go(event.key === "n" ? "next" : "previous");
    } else if (event.key === "Escape" && (this.details.isOpen || this.mark)) {
      if (this.details.isOpen) this.details.close();
      else this.setMark((this.mark = undefined));
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Keys that work wherever nothing is typed. */
  anywhere(event) {
    if (event.key !== "/" || event.ctrlKey || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    this.bar.text.focus();
    this.bar.text.select();
  }
}

customElements.define("bench-timeline", BenchTimeline);
