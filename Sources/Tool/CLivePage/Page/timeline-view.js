// Draws only the rows of a list that can be seen, of any number: browsers have elements of some 17 million pixels at most,
// and lists of a million rows are longer.

/** The tallest element that is made, in pixels. */
const tallest = 10_000_000;

export class RowWindow {
  /**
   * @param {HTMLElement} scroller the element that scrolls
   * @param {HTMLElement} sizer in it, as tall as the rows are, up to `tallest`
   * @param {HTMLElement} layer in that, where rows are drawn; it stays in view
   * @param {() => HTMLElement} make makes an empty row
   * @param {(element: HTMLElement, index: number) => void} fill shows a row of the list in an element
   */
  constructor(scroller, sizer, layer, make, fill) {
    Object.assign(this, { scroller, sizer, layer, make, fill });
    this.pool = [];
    this.total = 0;
    /** The first pixel in view, of all rows. */
    this.top = 0;
    this.rowHeight = 22;
    this.height = 0;
    this.lastScroll = 0;
    this.ownScroll = -1;
  }

  get length() {
    return this.total * this.rowHeight;
  }

  get lowest() {
    return Math.max(0, this.length - this.height);
  }

  /** The rows that can be seen, also in part. */
  get visible() {
    const first = Math.floor(this.top / this.rowHeight);
    return [first, Math.min(this.total, Math.ceil((this.top + this.height) / this.rowHeight))];
  }

  /** The number of rows that are all in view. */
  get page() {
    return Math.max(1, Math.floor(this.height / this.rowHeight));
  }

  /** Measures; when the window or the font has changed. */
  measure() {
    this.rowHeight = parseFloat(getComputedStyle(this.layer).getPropertyValue("--row-height")) || 22;
    this.height = this.scroller.clientHeight;
    this.layer.style.height = `${this.height}px`;
    const needed = Math.ceil(this.height / this.rowHeight) + 2;
    while (this.pool.length < needed) {
      const element = this.make();
      this.pool.push(element);
      this.layer.append(element);
    }
    while (this.pool.length > needed) this.pool.pop().remove();
    for (const element of this.pool) element.shown = undefined;
  }

  /** Whether the user has scrolled, and not this code. */
  scrolled() {
    const position = this.scroller.scrollTop;
    if (Math.abs(position - this.ownScroll) < 1) {
      this.lastScroll = position;
      return false;
    }
    const way = position - this.lastScroll;
    this.lastScroll = position;
    const shown = this.sizer.clientHeight;
    if (this.length <= shown) {
      this.top = position;
    } else if (Math.abs(way) < 2 * this.height) {
      // By the wheel or a finger: as many pixels of the rows.
      this.top += way;
    } else {
      // By the bar: to the same part of the rows.
      this.top = (position / Math.max(1, shown - this.height)) * this.lowest;
    }
    this.top = Math.min(this.lowest, Math.max(0, this.top));
    return way !== 0;
  }

  /** Brings the scroll bar to where the rows are. */
  settle() {
    const shown = Math.min(this.length, tallest);
    if (this.shownLength !== shown) {
      this.shownLength = shown;
      this.sizer.style.height = `${shown}px`;
    }
    const target = this.length <= tallest ? this.top : (this.top / Math.max(1, this.lowest)) * (shown - this.height);
    if (Math.abs(this.scroller.scrollTop - target) >= 1) this.scroller.scrollTop = target;
    this.ownScroll = this.lastScroll = this.scroller.scrollTop;
  }

  /** Moves so that a row is in view. */
  reveal(index, centred = false) {
    const start = index * this.rowHeight;
    const isInView = start >= this.top && start + this.rowHeight <= this.top + this.height;
    if (isInView) return;
    if (centred) this.top = start - this.height / 2;
    else if (start < this.top) this.top = start;
    else this.top = start + this.rowHeight - this.height;
    this.top = Math.min(this.lowest, Math.max(0, this.top));
    this.settle();
  }

  draw() {
    const first = Math.floor(this.top / this.rowHeight);
    for (let offset = 0; offset < this.pool.length; offset++) {
      const index = first + offset;
      const element = this.pool[index % this.pool.length];
      if (index >= this.total) {
        if (!element.hidden) element.hidden = true;
        element.shown = undefined;
        continue;
      }
      if (element.hidden) element.hidden = false;
      element.style.transform = `translateY(${index * this.rowHeight - this.top}px)`;
      this.fill(element, index);
    }
  }
}
