// verified-swap/verify for Cloudflare's workerd, which compiles no bytes: the module is compiled when the worker is deployed.
import { loader } from "./verify-entry.js";
import module from "./verified_swap_verify.wasm";
export { guard } from "./guard.js";
export * from "./verify-api.js";

/** What is deployed with the worker is compiled, and nothing else can be. */
export const isSupported = () => true;

export const init = loader((given = module) => given, (given) => given === undefined);
