// verified-swap/verify for Cloudflare's workerd, which compiles no bytes: the module is compiled when the worker is deployed.
import { loader } from "./verify-entry.ts";
import module from "./verified_swap_verify.wasm";
import type { Holds } from "./module.ts";
import type * as published from "./types/verify.ts";
export { guard } from "./guard.ts";
export * from "./verify-api.ts";

/** The module that is deployed with the worker is compiled, and no other can be. */
export const isSupported = () => true;

export const init = loader((given = module) => given, (given) => given === undefined);

export type Entry = Holds<typeof import("./verify-workerd.ts"), typeof published>;
