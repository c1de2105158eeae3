// Starts to load the module, for a page's first script: it imports nothing, so that it is there before the package is.

/** Where the module lies, as the bundler has it. */
export const moduleUrl = () => new URL("./verified_swap_bg.wasm", import.meta.url).href;

let loading;

/** Fetches the module and compiles it while it arrives; opens a connection to the service. `init` goes on from there. */
export function preload(baseUrl) {
  if (baseUrl && globalThis.document) {
    const link = Object.assign(document.createElement("link"), { rel: "preconnect", href: baseUrl, crossOrigin: "" });
    document.head.append(link);
  }
  // Forget a failure, so that the next call tries again.
  const forget = () => (loading = undefined);
  if (!loading) (loading = compile()).catch(forget);
  return loading;
}

async function compile() {
  const response = await fetch(moduleUrl());
  if (!response.ok) throw new Error(`verified-swap: no module at ${response.url}: ${response.status}`);
  // A server that gives it another type has it compiled after it arrived.
  const isStreamed = response.headers.get("content-type") === "application/wasm";
  return isStreamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
