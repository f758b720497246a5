// The search of a timeline: the matches are counted by the server, piece by piece, while somebody waits for them.

import { count } from "./timeline-text.js";

export class TimelineFind {
  constructor(timeline) {
    this.timeline = timeline;
    this.text = "";
    this.run = 0;
    this.answer = undefined;
  }

  /** Another text; goes to the first match from the cursor on. */
  start(text, goes = true) {
    this.text = text;
    this.restart();
    if (!text) return this.show();
    if (goes) this.go("next", true);
    else this.search(this.origin, () => true);
  }

  /** Ends what is going on; the rows have changed. */
  restart() {
    this.run++;
    this.answer = undefined;
    this.show();
  }

  /** More rows are there: they are looked at when nothing else is going on. */
  grown() {
    if (!this.text || !this.answer || this.isSearching) return;
    this.search(this.origin, (answer) => answer.scanned >= answer.of);
  }

  get origin() {
    const { cursor, top } = this.timeline;
    return (cursor?.data.n ?? top?.data.n) ?? 0;
  }

  /** Goes to the next or the former match; from the cursor on, which may be one itself. After the last comes the first. */
  async go(way, mayStay = false) {
    if (!this.text) return;
    const { timeline } = this;
    if (timeline.data.filter.text) {
      // Only matches are shown.
      const at = timeline.cursor?.index ?? timeline.window.visible[0] - 1;
      return mayStay ? undefined : timeline.moveTo(at + (way === "next" ? 1 : -1));
    }
    let place = await this.place(way, this.origin, mayStay);
    if (place === null) {
      place = await this.place(way, way === "next" ? 0 : this.answer.of, true);
      if (place) timeline.say(way === "next" ? "From the first row on." : "From the last row on.");
    }
    if (!place) return;
    await timeline.moveTo(place.at, { centred: true });
    timeline.say(timeline.cursor?.data.x ?? "");
    this.search(this.origin, () => true);
  }

  /** Where the next or the former match from a row is; null if there is none, undefined if the user does something else. */
  async place(way, row, mayStay) {
    // Of what comes before a row, the last is known when all of it has been looked at.
    const isKnown = (answer) => answer[way] && (way === "next" || answer.scanned > row);
    const answer = await this.search(
      row,
      (answer) => (mayStay && answer.isHit) || isKnown(answer) || answer.scanned >= answer.of,
    );
    if (!answer) return undefined;
    return mayStay && answer.isHit ? { at: answer.at } : (answer[way] ?? null);
  }

  /** Asks until `isEnough`, and shows how many matches there are; undefined if something else was asked meanwhile. */
  async search(row, isEnough) {
    const run = ++this.run;
    const { data } = this.timeline;
    if (data.filter.text) return undefined;
    this.isSearching = true;
    try {
      let answer;
      do {
        answer = await data.ask("hits", { q: this.text, row, scan: data.scan });
        if (run !== this.run) return undefined;
        this.answer = answer;
        this.show();
      } while (!isEnough(answer) && answer.scanned < answer.of);
      // The rest is counted when nothing else is asked.
      if (answer.scanned < answer.of) setTimeout(() => this.grown());
      return answer;
    } catch (error) {
      if (run === this.run) this.show(error.message);
      return undefined;
    } finally {
      if (run === this.run) this.isSearching = false;
    }
  }

  show(text) {
    const { bar } = this.timeline;
    const { answer } = this;
    if (text === undefined && answer && this.text) {
      const number = answer.isHit ? `${count(answer.before + 1)} of ` : "";
      const rest = answer.scanned < answer.of ? `, ${Math.floor((answer.scanned / answer.of) * 100)} % looked at` : "";
      text = answer.count ? `${number}${count(answer.count)}${rest}` : rest ? rest.slice(2) : "no match";
    }
    bar.found.textContent = text ?? "";
    this.timeline.redraw();
  }

  /** Marks the text in the rows that are drawn, where the browser can. */
  highlight() {
    if (!globalThis.Highlight) return;
    const text = this.text.toLowerCase();
    if (!text) return void CSS.highlights.delete("timeline-match");
    const ranges = [];
    for (const row of this.timeline.window.pool) {
      const node = row.hidden ? null : row.text.firstChild;
      const shown = node?.data.toLowerCase() ?? "";
      // Lower-casing may change lengths of some letters: those rows are shown without.
      if (shown.length !== node?.data.length) continue;
      for (let at = shown.indexOf(text); at >= 0; at = shown.indexOf(text, at + text.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        ranges.push(range);
      }
    }
    CSS.highlights.set("timeline-match", new Highlight(...ranges));
  }
}
