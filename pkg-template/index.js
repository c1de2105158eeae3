// Browsers and bundlers: the module beside this file.
import { entry } from "./entry.js";
export * from "./api.js";

// Exports of this file's own: a bundler leaves out a file that only passes on what others export, and all it does.
export const { init, createClient } = entry(() => new URL("./verified_swap_bg.wasm", import.meta.url));
