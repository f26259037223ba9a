// The picture of a graph, and the pane of the stages with their remarks.

const MIN_ZOOM = 0.02;

// A picture with the blocks that are pointed at or kept.
class GraphView {
  constructor(root) {
    this.root = root;
    this.zoom = undefined; // how large the picture is; undefined fits it into the box
    const button = (text, label, factor) =>
      el('button', { type: 'button', class: 'small', title: label, 'aria-label': label, onclick: () => this.enlarge(factor) }, text);
    this.box = el('div', { class: 'graph', tabindex: '0', role: 'region', 'aria-label': 'Graph' });
    this.tools = el('div', { class: 'zoom' }, button('−', 'Smaller (-)', 0.8), button('+', 'Larger (+)', 1.25), button('Fit', 'Fit into the pane (0)'),
      el('button', { type: 'button', class: 'small', title: 'Its own size', onclick: () => { this.enlarge(1 / this.shown); this.bringFirst(); } }, '1:1'));
    root.classList.add('graph-view');
    root.append(this.box, this.tools);
    light.watch(this.box, this, event => this.keysAt(event));
    light.listeners.push(this);
    new ResizeObserver(() => this.scale()).observe(this.box);
    this.box.addEventListener('wheel', event => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.enlarge(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    }, { passive: false });
    this.box.addEventListener('focusin', event => this.stopAt(event.target));
    this.box.addEventListener('keydown', event => this.keyAtBlock(event, this.keysAt(event)));
  }

  // Returns the key of the block that an event is about.
  keysAt(event) {
    const block = event.target.closest('[data-block]')?.dataset.block;
    return block ? [this.step.function + ':' + block] : [];
  }

  // Shows the picture of a step, or why there is none.
  show(step, why) {
    const focused = this.box.contains(document.activeElement) ? document.activeElement.dataset.block : undefined;
    this.step = step;
    this.tools.hidden = !step?.svg;
    if (step?.svg) {
      const picture = new DOMParser().parseFromString(step.svg, 'image/svg+xml').documentElement;
      this.box.replaceChildren(document.importNode(picture, true));
      this.scale();
      this.prepareBlocks();
    } else {
      const command = step?.how && el('pre', { class: 'command' }, step.how);
      this.box.replaceChildren(el('p', { class: 'empty' }, step?.not_drawn ?? why ?? 'No graph.'), command || '');
    }
    this.relight();
    this.bringFirst();
    if (focused) (this.block(focused) ?? this.entry())?.focus({ preventScroll: true });
  }

  blocks() {
    return [...this.box.querySelectorAll('[data-block]')];
  }

  block(name) {
    return this.box.querySelector(`[data-block="${name}"]`);
  }

  entry() {
    return this.block('b0');
  }

  // Scrolls to what is kept, or to the entry: they may be out of sight in a large picture.
  bringFirst() {
    const kept = this.box.querySelector('.tv-kept');
    this.bring(kept ?? this.entry(), !kept);
  }

  // Scrolls to a block: so that it is in the middle, or at the top.
  bring(block, atTop = false) {
    if (!block) return;
    const pane = this.box.getBoundingClientRect(), box = block.getBoundingClientRect();
    this.box.scrollLeft += (box.left + box.right - pane.left - pane.right) / 2;
    this.box.scrollTop += atTop ? box.top - pane.top - 12 : (box.top + box.bottom - pane.top - pane.bottom) / 2;
  }

  // Sets the size of the picture. What is in the middle stays there.
  scale() {
    const svg = this.box.querySelector('svg');
    if (!svg) return;
    const { width, height } = svg.viewBox.baseVal;
    const fits = Math.min((this.box.clientWidth - 24) / width, (this.box.clientHeight - 24) / height);
    const zoom = this.zoom ?? Math.max(MIN_ZOOM, Math.min(1, fits));
    const pane = this.box.getBoundingClientRect(), before = svg.getBoundingClientRect();
    const at = (middle, start, size) => size ? (middle - start) / size : 0.5;
    const x = at((pane.left + pane.right) / 2, before.left, before.width);
    const y = at((pane.top + pane.bottom) / 2, before.top, before.height);
    svg.setAttribute('width', width * zoom);
    svg.setAttribute('height', height * zoom);
    this.shown = zoom;
    const after = svg.getBoundingClientRect();
    this.box.scrollLeft += after.left + x * after.width - (pane.left + pane.right) / 2;
    this.box.scrollTop += after.top + y * after.height - (pane.top + pane.bottom) / 2;
  }

  // Makes the picture larger by a factor; without one, it fits into the pane.
  enlarge(factor) {
    this.zoom = factor && Math.max(MIN_ZOOM, Math.min(4, this.shown * factor));
    this.scale();
  }

  // Makes the blocks accessible to the keyboard: Tab stops at one of them, the arrows lead to the others.
  prepareBlocks() {
    // As an image, it would have no parts for programs that read pages aloud.
    this.box.querySelector('svg').setAttribute('role', 'group');
    for (const block of this.blocks()) {
      block.setAttribute('role', 'button');
      block.setAttribute('aria-label', [...block.querySelectorAll('text')].map(text => text.textContent).join(' '));
      block.setAttribute('tabindex', '-1');
    }
    this.entry()?.setAttribute('tabindex', '0');
  }

  // Makes a block the one at which Tab stops.
  stopAt(target) {
    if (!target.dataset.block) return;
    this.box.querySelector('[data-block][tabindex="0"]')?.setAttribute('tabindex', '-1');
    target.setAttribute('tabindex', '0');
  }

  keyAtBlock(event, keys) {
    if (!keys.length || event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by) {
      const blocks = this.blocks();
      blocks[blocks.indexOf(event.target) + by]?.focus({ preventScroll: true });
      this.reveal(light.hot, true);
    } else if (event.key === 'Enter' || event.key === ' ') {
      light.keep(keys, this);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  relight() {
    for (const block of this.blocks()) {
      const key = this.step.function + ':' + block.dataset.block;
      block.classList.toggle('tv-hot', light.hot.has(key));
      block.classList.toggle('tv-kept', light.kept.has(key));
    }
  }

  // Scrolls to the first of these blocks; with `ifUnseen`, unless one is in sight.
  reveal(wanted, ifUnseen) {
    const found = this.blocks().filter(block => wanted.has(this.step.function + ':' + block.dataset.block));
    const pane = this.box.getBoundingClientRect();
    const isSeen = block => {
      const box = block.getBoundingClientRect();
      return box.top >= pane.top && box.bottom <= pane.bottom && box.left >= pane.left && box.right <= pane.right;
    };
    if (!(ifUnseen && found.some(isSeen))) this.bring(found[0]);
  }
}

// The pane of the stages.
class GraphPane {
  // `onStep` is called with each step that is shown.
  constructor(onStep) {
    this.remarks = byId('remarks');
    this.nav = byId('steps');
    this.onStep = onStep;
    this.steps = [];
    this.now = 0;
    this.view = new GraphView(el('div'));
    this.view.box.id = 'graph';
    byId('about').after(this.view.root);
    // A remark leads to the block in the graph, too.
    light.watch(this.remarks, this, event => this.view.keysAt(event));
    light.listeners.push(this);
  }

  setFunctions(functions, why) {
    const several = functions.length > 1;
    this.why = why;
    this.steps = functions.flatMap((view, number) =>
      view.steps.map(step => ({ ...step, function: number, name: several ? view.name : '' })));
    this.nav.replaceChildren(...this.steps.map((step, index) => el('button', { type: 'button', onclick: () => this.show(index) },
      (step.name ? step.name + ': ' : '') + step.stage,
      step.remarks.length ? el('span', { class: 'number', title: plural(step.remarks.length, 'remark') }, count(step.remarks.length)) : null)));
    this.show(this.wanted ?? this.steps.length - 1, false);
  }

  // Shows a step. One that was asked for is shown of the next shader, too, even after one without steps.
  show(index, asked = true) {
    this.now = Math.max(0, Math.min(this.steps.length - 1, index));
    if (asked && this.steps.length) this.wanted = this.now === this.steps.length - 1 ? undefined : this.now;
    [...this.nav.children].forEach((button, at) =>
      at === this.now ? button.setAttribute('aria-current', 'step') : button.removeAttribute('aria-current'));
    const step = this.steps[this.now];
    this.view.show(step, this.why);
    byId('about').replaceChildren(step?.about ?? '', step?.svg ? ` ${plural(this.view.blocks().length, 'block')}.` : '');
    const remarks = (step?.remarks ?? []).map(remark => el('button', { type: 'button', 'data-block': remark.block },
      el('code', {}, remark.block), remark.name ? el('span', { class: 'dim' }, remark.name, ' ') : null, remark.text));
    this.remarks.replaceChildren(...(remarks.length ? remarks : step ? [el('p', {}, 'No remarks about this stage.')] : []));
    this.relight();
    this.onStep(step);
  }

  relight() {
    for (const remark of this.remarks.querySelectorAll('[data-block]')) {
      const key = this.view.step.function + ':' + remark.dataset.block;
      remark.classList.toggle('hot', light.hot.has(key));
      remark.classList.toggle('kept', light.kept.has(key));
    }
  }

  reveal() {}
}
