// For Node: the module is read from disk. A bundled server has no such file, or a URL that is not one: there it is in a
// script, which only then is loaded.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as client from "./client.ts";
import { compile } from "./compile.ts";
import { entry } from "./entry.ts";
import type { Holds } from "./module.ts";
import type * as published from "./types.ts";
export * from "./api.ts";

async function read() {
  try {
    return await readFile(fileURLToPath(new URL("./verified_swap_bg.wasm", import.meta.url)));
  } catch {
    const { default: base64 } = await import("./wasm_base64.js");
    return Buffer.from(base64, "base64");
  }
}

export const { init, createClient } = entry((given) => (given === undefined ? read() : compile(given)), client);

export type Entry = Holds<typeof import("./node.ts"), typeof published>;
