// What is pointed at, and the panes of texts with the lines of each block.

const LINE = 18; // height of a line in pixels, as in the style sheet
const LETTER = 7.5; // about the width of a letter
const NUMBERS = 52; // and of a line's number
const MOMENT = 120; // milliseconds after which what is pointed at is looked for in the other panes

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
  // Points at, and keeps, the blocks that `keysAt` returns for events of a part of the page.
  watch(part, from, keysAt) {
    for (const kind of ['mousemove', 'focusin']) part.addEventListener(kind, event => this.point(keysAt(event), from));
    for (const kind of ['mouseleave', 'focusout']) part.addEventListener(kind, () => this.point([]));
    part.addEventListener('click', event => this.keep(keysAt(event), from));
  },
};

// The views of a pane. What is coloured in a text: comment, text in quotes, number, name with a prefix, and words.
const PANES = {
  before: { title: 'Before' },
  pseudo_code: { title: 'Pseudo-code', tokens: /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(?<![%\w.])(-?\d[\w.]*)|(%[\w.$-]+)|(\b(?:if|else|loop|while|block|break|continue|return|switch|case|default|unreachable|discard)\b)/g },
  input: { title: 'DXIL', tokens: /(;.*$)|("(?:[^"\\]|\\.)*")|(?<![%\w.])(-?\d[\w.+-]*)|([%@!][\w.$-]+)|(\b(?:define|declare|call|br|ret|phi|switch|load|store|label|merge|to|add|sub|mul|[ui]?div|[fi]cmp|select|extractvalue|getelementptr|alloca|void|float|double|half|i\d+)\b)/g },
  output: { title: 'SPIR-V', tokens: /(;.*$)|("(?:[^"\\]|\\.)*")|(?<![%\w.])(-?\d[\w.+-]*)|(%[\w.$-]+)|(\bOp[A-Z]\w*)/g },
  source: { title: 'HLSL', tokens: /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(\b\d[\w.]*\b)|(\bSV_\w+|^\s*#\w+)|(\b(?:if|else|for|while|do|return|switch|case|default|break|continue|discard|struct|cbuffer|static|const|in|out|inout|void|bool\d?|u?int\d?|u?int\dx\d|float\d?|float\dx\d|half\d?|groupshared|register|numthreads)\b)/g },
  operations: { title: 'Operations' },
};
const TOKENS = ['', 't-comment', 't-text', 't-number', 't-name', 't-word'];

// Returns a line with its colours. Very long lines have none.
function painted(line, tokens) {
  if (line.length > 2000) return [line];
  const parts = [];
  let end = 0;
  for (const match of line.matchAll(tokens)) {
    const kind = match.findIndex((group, i) => i > 0 && group !== undefined);
    parts.push(line.slice(end, match.index), el('span', { class: TOKENS[kind] }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(line.slice(end));
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

// Returns the size of a text, and how much differs.
function sizeOf({ before }, rows) {
  if (before === undefined) return plural(rows.length, 'line');
  const count = kind => rows.filter(row => row.kind === kind).length;
  const [added, removed] = [count('+'), count('-')];
  return `${added || removed ? `+${added} −${removed}` : 'no difference'}, ${plural(rows.length - removed, 'line')}`;
}

// A pane of views, of which one is shown: a text, a graph, or what a view makes.
class TextPane {
  // `onView` is called when a view was chosen.
  constructor(root, usual, onView) {
    this.root = root;
    this.usual = usual; // the view that it shows unless a link names something else
    this.chosen = usual; // the view that it shows if there is one
    this.rows = [];
    this.hits = []; // the rows that are found
    this.hit = -1; // and which of them is shown
    this.buttons = new Map(Object.entries(PANES).map(([name, { title }]) =>
      [name, el('button', { type: 'button', onclick: () => { this.chosen = name; this.show(name); onView(); } }, title)]));
    this.size = el('span', { class: 'dim' });
    this.note = el('span', { class: 'dim' });
    this.find = el('input', { type: 'search', class: 'find', placeholder: 'Find in text', 'aria-label': 'Find in text', spellcheck: 'false' });
    this.find.addEventListener('input', () => this.search());
    this.find.addEventListener('keydown', event => {
      if (event.key === 'Enter') this.showHit(this.hit + (event.shiftKey ? -1 : 1));
    });
    const copy = copyButton(() => this.texts[root.dataset.view].text);
    this.bar = el('div', { class: 'codebar' }, this.find, this.size, this.note, copy);
    this.scroller = el('div', { class: 'lines', tabindex: '0', role: 'region', 'aria-label': 'Text' });
    this.other = el('div', { class: 'other' });
    this.before = new GraphView(el('div'));
    root.append(el('div', { class: 'tabs', role: 'group' }, [...this.buttons.values()]), this.bar, this.scroller, this.other, this.before.root);
    this.list = new VirtualList(this.scroller, LINE, (line, index) => this.draw(line, index));
    this.scroller.addEventListener('mousemove', event => light.point(this.keysAt(event)));
    this.scroller.addEventListener('mouseleave', () => light.point([]));
    this.scroller.addEventListener('click', event => {
      if (!String(getSelection())) light.keep(this.keysAt(event), this);
    });
    light.listeners.push(this);
  }

  keysAt(event) {
    const line = event.target.closest('.codeline');
    return (line && this.rows[line.dataset.index].keys) || [];
  }

  // `texts` has a view by name. A text is { text, marks, before, keysOf, cut, how }: `before` is the text to compare
  // with, `keysOf` returns the keys of lines, `cut` bytes are omitted, and the command `how` prints all. A graph
  // has a `step`, and other views `make` an element.
  setTexts(texts) {
    this.texts = texts;
    this.show([this.chosen, 'input', 'pseudo_code'].find(name => texts[name]));
  }

  show(name) {
    const changed = this.root.dataset.view !== name;
    this.root.dataset.view = name;
    for (const [view, button] of this.buttons) {
      button.setAttribute('aria-pressed', String(view === name));
      button.hidden = !!this.texts && !this.texts[view];
    }
    const shown = this.texts?.[name] ?? { text: '', marks: [] };
    this.bar.hidden = this.scroller.hidden = shown.text === undefined;
    this.before.root.hidden = !shown.step;
    this.other.hidden = !shown.make;
    this.other.replaceChildren(shown.make?.() ?? '');
    this.before.show(shown.step);
    // All panes have the same views: the rows are computed once.
    this.rows = shown.text === undefined ? [] : shown.rows ??= rowsOf(name, shown);
    this.note.replaceChildren(...(shown.cut ? [`${bytesText(shown.cut)} are left out; `, el('code', {}, shown.how), ' prints all'] : []));
    // So that all lines, of which few are drawn at a time, are as wide as the widest.
    const letters = this.rows.reduce((most, row) => Math.max(most, row.text.length), 0);
    this.list.canvas.style.minWidth = NUMBERS + LETTER * (letters + 2) + 'px';
    if (changed) this.scroller.scrollTop = 0;
    this.list.setCount(this.rows.length);
    this.search(changed);
    if (changed && light.kept.size) this.reveal(light.kept);
  }

  draw(line, index) {
    const row = this.rows[index];
    line.className = 'codeline';
    line.dataset.index = index;
    line.replaceChildren(el('i', {}, String(row.number)), ...painted(row.text, PANES[this.root.dataset.view].tokens));
    line.classList.toggle('added', row.kind === '+');
    line.classList.toggle('removed', row.kind === '-');
    line.classList.toggle('hit', index === this.hits[this.hit]);
    this.relightLine(line);
  }

  relight() {
    for (const line of this.list.canvas.children) this.relightLine(line);
  }

  relightLine(line) {
    const keys = this.rows[line.dataset.index]?.keys || [];
    line.classList.toggle('hot', keys.some(key => light.hot.has(key)));
    line.classList.toggle('kept', keys.some(key => light.kept.has(key)));
  }

  // Finds the lines with a text again, and shows the first of them.
  search(isShown = true) {
    const wanted = this.find.value.toLowerCase();
    this.hits = [];
    if (wanted) this.rows.forEach((row, index) => { if (row.text.toLowerCase().includes(wanted)) this.hits.push(index); });
    this.showHit(0, isShown);
  }

  showHit(to, isShown = true) {
    const { hits } = this;
    this.hit = hits.length ? (to + hits.length) % hits.length : -1;
    this.size.textContent = !this.rows.length ? '' : !this.find.value ? sizeOf(this.texts[this.root.dataset.view], this.rows)
      : hits.length ? `${count(this.hit + 1)} of ${plural(hits.length, 'line')}` : 'not found';
    if (this.hit >= 0 && isShown) this.scrollTo(hits[this.hit]);
    this.list.refresh();
  }

  // Scrolls to a line.
  scrollTo(index) {
    this.scroller.scrollTop = index * LINE - this.scroller.clientHeight / 4;
    // Deep in nested constructs, lines begin far to the right.
    const { scrollLeft, clientWidth } = this.scroller;
    const begin = NUMBERS + LETTER * this.rows[index].text.search(/\S|$/);
    if (begin < scrollLeft + NUMBERS || begin > scrollLeft + clientWidth * 0.6) {
      this.scroller.scrollLeft = begin - Math.max(NUMBERS, clientWidth / 4);
    }
  }

  // Scrolls to the first line of these blocks; with `ifUnseen`, unless one of their lines is in sight.
  reveal(wanted, ifUnseen) {
    const has = row => row.keys?.some(key => wanted.has(key));
    const { scrollTop: top, clientHeight: height } = this.scroller;
    if (ifUnseen && this.rows.slice(Math.ceil(top / LINE), Math.floor((top + height) / LINE)).some(has)) return;
    const index = this.rows.findIndex(has);
    if (index < 0) return;
    this.scrollTo(index);
    this.list.draw(false);
  }
}
