// For Cloudflare's workerd, which compiles no bytes: the module is compiled when the worker is deployed.
import * as client from "./client.js";
import { entry } from "./entry.js";
import module from "./verified_swap_bg.wasm";
export * from "./api.js";

/** What is deployed with the worker is compiled, and nothing else can be. */
export const isSupported = () => true;

export const { init, createClient } = entry((given = module) => given, client, undefined, (given) => given === undefined);
