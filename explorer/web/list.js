// A list of which only the rows in sight are in the document.

/** Browsers limit the height of an element: to about 17 million pixels. */
const MAX_HEIGHT = 15e6;
/** Rows above and below those in sight. */
const SPARE = 8;
/** Rows of a list that are printed. */
const PRINTED = 2000;

/** The lists by their boxes. */
const listOf = new WeakMap();

const listsInDocument = () => [...document.querySelectorAll('.rows, .lines')].map(box => listOf.get(box)).filter(Boolean);

class VirtualList {
  /** `render(element, index)` fills a row, which may have been another one's. */
  constructor(box, rowHeight, render) {
    this.box = box;
    this.rowHeight = rowHeight;
    this.render = render;
    this.count = 0;
    this.shown = new Map();
    this.canvas = el('div', { class: 'canvas', role: 'presentation' });
    box.append(this.canvas);
    this.waiting = false;
    /** Where the list was scrolled to while it is printed, else `null`. */
    this.place = null;
    listOf.set(box, this);
    box.addEventListener('scroll', () => this.later(), { passive: true });
    this.observer = new ResizeObserver(() => this.later());
    this.observer.observe(box);
  }

  /** Most rows that a list can have. */
  get most() {
    return Math.floor(MAX_HEIGHT / this.rowHeight);
  }

  setCount(count) {
    this.count = Math.min(count, this.most);
    this.canvas.style.height = `${this.count * this.rowHeight}px`;
    this.refresh();
  }

  /** Draws at most once per frame. */
  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      // Another view may be shown by now.
      if (this.box.isConnected) this.draw(false);
    });
  }

  /** Fills all rows in sight again. */
  refresh() {
    this.draw(true);
  }

  draw(again) {
    if (this.place !== null) return;
    const top = this.box.scrollTop, height = this.box.clientHeight;
    const first = Math.max(0, Math.floor(top / this.rowHeight) - SPARE);
    const end = Math.min(this.count, Math.ceil((top + height) / this.rowHeight) + SPARE);
    const free = [];
    for (const [index, row] of this.shown) {
      if (index >= first && index < end) continue;
      this.shown.delete(index);
      free.push(row);
    }
    for (let index = first; index < end; index++) {
      let row = this.shown.get(index);
      if (row && !again) continue;
      row ??= free.pop() ?? this.canvas.appendChild(el('div'));
      this.shown.set(index, row);
      row.style.transform = `translateY(${index * this.rowHeight}px)`;
      this.render(row, index);
    }
    for (const row of free) row.remove();
  }

  /** Has the first rows in the document, in their order: paper does not scroll. */
  print() {
    this.place = this.box.scrollTop;
    this.shown.clear();
    this.canvas.replaceChildren();
    for (let index = 0; index < Math.min(this.count, PRINTED); index++) this.render(this.canvas.appendChild(el('div')), index);
    if (this.count > PRINTED) this.canvas.append(el('p', { class: 'note' }, `${plural(this.count - PRINTED, 'more row')}: not printed.`));
  }

  /** Undoes `print`. */
  scrollAgain() {
    const place = this.place;
    this.place = null;
    this.canvas.replaceChildren();
    this.box.scrollTop = place ?? 0;
    this.refresh();
  }

  /** Scrolls no more than it needs to show a row. */
  reveal(index) {
    const top = index * this.rowHeight, bottom = top + this.rowHeight;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (bottom > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = bottom - this.box.clientHeight;
    this.draw(false);
  }

  /** Rows that a page up or down moves. */
  get pageRows() {
    return Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 1);
  }
}

addEventListener('beforeprint', () => listsInDocument().forEach(list => list.print()));
addEventListener('afterprint', () => listsInDocument().forEach(list => list.scrollAgain()));
