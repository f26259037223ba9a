// The views without the list: totals and distributions, failures, operations, structure.

/** How many rows a panel of the overview has. */
const TOP = 8;
/** Causes of failures in the overview. */
const TOP_CAUSES = 4;
/** Rows of the panels next to the stages, to match their height. */
const TOP_SHADERS = Math.max(TOP, Math.min(15, data.stages.length) - 1);

const all = Array.from({ length: shaderCount }, (_, i) => i);
const converted = all.filter(i => statusOf(i) === 'c');

function overview() {
  return el('div', { class: 'page' },
    tiles(),
    el('div', { class: 'columns three' },
      histogram('Conversion time', 'without files', 'time', converted, { status: 'c' }),
      histogram('Input size', 'DXIL', 'bytes', all.filter(i => shaders.bytes[i] > 0), {}),
      histogram('Output size', 'SPIR-V', 'words', converted, { status: 'c' })),
    el('div', { class: 'columns three' },
      topShaders('Slowest shaders', 'time'),
      topShaders('Largest shaders', 'words'),
      stages()),
    el('div', { class: 'columns two' },
      failuresPanel(TOP_CAUSES),
      structurePanel()),
    operationsPanel(TOP));
}

function tile(label, value, note, pick, kind = '') {
  const parts = [el('dt', {}, label), el('dd', {}, value), el('dd', { class: 'note' }, note ?? '')];
  const box = el('div', { class: `tile ${kind}` }, parts);
  return pick ? asButton(box, () => showShaders(pick), `${label}: ${value}`) : box;
}

function tiles() {
  const t = data.totals;
  const list = [
    tile('Shaders', count(shaderCount), rest(t), {}),
    tile('Converted', count(t.converted), percent(t.converted, shaderCount), { status: 'c' }, 'good'),
    tile('Failed', count(t.failed), data.causes.length ? plural(data.causes.length, 'cause') : 'none', t.failed ? { status: 'f' } : null, t.failed ? 'bad' : ''),
    t.not_validated ? tile('Not validated', count(t.not_validated), 'by spirv-val') : null,
    t.skipped ? tile('Skipped', count(t.skipped), 'no entry points', { status: 's' }) : null,
    tile('Input', bytesText(t.input_bytes), 'DXIL'),
    tile('Output', wordsText(t.words), `SPIR-V, ${percent(4 * t.words, t.input_bytes)} of it`),
    tile('Conversion time', timeText(t.time_us), `${timeText(Math.round(t.time_us / Math.max(1, shaderCount)))} per shader`),
    tile('Wall time', timeText(t.wall_us), `${count(Math.round(shaderCount / Math.max(1e-6, t.wall_us / 1e6)))} shaders/s`),
  ];
  return el('section', { class: 'panel totals', 'aria-label': 'Totals' }, proportions(), el('dl', { class: 'tiles' }, list),
    t.cache_error ? el('p', { class: 'note' }, `Not cached: ${t.cache_error}`) : null);
}

/** What the numbers do not include. */
function rest(totals) {
  const parts = [];
  if (totals.cached) parts.push(`${count(totals.cached)} from the cache`);
  if (totals.other_shards) parts.push(`${count(totals.other_shards)} in other shards`);
  if (totals.not_run) parts.push(`${count(totals.not_run)} not run`);
  return parts.join(', ') || 'entry points';
}

function proportions() {
  const t = data.totals;
  const parts = [['good', t.converted], ['bad', t.failed], ['none', t.skipped]].filter(part => part[1] > 0);
  const bar = el('div', { class: 'proportions', 'aria-hidden': 'true' });
  for (const [kind, value] of parts) {
    const part = el('span', { class: kind });
    part.style.flexGrow = value;
    bar.append(part);
  }
  return bar;
}

/** The file's name with its entry point, unless that is the usual one. */
function shortName(i) {
  const [, file] = pathOf(i), entry = entryOf(i);
  return [file, entry && entry !== 'main' ? el('span', { class: 'dim' }, ` ${entry}`) : ''];
}

function topShaders(title, name) {
  const list = [...converted].sort((a, b) => COMPARE[name](b, a) || a - b).slice(0, TOP_SHADERS);
  const rows = list.map(i => ({
    label: el('span', {}, shortName(i)), title: shaders.input[i], value: VALUE[name](i), texts: [FORMAT[name](VALUE[name](i))],
    action: () => openShader(i),
  }));
  const more = el('button', { type: 'button', class: 'small', onclick: () => showShaders({ sort: name, down: true }) }, 'All, sorted');
  return panel(title, null, barTable(['Shader', name === 'time' ? 'Time' : 'SPIR-V'], rows), el('footer', {}, more));
}

function stages() {
  const sums = data.stages.map(name => ({ name, shaders: 0, failed: 0, time: 0 }));
  for (const i of all) {
    const sum = sums[shaders.stage[i]];
    if (!sum) continue;
    sum.shaders++;
    sum.time += shaders.time[i];
    if (statusOf(i) === 'f') sum.failed++;
  }
  sums.sort((a, b) => b.shaders - a.shaders);
  const rows = sums.slice(0, 16).map(sum => ({
    name: sum.name, value: sum.shaders, texts: [count(sum.shaders), count(sum.failed), timeText(sum.time)],
    action: () => showShaders({ stage: sum.name }),
  }));
  return panel('Stages', null, barTable(['Stage', 'Shaders', 'Failed', 'Time'], rows));
}

function failuresPanel(limit) {
  if (!data.causes.length) return panel('Failures', null, el('p', { class: 'empty' }, 'No shader failed.'));
  const groups = data.causes.map((cause, number) => ({ ...cause, number, list: [] }));
  for (const [i, number] of Object.entries(shaders.cause)) groups[number].list.push(+i);
  groups.sort((a, b) => b.list.length - a.list.length || a.number - b.number);
  const shown = limit ? groups.slice(0, limit) : groups;
  const more = groups.length - shown.length;
  return panel('Failures by cause', plural(groups.length, 'cause'), shown.map(group => failureGroup(group, limit ? 0 : 5)),
    more > 0 ? el('footer', {}, el('button', { type: 'button', class: 'small', onclick: () => showView('failures') }, `${count(more)} more`)) : null);
}

/** A cause, what to do, and some of its shaders. */
function failureGroup(group, examples) {
  const list = group.list.slice(0, examples).map(i => el('li', {},
    el('button', { type: 'button', class: 'link', onclick: () => openShader(i) }, pathOf(i), entryOf(i) ? el('span', { class: 'dim' }, ` ${entryOf(i)}`) : null),
    shaders.message[i].includes(group.what) ? null : el('div', { class: 'message' }, shaders.message[i])));
  const more = group.list.length - examples;
  return el('article', { class: 'cause' },
    el('h3', {}, el('span', { class: 'badge bad' }, [group.kind, group.feature].filter(Boolean).join(': ')), ' ', group.what),
    el('button', { type: 'button', class: 'link n', onclick: () => showShaders({ cause: group.number }) }, plural(group.list.length, 'shader')),
    el('p', { class: 'todo' }, el('strong', {}, 'What to do: '), sentence(group.help)),
    examples ? el('ul', {}, list, more > 0 ? el('li', { class: 'dim' }, `and ${count(more)} more`) : null) : null);
}

/** A help text as a sentence; what is in backticks is code. */
function sentence(text) {
  const parts = (text[0].toUpperCase() + text.slice(1) + '.').split('`');
  return parts.map((part, i) => (i % 2 ? el('code', {}, part) : part));
}

function structurePanel(long) {
  const sums = data.counters.map((name, number) => ({ name, number, total: data.totals.structurizer[COUNTER_FIELD(name)] ?? 0, shaders: 0, most: 0, at: -1 }));
  for (const i of all) {
    pairs(shaders.counts[i], (number, value) => {
      const sum = sums[number];
      sum.shaders++;
      if (value > sum.most) [sum.most, sum.at] = [value, i];
    });
  }
  const head = ['', 'Total', 'Shaders', 'of converted', 'Most'].map((text, i) => el('th', { scope: 'col', class: i ? 'n' : '' }, text));
  const rows = sums.map(sum => el('tr', {},
    el('th', { scope: 'row' }, sum.shaders
      ? el('button', { type: 'button', class: 'link', onclick: () => showShaders({ counter: sum.number, sort: 'structure', down: true }) }, sum.name) : sum.name,
    long ? el('div', { class: 'message' }, STRUCTURE[sum.name] ?? '') : null),
    el('td', { class: 'n' }, count(sum.total)), el('td', { class: 'n' }, count(sum.shaders)),
    el('td', { class: 'n' }, percent(sum.shaders, converted.length)),
    el('td', { class: 'n' }, sum.at < 0 ? '–' : el('button', { type: 'button', class: 'link', title: shaders.input[sum.at], onclick: () => openShader(sum.at) }, count(sum.most)))));
  return panel('Structure', 'what structured control flow needed', el('table', { class: 'plain' }, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows)));
}

/** The field of the totals that holds a counter, at the position of the counter's name. */
const COUNTER_FIELD = name => Object.keys(data.totals.structurizer)[data.counters.indexOf(name)];

const STRUCTURE = {
  ladders: 'Empty merge blocks, so that each construct has one of its own.',
  selectors: 'Merge blocks at which a variable decides where control continues.',
  'dispatch headers': 'Switches that enter a cycle with several entries.',
  'breakable blocks': 'Switches with only a default case, to break out of.',
  switches: 'All switches of the result: the shader\'s own, and those that were made.',
  phis: 'Phis for values that the new blocks merge.',
  'undefined operands': 'Operands of phis on paths without a value.',
  blocks: 'Blocks of all kinds that were inserted.',
  copies: 'Blocks that exist twice, such as exits.',
};

function operationsPanel(limit) {
  if (!data.has_operations) return panel('Operations', null, el('p', { class: 'empty' }, 'The report was made without operations.'));
  const sums = data.operations.map((name, number) => ({ name, number, shaders: 0, calls: 0 }));
  for (const i of all) {
    pairs(shaders.operations[i], (number, calls) => {
      sums[number].shaders++;
      sums[number].calls += calls;
    });
  }
  sums.sort((a, b) => b.shaders - a.shaders || b.calls - a.calls);
  const row = sum => ({
    name: sum.name, value: sum.shaders, texts: [count(sum.shaders), percent(sum.shaders, shaderCount), count(sum.calls)],
    action: () => showShaders({ operation: sum.number }),
  });
  const table = part => barTable(['dx.op', 'Shaders', 'Part', 'Calls'], part.map(row), sums[0]?.shaders);
  const shown = limit ? sums.slice(0, 3 * limit) : sums, size = Math.ceil(shown.length / 3);
  const columns = [0, 1, 2].map(i => shown.slice(i * size, (i + 1) * size)).filter(part => part.length).map(table);
  const more = sums.length - shown.length;
  return panel('Operations used', plural(sums.length, 'DXIL operation'), el('div', { class: 'columns three flat' }, columns),
    more > 0 ? el('footer', {}, el('button', { type: 'button', class: 'small', onclick: () => showView('operations') }, `${count(more)} more`)) : null);
}
