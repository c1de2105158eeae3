// For browsers and bundlers: the module is in files beside this one.
import * as client from "./client.js";
import { entry } from "./entry.js";
import { compile, partBehind, preload } from "./preload.js";
export * from "./api.js";

// Declared here: a bundler drops a file that only re-exports, with its side effects.
export const { init, createClient } = entry(
  (given, baseUrl) => (given === undefined ? preload(baseUrl) : compile(given)),
  client,
  partBehind,
);
