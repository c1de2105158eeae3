// The glue of the checks' module, as wasm-bindgen writes it for `crates/verify-wasm`: text in, text out.

/** A verifier by its name, over an input in JSON; `machine` is this machine's clock, unix seconds. */
export function run(name: string, input: string, machine: number): string;
export function explain(call: string, context: string): string;
export function screen(typedData: string): string;
export function tables(): string;

/**
 * Makes the module of bytes, or takes it compiled; the engine refuses all else. assemble.mjs puts this in place of wasm-bindgen's
 * own loader.
 */
export default function load(source: unknown): Promise<WebAssembly.Module>;
