// verified-swap/verify for Cloudflare's workerd, which compiles no bytes: the module is compiled when the worker is deployed.
import { loader } from "./verify-entry.js";
import module from "./verified_swap_verify.wasm";
export * from "./verify-api.js";

export const isSupported = () => true;
export const init = loader((given = module) => given, isSupported);
