// The page's state and its controls.

const DEFAULT_TARGET = 'vulkan1.3';
const PAUSE = 250; // milliseconds without a key after which options are used

// `bytes` and `source` of the shader; `answer` is what is shown, of the shader `shown`; `note` is about the link.
const state = { name: '', sample: true, bytes: undefined, source: undefined, entry: undefined, answer: undefined, note: undefined };
let loading = 0, running = 0; // how often it was begun: only the last one is shown
let defaults; // the last answer to compare with: { bytes, entry, answer }

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

// Shows what is wrong with the options where they are written; what is shown of the shader stays.
function showProblem(text) {
  byId('problem').textContent = text ?? '';
  byId('problem').hidden = !text;
  byId('json').toggleAttribute('aria-invalid', !!text);
  if (!text) return;
  if (byId('options').hidden) byId('show-options').click();
  // Not the shader before, with the name of this one.
  if (state.shown !== state.bytes) showAnswer(NOTHING);
  byId('status').textContent = '';
}

async function run() {
  if (!state.bytes) return;
  const mine = ++running;
  let options;
  try {
    options = optionsOfForm();
  } catch (error) {
    return showProblem('The options are ' + (error instanceof SyntaxError ? 'not JSON: ' : 'wrong: ') + error.message);
  }
  byId('status').textContent = 'converting…';
  const start = performance.now();
  try {
    const request = { entry: state.entry, options };
    // The layout recurses over the graph: where it fails, the rest can be shown.
    const answer = await ask(request, state.bytes).catch(error => {
      if (error instanceof Refusal) throw error;
      return ask({ ...request, largest_graph: 0 }, state.bytes);
    });
    const compared = byId('compare').checked ? await askDefaults() : undefined;
    if (mine !== running) return;
    const isWrong = answer.error?.kind === 'options';
    if (!isWrong || state.shown !== state.bytes) showAnswer(answer, compared);
    showProblem(isWrong ? answer.error.message : undefined);
    if (isWrong) return;
    state.shown = state.bytes;
    const time = Math.round(performance.now() - start);
    byId('status').textContent = `${state.name}: ${state.bytes.length} bytes of input` +
      (answer.output_bytes ? `, ${answer.output_bytes} bytes of SPIR-V` : '') + `, ${time} ms`;
  } catch (error) {
    if (mine !== running) return;
    showAnswer(NOTHING);
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
    defaults = { bytes, entry, answer: await ask({ entry, largest_graph: 0 }, bytes) };
  }
  return defaults.answer;
}

function showEntries({ entries, entry: shown }) {
  const options = entries.map((entry, index) => {
    const option = el('option', { value: entry.name }, `${entry.name} (${entry.stage})`);
    option.selected = index === shown;
    return option;
  });
  // A link may name one that the shader does not have: then another can be chosen, even if there is one only.
  const isUnknown = entries.length > 0 && state.entry !== undefined && !entries.some(entry => entry.name === state.entry);
  if (isUnknown) {
    const option = el('option', { value: state.entry }, `${state.entry} (not in the shader)`);
    options.unshift(option);
    option.selected = true;
  }
  byId('entry').replaceChildren(...options);
  if (isUnknown) byId('entry').value = state.entry;
  byId('entry-field').hidden = options.length < 2;
}

function showAnswer(answer, compared) {
  state.answer = answer;
  const error = answer.error && answer.error.kind !== 'options' && `${answer.error.kind}: ${answer.error.message}`;
  message([state.note, error].filter(Boolean).join('\n'));
  showEntries(answer);
  // A sample without debug information has its source next to it, SPIR-V of any compiler in its strings.
  const sources = answer.sources.length ? answer.sources : state.source ? [{ text: state.source, marks: [] }]
    : sourcesOfAssembly(answer.output.text);
  show({ ...answer, sources }, compared);
}

// Shows no shader, and why.
function clearPage(why) {
  running++;
  Object.assign(state, { name: '', bytes: undefined, source: undefined, entry: undefined, note: undefined });
  light.kept = new Set();
  byId('sample').value = '';
  byId('status').textContent = '';
  showAnswer(NOTHING);
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
  let typing;
  byId('json').oninput = () => {
    clearTimeout(typing);
    typing = setTimeout(changed, PAUSE);
  };
  byId('reset').onclick = () => { setForm({}); changed(); };
  byId('share').onclick = async () => {
    await writeLink();
    const isWhole = state.sample || location.hash.includes('bytes=');
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    byId('status').textContent = !isWhole ? tooLarge(state.name)
      : copied ? 'The link is in the clipboard.' : 'The link is in the address bar.';
  };
  byId('show-help').onclick = help;
  // Another link in the address bar, or Back; what the page writes there does not count.
  addEventListener('hashchange', readLink);
  addEventListener('dragover', event => { event.preventDefault(); document.body.classList.add('drop'); });
  addEventListener('dragleave', event => { if (!event.relatedTarget) document.body.classList.remove('drop'); });
  addEventListener('drop', event => {
    event.preventDefault();
    document.body.classList.remove('drop');
    if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
  });
  connectKeys({
    o: () => byId('open').click(), s: () => byId('sample').focus(), p: () => byId('show-options').click(), t: nextTheme, '?': help,
  });
  onView = writeLink;
}

function help() {
  const keys = [
    ['o', 'Open a file (or drop one anywhere)'], ['s', 'Choose a shader'], ['p', 'Options'], ['t', 'Colours: as the system, light, dark'],
    ['Esc', 'Let go of the block, close'],
  ];
  showHelp(KEYS_OF_GRAPH.concat(keys), POINT,
    'Nothing leaves this page: the shader is converted in the browser, or by the trellis serve that the page came from.');
}

async function startExplorer() {
  byId('of').textContent = 'explorer';
  byId('sample').append(el('option', { value: '' }, '–'));
  let problem;
  const names = await shaderNames().catch(error => { problem = error.message; return []; });
  for (const name of names) byId('sample').append(el('option', { value: name }, name));
  for (const target of data.targets) byId('target').append(el('option', { value: target }, target));
  byId('target').value = DEFAULT_TARGET;
  for (const stage of data.stages) {
    const box = el('input', { type: 'checkbox', name: stage.name });
    box.checked = true;
    byId('stages').append(el('label', { title: stage.about }, box, ' ' + stage.name));
  }
  connect();
  await readLink();
  if (problem) message(problem);
  document.documentElement.dataset.ready = Math.ceil(performance.now());
}
