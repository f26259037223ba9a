import { runWasi } from "./wasi.js";

// Compiled when it is used first. Node's `fetch` does not take files.
let engine;
async function compile() {
  const url = new URL("./engine.wasm", import.meta.url);
  if (url.protocol !== "file:") return WebAssembly.compileStreaming(fetch(url));
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(url));
}

export async function explore(shader, request = {}) {
  engine ??= compile();
  const line = new TextEncoder().encode(JSON.stringify(request) + "\n");
  const input = new Uint8Array(line.length + shader.length);
  input.set(line);
  input.set(shader, line.length);
  return JSON.parse(new TextDecoder().decode(await runWasi(await engine, input)));
}

export async function convert(shader, options = {}) {
  const { entry = null, ...others } = options;
  const answer = await explore(shader, { entry, options: others, words: true });
  if (answer.error) throw new Error(answer.error.message, { cause: answer.error });
  return Uint8Array.from(atob(answer.words), letter => letter.charCodeAt(0));
}
