/** Options by name, as `trellis options` lists them, and the entry point; the first by default. */
export interface Options {
  entry?: string | null;
  [name: string]: unknown;
}

/**
 * Translates a shader (a DXBC container or LLVM bitcode) to the bytes of a SPIR-V module. The promise is rejected
 * with the reason for a shader that cannot be translated.
 *
 * @example
 * const spirv = await convert(await readFile("shader.dxil"), { entry: "main" });
 */
export function convert(shader: Uint8Array, options?: Options): Promise<Uint8Array>;

/** What to show of a shader. */
export interface Request {
  /** The entry point; the first by default. */
  entry?: string | null;
  /** Options by name, as `trellis options` lists them. */
  options?: Record<string, unknown> | null;
  /** The most blocks of a graph that is drawn. */
  largest_graph?: number;
}

/** What the explorer's page shows of a shader. */
export interface Answer {
  /** The entry points, and the index of the one that is shown. */
  entries: { name: string; stage: string }[];
  entry: number;
  /** How each function was structurized, with pseudo-code and a picture of each stage. */
  functions: Record<string, unknown>[];
  /** The listing of the DXIL. */
  input: { text: string };
  /** The assembly of DXBC. */
  assembly: { text: string } | null;
  /** The entry point as HLSL. */
  hlsl: { text: string } | null;
  /** The SPIR-V as assembly. */
  output: { text: string };
  /** Why there is no SPIR-V. */
  error: { kind: string; message: string } | null;
}

/**
 * Shows the translation of a shader, or of the text form of a control-flow graph. One that cannot be translated has
 * an `error`.
 */
export function explore(shader: Uint8Array, request?: Request): Promise<Answer>;
