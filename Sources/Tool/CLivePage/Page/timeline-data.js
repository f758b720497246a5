// The rows of a timeline, fetched as they are shown. The server keeps all of them; here are only those seen last.

/** At most so many rows are kept. */
const kept = 4000;
/** At most so many rows are asked for at once. */
const most = 400;
/** How many rows the server looks at for one answer to a search: between these, so that an answer takes about 100 ms. */
const [fewest, usual, largest] = [1024, 8192, 131072];

export class TimelineData {
  /**
   * @param {string} base where the routes of the timeline are, with a slash at its end
   * @param {() => void} changed called when there is something new to draw
   * @param {(error: Error) => void} failed called when rows could not be fetched
   */
  constructor(base, changed, failed) {
    Object.assign(this, { base, changed, failed });
    this.scan = usual;
    this.filter = {};
    this.clear("");
  }

  /** Forgets all rows: those of `id` are others. */
  clear(id) {
    this.id = id;
    this.rows = new Map();
    this.total = 0;
    this.scanned = 0;
    this.of = 0;
    this.fetching = false;
    this.wanted = null;
    this.generation = (this.generation ?? 0) + 1;
  }

  /** Whether the filter wants everything. */
  get isUnfiltered() {
    return Object.keys(this.filter).length === 0;
  }

  /** The part of the rows that the filter has looked at, 0 to 1. */
  get progress() {
    return this.of ? this.scanned / this.of : 1;
  }

  async ask(path, parameters = {}) {
    const query = Object.entries({ ...this.filter, ...parameters })
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");
    const began = performance.now();
    const response = await fetch(`${this.base}${path}?${query}`, { cache: "no-store" });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error ?? `${response.status}`);
    if ("scan" in parameters && answer.scanned < answer.of) this.pace(performance.now() - began);
    return answer;
  }

  pace(milliseconds) {
    const factor = milliseconds > 200 ? 0.5 : milliseconds < 60 ? 2 : 1;
    this.scan = Math.min(largest, Math.max(fewest, this.scan * factor));
  }

  /** Takes over what an answer says of the filter's rows; false if it is about others. */
  take(answer, generation) {
    if (generation !== this.generation || answer.id !== this.id) return false;
    this.total = answer.count;
    this.scanned = answer.scanned;
    this.of = answer.of;
    (answer.rows ?? []).forEach((row, index) => this.keep(answer.from + index, row));
    return true;
  }

  keep(number, row) {
    this.rows.delete(number);
    this.rows.set(number, row);
    if (this.rows.size > kept) this.rows.delete(this.rows.keys().next().value);
  }

  /** The rows from one number to before another: those that are here. Fetches the others. */
  want(from, to) {
    this.wanted = [Math.max(0, from), Math.min(to, this.total)];
    this.fetchWanted();
  }

  async fetchWanted() {
    if (this.fetching || !this.wanted) return;
    let [from, to] = this.wanted;
    while (from < to && this.rows.has(from)) from++;
    while (from < to && this.rows.has(to - 1)) to--;
    if (from >= to) return;
    const generation = this.generation;
    this.fetching = true;
    try {
      const answer = await this.ask("rows", { from, count: Math.min(to - from, most), scan: 0 });
      if (this.take(answer, generation)) this.changed();
    } catch (error) {
      this.failed(error);
      // Not again by itself: drawing asks for them.
      this.wanted = null;
    }
    if (generation !== this.generation) return;
    this.fetching = false;
    this.fetchWanted();
  }

  /** The newest rows, in one answer with their number. */
  async fetchLast(rows) {
    const generation = this.generation;
    const answer = await this.ask("rows", { last: Math.min(rows, most), scan: this.scan });
    return this.take(answer, generation);
  }

  /** Counts the filter's rows further. */
  async extend() {
    const generation = this.generation;
    return this.take(await this.ask("view", { scan: this.scan }), generation);
  }

  /** All rows from one number to before another, in order. */
  async all(from, to) {
    const rows = [];
    while (from < to) {
      const answer = await this.ask("rows", { from, count: Math.min(to - from, most), scan: 0 });
      if (!answer.rows.length) break;
      rows.push(...answer.rows);
      from += answer.rows.length;
    }
    return rows;
  }
}
