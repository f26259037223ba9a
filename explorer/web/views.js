// The panes: a text with the lines of each block, and the graph with the remarks of a stage.

const ROW = 18; // height of a line in pixels, as in the style sheet
const SPARE = 20; // lines that are kept above and below what is seen

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
  point(keys) {
    if (keys.length === this.hot.size && keys.every(key => this.hot.has(key))) return;
    this.hot = new Set(keys);
    this.changed();
  },
  // Keeps blocks, or lets go of them if they are kept.
  keep(keys, from) {
    const same = keys.length > 0 && keys.every(key => this.kept.has(key));
    this.kept = new Set(same ? [] : keys);
    this.changed();
    if (this.kept.size) for (const listener of this.listeners) if (listener !== from) listener.reveal?.();
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

class TextPane {
  constructor(root, views) {
    this.root = root;
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

  // `texts` has a view by name: { text, marks, before }, where `before` is what to compare with.
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
    this.rows = shown ? this.rowsOf(shown) : [];
    this.size.textContent = shown ? this.rows.length + ' lines' + (shown.note ? ', ' + shown.note : '') : '';
    this.tall.style.height = this.rows.length * ROW + 'px';
    if (changed) this.scroller.scrollTop = 0;
    this.draw(true);
    if (changed && light.kept.size) this.reveal();
  }

  rowsOf({ text, marks, before }) {
    const lines = text.replace(/\n$/, '').split('\n');
    const keys = keysOfLines(lines.length, marks);
    const row = (line, kind) => ({ text: lines[line], number: line + 1, keys: keys[line], kind });
    if (before === undefined) return lines.map((_, line) => row(line, ' '));
    const old = before.replace(/\n$/, '').split('\n');
    return difference(old, lines).map(([kind, line]) =>
      kind === '-' ? { text: old[line], number: '', keys: null, kind } : row(line, kind));
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

  // Scrolls to the first line of what is kept.
  reveal() {
    const index = this.rows.findIndex(row => row.keys?.some(key => light.kept.has(key)));
    if (index >= 0) this.scroller.scrollTop = index * ROW - this.scroller.clientHeight / 4;
  }
}

class GraphPane {
  constructor(onStep) {
    this.graph = document.getElementById('graph');
    this.remarks = document.getElementById('remarks');
    this.nav = document.getElementById('steps');
    this.onStep = onStep;
    this.steps = [];
    this.now = 0;
    this.zoom = undefined; // how large the picture is; undefined fits it into the pane
    const keysAt = event => {
      const block = event.target.closest('[data-block]')?.dataset.block;
      return block ? [this.steps[this.now].function + ':' + block] : [];
    };
    for (const pane of [this.graph, this.remarks]) {
      pane.addEventListener('mousemove', event => light.point(keysAt(event)));
      pane.addEventListener('mouseleave', () => light.point([]));
      pane.addEventListener('focusin', event => light.point(keysAt(event)));
      pane.addEventListener('click', event => light.keep(keysAt(event), pane === this.graph ? this : undefined));
    }
    light.listeners.push(this);
    new ResizeObserver(() => this.scale()).observe(this.graph);
    this.graph.addEventListener('wheel', event => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.enlarge(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    }, { passive: false });
  }

  setFunctions(functions) {
    const several = functions.length > 1;
    this.steps = functions.flatMap((view, number) =>
      view.steps.map(step => ({ ...step, function: number, name: several ? view.name : '' })));
    this.nav.replaceChildren(...this.steps.map((step, index) => {
      const title = (step.name ? step.name + ': ' : '') + step.stage;
      const button = element('button', { type: 'button' }, title);
      button.onclick = () => this.show(index);
      return button;
    }));
    this.show(this.wanted ?? this.steps.length - 1);
  }

  // Shows a step, and the same one of the next shader if it was asked for.
  show(index, asked = true) {
    this.now = Math.max(0, Math.min(this.steps.length - 1, index));
    if (asked) this.wanted = this.now === this.steps.length - 1 ? undefined : this.now;
    [...this.nav.children].forEach((button, at) =>
      at === this.now ? button.setAttribute('aria-current', 'step') : button.removeAttribute('aria-current'));
    const step = this.steps[this.now];
    document.getElementById('about').textContent = step?.about ?? '';
    if (step?.svg) {
      // Of this program, which escapes the names of the input.
      this.graph.innerHTML = step.svg;
      this.scale();
    } else {
      this.graph.replaceChildren(element('p', { class: 'empty' }, step?.not_drawn ?? 'No graph.'));
    }
    const remarks = (step?.remarks ?? []).map(remark =>
      element('button', { type: 'button', 'data-block': remark.block }, element('code', {}, remark.block), remark.text));
    this.remarks.replaceChildren(...(remarks.length ? remarks : [element('p', {}, 'No remarks about this stage.')]));
    this.relight();
    this.onStep(this.now);
  }

  // Sets the size of the picture, which is never so small that its text cannot be read.
  scale() {
    const svg = this.graph.querySelector('svg');
    if (!svg) return;
    const { width, height } = svg.viewBox.baseVal;
    const fits = Math.min((this.graph.clientWidth - 24) / width, (this.graph.clientHeight - 24) / height);
    const zoom = this.zoom ?? Math.max(0.6, Math.min(1, fits));
    svg.setAttribute('width', width * zoom);
    svg.setAttribute('height', height * zoom);
    this.shown = zoom;
  }

  // Makes the picture larger by a factor; without one, it fits into the pane.
  enlarge(factor) {
    this.zoom = factor && Math.max(0.1, Math.min(4, this.shown * factor));
    this.scale();
  }

  relight() {
    const number = this.steps[this.now]?.function;
    for (const block of document.querySelectorAll('#graph [data-block], #remarks [data-block]')) {
      const key = number + ':' + block.dataset.block;
      block.classList.toggle(block.tagName === 'BUTTON' ? 'hot' : 'tv-hot', light.hot.has(key));
      block.classList.toggle(block.tagName === 'BUTTON' ? 'kept' : 'tv-kept', light.kept.has(key));
    }
  }

  reveal() {
    const found = this.graph.querySelector('.tv-kept');
    found?.scrollIntoView({ block: 'center', inline: 'center' });
  }
}
