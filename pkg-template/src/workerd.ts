// For Cloudflare's workerd, which compiles no bytes: the module is compiled when the worker is deployed.
import * as client from "./client.ts";
import { entry } from "./entry.ts";
import module from "./verified_swap_bg.wasm";
import type { Holds } from "./module.ts";
import type * as published from "./types.ts";
export * from "./api.ts";

/** The module that is deployed with the worker is compiled, and no other can be. */
export const isSupported = () => true;

export const { init, createClient } = entry((given = module) => given, client, undefined, (given) => given === undefined);

export type Entry = Holds<typeof import("./workerd.ts"), typeof published>;
