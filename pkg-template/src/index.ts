// For browsers and bundlers: the module is in files beside this one.
import * as client from "./client.ts";
import { entry } from "./entry.ts";
import { compile, partBehind, preload } from "./preload.ts";
import type { Holds } from "./module.ts";
import type * as published from "./types.ts";
export * from "./api.ts";

// Declared here: a bundler drops a file that only re-exports, with its side effects.
export const { init, createClient } = entry(
  (given, baseUrl) => (given === undefined ? preload(baseUrl) : compile(given)),
  client,
  partBehind,
);

export type Entry = Holds<typeof import("./index.ts"), typeof published>;
