// The page of one shader.

const TABS = [
  ['graph', 'Graph'], ['tree', 'Pseudo-code'], ['hlsl', 'HLSL'], ['dxil', 'DXIL'], ['spirv', 'SPIR-V'], ['operations', 'Operations'],
];

const BADGE = { c: 'good', f: 'bad', s: '' };

/** Details that were read already, by shader; the last few are kept. */
const known = new Map();
const KEPT = 8;

/** Reads the details of a shader: compressed text in an element of its own. */
async function detailsOf(i) {
  if (known.has(i)) return known.get(i);
  const element = document.getElementById(`detail-${i}`);
  if (!element) return null;
  const bytes = Uint8Array.from(atob(element.textContent), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const details = JSON.parse(await new Response(stream).text());
  known.set(i, details);
  if (known.size > KEPT) known.delete(known.keys().next().value);
  return details;
}

function shaderView(i) {
  const [folder, file] = pathOf(i);
  const order = table ? table.order : all, at = order.indexOf(i);
  const step = (by, label, key) => el('button', { type: 'button', class: 'small', title: `${label} (${key})`, disabled: order[at + by] === undefined, onclick: () => openShader(order[at + by]) }, label);
  const content = el('div', { class: 'tabpanel', id: 'tabpanel', role: 'tabpanel' });
  const tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Details' });
  const page = el('div', { class: 'shader' },
    el('div', { class: 'crumbs' },
      el('button', { type: 'button', class: 'small', onclick: () => closeShader('shaders') }, '← All shaders'),
      el('span', { class: 'spring' }), at >= 0 ? el('span', { class: 'dim' }, `${count(at + 1)} of ${count(order.length)}`) : null,
      step(-1, 'Previous', 'k'), step(1, 'Next', 'j')),
    el('h2', {}, el('span', { class: 'dim' }, folder), file, entryOf(i) ? el('span', { class: 'entry' }, entryOf(i)) : null,
      el('span', { class: `badge ${BADGE[statusOf(i)]}` }, STATUS[statusOf(i)])),
    factsOf(i), failureOf(i), tabs, content);
  fillTabs(i, tabs, content);
  return page;
}

function factsOf(i) {
  const facts = [
    ['Stage', stageOf(i) || '–'], ['Input', bytesText(shaders.bytes[i])],
    ['SPIR-V', statusOf(i) === 'c' ? `${wordsText(shaders.words[i])}, ${count(shaders.words[i])} words` : '–'],
    ['Time', timeText(shaders.time[i]) + (shaders.cached.includes(i) ? ', from the cache' : '')],
  ];
  if (shaders.output[i]) facts.push(['Output', shaders.output[i]]);
  const clash = shaders.clashes[i];
  if (clash?.endsWith('/')) facts.push(['Renamed', `another output is in the folder ${clash}`]);
  else if (clash !== undefined) facts.push(['Renamed', `another input has the output ${clash}`]);
  if (shaders.not_validated[i] !== undefined) facts.push(['Not validated', shaders.not_validated[i]]);
  pairs(shaders.counts[i], (number, value) => facts.push([data.counters[number], count(value)]));
  return el('dl', { class: 'facts wide' }, facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

function failureOf(i) {
  if (shaders.message[i] === undefined) return null;
  const cause = data.causes[shaders.cause[i]];
  return el('section', { class: 'failure', 'aria-label': 'Failure' },
    el('p', {}, el('span', { class: 'badge bad' }, cause.kind), ' ', shaders.message[i]),
    shaders.location[i] ? el('p', { class: 'dim' }, `Location: ${shaders.location[i]}`) : null,
    el('p', {}, el('strong', {}, 'What to do: '), sentence(cause.help)));
}

/** Shows the tabs as soon as the details are read. */
async function fillTabs(i, tabs, content) {
  let details = null;
  try {
    details = await detailsOf(i);
  } catch (error) {
    content.replaceChildren(el('p', { class: 'note' }, `The details cannot be read: ${error.message}`));
    return;
  }
  if (state.shader !== i) return;
  const parts = partsOf(i, details);
  // A tab without its part says why.
  const usable = TABS.filter(([key]) => parts[key]);
  const full = usable.filter(([key]) => !parts[key].missing);
  const chosen = usable.some(([key]) => key === state.tab) ? state.tab : full[0]?.[0];
  const show = key => {
    state.tab = key;
    saveState();
    drawTabs(usable, key, tabs, show);
    content.setAttribute('aria-labelledby', `tab-${key}`);
    content.replaceChildren(parts[key].missing ? missing(parts[key].missing) : tabContent(key, i, details));
    content.dataset.tab = key;
  };
  tabs.dataset.ready = 'true';
  tabs.hidden = !full.length;
  if (!details) content.replaceChildren(noDetails(i));
  else if (!full.length) content.replaceChildren(missing(details.dxil.missing));
  if (full.length && chosen && (details || state.tab === 'operations')) show(chosen);
  else if (full.length) drawTabs(usable, '', tabs, show);
}

/** The part of each tab, by its key: one that the page has, one with the reason why it is `missing`, or nothing if
 * there is nothing to show. */
function partsOf(i, details) {
  const there = list => (list?.length ? {} : null);
  return {
    graph: details?.functions, tree: details?.functions, hlsl: there(details?.sources),
    dxil: details?.dxil, spirv: details?.spirv, operations: there(shaders.operations[i]),
  };
}

function drawTabs(usable, chosen, tabs, show) {
  const move = (event, at) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 }[event.key];
    if (to === undefined) return;
    event.stopPropagation();
    show(usable[(to + usable.length) % usable.length][0]);
    tabs.querySelector('[aria-selected=true]').focus();
  };
  tabs.replaceChildren(...usable.map(([key, text], at) => el('button', {
    type: 'button', role: 'tab', id: `tab-${key}`, 'aria-selected': String(key === chosen), 'aria-controls': 'tabpanel',
    tabindex: key === chosen || !chosen ? '0' : '-1', onclick: () => show(key), onkeydown: event => move(event, at),
  }, text)));
}

function tabContent(key, i, details) {
  switch (key) {
    case 'graph': return functionsView(details.functions.ok, part => graphView(part, i));
    case 'tree': return functionsView(details.functions.ok, part => codeView(part.tree.text, 'tree', part.tree.cut, command('tree', i)));
    case 'hlsl': return sourcesView(details.sources, i);
    case 'dxil': return textPart(details.dxil.ok, 'dxil', 'dis', i);
    case 'spirv': return textPart(details.spirv.ok, 'spirv', 'convert', i);
    default: return operationsOf(i);
  }
}

const textPart = (part, language, name, i) => codeView(part.text, language, part.cut, command(name, i));

const missing = reason => el('p', { class: 'empty' }, `Not available: ${reason}.`);

/** A choice among parts of which one is shown. */
function choiceOf(label, names, view) {
  const box = el('div', { class: 'choice' });
  const show = at => {
    const select = names.length > 1 && el('label', { class: 'pick' }, `${label} `,
      el('select', { onchange: event => show(+event.target.value) }, names.map((name, n) => el('option', { value: n, selected: n === at }, name))));
    box.replaceChildren(...[select, view(at)].filter(Boolean));
  };
  show(0);
  return box;
}

const functionsView = (list, view) => choiceOf('Function', list.map(part => part.name), at => view(list[at]));

function sourcesView(sources, i) {
  return choiceOf('File', sources.map(source => source.name), at => codeView(sources[at].text, 'hlsl', sources[at].cut, command('dis', i)));
}

function operationsOf(i) {
  const rows = [];
  pairs(shaders.operations[i], (number, calls) => rows.push({
    name: data.operations[number], value: calls, texts: [count(calls)], action: () => showShaders({ operation: number }),
  }));
  rows.sort((a, b) => b.value - a.value);
  return el('div', { class: 'narrow' }, barTable(['dx.op', 'Calls'], rows));
}

/** Both graphs and the remarks. A click on a remark shows its block. */
function graphView(part, i) {
  const panes = [['Before', part.before, part.blocks[0]], ['After', part.after, part.blocks[1]]].map(([title, picture, blocks]) => graphPane(title, picture, blocks, i));
  const remarks = part.remarks.map(remark => {
    const button = el('button', { type: 'button' }, el('code', {}, remark.block), remark.name ? el('span', { class: 'dim' }, ` ${remark.name}`) : null, el('div', {}, remark.text));
    button.addEventListener('click', () => highlight(panes, remark.block, button));
    return [remark.stage, button];
  });
  const groups = new Map();
  for (const [stage, button] of remarks) groups.set(stage, [...(groups.get(stage) ?? []), button]);
  const list = [...groups].map(([stage, buttons]) => [el('h4', {}, stage), el('ul', {}, buttons.map(button => el('li', {}, button)))]);
  return el('div', { class: 'graphs' }, panes,
    el('aside', { 'aria-label': 'Remarks' }, el('h3', {}, `Remarks`, el('span', { class: 'dim' }, ` ${count(part.remarks.length)}`)),
      remarks.length ? list : el('p', { class: 'dim' }, 'No stage made a decision.'), legend()));
}

function graphPane(title, picture, blocks, i) {
  const scroll = el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Graph ${title.toLowerCase()} structurization` });
  const bar = el('header', {}, el('h3', {}, title), el('span', { class: 'dim' }, plural(blocks, 'block')), el('span', { class: 'spring' }));
  const pane = el('section', { class: 'pane' }, bar, scroll);
  if (!picture.ok) {
    scroll.append(missing(picture.missing), el('pre', { class: 'command' }, command('cfg', i)));
    return pane;
  }
  const graph = document.importNode(new DOMParser().parseFromString(picture.ok, 'image/svg+xml').documentElement, true);
  const size = graph.viewBox.baseVal;
  let zoom = 1;
  const resize = to => {
    zoom = Math.max(0.1, Math.min(3, to));
    graph.setAttribute('width', size.width * zoom);
    graph.setAttribute('height', size.height * zoom);
  };
  // What was in the middle of the pane is there again.
  const set = to => {
    const outer = scroll.getBoundingClientRect(), [x, y] = [outer.left + outer.width / 2, outer.top + outer.height / 2];
    const was = graph.getBoundingClientRect();
    resize(to);
    const is = graph.getBoundingClientRect();
    scroll.scrollBy(is.left + ((x - was.left) / was.width) * is.width - x, is.top + ((y - was.top) / was.height) * is.height - y);
  };
  // The entry block, which is the first one, at the top of the pane and in the middle of its width.
  const showEntry = () => {
    const box = graph.querySelector('.tv-node')?.getBoundingClientRect(), outer = scroll.getBoundingClientRect();
    if (box) scroll.scrollBy(box.left + box.width / 2 - outer.left - outer.width / 2, box.top - outer.top - 16);
  };
  const button = (text, label, to) => el('button', { type: 'button', class: 'small', 'aria-label': `${label}, ${title.toLowerCase()}`, title: label, onclick: () => set(to()) }, text);
  const fit = () => Math.min(1, (scroll.clientWidth - 16) / size.width, (scroll.clientHeight - 16) / size.height);
  bar.append(button('−', 'Smaller', () => zoom / 1.25), button('+', 'Larger', () => zoom * 1.25), button('Fit', 'Fit into the pane', fit));
  scroll.append(graph);
  // Until it is in the document, the pane has no width.
  requestAnimationFrame(() => {
    resize(Math.max(0.6, Math.min(1, (scroll.clientWidth - 16) / size.width)));
    showEntry();
  });
  return pane;
}

function highlight(panes, block, button) {
  const was = button.getAttribute('aria-pressed') === 'true';
  for (const other of button.closest('aside').querySelectorAll('[aria-pressed]')) other.removeAttribute('aria-pressed');
  if (!was) button.setAttribute('aria-pressed', 'true');
  for (const pane of panes) {
    for (const node of pane.querySelectorAll('.tv-hot')) node.classList.remove('tv-hot');
    const node = !was && pane.querySelector(`[data-block="${CSS.escape(block)}"]`);
    if (!node) continue;
    node.classList.add('tv-hot');
    const view = pane.querySelector('.scroll'), box = node.getBoundingClientRect(), outer = view.getBoundingClientRect();
    view.scrollBy({ left: box.left - outer.left - outer.width / 2, top: box.top - outer.top - outer.height / 2, behavior: 'smooth' });
  }
}

function legend() {
  const entries = [['loop', 'loop header'], ['selection', 'selection header'], ['inserted', 'inserted block'], ['flow line', 'control flow'], ['back line', 'back edge'], ['merge line', 'to merge block'], ['continue line', 'to continue target']];
  return el('ul', { class: 'legend', 'aria-label': 'Legend' }, entries.map(([kind, text]) => el('li', {}, el('span', { class: `key ${kind}`, 'aria-hidden': 'true' }), text)));
}

/** Why there are no details, and how to get them. */
function noDetails(i) {
  const unreadable = shaders.unreadable.includes(i);
  const text = unreadable ? 'This shader has no details: it could not be read or converted to an end.'
    : 'The page has no details of this shader, to stay small. --details all embeds those of all shaders; these commands show them:';
  const archive = shaders.input[i].match(/^(.*\.(?:zip|tar|tar\.zst|tzst))!(.*)$/i);
  const extract = !unreadable && archive ? el('p', { class: 'dim' }, `It is in an archive: first extract ${archive[2]} from ${archive[1]}.`) : null;
  const commands = unreadable ? [] : ['cfg', 'tree', 'explain', 'dis', 'convert'].map(name => command(name, i));
  return el('div', { class: 'empty' }, el('p', {}, text), extract,
    commands.map(line => el('div', { class: 'command' }, el('code', {}, line), copyButton(line))));
}

/** The command line that prints what the page does not have: with the options of the batch, if it takes them. */
function command(name, i) {
  const archive = shaders.input[i].match(/^.*\.(?:zip|tar|tar\.zst|tzst)!(.*)$/i);
  const input = archive ? archive[1] : shaders.input[i];
  const parts = ['trellis', name, quoted(/^-/.test(input) ? `./${input}` : input)];
  if (entryOf(i) && name !== 'dis') parts.push('--entry', quoted(entryOf(i)));
  if (name === 'cfg') parts.push('-o graphs');
  if (name === 'convert') parts.push(...data.options.map(quoted), '--asm');
  return parts.join(' ');
}

/** A text as an argument in a POSIX shell. */
const quoted = text => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
