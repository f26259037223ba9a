// Answers requests: by the WebAssembly in the page, or by the server that the page came from.

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

const fromBase64 = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
const unpack = text => through(new DecompressionStream('deflate-raw'), fromBase64(text));

// For links: base64 with characters that a fragment may have.
async function packForLink(bytes) {
  const packed = await through(new CompressionStream('deflate-raw'), bytes);
  let text = '';
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
const unpackFromLink = async text => unpack(text.replaceAll('-', '+').replaceAll('_', '/'));

let compiled;
async function wasmModule() {
  compiled ??= unpack(byId('wasm').textContent).then(bytes => WebAssembly.compile(bytes));
  return compiled;
}

// Why there is no answer, in words for the reader: it is not a bug.
class Refusal extends Error {}

async function fromServer(path, request) {
  let response;
  try {
    response = await fetch(path, request);
  } catch {
    throw new Refusal('The server does not answer: is trellis serve still running?');
  }
  if (response.ok) return response;
  const why = (await response.text().catch(() => '')).trim() || 'the server answered ' + response.status;
  // While it explores a shader, an error of the server is one of its program.
  throw request && response.status === 500 ? new Error(why) : new Refusal(why);
}

// Asks about an input; the request is an object with `entry` and `options`.
async function ask(request, bytes) {
  const head = new TextEncoder().encode(JSON.stringify(request) + '\n');
  const all = concatenate([head, bytes]);
  if (data.engine === 'wasm') {
    return JSON.parse(new TextDecoder().decode(await runWasi(await wasmModule(), all)));
  }
  return (await fromServer('explore', { method: 'POST', body: all })).json();
}

// Returns the names of the shaders that the page offers.
async function shaderNames() {
  if (data.engine === 'wasm') return data.samples.map(sample => sample.name);
  return (await fromServer('shaders')).json();
}

async function shaderBytes(name) {
  if (data.engine === 'wasm') {
    const sample = data.samples.find(sample => sample.name === name);
    if (!sample) throw new Refusal(`There is no shader ${name}.`);
    return { bytes: await unpack(sample.bytes), source: sample.source };
  }
  const response = await fromServer('shader?name=' + encodeURIComponent(name)).catch(error => {
    throw error instanceof Refusal ? new Refusal(`${name}: ${error.message}`) : error;
  });
  return { bytes: new Uint8Array(await response.arrayBuffer()) };
}
