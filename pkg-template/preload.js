// Starts to load the module, for a page's first script: it is shipped as one file, so that it is there before the package.
import { compile, placed } from "./compile.js";
export { compile };

/** The URL of the module's first part, as the bundler has it: enough for a price. */
export const moduleUrl = () => placed(new URL("./verified_swap_first.wasm", import.meta.url).href);
/** The URLs of the parts behind it, each by the name with which the part before refers to it. */
const PARTS = {
  trade: () => placed(new URL("./verified_swap_trade.wasm", import.meta.url).href),
  rest: () => placed(new URL("./verified_swap_rest.wasm", import.meta.url).href),
};

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
