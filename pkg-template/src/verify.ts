// verified-swap/verify for browsers and bundlers: the module is in a file beside this one.
import { compile, placed } from "./compile.js";
import { loader } from "./verify-entry.js";
export { guard } from "./guard.js";
export * from "./verify-api.js";

export const init = loader((given) => compile(given ?? placed(new URL("./verified_swap_verify.wasm", import.meta.url).href)));
