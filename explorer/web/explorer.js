// The page's state, its controls and its link.

const byId = id => document.getElementById(id);
const PANES = [['pseudo_code', 'Pseudo-code'], ['input', 'DXIL'], ['output', 'SPIR-V'], ['source', 'HLSL']];
const MAX_LINK = 64 << 10; // characters of a shader in a link

// `bytes` and `source` of the shader; `answer` is what is shown, `defaults` the same with default options.
const state = { name: '', sample: true, bytes: undefined, source: undefined, entry: undefined, answer: undefined };
let running = 0;

const panes = [...document.querySelectorAll('.text-pane')].map(root => new TextPane(root, PANES));
const graph = new GraphPane(() => writeLink());

function message(text) {
  byId('message').hidden = !text;
  byId('message').textContent = text ?? '';
}

// The options that the form has, in the form of `--options`; undefined if the text is not JSON.
function optionsOfForm() {
  let options = {};
  const text = byId('json').value.trim();
  if (text) options = JSON.parse(text);
  if (byId('target').value !== 'vulkan1.3') options.target = byId('target').value;
  const off = [...document.querySelectorAll('#stages input:not(:checked)')].map(box => [box.name, false]);
  if (off.length) {
    options.structurizer = { ...options.structurizer, stages: { ...options.structurizer?.stages, ...Object.fromEntries(off) } };
  }
  return options;
}

function setForm(options) {
  const { target, structurizer: { stages, ...structurizer } = {}, ...rest } = options;
  byId('target').value = target ?? 'vulkan1.3';
  for (const box of document.querySelectorAll('#stages input')) box.checked = stages?.[box.name] !== false;
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
    message('The options are not JSON: ' + error.message);
    return;
  }
  byId('status').textContent = 'converting…';
  const start = performance.now();
  try {
    const request = { entry: state.entry, options };
    // The layout recurses over the graph: where it fails, the rest can be shown.
    const answer = await ask(request, state.bytes)
      .catch(() => ask({ ...request, without_pictures: true }, state.bytes));
    const compared = byId('compare').checked ? await ask({ entry: state.entry, without_pictures: true }, state.bytes) : undefined;
    if (mine !== running) return;
    show(answer, compared);
    const time = Math.round(performance.now() - start);
    byId('status').textContent = `${state.name}: ${state.bytes.length} bytes of input` +
      (answer.output_bytes ? `, ${answer.output_bytes} bytes of SPIR-V` : '') + `, ${time} ms`;
  } catch (error) {
    if (mine !== running) return;
    show({ entries: [], functions: [], input: { text: '', marks: [] }, output: { text: '', marks: [] } });
    message('This is a bug in Trellis: please report it together with the shader.\n' + error.message);
    byId('status').textContent = '';
  }
  writeLink();
}

function show(answer, compared) {
  state.answer = answer;
  message(answer.error && `${answer.error.kind}: ${answer.error.message}`);
  const entries = answer.entries.map((entry, index) => {
    const option = element('option', { value: entry.name }, `${entry.name} (${entry.stage})`);
    option.selected = index === answer.entry;
    return option;
  });
  byId('entry').replaceChildren(...entries);
  byId('entry-field').hidden = entries.length < 2;
  const pseudoCode = of => {
    let text = '', lines = 0;
    const marks = [];
    for (const view of of.functions) {
      if (of.functions.length > 1) { text += `// ==== ${view.name} ====\n`; lines++; }
      marks.push(...view.pseudo_code.marks.map(mark => ({ ...mark, line: mark.line + lines })));
      text += view.pseudo_code.text;
      lines += view.pseudo_code.text.split('\n').length - 1;
    }
    return { text, marks };
  };
  const withBefore = (view, before) => ({ ...view, before });
  const texts = {
    pseudo_code: withBefore(pseudoCode(answer), compared && pseudoCode(compared).text),
    input: answer.input,
    output: withBefore(answer.output, compared?.output.text),
  };
  if (state.source) texts.source = { text: state.source, marks: [] };
  const isGraph = !answer.entries.length;
  for (const pane of panes) {
    pane.buttons.get('input').textContent = isGraph ? 'Input' : 'DXIL';
    pane.buttons.get('output').textContent = isGraph ? 'Result' : 'SPIR-V';
    if (!texts[pane.root.dataset.view]) pane.root.dataset.view = 'input';
    pane.setTexts(texts);
  }
  graph.setFunctions(answer.functions);
}

async function open(name, bytes, { source, sample = false, entry } = {}) {
  Object.assign(state, { name, bytes, source, sample, entry });
  light.kept = new Set();
  if (!sample) byId('sample').value = '';
  await run();
}

async function openSample(name, entry) {
  const found = await shaderBytes(name);
  if (!found) return message(`There is no shader ${name}.`);
  byId('sample').value = name;
  await open(name, found.bytes, { source: found.source, sample: true, entry });
}

async function openFile(file) {
  await open(file.name, new Uint8Array(await file.arrayBuffer()));
}

// The link has the shader's name, or its bytes, and all that is not a default.
let linkTask = Promise.resolve();
function writeLink() {
  linkTask = linkTask.then(async () => {
    const link = new URLSearchParams();
    if (state.sample) link.set('shader', state.name);
    else if (state.bytes) {
      const packed = await packForLink(state.bytes);
      if (packed.length <= MAX_LINK) { link.set('name', state.name); link.set('bytes', packed); }
    }
    if (state.entry) link.set('entry', state.entry);
    try {
      const options = JSON.stringify(optionsOfForm());
      if (options !== '{}') link.set('options', options);
    } catch { /* What is being typed is not in the link. */ }
    if (byId('compare').checked) link.set('compare', '1');
    if (graph.wanted !== undefined) link.set('step', graph.wanted);
    link.set('panes', panes.map(pane => pane.root.dataset.view).join(' '));
    history.replaceState(null, '', '#' + link);
  });
  return linkTask;
}

async function readLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  try {
    setForm(JSON.parse(link.get('options') ?? '{}'));
  } catch {
    message('The options of the link are damaged.');
  }
  byId('compare').checked = link.has('compare');
  if (link.has('step')) graph.wanted = Number(link.get('step')) || 0;
  (link.get('panes') ?? '').split(' ').forEach((view, index) => {
    if (panes[index] && PANES.some(([name]) => name === view)) panes[index].root.dataset.view = view;
  });
  const entry = link.get('entry') ?? undefined;
  if (link.has('bytes')) {
    try {
      return await open(link.get('name') ?? 'shader', await unpackFromLink(link.get('bytes')), { entry });
    } catch {
      message('The shader of the link is damaged.');
    }
  }
  const first = byId('sample').options[1]?.value;
  const name = link.get('shader') ?? first;
  if (name) await openSample(name, entry);
}

function setTheme(dark) {
  document.documentElement.classList.toggle('dark', dark);
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
  byId('options').onchange = run;
  byId('reset').onclick = () => { setForm({}); run(); };
  byId('share').onclick = async () => {
    await writeLink();
    const whole = state.sample || location.hash.includes('bytes=');
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    byId('status').textContent = !whole ? 'The shader is too large for a link.'
      : copied ? 'The link is in the clipboard.' : 'The link is in the address bar.';
  };
  byId('theme').onclick = () => setTheme(!document.documentElement.classList.contains('dark'));
  byId('show-help').onclick = () => byId('help').showModal();
  setTheme(matchMedia('(prefers-color-scheme: dark)').matches);
  addEventListener('dragover', event => { event.preventDefault(); document.body.classList.add('drop'); });
  addEventListener('dragleave', event => { if (!event.relatedTarget) document.body.classList.remove('drop'); });
  addEventListener('drop', event => {
    event.preventDefault();
    document.body.classList.remove('drop');
    if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
  });
  addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea, dialog')) return;
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
  for (const name of await shaderNames()) byId('sample').append(element('option', { value: name }, name));
  for (const target of data.targets) byId('target').append(element('option', { value: target }, target));
  for (const stage of data.stages) {
    const box = element('input', { type: 'checkbox', name: stage.name });
    box.checked = true;
    byId('stages').append(element('label', { title: stage.about }, box, ' ' + stage.name));
  }
  connect();
  await readLink();
  document.documentElement.dataset.ready = 'true';
}

start();
