// What is pointed at, and the panes of texts with the lines of each block.

const ROW = 18; // height of a line in pixels, as in the style sheet
const LETTER = 7.5; // about the width of a letter
const NUMBERS = 52; // and of a line's number
const SPARE = 20; // lines that are kept above and below what is seen
const MOMENT = 120; // milliseconds after which what is pointed at is looked for in the other panes

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

// What is pointed at, and what was clicked: keys such as `0:b3`, of a function and a block.
const light = {
  hot: new Set(),
  kept: new Set(),
  listeners: [],
  // With `from`, where they are pointed at, the other panes scroll to them unless something is kept. They do so
  // after a moment: a pointer on its way across the graph moves nothing.
  point(keys, from) {
    if (keys.length === this.hot.size && keys.every(key => this.hot.has(key))) return;
    this.hot = new Set(keys);
    this.changed();
    clearTimeout(this.timer);
    if (!from || !keys.length) return;
    this.timer = setTimeout(() => {
      if (!this.kept.size) this.reveal(this.hot, from, true);
    }, MOMENT);
  },
  // Keeps blocks, or lets go of them if they are kept.
  keep(keys, from) {
    const same = keys.length > 0 && keys.every(key => this.kept.has(key));
    this.kept = new Set(same ? [] : keys);
    this.changed();
    if (this.kept.size) this.reveal(this.kept, from);
  },
  reveal(keys, from, ifUnseen) {
    for (const listener of this.listeners) if (listener !== from) listener.reveal(keys, ifUnseen);
  },
  changed() { for (const listener of this.listeners) listener.relight(); },
};

const TOKEN = /(\/\/.*$|;.*$)|("(?:[^"\\]|\\.)*")|\b(Op[A-Za-z0-9]+|if|else|loop|switch|case|default|break|continue|return|block|define|declare|call|br|ret|phi|store|load|label|merge)\b|(?<![%\w.])(-?\d[\w.+-]*)/g;

function painted(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const kind = match[1] ? 'c' : match[3] ? 'k' : match[4] ? 'n' : '';
    if (!kind) continue;
    parts.push(text.slice(end, match.index), element('span', { class: kind }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

// Returns the keys of the blocks of each line.
function keysOfLines(count, marks) {
  const keys = new Array(count).fill(null);
  marks.forEach((mark, index) => {
    const list = mark.blocks.map(block => mark.function + ':' + block);
    const end = index + 1 < marks.length ? marks[index + 1].line : count;
    for (let line = mark.line; line < end; line++) keys[line] = list;
  });
  return keys;
}

const linesOf = text => text ? text.replace(/\n$/, '').split('\n') : [];

// Returns the rows of a text, with those that were removed if it is compared.
function rowsOf(name, { text, marks, before, keysOf = lines => lines }) {
  const lines = linesOf(text);
  const keys = keysOfLines(lines.length, marks);
  const row = (line, kind) => ({ text: lines[line], number: line + 1, keys: keys[line], kind });
  if (before === undefined) return lines.map((_, line) => row(line, ' '));
  const old = linesOf(before);
  return compared(name, before, text, () => difference(keysOf(old), keysOf(lines))).map(([kind, line]) =>
    kind === '-' ? { text: old[line], number: '', keys: null, kind } : row(line, kind));
}

// The last difference of each view: options that do not change a text are often changed.
const lastDifference = new Map();
function compared(name, before, text, find) {
  const last = lastDifference.get(name);
  if (last?.before === before && last.text === text) return last.list;
  const list = find();
  lastDifference.set(name, { before, text, list });
  return list;
}

// Returns what is next to the buttons of a text: its size, and how much differs.
function sizeOf({ before }, rows) {
  const count = kind => rows.filter(row => row.kind === kind).length;
  const lines = count => count + (count === 1 ? ' line' : ' lines');
  if (before === undefined) return rows.length ? lines(rows.length) : '';
  const [added, removed] = [count('+'), count('-')];
  return added || removed ? `+${added} −${removed}, ${lines(rows.length - removed)}` : `no difference, ${lines(rows.length)}`;
}

class TextPane {
  constructor(root, views) {
    this.root = root;
    this.usual = root.dataset.view; // what it shows unless a link names something else
    this.rows = [];
    this.tabs = element('div', { class: 'tabs', role: 'group' });
    this.buttons = new Map();
    for (const [name, title] of views) {
      const button = element('button', { type: 'button' }, title);
      button.onclick = () => this.show(name);
      this.buttons.set(name, button);
      this.tabs.append(button);
    }
    this.size = element('span');
    this.tabs.append(this.size);
    this.scroller = element('div', { class: 'lines', tabindex: '0' });
    this.tall = element('div', { class: 'tall' });
    this.scroller.append(this.tall);
    root.append(this.tabs, this.scroller);
    this.scroller.addEventListener('scroll', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    this.scroller.addEventListener('mousemove', event => light.point(this.keysAt(event)));
    this.scroller.addEventListener('mouseleave', () => light.point([]));
    this.scroller.addEventListener('click', event => {
      if (!String(getSelection())) light.keep(this.keysAt(event), this);
    });
    light.listeners.push(this);
  }

  keysAt(event) {
    const row = event.target.closest('.row');
    return (row && this.rows[row.dataset.index].keys) || [];
  }

  // `texts` has a view by name: { text, marks, before, keysOf }, where `before` is what to compare with, and
  // `keysOf` returns what is compared of lines.
  setTexts(texts) {
    this.texts = texts;
    this.show(this.root.dataset.view);
  }

  show(name) {
    const changed = this.root.dataset.view !== name;
    this.root.dataset.view = name;
    for (const [view, button] of this.buttons) {
      button.setAttribute('aria-pressed', String(view === name));
      button.hidden = !!this.texts && !this.texts[view];
    }
    const shown = this.texts?.[name];
    // All panes have the same views: the rows are computed once.
    this.rows = shown ? shown.rows ??= rowsOf(name, shown) : [];
    this.size.textContent = this.size.title = shown ? sizeOf(shown, this.rows) : '';
    this.tall.style.height = this.rows.length * ROW + 'px';
    // So that all rows, of which few are drawn at a time, are as wide as the widest.
    const letters = this.rows.reduce((most, row) => Math.max(most, row.text.length), 0);
    this.tall.style.width = NUMBERS + LETTER * (letters + 2) + 'px';
    if (changed) this.scroller.scrollTop = 0;
    this.draw(true);
    if (changed && light.kept.size) this.reveal(light.kept);
  }

  draw(anew) {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(this.rows.length,
      Math.ceil((this.scroller.scrollTop + this.scroller.clientHeight) / ROW) + SPARE);
    if (!anew && this.first === first && this.last === last) return;
    [this.first, this.last] = [first, last];
    const made = [];
    for (let index = first; index < last; index++) {
      const row = this.rows[index];
      const line = element('div', { class: 'row', 'data-index': index, style: `top:${index * ROW}px` },
        element('i', {}, String(row.number)), ...painted(row.text));
      if (row.kind === '+') line.classList.add('added');
      if (row.kind === '-') line.classList.add('removed');
      made.push(line);
    }
    this.tall.replaceChildren(...made);
    this.relight();
  }

  relight() {
    for (const line of this.tall.children) {
      const keys = this.rows[line.dataset.index].keys || [];
      line.classList.toggle('hot', keys.some(key => light.hot.has(key)));
      line.classList.toggle('kept', keys.some(key => light.kept.has(key)));
    }
  }

  // Scrolls to the first line of these blocks; with `ifUnseen`, unless one of their lines is in sight.
  reveal(wanted, ifUnseen) {
    const has = row => row.keys?.some(key => wanted.has(key));
    const { scrollTop: top, clientHeight: height } = this.scroller;
    if (ifUnseen && this.rows.slice(Math.ceil(top / ROW), Math.floor((top + height) / ROW)).some(has)) return;
    const index = this.rows.findIndex(has);
    if (index < 0) return;
    this.scroller.scrollTop = index * ROW - height / 4;
    this.draw();
    // Deep in nested constructs, lines begin far to the right.
    const { scrollLeft, clientWidth } = this.scroller;
    const begin = NUMBERS + LETTER * this.rows[index].text.search(/\S|$/);
    if (begin < scrollLeft + NUMBERS || begin > scrollLeft + clientWidth * 0.6) {
      this.scroller.scrollLeft = begin - Math.max(NUMBERS, clientWidth / 4);
    }
  }
}
