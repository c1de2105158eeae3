// Values that the build puts in, and forms of files beside the libraries of TypeScript.

/** The length of the module's first file, which assemble.mjs writes into preload.js. */
declare const FIRST_BYTES: number;

/** A compiled module, as workerd gives a file of this kind. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
