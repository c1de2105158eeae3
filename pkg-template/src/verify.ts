// verified-swap/verify for browsers and bundlers: the module is in a file beside this one.
import { compile, placed } from "./compile.ts";
import { loader } from "./verify-entry.ts";
import type { Holds } from "./module.ts";
import type * as published from "./types/verify.ts";
export { guard } from "./guard.ts";
export * from "./verify-api.ts";

export const init = loader((given) => compile(given ?? placed(new URL("./verified_swap_verify.wasm", import.meta.url).href)));

export type Entry = Holds<typeof import("./verify.ts"), typeof published>;
