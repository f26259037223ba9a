// The page's link: the shader's name, or its bytes, and all that is not a default.

const MAX_LINK = 64 << 10; // characters of a shader in a link
const large = new Map(); // shaders that are too large for a link, by name, and the letters that they need: Back returns to them
let linkTask = Promise.resolve();
let linkCount = 0; // of the links that were followed: what was on its way to the address bar before is dropped
let known; // the fragment that was read or written last: another one is a link that is about to be followed
let isNewPlace = false; // true if another shader was opened: Back returns to the one before

function tooLarge(name) {
  const letters = large.get(name)?.letters;
  return `No link: ${name} takes ${count(letters)} characters, compressed, and a link may have ${count(MAX_LINK)}. Send the file.`;
}

function writeLink() {
  const mine = linkCount;
  linkTask = linkTask.then(async () => {
    // Without a shader, the address bar still has the link that did not lead to one.
    if (!state.bytes) return;
    const link = new URLSearchParams();
    if (state.sample) {
      link.set('shader', state.name);
    } else {
      const packed = await packForLink(state.bytes);
      link.set('name', state.name);
      if (packed.length <= MAX_LINK) link.set('bytes', packed);
      else large.set(state.name, { bytes: state.bytes, letters: packed.length });
    }
    if (state.entry) link.set('entry', state.entry);
    try {
      const options = JSON.stringify(optionsOfForm());
      if (options !== '{}') link.set('options', options);
    } catch { /* What is being typed is not in the link. */ }
    if (byId('compare').checked) link.set('compare', '1');
    writeView(link);
    if (mine !== linkCount || location.hash !== known) return;
    history[isNewPlace ? 'pushState' : 'replaceState'](null, '', '#' + link);
    known = location.hash;
    isNewPlace = false;
  }).catch(() => { /* Browsers refuse many changes in a short time: the next one has it all. */ });
  return linkTask;
}

// Shows what the link names, and the defaults of what it does not name.
async function readLink() {
  linkCount++;
  known = location.hash;
  isNewPlace = false;
  const link = new URLSearchParams(known.slice(1));
  const note = readOptions(link.get('options') ?? '{}');
  byId('compare').checked = link.has('compare');
  readView(link);
  const of = { entry: link.get('entry') ?? undefined, note, isPlace: true };
  const name = link.get('name') ?? 'shader';
  if (link.has('bytes')) {
    return load(name, async () => {
      const bytes = await unpackFromLink(link.get('bytes')).catch(() => {
        throw new Refusal('The shader of the link is damaged. Is the link complete?');
      });
      return { bytes };
    }, of);
  }
  if (link.has('name')) {
    return load(name, async () => {
      if (!large.has(name)) throw new Refusal(`${name} is too large for a link. Open the file.`);
      return { bytes: large.get(name).bytes };
    }, of);
  }
  const chosen = link.get('shader') ?? byId('sample').options[1]?.value;
  if (chosen) await openSample(chosen, of);
  else clearPage(note);
}

// Sets the form to the options of a link; returns why it cannot.
function readOptions(text) {
  try {
    setForm(JSON.parse(text));
    return undefined;
  } catch (error) {
    setForm({});
    const why = error instanceof SyntaxError ? 'they are not JSON' : error.message;
    return `The options of the link are damaged, so these are the defaults: ${why}.`;
  }
}
