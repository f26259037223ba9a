// The view of a shader: the graph after each stage, and panes of texts.

const NO_TEXT = { text: '', marks: [] };
const NOTHING = { entries: [], functions: [], sources: [], input: NO_TEXT, output: NO_TEXT };

const KEYS_OF_GRAPH = [
  ['←  →', 'Stage before and after (in a text: scroll it)'], ['Home  End', 'Input and result'],
  ['Tab  ↑  ↓', 'To a block of the graph, and to the others; Enter keeps it'],
  ['+  −  0', 'Larger, smaller, fit the graph (or Ctrl and the wheel)'],
  ['w', 'Wrap lines'],
];
const POINT = 'Point at a block, or at a line of a text, to see it everywhere. Click to keep it.';

/** Called when another step or view was chosen. */
let onView = () => {};
const USUAL = data.kind === 'report' ? [['before'], ['pseudo_code'], ['output']] : [['source', 'hlsl'], ['output'], ['assembly', 'input']];
const panes = [...document.querySelectorAll('.text-pane')].map((root, i) => new TextPane(root, USUAL[i], () => onView()));
const graph = new GraphPane(step => {
  // The panes' graph before is of the same function.
  const before = graph.steps.find(other => other.function === step?.function);
  for (const pane of panes) {
    if (!pane.texts?.before || pane.texts.before.step === before) continue;
    pane.texts.before = { step: before };
    if (pane.root.dataset.view === 'before') pane.before.show(before);
  }
  onView();
});

/** Writes the step and the views of the panes to a link. */
function writeView(link) {
  if (graph.wanted !== undefined) link.set('step', graph.wanted);
  if (panes.some(pane => pane.chosen)) link.set('panes', panes.map(pane => pane.chosen ?? '-').join(' '));
}

/** Sets the step and the views of the panes from a link, or to the defaults. */
function readView(link) {
  graph.wanted = link.has('step') ? Math.trunc(Number(link.get('step'))) || 0 : undefined;
  const views = (link.get('panes') ?? '').split(' ');
  panes.forEach((pane, i) => { pane.chosen = Object.hasOwn(PANES, views[i]) ? views[i] : undefined; });
}

function message(text) {
  byId('message').hidden = !text;
  byId('message').textContent = text ?? '';
}

/** Puts several texts into one, each below its name. */
function joined(list, textOf) {
  let text = '', lines = 0;
  const marks = [];
  for (const part of list) {
    const view = textOf(part);
    if (list.length > 1) { text += `// ==== ${part.name} ====\n`; lines++; }
    marks.push(...view.marks.map(mark => ({ ...mark, line: mark.line + lines })));
    const whole = view.text.endsWith('\n') ? view.text : view.text + '\n';
    text += whole;
    lines += whole.split('\n').length - 1;
  }
  return { text, marks, cut: list.reduce((sum, part) => sum + (textOf(part).cut ?? 0), 0) };
}

function pseudoCode({ functions, no_functions: why }) {
  return why ? { text: `// No structure: ${why}\n`, marks: [] } : joined(functions, view => view.pseudo_code);
}

/** Returns the text of source files. Their lines have the blocks of what was compiled of them. */
function sourceText(sources, { input, assembly = input, output }) {
  const blocks = new Map();
  for (const keys of assembly?.keys ?? []) {
    for (const key of keys.filter(isLine)) {
      if (!blocks.has(key)) blocks.set(key, new Set());
      for (const block of keys) if (!isLine(block)) blocks.get(key).add(block);
    }
  }
  const keysOf = (source, file) => source.text.replace(/\n$/, '').split('\n').map((_, line) => {
    const key = `@${file}:${line + 1}`;
    return [key, ...blocks.get(key) ?? []];
  });
  const keys = sources.flatMap((source, file) => (sources.length > 1 ? [[], ...keysOf(source, file)] : keysOf(source, file)));
  return { ...joined(sources, source => source), keys, isLinked: blocks.size > 0 || output.keys.some(keys => keys.some(isLine)) };
}

/** Shows an answer of the engine. Its texts are compared with another answer's; `more` has other views. */
function show(answer, compared, more = {}) {
  const { how = {} } = more, { entries, functions, sources, input, output, hlsl, assembly } = answer;
  const keyOf = keyOfFile(sources), keysAt = keysOfLocations(input.text, keyOf);
  const ofListing = lines => keysOfListing(lines, keysAt);
  const ofHlsl = lines => {
    const keys = lines.map(() => []);
    for (const [line, id] of hlsl.locations ?? []) keys[line]?.push(...keysAt(String(id)));
    return keys;
  };
  const ofAssembly = lines => {
    const keys = lines.map(() => []);
    for (const [line, file, number] of assembly.source_lines ?? []) keys[line]?.push(`@${file}:${number}`);
    return keys;
  };
  const texts = {
    before: functions.length ? {} : undefined,
    hlsl: hlsl && { ...withKeys(hlsl, ofHlsl), how: how.tree },
    pseudo_code: (input.text || !output.text) && { ...withKeys(pseudoCode(answer), ofListing), before: compared && pseudoCode(compared).text, how: how.tree },
    assembly: assembly ? { ...withKeys(assembly, ofAssembly), how: how.dis } : undefined,
    input: input.text ? { ...withKeys(input, ofListing), how: how.dis } : undefined,
    output: { ...withKeys(output, lines => keysOfAssembly(lines, output.text, keyOf)), before: compared?.output.text, keysOf: withoutIds, how: how.convert },
    operations: more.operations,
  };
  texts.source = sources.length ? { ...sourceText(sources, texts), how: how.dis } : undefined;
  const isGraph = functions.length && !entries.length;
  if (data.kind === 'answer') texts.input = texts.output = undefined;
  for (const pane of panes) {
    pane.buttons.get('input').textContent = isGraph ? 'Input' : 'DXIL';
    pane.buttons.get('output').textContent = isGraph ? 'Result' : 'SPIR-V';
    pane.texts = texts;
  }
  const views = functions.map(view => ({ ...view, steps: view.steps.map(step => ({ ...step, how: how.cfg })) }));
  graph.setFunctions(views, answer.no_functions && 'No graph: ' + answer.no_functions);
  for (const pane of panes) pane.setTexts(texts);
}

/** Does what a key means for the graph; returns true if it means something. */
function keyOfGraph(event) {
  // A text that has the focus is scrolled with these.
  if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key) && event.target.closest('.lines')) return false;
  const act = {
    ArrowLeft: () => graph.show(graph.now - 1),
    ArrowRight: () => graph.show(graph.now + 1),
    Home: () => graph.show(0),
    End: () => graph.show(graph.steps.length - 1),
    '+': () => graph.view.enlarge(1.25),
    '-': () => graph.view.enlarge(0.8),
    0: () => graph.view.enlarge(),
    w: wrapLines,
    Escape: light.kept.size && (() => { light.kept = new Set(); light.changed(); }),
  }[event.key];
  if (act) { event.preventDefault(); act(); }
  return !!act;
}

/** Calls `others[key]` for keys that mean nothing for the graph, except while something is typed. */
function connectKeys(others) {
  addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea, dialog')) return;
    if (keyOfGraph(event) || !others[event.key]) return;
    event.preventDefault();
    others[event.key]();
  });
}

/** Starts a page that shows one answer, and has no engine. */
function startAnswer() {
  document.title = `${data.name}: control flow`;
  byId('of').textContent = data.name;
  const help = () => showHelp(KEYS_OF_GRAPH.concat([['t', 'Colours: as the system, light, dark'], ['Esc', 'Let go of the block']]), POINT);
  byId('show-help').onclick = help;
  connectKeys({ '?': help, t: nextTheme });
  const read = () => {
    readView(new URLSearchParams(location.hash.slice(1)));
    show({ ...NOTHING, ...data.answer });
  };
  read();
  addEventListener('hashchange', read);
  onView = () => {
    const link = new URLSearchParams();
    writeView(link);
    history.replaceState(null, '', '#' + link);
  };
}
