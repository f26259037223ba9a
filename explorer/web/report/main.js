// Which view is shown, the keyboard.

const VIEWS = [
  ['overview', 'Overview', overview],
  ['shaders', 'Shaders', shadersView],
  ['failures', 'Failures', () => el('div', { class: 'page' }, failuresPanel(0))],
  ['operations', 'Operations', () => el('div', { class: 'page' }, operationsPanel(0))],
  ['structure', 'Structure', () => el('div', { class: 'page' }, structurePanel(true))],
];

const KEYS = [
  ['/', 'Search'], ['j  k  ↓  ↑', 'Next and previous shader'], ['Enter', 'Open the shader'], ['Esc', 'Back, or clear the search'],
  ['1 – 6', 'Views; in a shader those of its first pane'], ['t', 'Colours: automatic, light, dark'], ['?', 'This list'],
];

let saving = 0;

/** Writes the state to the address, but not at each key. */
function saveState() {
  clearTimeout(saving);
  saving = setTimeout(() => history.replaceState(null, '', fragment()), 150);
}

/** Goes to another view or shader, to which the browser's back button returns. */
function go(what) {
  clearTimeout(saving);
  history.replaceState(null, '', fragment());
  if (state.shader >= 0) lastOpened = state.shader;
  Object.assign(state, what);
  history.pushState(null, '', fragment());
  draw();
}

const showView = view => go({ view, shader: -1 });
const openShader = shader => go({ shader });
/** Shows the view from which the shader was opened again, or another one. */
const closeShader = (view = state.view) => go({ view, shader: -1 });

/** Shows the list with these filters only. */
function showShaders(filters) {
  go({ ...START, ...filters, view: 'shaders' });
  byId('search').value = state.query;
  moveCursor(0);
  table.box.scrollTop = 0;
  table.box.focus();
}

/** What is drawn now: a view's element is kept while shaders are opened from it, and where it was scrolled to,
 * since elements that are not in the document are not scrolled. */
let drawn = { view: '', element: null, scroll: 0 };

/** The element of the view that scrolls. */
const scroller = () => table?.box ?? byId('main');

function draw() {
  const main = byId('main');
  if (drawn.element?.isConnected) drawn.scroll = scroller().scrollTop;
  byId('tip').hidden = true;
  drawViews();
  byId('panes').hidden = true;
  document.body.classList.toggle('has-shader', state.shader >= 0);
  if (state.shader >= 0) {
    const page = shaderView(state.shader);
    main.replaceChildren(page);
    main.scrollTop = 0;
    main.focus({ preventScroll: true });
    document.title = `${pathOf(state.shader)[1]} – Trellis`;
    return;
  }
  document.title = 'Trellis batch report';
  const [name, , make] = VIEWS.find(([name]) => name === state.view) ?? VIEWS[0];
  const same = drawn.view === name;
  if (!same) {
    if (name !== 'shaders') table = null;
    drawn = { view: name, element: make(), scroll: 0 };
  }
  main.replaceChildren(drawn.element);
  if (table && (same || lastOpened >= 0)) applyFilters(lastOpened >= 0 ? lastOpened : table.order[table.cursor]);
  scroller().scrollTop = drawn.scroll;
  if (table) {
    table.list.refresh();
    moveCursor(table.cursor);
    table.box.focus({ preventScroll: true });
  }
  lastOpened = -1;
}

/** The shader that was open before the list is shown again. */
let lastOpened = -1;

function drawViews() {
  const numbers = { shaders: shaderCount, failures: data.totals.failed, operations: data.operations.length };
  byId('views').replaceChildren(...VIEWS.map(([name, text]) => el('button', {
    type: 'button', 'aria-current': state.shader < 0 && state.view === name ? 'page' : null, onclick: () => showView(name),
  }, text, numbers[name] !== undefined ? el('span', { class: `number${name === 'failures' && numbers[name] ? ' bad' : ''}` }, count(numbers[name])) : null)));
}

const help = () => showHelp(state.shader >= 0 ? KEYS.concat(KEYS_OF_GRAPH) : KEYS, state.shader >= 0 ? POINT : '',
  `Trellis ${data.version}, ${data.target}, outputs checked by ${data.validator}`);

/** Keys that work everywhere but in a text field. */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
  const typing = event.target.matches('input,select,textarea');
  if (state.shader >= 0 && !typing && keyOfGraph(event)) return;
  if (event.key === 'Escape') return escape(event);
  if (typing) return;
  const digit = '123456'.indexOf(event.key);
  if (event.key === '/') {
    event.preventDefault();
    byId('search').select();
  } else if (event.key === '?') help();
  else if (event.key === 't') nextTheme();
  else if (digit >= 0) chooseNumber(digit);
  else if (state.shader >= 0) keyInShader(event);
  else if (table) keyInList(event);
}

function chooseNumber(digit) {
  if (state.shader >= 0) [...panes[0].buttons.values()].filter(button => !button.hidden)[digit]?.click();
  else if (VIEWS[digit]) showView(VIEWS[digit][0]);
}

function escape(event) {
  const search = byId('search');
  if (event.target === search) {
    change({ query: '' });
    table?.box.focus();
  } else if (event.target.matches('input')) event.target.blur();
  else if (state.shader >= 0) closeShader();
  else if (state.query) change({ query: '' });
}

function keyInShader(event) {
  const by = { j: 1, k: -1 }[event.key];
  if (!by) return;
  const order = table ? table.order : all, to = order[order.indexOf(state.shader) + by];
  if (to !== undefined) openShader(to);
}

function keyInList(event) {
  const at = table.cursor, page = table.list.pageRows;
  const to = { j: at + 1, k: at - 1, ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: Infinity }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    moveCursor(to);
  } else if (event.key === 'Enter' && !event.target.matches('button') && table.order.length) {
    event.preventDefault();
    openShader(table.order[at]);
  }
}

function onSearch(event) {
  state.query = event.target.value.trim();
  if (state.view !== 'shaders' || state.shader >= 0) {
    Object.assign(state, { view: 'shaders', shader: -1 });
    draw();
    event.target.focus();
  } else applyFilters();
  if (table) table.box.scrollTop = 0;
  saveState();
}

function onAddress() {
  lastOpened = state.shader;
  readFragment();
  byId('search').value = state.query;
  draw();
}

/** Says something to who does not see the page. */
function say(text) {
  byId('said').textContent = text;
}

function panel(title, note, ...content) {
  const head = el('header', {}, el('h2', {}, title), note ? el('span', { class: 'dim' }, note) : null);
  return el('section', { class: 'panel', 'aria-label': title }, head, content);
}

byId('of').textContent = 'batch report';
byId('show-help').addEventListener('click', help);
const search = byId('search');
search.addEventListener('input', onSearch);
search.addEventListener('keydown', event => {
  if (event.key === 'Enter' || event.key === 'ArrowDown') table?.box.focus();
});
document.addEventListener('keydown', onKey);
addEventListener('popstate', onAddress);
readFragment();
search.value = state.query;
draw();
onView = () => { if (state.shader >= 0) saveState(); };
