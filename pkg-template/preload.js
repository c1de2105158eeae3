// Starts to load the module, for a page's first script: it imports nothing, so that it is there before the package is.

/** The URL of the module's first part, as the bundler has it: enough for a price. */
export const moduleUrl = () => placed(new URL("./verified_swap_first.wasm", import.meta.url).href);
/** The URLs of the parts behind it, each by the name with which the part before refers to it. */
const PARTS = {
  trade: () => placed(new URL("./verified_swap_trade.wasm", import.meta.url).href),
  rest: () => placed(new URL("./verified_swap_rest.wasm", import.meta.url).href),
};

/** In development, Vite up to 7 moves the scripts to node_modules/.vite/deps, and leaves the module where it was. */
const placed = (url) => url.replace(/\/node_modules\/\..*\/deps\/(?!.*\/)/, "/node_modules/verified-swap/");

const loading = new Map();

/** Fetches the module and compiles it while it arrives; opens a connection to the service. `init` goes on from there. */
export function preload(baseUrl) {
  if (baseUrl && globalThis.document) {
    const link = Object.assign(document.createElement("link"), { rel: "preconnect", href: baseUrl, crossOrigin: "" });
    document.head.append(link);
  }
  const first = part(moduleUrl());
  // The rejection is reported to the code that waits for it.
  first.then(partBehind).catch(() => {});
  return first;
}

/** The part behind another one, which names it. */
export async function partBehind(module) {
  for (const [name, url] of Object.entries(PARTS)) {
    const [digest] = WebAssembly.Module.customSections(module, name);
    if (digest) return part(url(), String.fromCharCode(...new Uint8Array(digest)));
  }
}

function part(url, integrity) {
  if (!loading.has(url)) {
    loading.set(url, compile(url, integrity));
    // Forget a failure, so that the next call tries again.
    loading.get(url).catch(() => loading.delete(url));
  }
  return loading.get(url);
}

/**
 * The module from its URL or response, compiled while it arrives. In other forms the glue finds it. With `integrity`
 * (as of `fetch`) no other is compiled.
 */
export async function compile(source, integrity) {
  let given = await source;
  // A bundler may bring a URL class of its own.
  let url = given?.href ?? given;
  let [came, cause] = ["no answer"];
  // Fetched in vain. `init` says it with a code.
  if (!globalThis.WebAssembly) throw new Error("verified-swap: there is no WebAssembly");
  try {
    if (typeof url === "string") given = await fetched(url, integrity);
    if (!given?.headers) return given;
    url = given.url || "the response given";
    const type = given.headers.get("content-type");
    came = `${given.status} ${type ?? "without a type"}`;
    // If the server sends another type, or a replaced `fetch` has no stream, the module is compiled after it arrived.
    if (given.ok && type === "application/wasm" && !integrity && given.body?.getReader) return await WebAssembly.compileStreaming(given);
    const bytes = new Uint8Array(await given.arrayBuffer());
    const isOther = given.ok && integrity && !(await isOf(bytes, integrity));
    const begins = String.fromCharCode(...bytes.subarray(0, 60));
    came += isOther && begins.startsWith("\0asm") ? " of another version" : ` ${JSON.stringify(begins)}`;
    if (given.ok && !isOther) return await WebAssembly.compile(bytes);
  } catch (error) {
    cause = error;
  }
  throw new Error(`verified-swap: no module at ${url}: ${came}`, cause && { cause });
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
