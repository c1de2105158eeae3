// @ts-nocheck
// For browsers and bundlers: the module is in files beside this one.
import * as client from "./client.ts";
import { entry } from "./entry.ts";
import { compile, partBehind, preload } from "./preload.ts";
export * from "./api.ts";

// Declared here: a bundler drops a file that only re-exports, with its side effects.
export const { init, createClient } = entry(
  (given, baseUrl) => (given === undefined ? preload(baseUrl) : compile(given)),
  client,
  partBehind,
);
