// The list of shaders with its filters.

const ROW = 34;

const COLUMNS = [
  ['status', 'Status'], ['name', 'Shader'], ['stage', 'Stage'], ['bytes', 'Input', 'n'], ['words', 'SPIR-V', 'n'],
  ['time', 'Time', 'n'], ['structure', 'Structure, or why it failed'],
];

/** The list in sight: its shaders, the row that keys move, and its elements. */
let table = null;

function shadersView() {
  const box = el('div', {
    class: 'rows', role: 'grid', tabindex: '0', 'aria-label': 'Shaders', 'aria-colcount': COLUMNS.length,
  });
  const head = el('div', { class: 'row head', role: 'row' });
  box.append(head);
  const found = el('span', { class: 'dim', id: 'found' });
  const filters = el('div', { class: 'filters' });
  const page = el('div', { class: 'list' }, filters, box);
  table = { box, head, filters, found, order: [], cursor: 0 };
  table.list = new VirtualList(box, ROW, renderRow);
  box.addEventListener('click', event => {
    const row = event.target.closest('[data-at]');
    if (row) openShader(table.order[+row.dataset.at]);
  });
  applyFilters();
  return page;
}

/** Finds the shaders again, after a change of the filter or order. */
function applyFilters(keep = -1) {
  if (!table) return;
  table.order = visibleShaders();
  table.cursor = Math.max(0, table.order.indexOf(keep));
  drawHead();
  drawFilters();
  table.box.setAttribute('aria-rowcount', table.order.length + 1);
  table.found.textContent = `${count(table.order.length)} of ${plural(shaderCount, 'shader')}`
    + (table.order.length > table.list.most ? `; the first ${count(table.list.most)} are listed` : '');
  table.box.classList.toggle('none', !table.order.length);
  table.list.setCount(table.order.length);
  say(table.found.textContent);
}

function drawHead() {
  const cells = COLUMNS.map(([key, text, kind]) => {
    const sorted = state.sort === key;
    const button = el('button', { type: 'button', onclick: () => sortBy(key) }, text,
      el('span', { class: 'arrow', 'aria-hidden': 'true' }, sorted ? (state.down ? '↓' : '↑') : ''));
    return el('div', { role: 'columnheader', class: kind ?? '', 'aria-sort': sorted ? (state.down ? 'descending' : 'ascending') : 'none' }, button);
  });
  // The focus stays on the button that was used.
  const at = [...table.head.children].findIndex(cell => cell.contains(document.activeElement));
  table.head.replaceChildren(...cells);
  table.head.children[at]?.firstChild.focus();
}

/** Sorts by a column: numbers from the top first, and a third click gives the report's order. */
function sortBy(key) {
  const first = ['bytes', 'words', 'time', 'structure'].includes(key);
  if (state.sort !== key) Object.assign(state, { sort: key, down: first });
  else if (state.down === first) state.down = !first;
  else Object.assign(state, { sort: 'order', down: false });
  saveState();
  applyFilters();
  table.box.scrollTop = 0;
}

function drawFilters() {
  const t = data.totals;
  const choices = [['', 'All', shaderCount], ['c', 'Converted', t.converted], ['f', 'Failed', t.failed], ['s', 'Skipped', t.skipped]];
  const buttons = choices.filter(([key, , n]) => !key || n).map(([key, text, n]) =>
    el('button', { type: 'button', 'aria-pressed': String(state.status === key), onclick: () => change({ status: key }) }, text, ' ', el('span', { class: 'dim' }, count(n))));
  const select = el('select', { 'aria-label': 'Stage', onchange: event => change({ stage: event.target.value }) },
    el('option', { value: '' }, 'All stages'), [...data.stages].sort().map(name => el('option', { value: name, selected: state.stage === name }, name)));
  const focused = table.filters.contains(document.activeElement) ? [...table.filters.querySelectorAll('button,select')].indexOf(document.activeElement) : -1;
  table.filters.replaceChildren(el('div', { class: 'choices', role: 'group', 'aria-label': 'Status' }, buttons), select, ...chips(), table.found);
  table.filters.querySelectorAll('button,select')[focused]?.focus();
}

/** What was clicked in other views, each with a button that removes it. */
function chips() {
  const list = [];
  const chip = (text, reset) => list.push(el('button', { type: 'button', class: 'chip', title: 'Remove this filter', onclick: () => change(reset) }, text, el('span', { 'aria-hidden': 'true' }, '×')));
  const label = { time: 'time', bytes: 'input', words: 'SPIR-V' };
  for (const name of RANGES) {
    if (state[name]) chip(`${label[name]} ${FORMAT[name](state[name][0])} to ${FORMAT[name](state[name][1])}`, { [name]: null });
  }
  if (state.cause >= 0) chip(`cause: ${data.causes[state.cause].what}`, { cause: -1 });
  if (state.operation >= 0) chip(`uses ${data.operations[state.operation]}`, { operation: -1 });
  if (state.counter >= 0) chip(`has ${data.counters[state.counter]}`, { counter: -1 });
  if (state.query) chip(`“${state.query}”`, { query: '' });
  return list;
}

function change(what) {
  Object.assign(state, what);
  if ('query' in what) byId('search').value = state.query;
  saveState();
  applyFilters();
  if (table) table.box.scrollTop = 0;
}

/** Makes the cells of a row, once: rows are filled again as the list scrolls. */
function rowParts(row) {
  const part = kind => el('span', { class: kind });
  const status = document.createTextNode('');
  const [folder, file, entry] = [part('dim folder'), part('file'), part('entry')];
  const cell = (kind, ...content) => el('div', { role: 'gridcell', class: kind }, content);
  const [stage, bytes, words, time, result] = ['dim', 'n', 'n', 'n', 'message'].map(kind => cell(kind));
  row.setAttribute('role', 'row');
  row.append(cell('status', el('span', { class: 'dot', 'aria-hidden': 'true' }), status), cell('path', folder, file, entry), stage, bytes, words, time, result);
  return { status, folder, file, entry, stage, bytes, words, time, result };
}

const partsOfRow = new WeakMap();

/** Fills a row; `at` is its position in the list. */
function renderRow(row, at) {
  if (!partsOfRow.has(row)) partsOfRow.set(row, rowParts(row));
  const parts = partsOfRow.get(row);
  const i = table.order[at], status = statusOf(i), entry = entryOf(i);
  row.className = `row ${STATUS[status]}${at === table.cursor ? ' now' : ''}`;
  row.id = `row-${at}`;
  row.dataset.at = at;
  row.setAttribute('aria-rowindex', at + 2);
  row.setAttribute('aria-selected', at === table.cursor);
  [parts.folder.textContent, parts.file.textContent] = pathOf(i);
  parts.entry.textContent = entry === 'main' ? '' : entry;
  parts.status.data = STATUS[status];
  parts.stage.textContent = stageOf(i);
  parts.bytes.textContent = bytesText(shaders.bytes[i]);
  parts.words.textContent = status === 'c' ? wordsText(shaders.words[i]) : '–';
  parts.time.textContent = timeText(shaders.time[i]);
  parts.result.textContent = resultOf(i);
  parts.result.className = status === 'f' ? 'message' : 'dim';
  if (at === table.cursor) table.box.setAttribute('aria-activedescendant', row.id);
}

/** What is special about a shader, in a line. */
function resultOf(i) {
  if (shaders.message[i] !== undefined) return shaders.message[i];
  const parts = [];
  if (shaders.not_validated[i] !== undefined) parts.push('not validated');
  pairs(shaders.counts[i], (number, value) => {
    if (SHOWN_COUNTERS.has(data.counters[number])) parts.push(counterText(data.counters[number], value));
    if (number === BLOCKS) parts.unshift(`${plural(value, 'block')} inserted`);
  });
  return parts.join(' · ');
}

const SHOWN_COUNTERS = new Set(['selectors', 'dispatch headers', 'breakable blocks', 'copies']);

const counterText = (name, value) => `${count(value)} ${value === 1 ? name.replace(/ies$/, 'y').replace(/s$/, '') : name}`;

/** Moves the row that Enter opens. */
function moveCursor(to) {
  if (!table?.order.length) return;
  table.cursor = Math.max(0, Math.min(table.order.length - 1, to));
  table.list.refresh();
  table.list.reveal(table.cursor);
}
