// A shader of the report: what the batch found out, above its view.

const BADGE = { c: 'good', f: 'bad', s: '' };

/** Reads the details of a shader: the engine's answer, compressed, in an element that is not looked into before. */
async function detailsOf(i) {
  const element = byId(`detail-${i}`);
  return element && JSON.parse(new TextDecoder().decode(await unpack(element.textContent)));
}

/** Returns the part above the view, which is shown as soon as the details are read. */
function shaderView(i) {
  const [folder, file] = pathOf(i);
  const order = table ? table.order : all, at = order.indexOf(i);
  const step = (by, label, key) => el('button', { type: 'button', class: 'small', title: `${label} (${key})`, disabled: order[at + by] === undefined, onclick: () => openShader(order[at + by]) }, label);
  const rest = el('div', { class: 'rest' });
  showDetails(i, rest);
  return el('div', { class: 'shader' },
    el('div', { class: 'crumbs' },
      el('button', { type: 'button', class: 'small', onclick: () => closeShader('shaders') }, '← All shaders'),
      el('h2', {}, el('span', { class: 'dim' }, folder), file, entryOf(i) ? el('span', { class: 'entry' }, entryOf(i)) : null,
        el('span', { class: `badge ${BADGE[statusOf(i)]}` }, STATUS[statusOf(i)])),
      el('span', { class: 'spring' }), at >= 0 ? el('span', { class: 'dim' }, `${count(at + 1)} of ${count(order.length)}`) : null,
      step(-1, 'Previous', 'k'), step(1, 'Next', 'j')),
    factsOf(i), failureOf(i), rest);
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

/** Shows the details as soon as they are read; without any, what else there is. */
async function showDetails(i, rest) {
  const operations = shaders.operations[i]?.length ? { make: () => operationsOf(i) } : undefined;
  let details;
  try {
    details = await detailsOf(i);
  } catch (error) {
    rest.replaceChildren(el('p', { class: 'note' }, `The details cannot be read: ${error.message}`));
  }
  if (state.shader !== i || details === undefined) return;
  const missing = details?.error && `Not available: ${details.error.message}`;
  if (missing && !details.functions.length && !details.input.text) {
    rest.replaceChildren(el('p', { class: 'empty' }, missing));
  } else if (details) {
    if (missing && !details.output.text) details.output.text = `; ${missing}\n`;
    const how = Object.fromEntries(['cfg', 'tree', 'dis', 'convert'].map(name => [name, command(name, i)]));
    byId('panes').hidden = false;
    light.kept = new Set();
    show(details, undefined, { operations, how });
  } else {
    rest.replaceChildren(noDetails(i), operations?.make() ?? '');
  }
  rest.dataset.ready = 'true';
}

function operationsOf(i) {
  const rows = [];
  pairs(shaders.operations[i], (number, calls) => rows.push({
    name: data.operations[number], value: calls, texts: [count(calls)], action: () => showShaders({ operation: number }),
  }));
  rows.sort((a, b) => b.value - a.value);
  return el('div', { class: 'narrow' }, barTable(['dx.op', 'Calls'], rows));
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
    commands.map(line => el('div', { class: 'command' }, el('code', {}, line), copyButton(() => line))));
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
