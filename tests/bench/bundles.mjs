/** Builds what an application would ship: one minified ES module per entry, by esbuild. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { MODULES } from "../package/locations.mjs";

export const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = join(HERE, "..", "..");
export const PACKAGE = join(ROOT, "node_modules", "verified-swap");

/** The minified text of one entry of this folder; `external` names packages the application has anyway. */
export async function bundled(entry, { external = [], minify = true } = {}) {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(HERE, entry)],
    bundle: true,
    write: false,
    minify,
    format: "esm",
    platform: "browser",
    target: "es2022",
    legalComments: "none",
    external: external.flatMap((name) => [name, `${name}/*`]),
    logLevel: "error",
  });
  return result.outputFiles[0].text;
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
