// The page's state and its controls.

const byId = id => document.getElementById(id);
const PANES = [['pseudo_code', 'Pseudo-code'], ['input', 'DXIL'], ['output', 'SPIR-V'], ['source', 'HLSL']];
const DEFAULT_TARGET = 'vulkan1.3';
const NOTHING = { entries: [], functions: [], input: { text: '', marks: [] }, output: { text: '', marks: [] } };

// `bytes` and `source` of the shader; `answer` is what is shown, of the shader `shown`; `note` is about the link.
const state = { name: '', sample: true, bytes: undefined, source: undefined, entry: undefined, answer: undefined, note: undefined };
let loading = 0, running = 0; // how often it was begun: only the last one is shown
let defaults; // the last answer to compare with: { bytes, entry, answer }

const panes = [...document.querySelectorAll('.text-pane')].map(root => new TextPane(root, PANES));
const graph = new GraphPane(() => writeLink());

function message(text) {
  byId('message').hidden = !text;
  byId('message').textContent = text ?? '';
}

function checkObject(value, what) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new TypeError(`${what} ${JSON.stringify(value)}, which is not an object`);
  }
}

// Throws if these are not options in their form; the engine checks the rest.
function checkOptions(options) {
  checkObject(options, 'the options are');
  if (options.structurizer !== undefined) checkObject(options.structurizer, '`structurizer` is');
  if (options.structurizer?.stages !== undefined) checkObject(options.structurizer.stages, '`stages` is');
}

// The options that the form has, in the form of `--options`. Throws if the text is not JSON, or not options.
function optionsOfForm() {
  let options = {};
  const text = byId('json').value.trim();
  if (text) options = JSON.parse(text);
  checkOptions(options);
  if (byId('target').value !== DEFAULT_TARGET) options.target = byId('target').value;
  const off = [...document.querySelectorAll('#stages input:not(:checked)')].map(box => [box.name, false]);
  if (off.length) {
    options.structurizer = { ...options.structurizer, stages: { ...options.structurizer?.stages, ...Object.fromEntries(off) } };
  }
  return options;
}

function setForm(options) {
  checkOptions(options);
  const { target = DEFAULT_TARGET, structurizer: { stages: { ...stages } = {}, ...structurizer } = {}, ...rest } = options;
  if (!data.targets.includes(target)) throw new TypeError(`there is no target ${JSON.stringify(target)}`);
  byId('target').value = target;
  for (const box of document.querySelectorAll('#stages input')) {
    box.checked = stages[box.name] !== false;
    if (typeof stages[box.name] === 'boolean') delete stages[box.name];
  }
  // What has no control is in the text, where the engine finds what is wrong with it.
  if (Object.keys(stages).length) structurizer.stages = stages;
  if (Object.keys(structurizer).length) rest.structurizer = structurizer;
  byId('json').value = Object.keys(rest).length ? JSON.stringify(rest, null, 2) : '';
}

async function run() {
  if (!state.bytes) return;
  const mine = ++running;
  let options;
  try {
    options = optionsOfForm();
  } catch (error) {
    // Not the shader before, with the name of this one.
    if (state.shown !== state.bytes) show(NOTHING);
    message('The options are ' + (error instanceof SyntaxError ? 'not JSON: ' : 'wrong: ') + error.message);
    byId('status').textContent = '';
    return;
  }
  byId('status').textContent = 'converting…';
  const start = performance.now();
  try {
    const request = { entry: state.entry, options };
    // The layout recurses over the graph: where it fails, the rest can be shown.
    const answer = await ask(request, state.bytes).catch(error => {
      if (error instanceof Refusal) throw error;
      return ask({ ...request, without_pictures: true }, state.bytes);
    });
    const compared = byId('compare').checked ? await askDefaults() : undefined;
    if (mine !== running) return;
    show(answer, compared);
    state.shown = state.bytes;
    const time = Math.round(performance.now() - start);
    byId('status').textContent = `${state.name}: ${state.bytes.length} bytes of input` +
      (answer.output_bytes ? `, ${answer.output_bytes} bytes of SPIR-V` : '') + `, ${time} ms`;
  } catch (error) {
    if (mine !== running) return;
    show(NOTHING);
    message(error instanceof Refusal ? error.message
      : 'This is a bug in Trellis: please report it together with the shader.\n' + error.message);
    byId('status').textContent = '';
  }
  writeLink();
}

// Asks for what the default options give, which does not change with them.
async function askDefaults() {
  const { bytes, entry } = state;
  if (defaults?.bytes !== bytes || defaults.entry !== entry) {
    defaults = { bytes, entry, answer: await ask({ entry, without_pictures: true }, bytes) };
  }
  return defaults.answer;
}

function showEntries({ entries, entry: shown }) {
  const options = entries.map((entry, index) => {
    const option = element('option', { value: entry.name }, `${entry.name} (${entry.stage})`);
    option.selected = index === shown;
    return option;
  });
  // A link may name one that the shader does not have: then another can be chosen, even if there is one only.
  const isUnknown = entries.length > 0 && state.entry !== undefined && !entries.some(entry => entry.name === state.entry);
  if (isUnknown) {
    const option = element('option', { value: state.entry }, `${state.entry} (not in the shader)`);
    options.unshift(option);
    option.selected = true;
  }
  byId('entry').replaceChildren(...options);
  if (isUnknown) byId('entry').value = state.entry;
  byId('entry-field').hidden = options.length < 2;
}

// Returns the pseudo-code of all functions as one text.
function pseudoCode({ functions, no_functions: why }) {
  let text = why ? `// No pseudo-code: ${why}\n` : '', lines = 0;
  const marks = [];
  for (const view of functions) {
    if (functions.length > 1) { text += `// ==== ${view.name} ====\n`; lines++; }
    marks.push(...view.pseudo_code.marks.map(mark => ({ ...mark, line: mark.line + lines })));
    text += view.pseudo_code.text;
    lines += view.pseudo_code.text.split('\n').length - 1;
  }
  return { text, marks };
}

function show(answer, compared) {
  state.answer = answer;
  const error = answer.error && `${answer.error.kind}: ${answer.error.message}`;
  message([state.note, error].filter(Boolean).join('\n'));
  showEntries(answer);
  const withBefore = (view, before) => ({ ...view, before });
  const texts = {
    pseudo_code: withBefore(pseudoCode(answer), compared && pseudoCode(compared).text),
    input: answer.input,
    output: { ...withBefore(answer.output, compared?.output.text), keysOf: withoutIds },
  };
  if (state.source) texts.source = { text: state.source, marks: [] };
  const isGraph = !answer.entries.length;
  for (const pane of panes) {
    pane.buttons.get('input').textContent = isGraph ? 'Input' : 'DXIL';
    pane.buttons.get('output').textContent = isGraph ? 'Result' : 'SPIR-V';
    if (!texts[pane.root.dataset.view]) pane.root.dataset.view = 'input';
    pane.setTexts(texts);
  }
  graph.setFunctions(answer.functions, answer.no_functions && 'No graph: ' + answer.no_functions);
}

// Shows no shader, and why.
function clearPage(why) {
  running++;
  Object.assign(state, { name: '', bytes: undefined, source: undefined, entry: undefined, note: undefined });
  light.kept = new Set();
  byId('sample').value = '';
  byId('status').textContent = '';
  show(NOTHING);
  message(why);
}

// Opens what `read` returns, unless something else is opened meanwhile. `of` may have the entry point, a note to
// show with it, and whether this is a place of the history already.
async function load(name, read, of = {}) {
  const mine = ++loading;
  // A link that leads to nothing is not answered with what was shown before.
  if (of.isPlace) running++;
  let found;
  try {
    found = await read();
  } catch (error) {
    if (mine !== loading) return;
    if (of.isPlace) return clearPage([of.note, error.message].filter(Boolean).join('\n'));
    byId('sample').value = state.sample ? state.name : '';
    return message(error.message);
  }
  // The link of the shader before is complete before there is a new one.
  if (!of.isPlace) await linkTask;
  if (mine === loading) await open(name, found.bytes, { ...of, ...found });
}

async function open(name, bytes, { source, sample = false, entry, note, isPlace } = {}) {
  const isOther = state.bytes && !(sample && state.sample && name === state.name);
  if (isOther && !isPlace) isNewPlace = true;
  Object.assign(state, { name, bytes, source, sample, entry, note });
  light.kept = new Set();
  byId('sample').value = sample ? name : '';
  await run();
}

async function openSample(name, of) {
  await load(name, async () => ({ ...await shaderBytes(name), sample: true }), of);
}

async function openFile(file) {
  await load(file.name, async () => {
    // A folder can be dropped, too.
    const bytes = await file.arrayBuffer().catch(error => {
      throw new Refusal(`${file.name} cannot be read: ${error.message}`);
    });
    return { bytes: new Uint8Array(bytes) };
  });
}

// The choice of colours is kept, unless the browser keeps nothing for this page.
const THEME = 'trellis-explorer-theme';
const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
function keptTheme() {
  try { return localStorage.getItem(THEME); } catch { return null; }
}
function setTheme(dark, keep) {
  document.documentElement.classList.toggle('dark', dark);
  if (!keep) return;
  try {
    if (dark === systemIsDark()) localStorage.removeItem(THEME);
    else localStorage.setItem(THEME, dark ? 'dark' : 'light');
  } catch { /* It lasts as long as the page. */ }
}

function connect() {
  byId('sample').onchange = event => { if (event.target.value) openSample(event.target.value); };
  byId('entry').onchange = event => { state.entry = event.target.value; run(); };
  byId('open').onclick = () => byId('file').click();
  byId('file').onchange = event => { if (event.target.files[0]) openFile(event.target.files[0]); event.target.value = ''; };
  byId('show-options').onclick = event => {
    byId('options').hidden = !byId('options').hidden;
    event.currentTarget.setAttribute('aria-expanded', String(!byId('options').hidden));
  };
  byId('options').onsubmit = event => event.preventDefault();
  const changed = () => { state.note = undefined; run(); };
  byId('options').onchange = changed;
  byId('reset').onclick = () => { setForm({}); changed(); };
  byId('share').onclick = async () => {
    await writeLink();
    const whole = state.sample || location.hash.includes('bytes=');
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    byId('status').textContent = !whole ? 'The shader is too large for a link.'
      : copied ? 'The link is in the clipboard.' : 'The link is in the address bar.';
  };
  byId('theme').onclick = () => setTheme(!document.documentElement.classList.contains('dark'), true);
  byId('show-help').onclick = () => byId('help').showModal();
  setTheme(keptTheme() ? keptTheme() === 'dark' : systemIsDark());
  // Another link in the address bar, or Back; what the page writes there does not count.
  addEventListener('hashchange', readLink);
  addEventListener('dragover', event => { event.preventDefault(); document.body.classList.add('drop'); });
  addEventListener('dragleave', event => { if (!event.relatedTarget) document.body.classList.remove('drop'); });
  addEventListener('drop', event => {
    event.preventDefault();
    document.body.classList.remove('drop');
    if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
  });
  connectKeys();
}

function connectKeys() {
  addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea, dialog')) return;
    // A text that has the focus is scrolled with these.
    if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key) && event.target.closest('.lines')) return;
    const act = {
      ArrowLeft: () => graph.show(graph.now - 1),
      ArrowRight: () => graph.show(graph.now + 1),
      Home: () => graph.show(0),
      End: () => graph.show(graph.steps.length - 1),
      '+': () => graph.enlarge(1.25),
      '-': () => graph.enlarge(0.8),
      0: () => graph.enlarge(),
      Escape: () => { light.kept = new Set(); light.changed(); },
      o: () => byId('open').click(),
      s: () => byId('sample').focus(),
      p: () => byId('show-options').click(),
      '?': () => byId('help').showModal(),
    }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
}

async function start() {
  byId('sample').append(element('option', { value: '' }, '–'));
  let problem;
  const names = await shaderNames().catch(error => { problem = error.message; return []; });
  for (const name of names) byId('sample').append(element('option', { value: name }, name));
  for (const target of data.targets) byId('target').append(element('option', { value: target }, target));
  byId('target').value = DEFAULT_TARGET;
  for (const stage of data.stages) {
    const box = element('input', { type: 'checkbox', name: stage.name });
    box.checked = true;
    byId('stages').append(element('label', { title: stage.about }, box, ' ' + stage.name));
  }
  connect();
  await readLink();
  if (problem) message(problem);
  document.documentElement.dataset.ready = 'true';
}

start();
