/** Builds what an application would ship: one minified ES module per entry, by esbuild. */
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { MODULES } from "../package/locations.mjs";

export const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = join(HERE, "..", "..");
export const PACKAGE = join(ROOT, "node_modules", "verified-swap");

const OPTIONS = {
  absWorkingDir: ROOT, bundle: true, write: false, format: "esm", platform: "browser", target: "es2022", legalComments: "none", logLevel: "error",
};

/** The minified text of one entry of this folder; `external` names packages the application has anyway. */
export async function bundled(entry, { external = [], minify = true } = {}) {
  const all = external.flatMap((name) => [name, `${name}/*`]);
  const result = await build({ ...OPTIONS, entryPoints: [join(HERE, entry)], minify, external: all });
  return result.outputFiles[0].text;
}

/**
 * The same as the scripts that a page gets which loads a part of them later: `[name, text]` of each, and the names of those
 * that the entry, which is the first, has to have before it runs.
 */
export async function bundledApart(entry) {
  const { outputFiles, metafile } = await build({ ...OPTIONS, entryPoints: [join(HERE, entry)], minify: true, splitting: true, metafile: true, outdir: HERE });
  const [{ imports }] = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint?.endsWith(entry));
  const scripts = outputFiles.map(({ path, text }) => [basename(path), text]);
  return { scripts, first: imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => basename(path)) };
}

/** The package's WebAssembly module in one: its file name and bytes. */
export const wasmFile = () => read("verified_swap_bg.wasm");

/** The same in the parts that a page loads, the first one first. */
export const wasmParts = () => Promise.all(MODULES.map(read));

/** The module of the checks alone. */
export const verifyFile = () => read("verified_swap_verify.wasm");

async function read(name) {
  return { name, bytes: await readFile(join(PACKAGE, name)) };
}
