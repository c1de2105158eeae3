// For places where no second file can be fetched: the module is inside the script, a third larger.
import * as client from "./client.ts";
import { entry } from "./entry.ts";
import base64 from "./wasm_base64.js";
import type { Holds } from "./module.ts";
import type * as published from "./types.ts";
export * from "./api.ts";

export const { init, createClient } = entry((given) => given ?? Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)), client);

export type Entry = Holds<typeof import("./inline.ts"), typeof published>;
