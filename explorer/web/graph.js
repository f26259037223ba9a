// The pane of the graph, with the remarks of a stage.

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
      // A remark leads to the block in the graph, too.
      const from = pane === this.graph ? this : pane;
      for (const kind of ['mousemove', 'focusin']) pane.addEventListener(kind, event => light.point(keysAt(event), from));
      for (const kind of ['mouseleave', 'focusout']) pane.addEventListener(kind, () => light.point([]));
      pane.addEventListener('click', event => light.keep(keysAt(event), from));
    }
    light.listeners.push(this);
    new ResizeObserver(() => this.scale()).observe(this.graph);
    this.graph.addEventListener('wheel', event => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.enlarge(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    }, { passive: false });
    this.graph.addEventListener('focusin', event => this.stopAt(event.target));
    this.graph.addEventListener('keydown', event => this.keyAtBlock(event, keysAt(event)));
  }

  setFunctions(functions, why) {
    const several = functions.length > 1;
    this.why = why;
    this.steps = functions.flatMap((view, number) =>
      view.steps.map(step => ({ ...step, function: number, name: several ? view.name : '' })));
    this.nav.replaceChildren(...this.steps.map((step, index) => {
      const title = (step.name ? step.name + ': ' : '') + step.stage;
      const button = element('button', { type: 'button' }, title);
      button.onclick = () => this.show(index);
      return button;
    }));
    this.show(this.wanted ?? this.steps.length - 1, false);
  }

  // Shows a step. One that was asked for is shown of the next shader, too, even after one without steps.
  show(index, asked = true) {
    const focused = this.graph.contains(document.activeElement) ? document.activeElement.dataset.block : undefined;
    this.now = Math.max(0, Math.min(this.steps.length - 1, index));
    if (asked && this.steps.length) this.wanted = this.now === this.steps.length - 1 ? undefined : this.now;
    [...this.nav.children].forEach((button, at) =>
      at === this.now ? button.setAttribute('aria-current', 'step') : button.removeAttribute('aria-current'));
    const step = this.steps[this.now];
    document.getElementById('about').textContent = step?.about ?? '';
    if (step?.svg) {
      // Of this program, which escapes the names of the input.
      this.graph.innerHTML = step.svg;
      this.scale();
      this.prepareBlocks();
    } else {
      this.graph.replaceChildren(element('p', { class: 'empty' }, step?.not_drawn ?? this.why ?? 'No graph.'));
    }
    const remarks = (step?.remarks ?? []).map(remark =>
      element('button', { type: 'button', 'data-block': remark.block }, element('code', {}, remark.block), remark.text));
    this.remarks.replaceChildren(...(remarks.length ? remarks : step ? [element('p', {}, 'No remarks about this stage.')] : []));
    this.relight();
    // The entry or what is kept may be out of sight in a large picture.
    const kept = this.graph.querySelector('.tv-kept');
    this.bring(kept ?? this.entry(), !kept);
    if (focused) (this.block(focused) ?? this.entry())?.focus({ preventScroll: true });
    this.onStep(this.now);
  }

  block(name) {
    return this.graph.querySelector(`[data-block="${name}"]`);
  }

  entry() {
    return this.block('b0');
  }

  // Scrolls to a block: so that it is in the middle, or at the top.
  bring(block, atTop = false) {
    if (!block) return;
    const pane = this.graph.getBoundingClientRect(), box = block.getBoundingClientRect();
    this.graph.scrollLeft += (box.left + box.right - pane.left - pane.right) / 2;
    this.graph.scrollTop += atTop ? box.top - pane.top - 12 : (box.top + box.bottom - pane.top - pane.bottom) / 2;
  }

  // Sets the size of the picture, which is never so small that its text cannot be read. What is in the middle
  // stays there.
  scale() {
    const svg = this.graph.querySelector('svg');
    if (!svg) return;
    const { width, height } = svg.viewBox.baseVal;
    const fits = Math.min((this.graph.clientWidth - 24) / width, (this.graph.clientHeight - 24) / height);
    const zoom = this.zoom ?? Math.max(0.6, Math.min(1, fits));
    const pane = this.graph.getBoundingClientRect(), before = svg.getBoundingClientRect();
    const at = (middle, start, size) => size ? (middle - start) / size : 0.5;
    const x = at((pane.left + pane.right) / 2, before.left, before.width);
    const y = at((pane.top + pane.bottom) / 2, before.top, before.height);
    svg.setAttribute('width', width * zoom);
    svg.setAttribute('height', height * zoom);
    this.shown = zoom;
    const after = svg.getBoundingClientRect();
    this.graph.scrollLeft += after.left + x * after.width - (pane.left + pane.right) / 2;
    this.graph.scrollTop += after.top + y * after.height - (pane.top + pane.bottom) / 2;
  }

  // Makes the picture larger by a factor; without one, it fits into the pane.
  enlarge(factor) {
    this.zoom = factor && Math.max(0.1, Math.min(4, this.shown * factor));
    this.scale();
  }

  // Makes the blocks accessible to the keyboard: Tab stops at one of them, the arrows lead to the others.
  prepareBlocks() {
    // As an image, it would have no parts for programs that read pages aloud.
    this.graph.querySelector('svg').setAttribute('role', 'group');
    for (const block of this.graph.querySelectorAll('[data-block]')) {
      block.setAttribute('role', 'button');
      block.setAttribute('aria-label', [...block.querySelectorAll('text')].map(text => text.textContent).join(' '));
      block.setAttribute('tabindex', '-1');
    }
    this.entry()?.setAttribute('tabindex', '0');
  }

  // Makes a block the one at which Tab stops.
  stopAt(target) {
    if (!target.dataset.block) return;
    this.graph.querySelector('[data-block][tabindex="0"]')?.setAttribute('tabindex', '-1');
    target.setAttribute('tabindex', '0');
  }

  keyAtBlock(event, keys) {
    if (!keys.length || event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by) {
      const blocks = [...this.graph.querySelectorAll('[data-block]')];
      const next = blocks[blocks.indexOf(event.target) + by];
      next?.focus({ preventScroll: true });
      this.reveal(light.hot, true);
    } else if (event.key === 'Enter' || event.key === ' ') {
      light.keep(keys, this);
    } else {
      return;
    }
    event.preventDefault();
  }

  relight() {
    const number = this.steps[this.now]?.function;
    for (const block of document.querySelectorAll('#graph [data-block], #remarks [data-block]')) {
      const key = number + ':' + block.dataset.block;
      block.classList.toggle(block.tagName === 'BUTTON' ? 'hot' : 'tv-hot', light.hot.has(key));
      block.classList.toggle(block.tagName === 'BUTTON' ? 'kept' : 'tv-kept', light.kept.has(key));
    }
  }

  // Scrolls to the first of these blocks; with `ifUnseen`, unless one is in sight.
  reveal(wanted, ifUnseen) {
    const number = this.steps[this.now]?.function;
    const found = [...this.graph.querySelectorAll('[data-block]')].filter(block => wanted.has(number + ':' + block.dataset.block));
    const pane = this.graph.getBoundingClientRect();
    const isSeen = block => {
      const box = block.getBoundingClientRect();
      return box.top >= pane.top && box.bottom <= pane.bottom && box.left >= pane.left && box.right <= pane.right;
    };
    if (!(ifUnseen && found.some(isSeen))) this.bring(found[0]);
  }
}
