// The report, what is chosen of it, and the state in the address.

const shaders = data.shaders;
const shaderCount = shaders.input.length;

const STATUS = { c: 'converted', f: 'failed', s: 'skipped' };

/** What a fragment without anything means. `pick` holds ranges and what else was clicked. */
const START = {
  view: 'overview', query: '', status: '', stage: '', sort: 'order', down: false,
  time: null, bytes: null, words: null, cause: -1, operation: -1, counter: -1,
  shader: -1,
};
let state = { ...START };

const timeText = us => (us >= 120e6 ? `${digits(us / 60e6)} min` : scaled(us, 1000, ['µs', 'ms', 's']));
const wordsText = n => bytesText(4 * n);
const percent = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)} %` : '–');
const FORMAT = { time: timeText, bytes: bytesText, words: wordsText };

const RANGES = ['time', 'bytes', 'words'];

/** Values of a shader that ranges and columns are about. */
const VALUE = {
  time: i => shaders.time[i],
  bytes: i => shaders.bytes[i],
  words: i => shaders.words[i],
};

const entryOf = i => shaders.entry[i] ?? '';
const stageOf = i => data.stages[shaders.stage[i]] ?? '';
const statusOf = i => shaders.status[i];

/** Folder and name of a shader's file. */
function pathOf(i) {
  const path = shaders.input[i];
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), path.lastIndexOf('!')) + 1;
  return [path.slice(0, cut), path.slice(cut)];
}

/** Calls `use(number, count)` for each pair of a list such as `shaders.counts[i]`. */
function pairs(list, use) {
  for (let at = 0; list && at < list.length; at += 2) use(list[at], list[at + 1]);
}

function countOf(list, number) {
  for (let at = 0; list && at < list.length; at += 2) if (list[at] === number) return list[at + 1];
  return 0;
}

/** The text of each shader that a search looks through. */
const haystack = shaders.input.map((input, i) => [
  input, entryOf(i), stageOf(i), shaders.output[i] ?? '', shaders.message[i] ?? '', shaders.not_validated[i] ?? '',
].join('\n').toLowerCase());

const BLOCKS = data.counters.indexOf('blocks');

const COMPARE = {
  order: (a, b) => a - b,
  name: (a, b) => compareText(shaders.input[a], shaders.input[b]) || compareText(entryOf(a), entryOf(b)),
  status: (a, b) => compareText(statusOf(a), statusOf(b)),
  stage: (a, b) => compareText(stageOf(a), stageOf(b)),
  bytes: (a, b) => shaders.bytes[a] - shaders.bytes[b],
  words: (a, b) => shaders.words[a] - shaders.words[b],
  time: (a, b) => shaders.time[a] - shaders.time[b],
  structure: (a, b) => countOf(shaders.counts[a], BLOCKS) - countOf(shaders.counts[b], BLOCKS),
};

const compareText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Indices of the shaders that pass the filters, sorted. */
function visibleShaders() {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  for (let i = 0; i < shaderCount; i++) {
    if (passes(i) && words.every(word => haystack[i].includes(word))) found.push(i);
  }
  if (state.sort !== 'order' || state.down) {
    const compare = COMPARE[state.sort], sign = state.down ? -1 : 1;
    found.sort((a, b) => sign * compare(a, b) || a - b);
  }
  return found;
}

function passes(i) {
  if (state.status && statusOf(i) !== state.status) return false;
  if (state.stage && stageOf(i) !== state.stage) return false;
  if (state.cause >= 0 && shaders.cause[i] !== state.cause) return false;
  if (state.operation >= 0 && !countOf(shaders.operations[i], state.operation)) return false;
  if (state.counter >= 0 && !countOf(shaders.counts[i], state.counter)) return false;
  return RANGES.every(name => {
    const range = state[name];
    return !range || (VALUE[name](i) >= range[0] && VALUE[name](i) < range[1]);
  });
}

/** The state as a fragment, without default values. */
function fragment() {
  const parts = new URLSearchParams();
  for (const [name, start] of Object.entries(START)) {
    const value = state[name];
    if (value === start) continue;
    if (RANGES.includes(name)) parts.set(name, value.join('-'));
    else if (name === 'operation') parts.set(name, data.operations[value]);
    else if (name === 'counter') parts.set(name, data.counters[value]);
    else parts.set(name, value === true ? '1' : value);
  }
  if (state.shader >= 0) writeView(parts);
  return '#' + parts;
}

/** Sets the state from the address. What it does not understand it ignores. */
function readFragment() {
  const parts = new URLSearchParams(location.hash.slice(1));
  state = { ...START };
  for (const [name, text] of parts) {
    // Names of what all objects have, such as `constructor`, are not of the state.
    if (!Object.hasOwn(START, name)) continue;
    if (RANGES.includes(name)) {
      const range = text.split('-').map(Number);
      if (range.length === 2 && range.every(Number.isFinite)) state[name] = range;
    } else if (name === 'operation') state.operation = data.operations.indexOf(text);
    else if (name === 'counter') state.counter = data.counters.indexOf(text);
    else if (name === 'down') state.down = text === '1';
    else if (typeof START[name] === 'number') state[name] = Number.isInteger(+text) ? +text : -1;
    else state[name] = text;
  }
  readView(parts);
  if (!Object.hasOwn(COMPARE, state.sort)) state.sort = 'order';
  if (!(state.shader < shaderCount)) state.shader = -1;
  if (!(state.cause < data.causes.length)) state.cause = -1;
}
