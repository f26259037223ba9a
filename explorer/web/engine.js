// Answers requests: by the WebAssembly in the page, or by the server that the page came from.

const data = JSON.parse(document.getElementById('data').textContent);

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
const unpackFromLink = text => unpack(text.replaceAll('-', '+').replaceAll('_', '/'));

let compiled;
async function wasmModule() {
  compiled ??= unpack(document.getElementById('wasm').textContent).then(bytes => WebAssembly.compile(bytes));
  return compiled;
}

// Asks about an input; the request is an object with `entry` and `options`.
async function ask(request, bytes) {
  const head = new TextEncoder().encode(JSON.stringify(request) + '\n');
  const all = concatenate([head, bytes]);
  if (data.engine === 'wasm') {
    return JSON.parse(new TextDecoder().decode(await runWasi(await wasmModule(), all)));
  }
  const response = await fetch('explore', { method: 'POST', body: all });
  if (!response.ok) throw new Error('the server answered ' + response.status);
  return response.json();
}

// Returns the names of the shaders that the page offers.
async function shaderNames() {
  if (data.engine === 'wasm') return data.samples.map(sample => sample.name);
  return (await fetch('shaders')).json();
}

async function shaderBytes(name) {
  if (data.engine === 'wasm') {
    const sample = data.samples.find(sample => sample.name === name);
    return sample && { bytes: await unpack(sample.bytes), source: sample.source };
  }
  const response = await fetch('shader?name=' + encodeURIComponent(name));
  return response.ok ? { bytes: new Uint8Array(await response.arrayBuffer()) } : undefined;
}
