// For Cloudflare's workerd, which compiles no bytes: the module is compiled when the worker is deployed.
import { entry } from "./entry.js";
import module from "./verified_swap_bg.wasm";
export * from "./api.js";

export const { init, createClient } = entry((given = module) => given);
