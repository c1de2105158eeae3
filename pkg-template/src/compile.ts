// @ts-nocheck
// A module from where it is: fetched, and compiled while it arrives. It names no module, so that a bundler ships none for it.

/** In development, Vite up to 7 moves the scripts to node_modules/.vite/deps, and leaves the module where it was. */
export const placed = (url) => url.replace(/\/node_modules\/\..*\/deps\/(?!.*\/)/, "/node_modules/verified-swap/");

/**
 * The module from its URL or response, compiled while it arrives. In other forms the glue finds it. With `integrity`
 * (as of `fetch`) no other is compiled. A URL is tried once more, a second later, after what may pass (`passes` of the
 * error): no answer, half an answer, a server's own failure. `begun` is the promise of its answer, if it was asked for
 * already; `onAnswer` gets an answer that is compiled while it arrives.
 */
export async function compile(source, integrity, { begun, onAnswer, isLast } = {}) {
  let given = await source;
  // A bundler may bring a URL class of its own.
  let url = given?.href ?? given;
  let [came, cause, passes] = ["no answer"];
  const isUrl = typeof url === "string";
  // Fetched in vain. `init` says it with a code.
  if (!globalThis.WebAssembly) throw new Error("verified-swap: there is no WebAssembly");
  try {
    if (isUrl) given = await (begun ?? fetched(url, integrity));
    if (!given?.headers) return given;
    url = given.url || "the response given";
    passes = given.status >= 500;
    const type = given.headers.get("content-type");
    came = `${given.status} ${type ?? "without a type"}`;
    // If the server sends another type, or a replaced `fetch` has no stream, the module is compiled after it arrived.
    if (given.ok && type === "application/wasm" && !integrity && given.body?.getReader) {
      onAnswer?.(given);
      return await WebAssembly.compileStreaming(given);
    }
    const bytes = new Uint8Array(await given.arrayBuffer());
    const isOther = given.ok && integrity && !(await isOf(bytes, integrity));
    const begins = String.fromCharCode(...bytes.subarray(0, 60));
    const isModule = isOther && begins.startsWith("\0asm");
    came += ` ${!isModule ? JSON.stringify(begins) : WebAssembly.validate(bytes) ? "of another version" : "cut short"}`;
    if (given.ok && !isOther) return await WebAssembly.compile(bytes);
  } catch (error) {
    cause = error;
    passes = !(error instanceof WebAssembly.CompileError);
  }
  // A file on disk is there, or is not.
  passes &&= isUrl && !url.startsWith("file:");
  if (passes && !isLast) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return compile(source, integrity, { onAnswer, isLast: true });
  }
  throw Object.assign(new Error(`verified-swap: no module at ${url}: ${came}`, cause && { cause }), { passes });
}

/**
 * Whether the bytes have the stated digest. If a page may not compute it (an origin without TLS), `fetch` has checked
 * it.
 */
async function isOf(bytes, integrity) {
  const digest = await globalThis.crypto?.subtle?.digest("SHA-256", bytes);
  return !digest || integrity === `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** The answer; under a test runner that runs a page's scripts in Node, as Jest with jsdom does, the file's bytes. */
function fetched(url, integrity) {
  const builtin = globalThis.process?.getBuiltinModule;
  // If `fetch` itself checks the integrity, its refusal does not show what came.
  if (!builtin || !url.startsWith("file:")) return fetch(url, integrity && !globalThis.crypto?.subtle ? { integrity } : {});
  return builtin("node:fs").readFileSync(builtin("node:url").fileURLToPath(url));
}
