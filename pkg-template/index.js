// Browsers and bundlers: the module beside this file.
import { from } from "./api.js";
export * from "./api.js";

from(() => new URL("./verified_swap_bg.wasm", import.meta.url));
