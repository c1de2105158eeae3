// Starts to load the module, for a page's first script: it is shipped as one file, so that it is there before the package.
import { compile, placed } from "./compile.ts";
import { connect } from "./connect.ts";
import { compiled, type Holds } from "./module.ts";
import type * as published from "./types/preload.ts";
export { compile };

export type Entry = Holds<typeof import("./preload.ts"), typeof published>;

/** The URL of the module's first part, as the bundler has it: enough for a price. */
export const moduleUrl = () => placed(new URL("./verified_swap_first.wasm", import.meta.url).href);
/** The URLs of the parts behind it, each by the name with which the part before refers to it. */
const PARTS = {
  trade: () => placed(new URL("./verified_swap_trade.wasm", import.meta.url).href),
  rest: () => placed(new URL("./verified_swap_rest.wasm", import.meta.url).href),
};

/** The modules by their URLs, and the answers for which nothing has asked yet. */
const [loading, begun] = [new Map<string, Promise<WebAssembly.Module>>(), new Map<string, Promise<Response>>()];

/** Fetches the module and compiles it while it arrives; opens a connection to the service. `init` goes on from there. */
export function preload(baseUrl?: string): Promise<WebAssembly.Module> {
  connect(baseUrl);
  const first = part(moduleUrl(), undefined, (answer) => follow(answer).catch(() => {}));
  // The rejection is reported to the code that waits for it.
  first.then(partBehind).catch(() => {});
  return first;
}

/** The part behind another one, which names it. */
export async function partBehind(module: WebAssembly.Module): Promise<WebAssembly.Module | undefined> {
  for (const [name, url] of Object.entries(PARTS)) {
    const [digest] = WebAssembly.Module.customSections(module, name);
    if (digest) return part(url(), String.fromCharCode(...new Uint8Array(digest)));
  }
}

/** Asks for the trade's file once two thirds of the first one came: it travels behind that, and not beside it. */
async function follow(answer: Response) {
  const [url, reader] = [PARTS.trade(), answer.clone().body?.getReader()];
  if (!reader) return;
  for (let left = (2 / 3) * FIRST_BYTES; left > 0; ) {
    const { done, value } = await reader.read();
    if (done) return;
    left -= value.length;
  }
  reader.cancel().catch(() => {});
  // Where only `fetch` can check a digest, it has to have that before.
  if (loading.has(url) || begun.has(url) || !globalThis.crypto?.subtle) return;
  begun.set(url, fetch(url));
  begun.get(url)?.catch(() => {});
}

function part(url: string, integrity?: string, onAnswer?: (answer: Response) => unknown): Promise<WebAssembly.Module> {
  const known = loading.get(url);
  if (known) return known;
  const made = compiled(compile(url, integrity, { begun: begun.get(url), onAnswer }));
  loading.set(url, made);
  begun.delete(url);
  // Forget a failure, so that the next call tries again.
  made.catch(() => loading.delete(url));
  return made;
}
