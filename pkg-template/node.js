// Node: the module is read from disk.
import { readFile } from "node:fs/promises";
import { from } from "./api.js";
export * from "./api.js";

from(() => readFile(new URL("./verified_swap_bg.wasm", import.meta.url)));
