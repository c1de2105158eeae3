// For Node: the module is read from disk.
import { readFile } from "node:fs/promises";
import { entry } from "./entry.js";
export * from "./api.js";

export const { init, createClient } = entry(() => readFile(new URL("./verified_swap_bg.wasm", import.meta.url)));
