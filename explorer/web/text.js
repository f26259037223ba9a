// What is pointed at, and the panes of texts with the lines of each block.

const LINE = 18; // height of a line in pixels, as in the style sheet
const LETTER = widthOf('x'.repeat(100)) / 100;
const NUMBERS = 53; // width of a line's number, as in the style sheet
const MOMENT = 120; // milliseconds after which what is pointed at is looked for in the other panes

/** Returns the width of a text in the panes. */
function widthOf(text) {
  const probe = el('div', { class: 'lines hidden' }, text);
  document.body.append(probe);
  const width = probe.scrollWidth;
  probe.remove();
  return width;
}

// What is pointed at, and what was clicked: keys such as `0:b3`, of a function and a block, and `@0:12`, of a source
// file and a line.
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

const HLSL = /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(\b\d[\w.]*\b)|(\bSV_\w+|^\s*#\w+)|(\b(?:if|else|for|while|do|return|switch|case|default|break|continue|discard|struct|cbuffer|static|const|in|out|inout|void|bool\d?|u?int\d?|u?int\dx\d|float\d?|float\dx\d|half\d?|groupshared|register|numthreads)\b)/g;
// The views of a pane. What is coloured in a text: comment, text in quotes, number, name with a prefix, and words.
const PANES = {
  before: { title: 'Before' },
  source: { title: 'HLSL', tokens: HLSL },
  hlsl: { title: 'Pseudo-code', tokens: HLSL },
  pseudo_code: { title: 'Structure', tokens: /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(?<![%\w.])(-?\d[\w.]*)|(%[\w.$-]+)|(\b(?:if|else|loop|while|block|break|continue|return|switch|case|default|unreachable|discard)\b)/g },
  assembly: { title: 'DXBC', tokens: /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(?<![\w.])(-?\d[\w.+-]*)|(\b(?:[rvotsugx]\d+|cb\d+|icb|l|null)\b)|(^ *[a-z]\w*)/g },
  input: { title: 'DXIL', tokens: /(;.*$)|("(?:[^"\\]|\\.)*")|(?<![%\w.])(-?\d[\w.+-]*)|([%@!][\w.$-]+)|(\b(?:define|declare|call|br|ret|phi|switch|load|store|label|merge|to|add|sub|mul|[ui]?div|[fi]cmp|select|extractvalue|getelementptr|alloca|void|float|double|half|i\d+)\b)/g },
  output: { title: 'SPIR-V', tokens: /(;.*$)|("(?:[^"\\]|\\.)*")|(?<![%\w.])(-?\d[\w.+-]*)|(%[\w.$-]+)|(\bOp[A-Z]\w*)/g },
  operations: { title: 'Operations' },
};
const TOKENS = ['', 't-comment', 't-text', 't-number', 't-name', 't-word'];

// Returns a part of a line with its colours. Very long lines have none.
function painted(line, tokens, from, to) {
  if (line.length > 2000) return [line.slice(from, to)];
  const parts = [];
  let end = from;
  for (const match of line.matchAll(tokens)) {
    const start = Math.max(match.index, from), stop = Math.min(match.index + match[0].length, to);
    if (start >= stop) continue;
    const kind = match.findIndex((group, i) => i > 0 && group !== undefined);
    parts.push(line.slice(end, start), el('span', { class: TOKENS[kind] }, line.slice(start, stop)));
    end = stop;
  }
  parts.push(line.slice(end, to));
  return parts;
}

const linesOf = text => text ? text.replace(/\r?\n$/, '').split(/\r?\n/) : [];

// Gives a text the keys of each line: those of its blocks, and those that `more` returns.
function withKeys(view, more = () => []) {
  const lines = linesOf(view.text), { marks } = view;
  const keys = lines.map(() => []);
  marks.forEach((mark, index) => {
    const list = mark.blocks.map(block => mark.function + ':' + block);
    keys.fill(list, mark.line, marks[index + 1]?.line);
  });
  more(lines).forEach((list, line) => { if (list.length) keys[line] = keys[line].concat(list); });
  return { ...view, keys };
}

// Returns the rows of a text, with those that were removed if it is compared.
function rowsOf(name, { text, keys, before, keysOf = lines => lines }) {
  const lines = linesOf(text);
  const row = (line, kind) => ({ text: lines[line], number: line + 1, keys: keys[line], kind });
  if (before === undefined) return lines.map((_, line) => row(line, ' '));
  const old = linesOf(before);
  return compared(name, before, text, () => difference(keysOf(old), keysOf(lines))).map(([kind, line]) =>
    kind === '-' ? { text: old[line], number: '', keys: [], kind } : row(line, kind));
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

let wraps = false; // whether lines that are wider than their pane are wrapped

function wrapLines() {
  wraps = !wraps;
  for (const pane of panes) pane.flow();
}

// A pane of views, of which one is shown: a text, a graph, or what a view makes.
class TextPane {
  // `onView` is called when a view was chosen.
  constructor(root, usual, onView) {
    this.root = root;
    this.usual = usual; // the views that it shows unless one is chosen: the first that there is
    this.chosen = undefined;
    this.rows = [];
    this.lines = []; // what is drawn: the index of a row, and the letter at which the line begins
    this.starts = []; // the first line of each row
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
    this.wrap = el('button', { type: 'button', class: 'small', 'aria-pressed': 'false', title: 'Wrap lines (w)', onclick: wrapLines }, 'Wrap');
    this.bar = el('div', { class: 'codebar' }, this.find, this.size, this.note, el('span', { class: 'spring' }), this.wrap, copy);
    this.scroller = el('div', { class: 'lines', tabindex: '0', role: 'region', 'aria-label': 'Text' });
    this.other = el('div', { class: 'other' });
    this.before = new GraphView(el('div'));
    root.append(el('div', { class: 'tabs', role: 'group' }, [...this.buttons.values()]), this.bar, this.scroller, this.other, this.before.root);
    this.list = new VirtualList(this.scroller, LINE, (line, index) => this.draw(line, index));
    new ResizeObserver(() => { if (wraps && this.fitting() !== this.fits) this.flow(); }).observe(this.scroller);
    this.scroller.addEventListener('mousemove', event => light.point(this.keysAt(event), this));
    this.scroller.addEventListener('mouseleave', () => light.point([]));
    this.scroller.addEventListener('click', event => {
      if (!String(getSelection())) light.keep(this.keysAt(event), this);
    });
    light.listeners.push(this);
  }

  keysAt(event) {
    const line = event.target.closest('.codeline');
    return (line && this.rows[line.dataset.index]?.keys) || [];
  }

  // `texts` has a view by name. A text is { text, keys, before, keysOf, cut, how }: `keys` are those of each line,
  // `before` is the text to compare with, `keysOf` returns what is compared of lines, `cut` bytes are omitted, and the command `how` prints all. A graph
  // has a `step`, and other views `make` an element.
  setTexts(texts) {
    this.texts = texts;
    const usual = [...this.usual, 'input', 'pseudo_code', 'output'].filter(name => name !== 'source' || texts.source?.isLinked);
    this.show([this.chosen, ...usual].find(name => texts[name]));
  }

  show(name) {
    const changed = this.root.dataset.view !== name;
    this.root.dataset.view = name;
    for (const [view, button] of this.buttons) {
      button.setAttribute('aria-pressed', String(view === name));
      button.hidden = !!this.texts && !this.texts[view];
    }
    const shown = this.texts?.[name] ?? { text: '', keys: [] };
    this.bar.hidden = this.scroller.hidden = shown.text === undefined;
    this.before.root.hidden = !shown.step;
    this.other.hidden = !shown.make;
    this.other.replaceChildren(shown.make?.() ?? '');
    this.before.show(shown.step);
    // All panes have the same views: the rows are computed once.
    this.rows = shown.text === undefined ? [] : shown.rows ??= rowsOf(name, shown);
    this.note.replaceChildren(...(shown.cut ? [`${bytesText(shown.cut)} are left out; `, el('code', {}, shown.how), ' prints all'] : []));
    if (changed) this.scroller.scrollTop = 0;
    this.flow();
    this.search(changed);
    if (changed && light.kept.size) this.reveal(light.kept);
  }

  // Returns how many letters of a row fit into a line.
  fitting() {
    return wraps ? Math.max(20, Math.floor((this.scroller.clientWidth - NUMBERS) / LETTER) - 2) : Infinity;
  }

  // Cuts rows into lines. What is at the top stays there.
  flow() {
    const top = this.scroller.scrollTop / LINE, row = this.lines[Math.floor(top)]?.[0];
    this.fits = this.fitting();
    this.lines = [];
    this.starts = this.rows.map(({ text }, row) => {
      const start = this.lines.length;
      for (let from = 0; from === 0 || from < text.length; from += this.fits) this.lines.push([row, from]);
      return start;
    });
    this.wrap.setAttribute('aria-pressed', String(wraps));
    // So that all lines, of which few are drawn at a time, are as wide as the widest.
    const letters = wraps ? 0 : this.rows.reduce((most, row) => Math.max(most, row.text.length), 0);
    this.list.canvas.style.minWidth = NUMBERS + LETTER * (letters + 2) + 'px';
    this.list.setCount(this.lines.length);
    if (this.starts[row] !== undefined) this.scroller.scrollTop += LINE * (this.starts[row] - Math.floor(top));
  }

  draw(line, index) {
    const [at, from] = this.lines[index];
    const row = this.rows[at];
    line.className = 'codeline';
    line.dataset.index = at;
    line.replaceChildren(el('i', {}, from ? '' : String(row.number)),
      ...painted(row.text, PANES[this.root.dataset.view].tokens, from, Math.min(row.text.length, from + this.fits)));
    line.classList.toggle('added', row.kind === '+');
    line.classList.toggle('removed', row.kind === '-');
    line.classList.toggle('hit', at === this.hits[this.hit]);
    this.relightLine(line);
  }

  relight() {
    for (const line of this.list.canvas.children) this.relightLine(line);
  }

  relightLine(line) {
    const keys = this.rows[line.dataset.index]?.keys || [];
    line.classList.toggle('hot', keys.some(key => light.hot.has(key)));
    line.classList.toggle('kept', keys.some(key => light.kept.has(key)));
    line.classList.toggle('exact', keys.some(key => isLine(key) && (light.hot.has(key) || light.kept.has(key))));
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

  // Scrolls to a row.
  scrollTo(index) {
    this.scroller.scrollTop = this.starts[index] * LINE - this.scroller.clientHeight / 4;
    // Deep in nested constructs, lines begin far to the right.
    const { scrollLeft, clientWidth } = this.scroller;
    const begin = NUMBERS + LETTER * this.rows[index].text.search(/\S|$/);
    if (begin < scrollLeft + NUMBERS || begin > scrollLeft + clientWidth * 0.6) {
      this.scroller.scrollLeft = begin - Math.max(NUMBERS, clientWidth / 4);
    }
  }

  // Scrolls to the first row of the same line of HLSL, or else of these blocks; with `ifUnseen`, unless one is in sight.
  reveal(wanted, ifUnseen) {
    const all = [...wanted].filter(isLine).map(key => row => row.keys.includes(key));
    const has = [...all, row => row.keys.some(key => wanted.has(key))].find(has => this.rows.some(has));
    const { scrollTop: top, clientHeight: height } = this.scroller;
    const seen = this.lines.slice(Math.ceil(top / LINE), Math.floor((top + height) / LINE));
    if (!has || (ifUnseen && seen.some(([row]) => has(this.rows[row])))) return;
    this.scrollTo(this.rows.findIndex(has));
    this.list.draw(false);
  }
}
