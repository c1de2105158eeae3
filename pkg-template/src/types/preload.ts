/** URL of the module's first file, as bundler or page have it: for `<link rel="preload">` in HTML that is made on a server. */
export declare function moduleUrl(): string;

/**
 * Starts what `createClient` starts, for a script that comes before the package's: fetches the module's first two files, which
 * a price and the review of a gasless trade need, and compiles them. With `baseUrl` (the service's) also opens a connection to
 * it. Resolves once the first one is compiled, and rejects if it cannot be loaded; `init` and `createClient` go on from
 * there, or try again. It need not be awaited. For browsers: Node reads the module from disk.
 */
export declare function preload(baseUrl?: string): Promise<CompiledModule>;

/** `WebAssembly.Module`, if the project's types know it: Node's do not. */
type CompiledModule =
  typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : unknown;
