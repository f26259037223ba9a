// The lines of HLSL that a line of another text was made of, as debug information has them: keys such as `@0:12`, of
// a source file by its place in the list and a line. The innermost of inlined calls is first.

const isLine = key => key[0] === '@';

const MAX_SCOPES = 100; // in damaged debug information, a scope may be in itself

/** Returns the function that returns the key of a line of the file with a name, which compilers write differently. */
function keyOfFile(sources) {
  const parts = name => name.split(/[\\/]/).filter(part => part && part !== '.');
  const names = sources.map(source => parts(source.name ?? ''));
  return (name, line) => {
    const wanted = parts(name);
    const ends = (a, b) => a.length > 0 && a.every((part, i) => part === b.at(i - a.length));
    const at = names.findIndex(found => ends(found, wanted) || ends(wanted, found));
    return at < 0 || !Number(line) ? [] : [`@${at}:${line}`];
  };
}

/** Returns the function that returns the keys of a `DILocation` of a listing by its number. */
function keysOfLocations(listing, keyOf) {
  const nodes = new Map();
  for (const [, id, text] of listing.matchAll(/^!(\d+) = (?:distinct )?!DI\w+\((.*)\)$/gm)) nodes.set(id, text);
  const field = (id, name) => nodes.get(id)?.match(new RegExp(`\\b${name}: !?("(?:[^"\\\\]|\\\\.)*"|\\w+)`))?.[1];
  const fileOf = scope => {
    for (let i = 0; i < MAX_SCOPES; i++) {
      const name = field(scope, 'filename');
      if (name) return name.slice(1, -1).replace(/\\([\dA-F]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
      scope = field(scope, 'file') ?? field(scope, 'scope');
    }
    return '';
  };
  const known = new Map();
  return id => {
    if (!known.has(id)) {
      const keys = [];
      for (let at = id, i = 0; nodes.has(at) && i < MAX_SCOPES; at = field(at, 'inlinedAt'), i++) {
        keys.push(...keyOf(fileOf(field(at, 'scope')), field(at, 'line')));
      }
      known.set(id, keys);
    }
    return known.get(id);
  };
}

/** Returns the keys of each line of a listing of DXIL, or of a text that has lines of it. */
const keysOfListing = (lines, keysAt) => lines.map(line => {
  const id = line.match(/!dbg !(\d+)/)?.[1];
  return id ? keysAt(id) : [];
});

/** Returns the strings of SPIR-V by their ids, and the operands of debug information. */
function namesOfAssembly(text) {
  const strings = new Map(), nodes = new Map();
  for (const [, id, string] of text.matchAll(/^ *(%\S+) = OpString "([^"\\]*(?:\\[^][^"\\]*)*)"/gm)) strings.set(id, string.replace(/\\([^])/g, '$1'));
  for (const [, id, rest] of text.matchAll(/^ *(%\S+) = (OpConstant %\S+ \d+|OpExtInst %\S+ %\S+ Debug.*)$/gm)) {
    nodes.set(id, rest.replace(/^OpExtInst %\S+ %\S+ /, '').split(' '));
  }
  return { strings, nodes };
}

/** Returns the source files in SPIR-V. */
function sourcesOfAssembly(text) {
  const { strings, nodes } = namesOfAssembly(text), sources = [];
  const add = (name, text) => { if (text !== undefined) sources.push({ name: name ?? '', text, marks: [] }); };
  for (const [kind, file, string] of nodes.values()) {
    if (kind === 'DebugSource') add(strings.get(file), strings.get(string));
    else if (kind === 'DebugSourceContinued' && sources.length) sources.at(-1).text += strings.get(file) ?? '';
  }
  for (const [, file, string] of text.matchAll(/^ *(?:OpSource \w+ \d+ (%\S+)|OpSourceContinued) "([^"\\]*(?:\\[^][^"\\]*)*)"/gm)) {
    const part = string.replace(/\\([^])/g, '$1');
    if (file) add(strings.get(file), part);
    else if (sources.length) sources.at(-1).text += part;
  }
  return sources;
}

/** Returns the keys of each line of SPIR-V. */
function keysOfAssembly(lines, text, keyOf) {
  const { strings, nodes } = namesOfAssembly(text);
  const number = id => nodes.get(id)?.[2];
  const file = source => strings.get(nodes.get(source)?.[1]) ?? '';
  const sourceOf = scope => {
    const [kind, ...operands] = nodes.get(scope) ?? [];
    return file(kind === 'DebugFunction' ? operands[2] : operands[0]);
  };
  const around = call => {
    const keys = [];
    for (let i = 0; nodes.get(call)?.[0] === 'DebugInlinedAt' && i < MAX_SCOPES; i++) {
      const [, line, scope, next] = nodes.get(call);
      keys.push(...keyOf(sourceOf(scope), number(line)));
      call = next;
    }
    return keys;
  };
  let line = [], calls = [], keys = [];
  return lines.map(row => {
    const [, word, rest = ''] = row.match(/^ *(?:%\S+ = )?(?:OpExtInst %\S+ %\S+ )?((?:Op|Debug)\w+) ?(.*)/) ?? [];
    const operands = rest.split(' ');
    if (word === 'OpLabel' || word === 'OpFunctionEnd') line = calls = [];
    else if (word === 'OpNoLine' || word === 'DebugNoLine') line = [];
    else if (word === 'OpLine') line = keyOf(strings.get(operands[0]) ?? '', operands[1]);
    else if (word === 'DebugLine') line = keyOf(file(operands[0]), number(operands[1]));
    else if (word === 'DebugScope') calls = around(operands[1]);
    else return keys;
    return keys = line.concat(line.length ? calls : []);
  });
}
