// Histograms and bars.

const CHART = { width: 400, height: 150, left: 8, right: 8, top: 18, bottom: 22 };

/** Bounds of bins: the factors within a power of a base, and each how many powers has a label. */
const DECADES = { base: 10, steps: [1, 1.5, 2, 3, 5, 7], label: 1 };
const DOUBLINGS = { base: 2, steps: [1, 1.5], label: 2 };
const BINS = { time: DECADES, bytes: DOUBLINGS, words: DOUBLINGS };

/** Bounds of bins, about equally wide on a logarithmic scale, that hold all values. Each says whether it
 * has a label. */
function bounds(low, high, { base, steps, label }) {
  const list = [];
  const from = Math.max(low, 1);
  for (let power = Math.floor(Math.log(from) / Math.log(base)) - 1; power < 64; power++) {
    for (const step of steps) {
      list.push({ at: step * base ** power, labelled: step === 1 && power % label === 0 });
      if (list.at(-1).at > high) return list.slice(Math.max(0, list.findLastIndex(bound => bound.at <= from)));
    }
  }
  return list;
}

/** The bins of a list of numbers: lower and upper bound, and how many are in it. */
function bins(values, scale) {
  if (!values.length) return [];
  let low = Infinity, high = 0;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const edges = bounds(low, high, scale);
  const list = edges.slice(1).map(({ at }, i) => ({ from: i ? edges[i].at : Math.min(low, edges[0].at), to: at, edge: edges[i], count: 0 }));
  for (const value of values) {
    let at = list.findIndex(bin => value < bin.to);
    if (at < 0) at = list.length - 1;
    list[at].count++;
  }
  return list;
}

/** The least values that so many of the values do not exceed. */
function quantiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = part => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
  return [['median', at(0.5)], ['90 %', at(0.9)], ['99 %', at(0.99)], ['max', sorted.at(-1)]];
}

/** A histogram of a value of shaders, which pass `filter`. A click shows the shaders of a bin. */
function histogram(title, note, name, indices, filter) {
  const values = indices.map(VALUE[name]);
  if (!values.length) return panel(title, note, el('p', { class: 'dim' }, 'No shader has one.'));
  const list = bins(values, BINS[name]), most = Math.max(...list.map(bin => bin.count));
  const { width, height, left, right, top, bottom } = CHART;
  const step = (width - left - right) / list.length, base = height - bottom;
  const picture = svg('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': `${title}: histogram` });
  for (const part of [0.5, 1]) {
    const y = base - part * (base - top);
    picture.append(svg('line', { class: 'grid', x1: left, x2: width - right, y1: y, y2: y }));
    if (part === 1) picture.append(svg('text', { class: 'most', x: left, y: y - 5 }, plural(most, 'shader')));
  }
  list.forEach((bin, i) => {
    const x = left + i * step;
    picture.append(bar(bin, name, filter, { x, step, base, top, most }));
    if (bin.edge.labelled) {
      picture.append(svg('line', { class: 'axis', x1: x, x2: x, y1: base, y2: base + 4 }),
        svg('text', { class: i ? 'tick' : 'tick first', x, y: base + 16 }, tickText(name, bin.edge.at)));
    }
  });
  picture.append(svg('line', { class: 'axis', x1: left, x2: width - right, y1: base, y2: base }));
  const facts = quantiles(values).map(([label, value]) => el('div', {}, el('dt', {}, label), el('dd', {}, FORMAT[name](value))));
  return panel(title, note, picture, el('dl', { class: 'facts' }, facts));
}

/** Labels are round numbers: without digits after the point. */
const tickText = (name, value) => FORMAT[name](value).replace(/\.0+(?= )/, '');

/** A bar, and above it the whole height as what can be clicked. */
function bar(bin, name, filter, { x, step, base, top, most }) {
  if (!bin.count) return '';
  const high = Math.max(1.5, (bin.count / most) * (base - top));
  const text = `${FORMAT[name](bin.from)} to ${FORMAT[name](bin.to)}: ${plural(bin.count, 'shader')}`;
  const group = svg('g', { class: 'bin' },
    svg('rect', { class: 'target', x, y: top, width: step, height: base - top }),
    svg('rect', { class: 'fill', x: x + 0.75, y: base - high, width: Math.max(1, step - 1.5), height: high, rx: 1 }));
  return asButton(withTip(group, text), () => showShaders({ ...filter, [name]: [bin.from, bin.to] }), text);
}

/** A table of names with a bar and numbers; `rows` have name, value, texts, and
 * action. */
function barTable(headings, rows, most = Math.max(1, ...rows.map(row => row.value))) {
  const head = el('tr', {}, headings.map((text, i) => el('th', { scope: 'col', class: i ? 'n' : '' }, text)));
  const body = rows.map(row => {
    const fill = el('span', { class: 'meter', 'aria-hidden': 'true' });
    fill.style.setProperty('--part', row.value / most);
    const name = row.action
      ? el('button', { type: 'button', class: 'link', title: row.title, onclick: row.action }, row.label ?? row.name)
      : el('span', { title: row.title }, row.label ?? row.name);
    return el('tr', {}, el('th', { scope: 'row' }, name, fill), row.texts.map(text => el('td', { class: 'n' }, text)));
  });
  return el('table', { class: 'bars' }, el('thead', {}, head), el('tbody', {}, body));
}
