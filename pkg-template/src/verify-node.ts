// verified-swap/verify for Node: the module is read from disk. A bundled server has no such file, or a URL that is not one:
// there it is in a script, which only then is loaded.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compile } from "./compile.ts";
import { loader } from "./verify-entry.ts";
import type { Holds } from "./module.ts";
import type * as published from "./types/verify.ts";
export { guard } from "./guard.ts";
export * from "./verify-api.ts";

async function read() {
  try {
    return await readFile(fileURLToPath(new URL("./verified_swap_verify.wasm", import.meta.url)));
  } catch {
    const { default: base64 } = await import("./verify_base64.js");
    return Buffer.from(base64, "base64");
  }
}

export const init = loader((given) => (given === undefined ? read() : compile(given)));

export type Entry = Holds<typeof import("./verify-node.ts"), typeof published>;
